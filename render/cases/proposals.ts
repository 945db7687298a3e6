// Proposes values that may change the outcome of a branch, based on its inputs and on examples in the chart: enumerations, constants and
// examples in its schema, and commented-out values in values.yaml, which are below an empty default in charts made by `helm create`, and
// above it in Bitnami's.

import type { Chart } from '../chart/chart.ts';
import { plainValue } from '../codec/plain.ts';
import { parseYaml } from '../codec/yaml/parse.ts';
import { orUndefined } from '../core/catch.ts';
import { memo } from '../core/lazy.ts';
import type { Steps } from '../core/paths.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import { type GoValue, Int } from '../go/value.ts';
import type { JsonObject, JsonValue } from '../order/order.ts';
import { isObject } from '../order/shape.ts';
import { defaultLine, readSchema, schemaNodes, subchartAt } from '../values/describe.ts';
import { withValue } from '../values/edit.ts';
import { valueAtSteps } from '../values/paths.ts';
import type { ObservedInputs, ObservedValue } from './observe.ts';

export type ProposedChange =
  | ProposedValue
  | { readonly kind: 'kubeVersion'; readonly version: string }
  | { readonly kind: 'apiVersion'; readonly name: string }
  | { readonly kind: 'upgrade' };

export interface ProposedValue {
  readonly kind: 'value';
  readonly path: Steps;
  readonly value: JsonValue;
  readonly likelihood: Likelihood;
}

export type Likelihood =
  /** A toggled switch, or a value in the chart: a constant in a template, or an example. */
  | 'stated'
  /** It has the type of the default but its content is made up. */
  | 'possible'
  /** It has another type. */
  | 'unlikely';

/** Returns the changes to try for a branch, the most likely first. */
export function proposalsFor(inputs: ObservedInputs, examples: Examples): ProposedChange[] {
  // The last read decided: conditions end at the first operand that determines them.
  const values = [...inputs.values.values()].reverse();
  return [
    ...values.flatMap((read) => likely(read, inputs, examples)),
    ...[...inputs.apiVersions].map((name): ProposedChange => ({ kind: 'apiVersion', name })),
    ...(inputs.others.has('upgrade') ? [{ kind: 'upgrade' } as const] : []),
    ...versionsAround(inputs).map((version): ProposedChange => ({ kind: 'kubeVersion', version })),
    ...values.flatMap((read) => unlikely(read, inputs)),
  ];
}

function likely(
  { path, value }: ObservedValue,
  { constants, values }: ObservedInputs,
  examples: Examples,
): ProposedChange[] {
  const known = examples.at(path);
  const name = String(path.at(-1));
  const proposed: JsonValue[] = [];
  const otherText = value === '' ? exampleText(name) : '';
  if (typeof value === 'boolean') proposed.push(!value);
  else if (typeof value === 'number' || value instanceof Int) {
    const number = Number(value instanceof Int ? value.value : value);
    proposed.push(...numbersAround(constants), number === 0 ? 1 : 0);
  } else if (typeof value === 'string') {
    // With several values it is unknown which of them a constant is for.
    const texts = textsOf(constants);
    const [first, then] = values.size > 1 ? [[], changes(path, texts, value, 'unlikely')] : [texts, []];
    return [
      ...changes(path, first, value, 'stated'),
      ...exampleChanges(path, known, value),
      ...changes(path, [otherText], value, 'possible'),
      ...then,
    ];
  } else if (Array.isArray(value) && value.length > 0) {
    return [...changes(path, [[]], value, 'possible'), ...exampleChanges(path, known, value)];
  } else {
    if (value !== null) return exampleChanges(path, known, value);
    return changes(path, [...known, ...constants, isSwitch(name) || exampleText(name)], value, 'unlikely');
  }
  return changes(path, proposed, value, 'stated');
}

