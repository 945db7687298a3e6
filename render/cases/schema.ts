// Derives a schema and a table of a chart's values from its defaults, its comments, and how its templates handle other types.

import type { Chart } from '../chart/chart.ts';
import { plainValue } from '../codec/plain.ts';
import type { Steps } from '../core/paths.ts';
import type { JsonObject, JsonValue } from '../order/order.ts';
import { isObject } from '../order/shape.ts';
import { type ValueDescriber, valueDescriber } from '../values/describe.ts';
import { jsonAtSteps, withValue } from '../values/edit.ts';
import { pathText, startsWith } from '../values/paths.ts';

type TypeName = 'array' | 'boolean' | 'integer' | 'null' | 'number' | 'object' | 'string';

export interface SchemaSources {
  readonly chart: Chart;
  /** Values that the chart renders with: those of its cases. */
  readonly samples: readonly JsonObject[];
  /** Paths that templates read and that have no default. */
  readonly missing: readonly Steps[];
  /** Whether unknown keys are refused. */
  readonly isStrict: boolean;
  readonly describe: ValueDescriber;
  /** Values that render, such as those that a chart requires; undefined if none do. */
  readonly base: JsonObject | undefined;
  renders(values: JsonObject): boolean;
}

/** A value of each type, for values whose default is not conclusive. */
const probes: readonly (readonly [type: TypeName, value: JsonValue])[] = [
  ['string', 'x'],
  ['integer', 1],
  ['number', 1.5],
  ['boolean', true],
  ['array', ['x']],
  ['object', { x: 'x' }],
];

/**
 * Types that users may write instead of another one, if the templates accept them. A number instead of a text is refused: YAML reads the
 * tag 1.10 as 1.1.
 */
const alternatives: Readonly<Partial<Record<TypeName, readonly TypeName[]>>> = {
  integer: ['string'],
  number: ['string'],
};

/** Returns a JSON Schema (draft 7) for the values of a chart. Every sample is valid. */
export function inferredSchema(sources: SchemaSources): JsonObject {
  const { chart } = sources;
  const defaults = plainValue(chart.values) as JsonObject;
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: `Values of ${chart.metadata.name}`,
    ...schemaAt(defaults, [], sources),
  };
}

function schemaAt(value: JsonValue, steps: Steps, sources: SchemaSources): JsonObject {
  const { chart, isStrict } = sources;
  const description = steps.length === 0 ? undefined : sources.describe(steps);
  const about = description === undefined ? {} : { description };
  const isTable = isObject(value) && (steps.length === 0 || Object.keys(value).length > 0);
  if (!isTable || isSubchart(chart, steps)) {
    return { ...typesOf(value, steps, sources), ...about, ...(!isTable && value !== null && { default: value }) };
  }
  const own = Object.entries(value).map(([key, item]) => [key, schemaAt(item ?? null, [...steps, key], sources)]);
  const known = new Set(Object.keys(value));
  const others = sources.missing.filter((path) => path.length === steps.length + 1 && startsWith(path, steps));
  const looked = others.map((path) => String(path.at(-1))).filter((key) => !known.has(key) && key !== 'global');
  const properties = {
    ...Object.fromEntries(own),
    ...Object.fromEntries([...new Set(looked)].sort().map((key) => [key, {}])),
    ...(steps.length === 0 && !known.has('global') && { global: { type: 'object' } }),
  } as JsonObject;
  // Helm passes a subchart its section under its name, whether the chart has values for it or not.
  const subcharts = steps.length === 0 ? subchartNames(chart).filter((name) => !Object.hasOwn(properties, name)) : [];
  const all = {
    ...properties,
    ...Object.fromEntries(subcharts.map((name) => [name, { type: 'object' }])),
  } as JsonObject;
  const type = namedTypes(['object', ...seenAt(steps, sources)]);
  return { type, ...about, properties: all, ...(isStrict && { additionalProperties: false }) };
}

function seenAt(steps: Steps, { samples }: SchemaSources): TypeName[] {
  const values = samples.map((sample) => jsonAtSteps(sample, steps) ?? null);
  return values.filter((value) => value !== null).map(typeOf);
}

// Every integer is a number.
function namedTypes(types: readonly TypeName[]): JsonValue {
  const needed = [...new Set(types)].filter((type) => type !== 'integer' || !types.includes('number')).sort();
  return needed.length === 1 ? needed[0]! : needed;
}

// A default of `{}` or null is not conclusive; types that make the templates fail are left out.
function typesOf(value: JsonValue, steps: Steps, sources: SchemaSources): JsonObject {
  const own = typeOf(value);
  const seen = seenAt(steps, sources);
  const isTaken = (type: TypeName): boolean => {
    const probe = probes.find(([name]) => name === type);
    // If nothing renders, it is unknown what the templates accept.
    if (probe === undefined || sources.base === undefined) return probe !== undefined;
    return sources.renders(withValue(sources.base, steps, probe[1], plainValue(sources.chart.values) as JsonValue));
  };
  const tried = own === 'null' ? probes.map(([type]) => type) : (alternatives[own] ?? []);
  return { type: namedTypes([own, ...seen, ...tried.filter((type) => !seen.includes(type) && isTaken(type))]) };
}

function typeOf(value: JsonValue): TypeName {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value === 'object' ? 'object' : (typeof value as 'boolean' | 'string');
}

function isSubchart(chart: Chart, steps: Steps): boolean {
  return steps.length === 1 && subchartNames(chart).includes(String(steps[0]));
}

function subchartNames({ metadata, children }: Chart): string[] {
  const declared = metadata.dependencies.map(({ alias, name }) => alias || name);
  return [...new Set([...declared, ...children.map((child) => child.metadata.name)])];
}

/** Returns the values of a chart as a Markdown table: key, type, default, description. */
export function valuesTable(chart: Chart): string {
  const describe = valueDescriber(chart);
  const rows: string[] = [];
  const visit = (value: JsonValue, steps: Steps): void => {
    if (isObject(value) && (steps.length === 0 || Object.keys(value).length > 0)) {
      for (const [key, item] of Object.entries(value)) visit(item ?? null, [...steps, key]);
      return;
    }
    const cells = [`\`${pathText(steps)}\``, typeOf(value), `\`${JSON.stringify(value)}\``, describe(steps) ?? ''];
    rows.push(`| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`);
  };
  visit(plainValue(chart.values) as JsonObject, []);
  return ['| Key | Type | Default | Description |', '|---|---|---|---|', ...rows, ''].join('\n');
}
