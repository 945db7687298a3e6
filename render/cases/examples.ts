// Example values in a chart: enumerations, constants and examples in its schema, and commented-out values in values.yaml, which are below
// an empty default in charts made by `helm create`, and above it in Bitnami's.

import type { Chart } from '../chart/chart.ts';
import { plainValue } from '../codec/plain.ts';
import { parseYaml } from '../codec/yaml/parse.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import { GoError, type GoValue } from '../go/value.ts';
import type { JsonValue } from '../order/order.ts';
import { isObject } from '../order/shape.ts';
import { defaultLine, readSchema, schemaNodes, subchartAt } from '../values/describe.ts';
import type { Steps } from '../values/paths.ts';
import { exampleFor } from './example-names.ts';

/** The examples of a chart. */
export interface Examples {
  /** Returns example values for a path, the best first. */
  at(path: Steps): readonly JsonValue[];
}

/** Returns the examples of a chart and its sub-charts. */
export function examplesOf(chart: Chart): Examples {
  const known = new Map<string, readonly JsonValue[]>();
  const sources = new Map<Chart, Source>();
  const sourceOf = (owner: Chart): Source => {
    const source = sources.get(owner) ?? readSource(owner);
    sources.set(owner, source);
    return source;
  };
  return {
    at: (path) => {
      const key = JSON.stringify(path);
      const [owner, own] = ownerOf(chart, path);
      const found = known.get(key) ?? examplesIn(sourceOf(owner), owner, own);
      known.set(key, found);
      return found;
    },
  };
}

/** The sources of a chart's examples: its schema, null if there is none, and the lines of its values.yaml. */
interface Source {
  readonly schema: GoValue;
  readonly lines: readonly string[];
}

function readSource({ schema, valuesData }: Chart): Source {
  const lines = valuesData === undefined ? [] : decodeUtf8(valuesData).split(/\r?\n/);
  return { schema: schema === undefined ? null : readSchema(schema), lines };
}

function examplesIn({ schema, lines }: Source, chart: Chart, path: Steps): JsonValue[] {
  const line = path.some((step) => typeof step === 'number') ? undefined : defaultLine(chart, path);
  return [...schemaWords(schema, path), ...(line === undefined ? [] : commentedExamples(lines, line, path))];
}

// The enumeration, the constant and the examples in a value's schema.
function schemaWords(schema: GoValue, path: Steps): JsonValue[] {
  const [, node] = schemaNodes(schema, path);
  if (!(node instanceof Map)) return [];
  const lists = ['enum', 'examples'].map((name) => node.get(name)).filter(Array.isArray);
  const constant = node.get('const');
  return plainValue([...(constant === undefined ? [] : [constant]), ...lists.flat()]) as JsonValue[];
}

// `line` is that of the default, from 1.
function commentedExamples(lines: readonly string[], line: number, path: Steps): JsonValue[] {
  const [given = ''] = (lines[line - 1] ?? '').replace(/^[^:]*:/, '').split(/\s#/, 1);
  const isWanted = wanted[given.trim()] ?? (() => false);
  const name = String(path.at(-1));
  const found = [exampleBelow(lines, line), exampleAbove(lines, line, name)];
  return found.flatMap((value) => (value === undefined ? [] : [withoutName(value, name)])).filter(isWanted);
}

// Many comments repeat the name: `podLabels: {}`, followed by `# podLabels:` with members.
function withoutName(value: JsonValue, name: string): JsonValue {
  const isNamed = isObject(value) && Object.keys(value).length === 1 && value[name] !== undefined;
  return isNamed ? (value[name] as JsonValue) : value;
}

/** Reports whether an example contains a placeholder such as `<name>` or `true|false`. */
export function holdsPlaceholder(value: JsonValue): boolean {
  if (typeof value === 'string') return /^<[^<>]*>$|^\w+(?:\|\w+)+$/.test(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsPlaceholder);
}

/** Examples must have the same kind as the default. */
const wanted: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  '{}': isMap,
  '[]': Array.isArray,
  '': isMapOrList,
};

