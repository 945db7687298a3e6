// Formats JSON Schemas as Markdown: a section with a table of fields for each object with a title.

import { code, plain, table } from './table.ts';

/** The parts of a JSON Schema that pages describe. */
export interface SchemaNode {
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
export function formatSchema(schema: SchemaNode): string {
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
      wordsOf(member),
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

function wordsOf(node: SchemaNode): string {
  const words = [node.enum ?? [], node.const === undefined ? [] : [node.const]]
    .flat()
    .filter((word) => word !== '' && word !== null);
  const choices = words.length === 0 ? '' : ` ${words.map((word) => code(String(word))).join(', ')}`;
  const simple = (node.examples ?? []).filter((example) => typeof example !== 'object');
  const examples = simple.length === 0 ? '' : ` Such as ${simple.map((example) => code(String(example))).join(', ')}.`;
  return `${sentence(node.description ?? '')}${choices}${examples}`.trim();
}

const sentence = (text = ''): string => (text === '' || /[.:!?]$/.test(text) ? text : `${text}.`);
