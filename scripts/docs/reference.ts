// Generates the parts of the pages between `<!-- made: NAME -->` and `<!-- end -->`. `npm run docs -- reference` writes them, `-- --check`
// fails if they are out of date.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { answersOf } from '../../emulator/app/answers.ts';
import { addressOf, type Route } from '../../emulator/app/route.ts';
import { settingRules } from '../../emulator/app/settings.ts';
import { program } from '../../emulator/cli/program.node.ts';
import { controlRoutes, serviceRoutes } from '../../emulator/routes/index.ts';
import { defaultFixtures } from '../../emulator/store/default-fixtures.ts';
import { builtInScenarios } from '../../emulator/world/faults.ts';
import { formatReference } from '../../render/cli/help.ts';
import { allSpecs } from '../../render/cli/program.ts';
import { riskRules } from '../../render/diff/risk-rules.ts';
import { orderSchema } from '../../render/index.ts';
import { type ErrorGuide, emulatorErrors, otherErrors, renderErrors } from '../../test/support/error-guide.ts';
import { formatRun, type Recorded } from '../bench/table.ts';
import { moduleDiagram } from './diagram.ts';
import exampleCoverage from './example-coverage.json' with { type: 'json' };
import { type Page, readPages, root } from './pages.ts';
import recordedRun from './speed.json' with { type: 'json' };

const specs = await allSpecs(program);
const diagram = await moduleDiagram(root);

/** Every part by its name. */
const parts: Readonly<Record<string, () => string>> = {
  command: () => formatReference(specs),
  order: () => formatSchema(orderSchema() as SchemaNode),
  routes: formatRoutes,
  'control-routes': formatControlRoutes,
  settings: formatSettings,
  scenarios: formatScenarios,
  people: formatPeople,
  'example-coverage': formatExampleCoverage,
  modules: () => diagram,
  risks: formatRisks,
  speed: formatSpeed,
  'render-errors': () => formatErrors('render'),
  'emulator-errors': () => formatErrors('emulator'),
  'other-errors': () => formatErrors('other'),
};

function formatSpeed(): string {
  const run = recordedRun as Recorded;
  const { date, machine, node, helm } = run;
  return `${formatRun(run)}\n\nRecorded ${date} on ${machine}, Node ${node}, Helm ${helm}.`;
}

function formatRisks(): string {
  const immutable = {
    meaning: 'The API server rejects the change: the object must be deleted and recreated.',
    rule: 'An immutable field changes. Does not apply to hooks, renamed objects or objects from `crds/`.',
  };
  const rules = Object.entries({ immutable, ...riskRules });
  const rows = rules.map(([name, { meaning, rule }]) => [code(name), meaning, rule]);
  return table(['risk', 'meaning', 'rule'], rows);
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

// The parts about the emulator, from its routes, settings, scenarios and seeds.

/** Returns the routes of the service, a table for each section. */
function formatRoutes(): string {
  const sections = new Map<string, Route[]>();
  for (const route of serviceRoutes) sections.set(route.section, [...(sections.get(route.section) ?? []), route]);
  const tables = [...sections].map(([section, routes]) => {
    const rows = routes.map((route) => [
      code(`${route.method} ${addressOf(route).replace(/^\/api\/v1/, '') || '/'}`),
      route.access,
      Object.keys(answersOf(route)).join(' '),
      `${route.summary}${(route.space ?? 'api') === 'api' ? '' : ' (at the root)'}`,
      route.emulation,
    ]);
    return `## ${section}\n\n${table(['route', 'access', 'status', 'summary', 'notes'], rows)}`;
  });
  return tables.join('\n\n');
}

/** Returns the control routes as a table. */
function formatControlRoutes(): string {
  const rows = controlRoutes.map((route) => [
    code(`${route.method} ${addressOf(route)}`),
    Object.keys(answersOf(route)).join(' '),
    route.summary,
  ]);
  return table(['route', 'status', 'summary'], rows);
}

/** Returns the settings as a table: name, flag, default, meaning. */
function formatSettings(): string {
  const rows = Object.entries(settingRules).map(([name, rule]) => [
    code(name),
    rule.flag === undefined
      ? `\`--set ${name}=…\``
      : code(`--${[rule.flag.name, rule.flag.value].filter(Boolean).join(' ')}`),
    shortened(JSON.stringify(rule.default)),
    rule.description,
  ]);
  return table(['setting', 'flag of `serve`', 'default', 'description'], rows);
}

const shortened = (text: string): string => (text.length > 60 ? `${code(`${text.slice(0, 40)}…`)}` : code(text));

/** Returns the built-in scenarios as a table. */
function formatScenarios(): string {
  const rows = Object.entries(builtInScenarios).map(([name, { description }]) => [code(name), description]);
  return table(['scenario', 'effect'], rows);
}

// The use of each seeded person in tests and demos.
const uses: Readonly<Record<string, string>> = {
  ada: 'Site administrator with data in every list; the main user of demos',
  bob: 'Administrator of the organizations Harbor and Northwind; has three pages of followers and every type of credential',
  cleo: 'Member without administrative rights; has every scope of subscription',
  dan: 'Member of a client organization',
  eve: 'Signs in through the organization only: no password',
  finn: 'Never activated the account: refused with 403',
  gus: 'May no longer sign in: refused with 403',
  hana: 'Signed up yesterday and has no data yet: empty lists',
  ivan: 'Hides the address and blocks dan; has an expired and a revoked token',
};

/** Returns how much of the API is exercised by the tests of the example projects. */
function formatExampleCoverage(): string {
  const rows = Object.entries(exampleCoverage).map(([name, totals]) => [
    name === 'all of them' ? name : code(name),
    ...[totals.operations, totals.statuses, totals.filters].map(({ covered, total }) => `${covered} of ${total}`),
  ]);
  return table(['example', 'operations', 'status codes', 'query parameters'], rows);
}

/** Returns the seeded people with a token: how to sign in as each, and their use. */
function formatPeople(): string {
  const { users = [], tokens = [] } = defaultFixtures;
  const rows = users.flatMap((user) => {
    const token = tokens.find((held) => held.user === user.login);
    if (token === undefined) return [];
    return [
      [
        code(user.login),
        user.password === undefined ? 'none' : code(user.password),
        code(token.token ?? ''),
        uses[user.login] ?? '',
      ],
    ];
  });
  return table(['login', 'password', 'token', 'use as'], rows);
}

/** Returns a table. Bars and line breaks in cells are escaped. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells
      .map((cell) =>
        plain(cell)
          .replaceAll('|', '\\|')
          .replaceAll(/\s*\n\s*/g, ' '),
      )
      .join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

/** Returns a text in which brackets outside code spans are not HTML elements. */
function plain(cell: string): string {
  return cell
    .split(/(`[^`]*`)/)
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll('<', '&lt;')))
    .join('');
}

/** Returns a text as a code span; empty stays empty. */
function code(text: string): string {
  return text === '' ? '' : `\`${text}\``;
}

const stale = await stalePages();
for (const { path, text } of stale) {
  if (!process.argv.includes('--check')) await writeFile(join(root, path), text);
  else console.error(`${path}: out of date: run npm run docs -- reference`);
}
process.exitCode = stale.length > 0 && process.argv.includes('--check') ? 1 : 0;
