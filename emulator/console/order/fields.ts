// The values of a chart as form fields: from its values.yaml with comments, and from its schema.

import { type Alias, isMap, type Node, parseDocument, visit, YAMLMap } from 'yaml';
import { helmYaml } from '../../../render/codec/yaml/document-options.ts';
import {
  type ChartValues,
  type KnownValue,
  type KnownValues,
  knownValuesOfCharts,
} from '../../../render/language/yaml/known-values.ts';
import { isSchema, type ValuesSchema } from '../../../render/language/yaml/parts.ts';
import { matcherOf } from '../search.ts';

/** A field for one value, or a group of fields. */
export interface ValueField {
  /** The path of the value. */
  readonly path: readonly string[];
  /** `yaml`: a list, or a map without known members, edited as YAML. `group`: a map with members. */
  readonly kind: 'text' | 'number' | 'boolean' | 'choice' | 'yaml' | 'group';
  /** Its description, from the comments or the schema of the chart; may be empty. */
  readonly about: string;
  /** The heading above it, of a `@section` comment. */
  readonly section?: string;
  /** The chart's default; undefined if only the schema has the value. */
  readonly own: unknown;
  readonly choices: readonly string[];
  readonly members: readonly ValueField[];
}

/**
 * Returns the fields of the values of a chart and its subcharts. Never fails: unreadable parts have no fields. `pause` yields between pieces
 * of a values.yaml, because parsing five thousand lines at once would block typing.
 */
export async function parseFields(chart: ChartValues, pause: () => Promise<void>): Promise<readonly ValueField[]> {
  const about = new Map<string, string>();
  const read = async ({ name, values, schema, charts }: ChartValues, path: readonly string[]): Promise<ReadChart> => {
    if (values.length > longestValues) return { name, values: undefined, schema: undefined, charts: [] };
    readParams(values, path, about);
    const map = await readPieces(values, pause);
    const inner: ReadChart[] = [];
    for (const one of charts) {
      const found = await read(one, [...path, one.name]);
      // Globals are listed above: a chart that has nothing else has no field.
      if (
        knownValuesOfCharts(found)
          .membersAt([])
          .some((value) => value.name !== 'global')
      )
        inner.push(found);
    }
    return { name, values: map, schema, charts: inner };
  };
  const known = knownValuesOfCharts(await read(chart, []));
  const sections = readSections(chart.values);
  const fields: ValueField[] = [];
  for (const value of known.membersAt([])) {
    const section = sections.get(value.name);
    fields.push({ ...fieldAt(value, [value.name], { known, about }), ...(section !== undefined && { section }) });
    await pause();
  }
  return fields;
}

type ReadChart = ChartValues<YAMLMap | undefined>;

// The longest values.yaml with fields; the largest known one has 300 KB.
const longestValues = 2_000_000;

// Schemas can be recursive.
const deepest = 12;

interface Texts {
  readonly known: KnownValues;
  /** Descriptions by path, of comments that are not beside the value. */
  readonly about: ReadonlyMap<string, string>;
}

function fieldAt(value: KnownValue, path: readonly string[], texts: Texts): ValueField {
  const inner = value.isMap && path.length <= deepest ? texts.known.membersAt(path) : [];
  const choices = value.choices.filter((one) => typeof one === 'string');
  return {
    path,
    kind: inner.length > 0 ? 'group' : choices.length > 0 ? 'choice' : kindOf(value),
    about: texts.about.get(path.join('.')) || value.about,
    // The members of a group have its values.
    own: inner.length > 0 ? undefined : value.own,
    choices,
    members: inner.map((member) => fieldAt(member, [...path, member.name], texts)),
  };
}

function kindOf({ own, type }: KnownValue): ValueField['kind'] {
  const [first = ''] = type.split(' or ');
  const shown = own === undefined || own === null ? first : typeof own;
  if (shown === 'boolean') return 'boolean';
  if (shown === 'number' || shown === 'integer') return 'number';
  return shown === 'string' ? 'text' : 'yaml';
}

async function readPieces(values: string, pause: () => Promise<void>): Promise<YAMLMap | undefined> {
  const all = new YAMLMap();
  for (const piece of piecesOf(values)) {
    // A comment above the first entry of a map describes the map. Here it describes the entry, so a dummy entry comes first.
    const map = readMap(`above: 0\n${piece}`);
    if (!map) return readMap(values);
    all.items.push(...map.items.slice(1));
    await pause();
  }
  return all;
}

function readMap(values: string): YAMLMap | undefined {
  const document = parseDocument(values, helmYaml);
  const contents = document.errors.length === 0 && isMap(document.contents) ? document.contents : undefined;
  let left = mostExpanded;
  // An alias is expanded at its place; nested aliases up to a limit.
  const expand = (_: unknown, alias: Alias): Node | undefined => {
    const meant = alias.resolve(document);
    left -= meant === undefined ? 0 : sizeOf(meant, left);
    return left > 0 ? (meant?.clone() as Node | undefined) : undefined;
  };
  if (contents) visit(document, { Alias: expand });
  return contents;
}

