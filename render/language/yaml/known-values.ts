// The possible values of a chart at each path: from its values.yaml with comments, and from its schema.

import { isMap, isNode, isSeq, type Node, parseDocument, type YAMLMap } from 'yaml';
import { helmYaml } from '../../codec/yaml/document-options.ts';
import { aboutSubchart, commentOf, isSchema, pairKey, resolved, type ValuesSchema } from './parts.ts';

/** A name at a path, or what is known of a path. */
export interface KnownValue {
  readonly name: string;
  /** The description in the chart's comments or schema; may be empty. */
  readonly about: string;
  /** For example `integer` or `string or null`; empty if unknown. */
  readonly type: string;
  /** The chart's value, or the schema's default; undefined if there is none. */
  readonly own: unknown;
  readonly choices: readonly unknown[];
  /** Whether it has members. */
  readonly isMap: boolean;
  readonly isRequired: boolean;
}

/** Describes what can be written in the values of a chart. */
export interface KnownValues {
  /** The possible names in the map at a path. */
  membersAt(path: readonly (string | number)[]): readonly KnownValue[];
  /** What is known of a value, or undefined. */
  known(path: readonly (string | number)[]): KnownValue | undefined;
}

/** The values, schema and subcharts of a chart. */
export interface ChartValues<Values = string> {
  /** The key of its values in the parent chart. */
  readonly name: string;
  /** The text of values.yaml. */
  readonly values: Values;
  /** The content of values.schema.json, or undefined. */
  readonly schema: unknown;
  /** Of its subcharts. */
  readonly charts: readonly ChartValues<Values>[];
}

interface Spot {
  readonly node: Node | undefined;
  readonly schemas: readonly ValuesSchema[];
}

/** Returns what is known of a chart's values. Text is parsed on first use. Never fails: unreadable parts are ignored. */
export function knownValuesOfChart(values: string | YAMLMap | undefined, schema: unknown): KnownValues {
  const root: ValuesSchema = isSchema(schema) ? schema : {};
  let top: Spot | undefined;
  const spotAt = (path: readonly (string | number)[]): Spot => {
    top ??= { node: typeof values === 'string' ? readValues(values) : values, schemas: allOf(root, root) };
    return path.reduce<Spot>((spot, step) => below(spot, step, root), top);
  };
  return {
    membersAt: (path) => membersOf(spotAt(path), root),
    known: (path) => {
      const name = path.at(-1);
      if (name === undefined) return undefined;
      const around = spotAt(path.slice(0, -1));
      const spot = below(around, name, root);
      if (spot.node === undefined && spot.schemas.length === 0) return undefined;
      return knownOf(String(name), spot, around);
    },
  };
}

/** Returns the same for a chart with its subcharts, whose values are below their names. */
export function knownValuesOfCharts({
  values,
  schema,
  charts,
}: ChartValues<string | YAMLMap | undefined>): KnownValues {
  const own = knownValuesOfChart(values, schema);
  const within = new Map(charts.map((chart) => [chart.name, knownValuesOfCharts(chart)]));
  const chartItself = (name: string): KnownValue => {
    return {
      name,
      about: aboutSubchart(name),
      type: 'object',
      own: undefined,
      choices: [],
      isMap: true,
      isRequired: false,
    };
  };
  return {
    membersAt: ([first, ...rest]) => {
      const known = own.membersAt(first === undefined ? [] : [first, ...rest]);
      const names = new Set(known.map(({ name }) => name));
      const inner =
        first === undefined
          ? [...within.keys()].map(chartItself)
          : (within.get(String(first))?.membersAt(rest) ?? []).filter(
              ({ name }) => rest.length > 0 || name !== 'global',
            );
      return [...known, ...inner.filter(({ name }) => !names.has(name))];
    },
    known: (path) => {
      const [first, ...rest] = path;
      const inner = within.get(String(first));
      return own.known(path) ?? (rest.length === 0 ? inner && chartItself(String(first)) : inner?.known(rest));
    },
  };
}

