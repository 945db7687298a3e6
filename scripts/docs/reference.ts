// Generates the parts of the pages between `<!-- made: NAME -->` and `<!-- end -->`. `npm run docs -- reference` writes them, `-- --check`
// fails if they are out of date.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { program } from '../../emulator/cli/program.node.ts';
import { formatReference } from '../../render/cli/help.ts';
import { allSpecs } from '../../render/cli/program.ts';
import { overviewFlags } from '../../render/cli/table/shared.ts';
import { riskRules } from '../../render/diff/risk-rules.ts';
import { orderSchema } from '../../render/index.ts';
import { type ErrorGuide, emulatorErrors, otherErrors, renderErrors } from '../../test/support/error-guide.ts';
import { type Page, readPages, root } from './pages.ts';
import {
  formatControlRoutes,
  formatExampleCoverage,
  formatPeople,
  formatRoutes,
  formatScenarios,
  formatSettings,
} from './reference-emulator.ts';
import { code, plain, table } from './table.ts';

const specs = await allSpecs(program);

/** Every part by its name. */
const parts: Readonly<Record<string, () => string>> = {
  command: () => formatReference(specs, overviewFlags, 2),
  order: () => formatSchema(orderSchema() as SchemaNode),
  routes: formatRoutes,
  'control-routes': formatControlRoutes,
  settings: formatSettings,
  scenarios: formatScenarios,
  people: formatPeople,
  'example-coverage': formatExampleCoverage,
  risks: formatRisks,
  'render-errors': () => formatErrors('render'),
  'emulator-errors': () => formatErrors('emulator'),
  'other-errors': () => formatErrors('other'),
};

function formatRisks(): string {
  const immutable = {
    meaning: 'The API server rejects the change: the object must be deleted and recreated.',
    rule: 'An immutable field changes. Does not apply to hooks, renamed objects or objects from `crds/`.',
  };
  const rules = Object.entries({ immutable, ...riskRules });
  return [
    '| risk | meaning | rule |',
    '|---|---|---|',
    ...rules.map(([name, { meaning, rule }]) => `| \`${name}\` | ${meaning} | ${rule} |`),
  ].join('\n');
}

/** Returns a page with its generated parts updated. Throws if a marker has an unknown name or is not closed. */
function withGeneratedParts({ path, text }: Page): string {
  return text.replace(/<!-- made: (.*) -->\n([\s\S]*?)(<!-- end -->|$(?![\s\S]))/g, (_whole, name, _old, end) => {
    const make = parts[name];
    if (make === undefined) throw new Error(`${path}: unknown part ${JSON.stringify(name)}`);
    if (end === '') throw new Error(`${path}: <!-- made: ${name} --> is not closed`);
    return `<!-- made: ${name} -->\n\n${make().trim()}\n\n<!-- end -->`;
  });
}

/** Returns the pages with outdated generated parts, updated. */
async function stalePages(): Promise<Page[]> {
  const pages = await readPages();
  return pages
    .map((page) => ({ ...page, text: withGeneratedParts(page) }))
    .filter(({ text }, i) => text !== pages[i]?.text);
}

const kinds = {
  render: ['RenderError', renderErrors],
  emulator: ['EmulatorError', emulatorErrors],
  other: ['', otherErrors],
} as const;

/** Returns the sections of the codes of one kind of error. */
function formatErrors(kind: keyof typeof kinds): string {
  const [name, guides] = kinds[kind];
  return Object.entries(guides)
    .map(([code, guide]) => formatGuide(name === '' ? code : `${name}: ${code}`, guide))
    .join('\n\n');
}

function formatGuide(title: string, { cause, example, message, hint }: ErrorGuide): string {
  const isPattern = /^\/.*\/$/s.test(message);
  const block = isPattern ? [] : ['```text', message.trimEnd(), '```', ''];
  return [`### ${title}`, '', cause, '', '```js', example, '```', '', ...block, `**Fix:** ${hint}`].join('\n');
}

// Formats JSON Schemas as Markdown: a section with a table of fields for each object with a title.

/** The parts of a JSON Schema that pages describe. */
interface SchemaNode {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly examples?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  readonly additionalProperties?: SchemaNode | boolean;
}

/** Returns the sections of an object and of all titled objects within it, outermost first, each once. */
function formatSchema(schema: SchemaNode): string {
  const sections = new Map<string, string>();
  collect(schema, sections);
  return [...sections.values()].join('\n\n');
}

function collect(node: SchemaNode, sections: Map<string, string>): void {
  const { title, properties, items, additionalProperties } = node;
  if (properties !== undefined && title !== undefined && !sections.has(title)) {
    const rows = Object.entries(properties).map(([name, member]) => [
      `${code(name)}${node.required?.includes(name) ? ' (required)' : ''}`,
      typeOf(member),
      describeField(member),
    ]);
    sections.set(
      title,
      [`## ${title}`, plain(sentence(node.description)), table(['field', 'type', 'meaning'], rows)].join('\n\n'),
    );
  }
  for (const inner of Object.values(properties ?? {})) collect(inner, sections);
  if (items !== undefined) collect(items, sections);
  if (typeof additionalProperties === 'object') collect(additionalProperties, sections);
}

/** Returns the type of a field as a link to its section, or in words. */
function typeOf(node: SchemaNode): string {
  const { title, items, properties, additionalProperties } = node;
  if (properties !== undefined && title !== undefined) return `[${title}](#${title.toLowerCase()})`;
  if (items !== undefined) return `list of ${typeOf(items)}`;
  if (typeof additionalProperties === 'object') return `map of ${typeOf(additionalProperties)}`;
  if (node.enum !== undefined || node.const !== undefined) return 'one of these words';
  const types = (typeof node.type === 'string' ? [node.type] : (node.type ?? [])).filter((type) => type !== 'null');
  return types.length === 0 ? 'any' : types.join(' or ');
}

function describeField(node: SchemaNode): string {
  const words = [node.enum ?? [], node.const === undefined ? [] : [node.const]]
    .flat()
    .filter((word) => word !== '' && word !== null);
  const choices = words.length === 0 ? '' : ` ${words.map((word) => code(String(word))).join(', ')}`;
  const simple = (node.examples ?? []).filter((example) => typeof example !== 'object');
  const examples = simple.length === 0 ? '' : ` Such as ${simple.map((example) => code(String(example))).join(', ')}.`;
  return `${sentence(node.description ?? '')}${choices}${examples}`.trim();
}

const sentence = (text = ''): string => (text === '' || /[.:!?]$/.test(text) ? text : `${text}.`);

if (process.argv[1] === import.meta.filename) {
  const stale = await stalePages();
  for (const { path, text } of stale) {
    if (!process.argv.includes('--check')) await writeFile(join(root, path), text);
    else console.error(`${path}: out of date: run npm run docs -- reference`);
  }
  process.exitCode = stale.length > 0 && process.argv.includes('--check') ? 1 : 0;
}