// Values of other types than the default, for values with an empty default or none.
function unlikely({ path, value }: ObservedValue, { constants, versionRanges }: ObservedInputs): ProposedChange[] {
  const name = String(path.at(-1));
  const proposed: JsonValue[] = [...constants].flatMap((constant) => kinds.get(constant) ?? []);
  if (value === null) {
    proposed.push(
      isSwitch(name) ? exampleText(name) : true,
      [{ name: 'example' }],
      ['example'],
      { key: 'value' },
      { key: { name: 'example' } },
    );
    proposed.push(...[...versionRanges].flatMap(versionsIn), 1);
  } else if (Array.isArray(value)) {
    proposed.push([{ name: 'example' }], ['example'], [1], []);
  } else if (value instanceof Map) {
    // A non-empty map is emptied by removing it, because Helm merges maps.
    if (value.size > 0) proposed.push(null);
    proposed.push({ key: 'value' }, { key: { name: 'example' } }, { key: ['example'] });
  } else {
    proposed.push(null, ...constants, ...[...versionRanges].flatMap(versionsIn));
    if (typeof value === 'string') proposed.push({ key: 'value' }, ['example'], true);
    if (typeof value === 'boolean') proposed.push('example', { key: 'value' });
  }
  return changes(path, proposed, value, 'unlikely');
}

/** Values of the kinds tested by `kindIs`. */
const kinds: ReadonlyMap<string | number, JsonValue> = new Map<string, JsonValue>([
  ['map', { key: 'value' }],
  ['slice', ['example']],
  ['string', 'example'],
  ['bool', true],
  ['int', 1],
  ['float64', 1],
]);

function changes(
  path: Steps,
  proposed: readonly JsonValue[],
  value: GoValue,
  likelihood: Likelihood,
): ProposedChange[] {
  return proposed
    .filter((item) => item !== value)
    .map((item) => ({ kind: 'value' as const, path, value: item, likelihood }));
}

// An example with a placeholder shows the form of a value, not its content.
function exampleChanges(path: Steps, known: readonly JsonValue[], value: GoValue): ProposedChange[] {
  return known.flatMap((one) => changes(path, [one], value, holdsPlaceholder(one) ? 'possible' : 'stated'));
}

function textsOf(constants: ReadonlySet<string | number>): string[] {
  return [...constants].filter((constant) => typeof constant === 'string');
}

function numbersAround(constants: ReadonlySet<string | number>): number[] {
  return [...constants].flatMap((constant) =>
    typeof constant === 'number' ? [constant, constant + 1, Math.max(constant - 1, 0)] : [],
  );
}

function versionsAround({ versionRanges, others }: ObservedInputs): string[] {
  return others.has('kubeVersion') || versionRanges.size > 0 ? [...versionRanges].flatMap(versionsIn) : [];
}

// For `>=1.19-0`: 1.19.0 and the version before it.
function versionsIn(range: string): string[] {
  return [...range.matchAll(/(?<!\d)(\d+)\.(\d+)/g)].flatMap(([, major, minor]) => [
    `${major}.${minor}.0`,
    ...(Number(minor) > 0 ? [`${major}.${Number(minor) - 1}.0`] : []),
    `${major}.${Number(minor) + 1}.0`,
  ]);
}

function isSwitch(name: string): boolean {
  return /^(enable|disable|use|is|has|create|allow|skip|include)|enabled$|create$/i.test(name);
}

/** Returns a plausible text for a value by its name, for a field that Kubernetes may read. */
function exampleText(name: string): string {
  const found = texts.find(([pattern]) => pattern.test(name));
  return found === undefined ? 'example' : found[1];
}

const texts: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/host(name)?s?$|domain$/i, 'example.com'],
  [/url$|uri$|endpoint$/i, 'https://example.com'],
  [/mountPath$|path$/i, '/example'],
  [/(size|storage)$/i, '1Gi'],
  [/memory$/i, '128Mi'],
  [/^cpu$/i, '100m'],
  [/cron|schedule/i, '0 3 * * *'],
  [/ip$/i, '192.0.2.1'],
  [/cidr$/i, '192.0.2.0/24'],
  [/version/i, '1.2.3'],
  [/interval$|timeout$|duration$/i, '30s'],
  [/tag$/i, '1.2.3'],
];

/** Returns a value for a missing field of an example. */
export function exampleFor(name: string): JsonValue {
  if (/port$/i.test(name)) return 8080;
  if (/(replicas|count|seconds|weight|number|threshold)$/i.test(name)) return 1;
  if (/^(annotations|labels|matchLabels|selector)$/.test(name)) return { key: 'value' };
  return exampleText(name);
}