const mostExpanded = 20_000;

// Maximum number of nodes.
function sizeOf(node: Node, limit: number): number {
  let size = 0;
  visit(node, () => (++size >= limit ? visit.BREAK : undefined));
  return size;
}

// Bitnami's comments, anywhere in the file: `@param PATH [MODIFIERS] DESCRIPTION`.
function readParams(values: string, path: readonly string[], about: Map<string, string>): void {
  for (const [, name = '', words = ''] of values.matchAll(/^[ \t]*#+[ \t]*@param[ \t]+(\S+)(.*)/gm)) {
    const text = words.trim();
    about.set([...path, name].join('.'), text.startsWith('[') ? text.slice(text.indexOf(']') + 1).trim() : text);
  }
}

// And `@section TITLE` above a value.
function readSections(values: string): ReadonlyMap<string, string> {
  const sections = new Map<string, string>();
  let section: string | undefined;
  for (const line of values.split('\n')) {
    const title = /^[ \t]*#+[ \t]*@section[ \t]+(.*)/.exec(line)?.[1];
    const key = /^([\w-]+)\s*:/.exec(line)?.[1];
    if (key !== undefined && section !== undefined) sections.set(key, section);
    section = title?.trim() ?? (key === undefined ? section : undefined);
  }
  return sections;
}

function hasAnchor(values: string): boolean {
  return values.split('\n').some((line) => /(?:^|[\s:,[{-])&[\w-]/.test(line.split('#', 1)[0]!));
}

// Splits between top-level keys, comments with the key below them. Anchors can refer to other pieces: then nothing is split.
function piecesOf(values: string): readonly string[] {
  if (hasAnchor(values) || /^(?:---|\.\.\.|[%?{"'])/m.test(values)) return [values];
  const pieces: string[] = [];
  let lines: string[] = [];
  let waiting: string[] = [];
  for (const line of values.split('\n')) {
    if (/^(?:#|\s*$)/.test(line)) {
      waiting.push(line);
      continue;
    }
    if (lines.length > 0 && /^\S/.test(line)) {
      pieces.push(lines.join('\n'));
      lines = [];
    }
    lines.push(...waiting, line);
    waiting = [];
  }
  pieces.push([...lines, ...waiting].join('\n'));
  return pieces;
}

/** Returns the fields whose path or description contains all words of a search, without groups; at most `most`. */
export function findFields(fields: readonly ValueField[], search: string, most: number): readonly ValueField[] {
  const matches = matcherOf(search);
  const flat = (level: readonly ValueField[]): readonly ValueField[] =>
    level.flatMap((field) => (field.kind === 'group' ? flat(field.members) : [field]));
  return flat(fields)
    .filter(({ path, about }) => matches(`${path.join('.')} ${about}`))
    .slice(0, most);
}

/** Returns the path of the field that contains a value: its own, or that of an enclosing list or map; undefined if there is none. */
export function nearestField(fields: readonly ValueField[], path: readonly string[]): readonly string[] | undefined {
  let near: ValueField | undefined;
  let level = fields;
  for (let depth = 0; depth < path.length; depth++) {
    const found = level.find((field) => field.path[depth] === path[depth]);
    // A group is edited by its members only.
    if (!found) return near?.kind === 'group' ? undefined : near?.path;
    near = found;
    level = found.members;
  }
  return near?.path;
}

export function valueAtPath(values: unknown, path: readonly string[]): unknown {
  let value = values;
  for (const step of path) {
    const holds = (isSchema(value) || Array.isArray(value)) && Object.hasOwn(value, step);
    value = holds ? (value as ValuesSchema)[step] : undefined;
  }
  return value;
}

export interface JsonPatchOperation {
  readonly op: 'add' | 'replace' | 'remove';
  readonly path: string;
  readonly value?: unknown;
}

/** Returns the patch of a chart's values with the same effect as overriding values. */
export function patchOf(own: unknown, over: unknown, path = ''): readonly JsonPatchOperation[] {
  if (!isSchema(over)) return [];
  return Object.entries(over).flatMap(([name, value]) => {
    const at = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const before = isSchema(own) && Object.hasOwn(own, name) ? own[name] : undefined;
    if (value === null) return before === undefined ? [] : [{ op: 'remove', path: at }];
    if (isSchema(before) && isSchema(value)) return patchOf(before, value, at);
    if (JSON.stringify(before) === JSON.stringify(value)) return [];
    const isThere = isSchema(own) && Object.hasOwn(own, name);
    return [{ op: isThere ? 'replace' : 'add', path: at, value: isSchema(value) ? withoutNulls(value) : value }];
  });
}

// A null removes an existing value; without one nothing is removed.
function withoutNulls(value: ValuesSchema): ValuesSchema {
  const kept = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(kept.map(([name, member]) => [name, isSchema(member) ? withoutNulls(member) : member]));
}