function isMap(value: JsonValue): boolean {
  return isMapOrList(value) && !Array.isArray(value);
}

function isMapOrList(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

const comment = /^\s*#+ ?/;
/** `Ref: https://...` and `Example:`, which look like members. */
const heading = /^\s*(?:(?:ref|see|docs?)\w*:\s*https?:|(?:e\.g\.?|examples?):?\s*$)/i;

// The comment lines after the default; prose around the example is skipped line by line.
function exampleBelow(lines: readonly string[], line: number): JsonValue | undefined {
  const block: string[] = [];
  for (let at = line; comment.test(lines[at] ?? ''); at++) {
    const text = lines[at]!.replace(comment, '');
    if (!heading.test(text)) block.push(text);
  }
  const blank = block.indexOf('');
  const texts = blank > 0 ? block.slice(0, blank) : block;
  for (let from = 0; from < Math.min(texts.length, mostProse); from++) {
    for (let end = texts.length; end > Math.max(from, texts.length - mostProse); end--) {
      const value = parsed(texts.slice(from, end));
      if (value !== undefined) return value;
    }
  }
  return undefined;
}

const mostProse = 12;

// The comment lines before the default: `# NAME:` with its indented content, or a list at its level.
function exampleAbove(lines: readonly string[], line: number, name: string): JsonValue | undefined {
  const block: string[] = [];
  for (let at = line - 2; comment.test(lines[at] ?? ''); at--) block.unshift(lines[at]!.replace(comment, ''));
  const start = block.findIndex((text) => text.trim() === `${name}:`);
  const indent = /^\s*/.exec(block[start] ?? '')![0].length;
  const end = block.findIndex((text, at) => at > start && !isBelow(text, indent));
  if (start < 0) return exampleList(block);
  const value = parsed(block.slice(start, end < 0 ? undefined : end));
  return value !== undefined && !Array.isArray(value) && typeof value === 'object'
    ? (value?.[name] ?? undefined)
    : undefined;
}

// `e.g.` followed by a list or map without the name.
function exampleList(block: readonly string[]): JsonValue | undefined {
  const start = block.findIndex(
    (text) => /^\s*(?:- )?[\w.-]+:(?: |$)/.test(text) && !/^\s*(?:e\.g|ref|example)/i.test(text),
  );
  return start < 0 ? undefined : parsed(block.slice(start));
}

function isBelow(text: string, indent: number): boolean {
  const own = /^\s*/.exec(text)![0].length;
  return text.trim() !== '' && (own > indent || (own === indent && text.trim().startsWith('- ')));
}

function parsed(lines: readonly string[]): JsonValue | undefined {
  const text = lines.join('\n');
  if (!/[:-]/.test(text)) return undefined;
  try {
    const value = plainValue(parseYaml(text)) as JsonValue;
    return isMapOrList(value) && holdsNoProse(value) ? withoutGaps(value, '') : undefined;
  } catch (error) {
    if (error instanceof GoError) return undefined;
    throw error;
  }
}

// `name:` alone is left for the user to fill in.
function withoutGaps(value: JsonValue, name: string): JsonValue {
  if (value === null) return exampleFor(name);
  if (Array.isArray(value)) return value.map((item) => withoutGaps(item, name));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutGaps(item ?? null, key)]));
}

// `Note: this …` is valid YAML as well.
function holdsNoProse(value: JsonValue): boolean {
  return Array.isArray(value) || Object.keys(value as object).every((key) => /^[\w./-]+$/.test(key));
}

// The chart whose values.yaml has the default of a path, and the path in it.
function ownerOf(chart: Chart, path: Steps): readonly [chart: Chart, path: Steps] {
  const [first, ...rest] = path;
  const child = rest.length === 0 ? undefined : subchartAt(chart, first);
  return child === undefined ? [chart, path] : ownerOf(child, rest);
}