/** Returns values for each condition and tag of the dependencies of a chart and its subcharts: enabled and disabled. */
export function dependencyValues(chart: Chart): JsonObject[] {
  return switchesOf(chart, [], {});
}

// `on` are the values that enable the enclosing charts.
function switchesOf(chart: Chart, place: Steps, on: JsonObject): JsonObject[] {
  return chart.metadata.dependencies.flatMap((dependency) => {
    const name = dependency.alias || dependency.name;
    const conditions = dependency.condition.split(',').filter((path) => path.trim() !== '');
    const switches = [
      ...conditions.map((path) => [...place, ...path.trim().split('.')]),
      ...dependency.tags.map((tag) => ['tags', tag]),
    ];
    // The first condition with a value decides, and conditions take precedence over tags.
    const [first] = [
      ...switches.filter((path) => valueAtSteps(chart.values, path.slice(place.length)) !== undefined),
      ...switches,
    ];
    const child = chart.children.find(({ metadata }) => metadata.name === dependency.name);
    const enabled = first === undefined ? on : withValue(on, first, true, {});
    const own = first === undefined ? [] : [enabled, withValue(on, first, false, {})];
    return [...own, ...(child === undefined ? [] : switchesOf(child, [...place, name], enabled))];
  });
}

export interface Examples {
  /** Returns example values for a path, the best first. */
  at(path: Steps): readonly JsonValue[];
}

/** Returns the examples of a chart and its subcharts. */
export function examplesOf(chart: Chart): Examples {
  const known = new Map<string, readonly JsonValue[]>();
  const sourceOf = memo(readSource);
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

// In the comments below a default and above it; `line` is that of the default, from 1.
function commentedExamples(lines: readonly string[], line: number, path: Steps): JsonValue[] {
  const [given = ''] = (lines[line - 1] ?? '').replace(/^[^:]*:/, '').split(/\s#/, 1);
  const isWanted = wanted[given.trim()] ?? (() => false);
  const name = String(path.at(-1));
  const below: string[] = [];
  const above: string[] = [];
  for (let at = line; comment.test(lines[at] ?? ''); at++) below.push(lines[at]!);
  for (let at = line - 2; comment.test(lines[at] ?? ''); at--) above.unshift(lines[at]!);
  const found = [exampleIn(below, mostProse), exampleIn(above.slice(-mostProse), 1)].filter(
    (value) => value !== undefined,
  );
  return found.map((value) => withoutName(value, name)).filter(isWanted);
}

// Many comments repeat the name: `podLabels: {}`, followed by `# podLabels:` with members.
function withoutName(value: JsonValue, name: string): JsonValue {
  const isNamed = isObject(value) && Object.keys(value).length === 1 && value[name] !== undefined;
  return isNamed ? (value[name] as JsonValue) : value;
}

/** Reports whether an example contains a placeholder such as `<name>` or `true|false`. */
function holdsPlaceholder(value: JsonValue): boolean {
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

const mostProse = 12;

// Prose around the example is skipped line by line; an example ends within the last lines of its block.
function exampleIn(comments: readonly string[], lastLines: number): JsonValue | undefined {
  const block = comments.map((line) => line.replace(comment, '')).filter((text) => !heading.test(text));
  const blank = block.indexOf('');
  const texts = blank > 0 ? block.slice(0, blank) : block;
  for (let from = 0; from < Math.min(texts.length, mostProse); from++) {
    for (let end = texts.length; end > Math.max(from, texts.length - lastLines); end--) {
      const value = parsed(texts.slice(from, end));
      if (value !== undefined) return value;
    }
  }
  return undefined;
}

function parsed(lines: readonly string[]): JsonValue | undefined {
  const text = lines.join('\n');
  if (!/[:-]/.test(text)) return undefined;
  return orUndefined(() => {
    const value = plainValue(parseYaml(text)) as JsonValue;
    return isMapOrList(value) && holdsNoProse(value) ? withoutGaps(value, '') : undefined;
  });
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
