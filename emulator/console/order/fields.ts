// The values of a chart as form fields: from its values.yaml with comments, and from its schema.

import { type Alias, isMap, isNode, type Node, type Pair, parseDocument, visit, YAMLMap } from 'yaml';
import { helmYaml } from '../../../render/codec/yaml/document-options.ts';
import {
  aboutSubchart,
  commentOf,
  isSchema,
  pairKey,
  resolved,
  type ValuesSchema,
} from '../../../render/language/yaml/parts.ts';
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
 * Returns the fields of a chart's values. Never fails: unreadable parts have no fields. `pause` yields between pieces of values.yaml, because
 * parsing five thousand lines at once would block typing.
 */
export async function parseFields(
  values: string,
  schema: unknown,
  pause: () => Promise<void>,
): Promise<readonly ValueField[]> {
  const root: ValuesSchema = isSchema(schema) ? schema : {};
  return withTags(membersOf({ map: await readPieces(values, pause), schema: root, path: [], root }), values);
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

// Bitnami's comments: `@param PATH [MODIFIERS] DESCRIPTION` anywhere in the file, `@section TITLE` above a value.
function withTags(fields: readonly ValueField[], values: string): readonly ValueField[] {
  if (!values.includes('@param') && !values.includes('@section')) return fields;
  const params = new Map<string, string>();
  const sections = new Map<string, string>();
  let section: string | undefined;
  for (const line of values.split('\n')) {
    const [tag = '', path = '', ...words] = line.trimStart().replace(/^#+/, '').trimStart().split(/\s+/);
    if (tag === '@section') section = [path, ...words].join(' ').trim();
    if (tag === '@param') {
      const about = words.join(' ').trim();
      params.set(path, about.startsWith('[') ? about.slice(about.indexOf(']') + 1).trim() : about);
    }
    const key = /^([\w-]+)\s*:/.exec(line)?.[1];
    if (key === undefined || section === undefined) continue;
    sections.set(key, section);
    section = undefined;
  }
  const described = (field: ValueField): ValueField => {
    const { path, about, members } = field;
    return { ...field, about: params.get(path.join('.')) || about, members: members.map(described) };
  };
  return fields.map((field) => {
    const heading = sections.get(field.path[0] ?? '');
    return { ...described(field), ...(heading !== undefined && { section: heading }) };
  });
}

/** Returns the fields of a chart with those of a subchart that it does not define itself: its values win. */
export function withSubchart(
  fields: readonly ValueField[],
  name: string,
  inner: readonly ValueField[],
): readonly ValueField[] {
  // Globals are listed above.
  const members = inner.filter(({ path }) => path[0] !== 'global').map((field) => belowName(field, name));
  if (members.length === 0) return fields;
  const group: ValueField = {
    path: [name],
    kind: 'group',
    about: aboutSubchart(name),
    own: undefined,
    choices: [],
    members,
  };
  return withField(fields, group);
}

function belowName(field: ValueField, name: string): ValueField {
  return { ...field, path: [name, ...field.path], members: field.members.map((member) => belowName(member, name)) };
}

function withField(fields: readonly ValueField[], added: ValueField): readonly ValueField[] {
  const step = added.path.at(-1);
  const known = fields.find(({ path }) => path.at(-1) === step);
  if (known === undefined) return [...fields, added];
  const isOpen = known.kind === 'group' || (isSchema(known.own) && Object.keys(known.own).length === 0);
  if (added.kind !== 'group' || !isOpen) return fields;
  const members = added.members.reduce(withField, known.members);
  return fields.map((field) => (field === known ? { ...added, about: known.about || added.about, members } : field));
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

interface Level {
  readonly map: YAMLMap | undefined;
  readonly schema: ValuesSchema;
  readonly path: readonly string[];
  /** The root of its `$ref`s. */
  readonly root: ValuesSchema;
}

// Schemas can be recursive.
const deepest = 12;

function membersOf({ map, schema, path, root }: Level): readonly ValueField[] {
  if (path.length > deepest) return [];
  const known = isSchema(schema.properties) ? schema.properties : {};
  const pairs = new Map((map?.items ?? []).map((pair) => [pairKey(pair), pair]));
  const names = [...new Set([...pairs.keys(), ...Object.keys(known)])];
  return names.map((name) => {
    const pair = pairs.get(name);
    // The comment above the first entry describes the map.
    const comment = pair === undefined ? '' : commentOf(pair, pair === map?.items[0] ? map : undefined);
    return fieldOf(pair, { schema: resolved(known[name], root), path: [...path, name], root, comment });
  });
}

interface Known {
  readonly schema: ValuesSchema;
  readonly path: readonly string[];
  readonly root: ValuesSchema;
  readonly comment: string;
}

function fieldOf(pair: Pair | undefined, { schema, path, root, comment }: Known): ValueField {
  const node = pair?.value;
  const texts = [schema.title, schema.description].filter((words) => typeof words === 'string' && words !== '');
  const about = comment || texts.join('. ');
  const map = isMap(node) ? node : undefined;
  const members = map || isSchema(schema.properties) ? membersOf({ map, schema, path, root }) : [];
  // The members of a group have its values.
  const own: unknown = isNode(node) && members.length === 0 ? node.toJSON() : undefined;
  const choices = Array.isArray(schema.enum) ? schema.enum.filter((one) => typeof one === 'string') : [];
  const kind = members.length > 0 ? 'group' : choices.length > 0 ? 'choice' : kindOf(own, schema.type);
  return { path, kind, about, own: own ?? schema.default, choices, members };
}

function kindOf(own: unknown, type: unknown): ValueField['kind'] {
  const types = Array.isArray(type) ? type : [type];
  const isNothing = own === undefined || own === null;
  if (typeof own === 'boolean' || (isNothing && types[0] === 'boolean')) return 'boolean';
  if (typeof own === 'number' || (isNothing && (types[0] === 'integer' || types[0] === 'number'))) return 'number';
  if (typeof own === 'string' || (isNothing && types[0] === 'string')) return 'text';
  return 'yaml';
}

/** Returns the fields whose path or description contains all words of a search, without groups; at most `most`. */
export function findFields(fields: readonly ValueField[], search: string, most: number): readonly ValueField[] {
  const matches = matcherOf(search);
  const found: ValueField[] = [];
  const walk = (level: readonly ValueField[]): void => {
    for (const field of level) {
      if (found.length >= most) return;
      if (field.kind === 'group') walk(field.members);
      else if (matches(`${field.path.join('.')} ${field.about}`)) found.push(field);
    }
  };
  walk(fields);
  return found;
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

/** Returns the value at a path, or undefined. */
export function valueAtPath(values: unknown, path: readonly string[]): unknown {
  let value = values;
  for (const step of path) {
    const holds = (isSchema(value) || Array.isArray(value)) && Object.hasOwn(value, step);
    value = holds ? (value as ValuesSchema)[step] : undefined;
  }
  return value;
}

/** An operation of a JSON Patch (RFC 6902). */
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
