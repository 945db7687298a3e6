// Descriptions of values: comments in values.yaml in the syntax of helm-docs and Bitnami's generator, or descriptions in
// values.schema.json.

import type { Chart } from '../chart/chart.ts';
import { parseJson } from '../codec/json.ts';
import { findMember, type PlaceFinder, placeFinder } from '../codec/yaml/places.ts';
import { orUndefined } from '../core/catch.ts';
import { getOrCreate, lazy } from '../core/lazy.ts';
import type { Steps } from '../core/paths.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import type { GoValue } from '../go/value.ts';
import { member } from '../manifest/objects.ts';
import { pathText } from './paths.ts';

/** Returns the description of a value; undefined if neither the chart nor the subchart has one. */
export type ValueDescriber = (steps: Steps) => string | undefined;

/** Returns the description of one value of a chart; `valueDescriber` is faster for many. */
export function describeValue(chart: Chart, steps: Steps): string | undefined {
  return valueDescriber(chart)(steps);
}

/** Returns a function that describes the values of a chart and reads values.yaml once. */
export function valueDescriber(chart: Chart): ValueDescriber {
  const comment = lazy(() => commentFinder(chart));
  const children = new Map<Chart, ValueDescriber>();
  return (steps) => {
    const own = comment()(steps) ?? schemaDescription(chart, steps);
    if (own !== undefined) return own;
    const [first, ...rest] = steps;
    const child = subchartAt(chart, first);
    if (child === undefined || rest.length === 0) return undefined;
    return getOrCreate(children, child, () => valueDescriber(child))(rest);
  };
}

/** Returns the subchart whose values are under a name or alias, or undefined. */
export function subchartAt({ metadata, children }: Chart, key: string | number | undefined): Chart | undefined {
  const names = metadata.dependencies.filter(({ alias, name }) => (alias || name) === key);
  return children.find(
    (child) => child.metadata.name === key || names.some(({ name }) => name === child.metadata.name),
  );
}

/** Returns the keys of a subchart's values: its name, or its aliases. */
export function subchartKeys({ metadata }: Chart, child: Chart): readonly [string, ...string[]] {
  const { name } = child.metadata;
  const [first, ...others] = metadata.dependencies
    .filter((dependency) => dependency.name === name)
    .map((dependency) => dependency.alias || name);
  return [first ?? name, ...others];
}

/** Returns the line (from 1) of a value in the chart's values.yaml, or undefined. */
export function defaultLine(chart: Chart, steps: Steps): number | undefined {
  if (chart.valuesData === undefined) return undefined;
  return lineOf((path) => findMember(decodeUtf8(chart.valuesData!), path), steps);
}

function lineOf(find: PlaceFinder, steps: Steps): number | undefined {
  const found = orUndefined(() => find(steps.map(String)));
  return found?.isWhole === true ? found.line : undefined;
}

function commentFinder({ valuesData }: Chart): ValueDescriber {
  if (valuesData === undefined) return () => undefined;
  const text = decodeUtf8(valuesData);
  const find = placeFinder(text);
  const lines = text.split(/\r?\n/);
  const parameters = lazy(() => parametersIn(text));
  return (steps) => {
    if (steps.length === 0) return undefined;
    const line = lineOf(find, steps);
    return (line === undefined ? undefined : commentAbove(lines, line)) ?? parameters().get(pathText(steps));
  };
}

// The text after `# --` and the comment lines below it; `# @…` are annotations.
// Mirrors: helm-docs, pkg/helm/comment.go.
function commentAbove(lines: readonly string[], line: number): string | undefined {
  const block: string[] = [];
  for (let at = line - 2; at >= 0 && /^\s*#/.test(lines[at] ?? ''); at--) block.unshift(lines[at]!);
  const start = block.findLastIndex((comment) => /^\s*#\s+(?:\S+\s+)?--\s/.test(comment));
  if (start < 0) return undefined;
  const [first = '', ...more] = block.slice(start);
  const texts = [
    first.replace(/^\s*#\s+(?:\S+\s+)?--\s+(?:\([^)]*\)\s*)?/, ''),
    ...more.map((comment) => comment.replace(/^\s*#\s?/, '')).filter((comment) => !comment.startsWith('@')),
  ];
  return sentence(texts.join(' '));
}

// `## @param image.tag [default: x] The tag`.
// Mirrors: bitnami/readme-generator-for-helm.
function parametersIn(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, path = '', words = ''] of text.matchAll(
    /^[ \t]*##?\s*@param\s+(\S+)[ \t]+(?:\[[^\]\n]*\][ \t]*)?(\S.*)$/gm,
  )) {
    const description = sentence(words);
    if (description !== undefined && !found.has(path)) found.set(path, description);
  }
  return found;
}

function schemaDescription({ schema }: Chart, steps: Steps): string | undefined {
  if (schema === undefined) return undefined;
  const [own, meant] = schemaNodes(readSchema(schema), steps);
  const text = member(own, 'description') ?? member(meant, 'description');
  return typeof text === 'string' ? sentence(text) : undefined;
}

/** Parses a values.schema.json; null if it is not valid JSON. */
export function readSchema(schema: Uint8Array): GoValue {
  return orUndefined(() => parseJson(decodeUtf8(schema))) ?? null;
}

/** Returns the schema of a value, as written and with its reference resolved; nulls if there is none. */
export function schemaNodes(root: GoValue, steps: Steps): readonly [own: GoValue, meant: GoValue] {
  let node = root;
  for (const step of steps) {
    const schema = referred(node, root);
    node = typeof step === 'number' ? member(schema, 'items') : member(member(schema, 'properties'), step);
  }
  return [node, referred(node, root)];
}

// Resolves references within the document; a cycle ends after a few hops.
function referred(node: GoValue, root: GoValue): GoValue {
  let at = node;
  for (let hops = 0; hops < 8; hops++) {
    const reference = member(at, '$ref');
    if (typeof reference !== 'string' || !reference.startsWith('#')) return at;
    at = reference
      .slice(1)
      .split('/')
      .slice(1)
      .reduce<GoValue>((value, token) => member(value, token.replaceAll('~1', '/').replaceAll('~0', '~')), root);
  }
  return at;
}

const maxLength = 160;

// One line, short enough for a message.
function sentence(text: string): string | undefined {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line === '') return undefined;
  return line.length > maxLength ? `${line.slice(0, maxLength).trimEnd()}…` : line;
}
