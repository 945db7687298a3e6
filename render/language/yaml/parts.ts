// Parts of a chart's values.yaml and values.schema.json, read with the `yaml` package.

import { isNode, isScalar, type Pair, type YAMLMap } from 'yaml';

const longestComment = 600;
/** Schemas can refer to themselves. */
const mostReferences = 12;

/** A JSON Schema, or a part of one. */
export type ValuesSchema = Readonly<Record<string, unknown>>;

/** Returns the description of a subchart's values. */
export function aboutSubchart(name: string): string {
  return `What the chart ${name} within this one takes`;
}

export function pairKey(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value) : String(pair.key);
}

/** Returns the description of a member in a comment; that of the first member is above the map. */
export function commentOf({ key, value }: Pair, map: YAMLMap | undefined): string {
  const above = (isNode(key) && key.commentBefore) || map?.commentBefore || '';
  const beside = (isScalar(value) && value.comment) || '';
  // A blank line separates a heading from the description of the member below it.
  const own = above.split(/\n\s*\n/).at(-1) ?? '';
  const lines = (beside || own)
    .split('\n')
    .map((line) => line.replace(/^\s*#*\s?/, ''))
    .filter((line) => !/^@(?:param|section|skip|extra|description)/.test(line))
    .map((line) => line.replace(/^\s*(?:--|@[\w.]+)?\s?/, ''));
  const text = (beside ? lines : withoutEntries(lines)).join('\n').trim();
  return text.length > longestComment ? `${text.slice(0, longestComment)}…` : text;
}

const entry = /^(?:- |[a-z][\w.-]*:(?: |$))/;

// `# - name: x` above a member is usually an example of the empty list or map before it.
function withoutEntries(lines: readonly string[]): readonly string[] {
  if (!entry.test(lines[0] ?? '') || /^default/.test(lines[0] ?? '')) return lines;
  const start = lines.findIndex((line) => !entry.test(line));
  return start < 0 ? [] : lines.slice(start);
}

/** Resolves a reference within the schema's document; other schemas are returned unchanged. */
export function resolved(schema: unknown, root: ValuesSchema): ValuesSchema {
  let found = isSchema(schema) ? schema : {};
  for (let count = 0; count < mostReferences && typeof found.$ref === 'string'; count++) {
    const steps = found.$ref.startsWith('#/') ? found.$ref.slice(2).split('/') : [];
    let at: unknown = steps.length === 0 ? undefined : root;
    for (const step of steps) at = isSchema(at) ? at[step.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined;
    found = isSchema(at) ? at : {};
  }
  return found;
}

export function isSchema(value: unknown): value is ValuesSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