function readValues(values: string): Node | undefined {
  const { errors, contents } = parseDocument(values, helmYaml);
  return errors.length === 0 && isMap(contents) ? contents : undefined;
}

// Schemas can contain themselves, and each other.
const deepest = 8;

/** Returns all schemas that apply at a path, together or as alternatives. */
function allOf(schema: unknown, root: ValuesSchema, depth = 0): readonly ValuesSchema[] {
  if (!isSchema(schema) || depth > deepest) return [];
  const found = resolved(schema, root);
  const others = ['allOf', 'anyOf', 'oneOf'].flatMap((word) => (Array.isArray(found[word]) ? found[word] : []));
  const branches = [found.if, found.then, found.else].filter((one) => one !== undefined);
  return [found, ...[...others, ...branches].flatMap((one) => allOf(one, root, depth + 1))];
}

function below({ node, schemas }: Spot, step: string | number, root: ValuesSchema): Spot {
  const inner = schemas.flatMap((schema) => allOf(schemaBelow(schema, step), root));
  if (typeof step === 'number') {
    // The first item represents all that follow.
    const own = isSeq(node) ? (node.get(step, true) ?? node.get(0, true)) : undefined;
    return { node: isNode(own) ? own : undefined, schemas: inner };
  }
  const own = isMap(node) ? node.get(step, true) : undefined;
  return { node: isNode(own) ? own : undefined, schemas: inner };
}

function schemaBelow(schema: ValuesSchema, step: string | number): unknown {
  if (typeof step === 'number') {
    const listed = Array.isArray(schema.prefixItems) ? schema.prefixItems : schema.items;
    if (Array.isArray(listed)) return listed[step] ?? schema.additionalItems;
    return schema.items;
  }
  if (isSchema(schema.properties) && Object.hasOwn(schema.properties, step)) return schema.properties[step];
  return schema.additionalProperties;
}

function membersOf(spot: Spot, root: ValuesSchema): readonly KnownValue[] {
  const own = isMap(spot.node) ? spot.node.items.map(pairKey) : [];
  const named = spot.schemas.flatMap(({ properties }) => (isSchema(properties) ? Object.keys(properties) : []));
  return [...new Set([...own, ...named])].map((name) => knownOf(name, below(spot, name, root), spot));
}

function knownOf(name: string, { node, schemas }: Spot, around: Spot): KnownValue {
  const texts = schemas.flatMap(({ title, description }) => [title, description]).filter(isText);
  const types = schemas.flatMap(({ type }) => (Array.isArray(type) ? type : [type])).filter(isText);
  const choices = schemas.flatMap((schema) => choicesOf(schema));
  const own: unknown = node?.toJSON();
  const isRequired = around.schemas.some(({ required }) => Array.isArray(required) && required.includes(name));
  return {
    name,
    about: commentAbove(around.node, name) || [...new Set(texts)].join('. '),
    type: types.length > 0 ? [...new Set(types)].join(' or ') : typeOf(own),
    own: own ?? schemas.find((schema) => schema.default !== undefined)?.default,
    choices: [
      ...new Set([...choices, ...(types.includes('boolean') || typeof own === 'boolean' ? [true, false] : [])]),
    ],
    isMap: isMap(node) || schemas.some(({ properties }) => isSchema(properties)),
    isRequired,
  };
}

function choicesOf(schema: ValuesSchema): readonly unknown[] {
  if (Array.isArray(schema.enum)) return schema.enum;
  return schema.const === undefined ? [] : [schema.const];
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function typeOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'number') : typeof value;
}

function commentAbove(node: Node | undefined, name: string): string {
  if (!isMap(node)) return '';
  const map = node as YAMLMap;
  const at = map.items.findIndex((pair) => pairKey(pair) === name);
  const pair = map.items[at];
  return pair === undefined ? '' : commentOf(pair, at === 0 ? map : undefined);
}
