// Finds all places that set a value, the winning one first.

import { type Chart, childPath, type Dependency } from '../../chart/chart.ts';
import { plainValue } from '../../codec/plain.ts';
import { parseYamlMap } from '../../codec/yaml/parse.ts';
import { placeFinder } from '../../codec/yaml/places.ts';
import type { Steps } from '../../core/paths.ts';
import { isError } from '../../go/realm.ts';
import { decodeUtf8 } from '../../go/utf8.ts';
import type { GoMap, GoValue } from '../../go/value.ts';
import type { JsonValue } from '../../order/order.ts';
import { subchartKeys } from '../../values/describe.ts';
import { pathText, valueAtSteps } from '../../values/paths.ts';
import { mergeUserValues, type UserValues, type ValuesFile } from '../../values/user.ts';

/**
 * Names a kind of place that sets values.
 *
 * - `patch` – an operation of an Order's `valuesPatch`.
 * - `order` – the `values` of an Order, or another member of its selection of a chart.
 * - `set` – a text of `--set` or one of its kin.
 * - `values` – the `values` that a caller of the library gave.
 * - `values-file` – a file of values, given by a user or named by an Order.
 * - `parent-chart` – the values.yaml of a chart around the one whose value it is.
 * - `chart` – the values.yaml of the chart itself; of `.Chart` its Chart.yaml.
 * - `import-values` – the values.yaml of a subchart, from which a chart above imports it.
 * - `release` – an option of the rendering, such as the name of the release.
 */
export type SetterKind =
  | 'patch'
  | 'order'
  | 'set'
  | 'values'
  | 'values-file'
  | 'parent-chart'
  | 'chart'
  | 'import-values'
  | 'release';

/** A place that sets a value. */
export interface Setter {
  readonly kind: SetterKind;
  /** A file, a member of an Order such as `spec.packages[0].chart.values.image.tag`, or a flag such as `--set image.tag=1.2`. */
  readonly where: string;
  /** Line in the file, from 1. */
  readonly line?: number;
  /** Column, from 1, in UTF-16 units. */
  readonly column?: number;
  /** The path that it sets, from the root chart; for a global value that of the chart which sets it, such as `global.registry`. */
  readonly path: string;
  /** The value that it sets. A null removes what lower places set. */
  readonly value: JsonValue;
}

/** Returns the places that set a value, the winning one first. */
export type SettersOf = (steps: Steps) => readonly Setter[];

export function toJsonValue(value: GoValue): JsonValue {
  return plainValue(value) as JsonValue;
}

/** Returns the setter of a values file at the end of a path; empty if the file does not contain it or is not a YAML mapping. */
export type FileSetters = (steps: Steps) => readonly Omit<Setter, 'path'>[];

/** Parses a values file on first use. */
export function fileSetters({ name, text }: ValuesFile, kind: SetterKind): FileSetters {
  let values: GoMap | undefined;
  const find = placeFinder(text);
  return (steps) => {
    values ??= orEmpty(() => parseYamlMap(text));
    const value = valueAtSteps(values, steps);
    if (value === undefined) return [];
    const { isWhole, line, column } = find(steps.map(String));
    return [{ kind, where: name, value: toJsonValue(value), ...(isWhole ? { line, column } : {}) }];
  };
}

const flags = [
  ['set-literal', 'setLiteral'],
  ['set-file', 'setFile'],
  ['set-string', 'setString'],
  ['set', 'set'],
  ['set-json', 'setJson'],
] as const;

/** Returns a function that finds the places in the user's input, the winning one first. */
export function userSetters(given: UserValues): SettersOf {
  const { readFile } = given;
  const merged = (part: UserValues): GoMap => orEmpty(() => mergeUserValues({ ...part, readFile }));
  const onLine = flags.flatMap(([flag, member]) =>
    (given[member] ?? [])
      .flatMap((text) => assignmentsIn(text, member))
      .toReversed()
      .map((text) => {
        return { kind: 'set' as const, where: `--${flag} ${text}`, values: merged({ [member]: [text] }) };
      }),
  );
  const { values } = given;
  const object = values === undefined ? [] : [{ kind: 'values' as const, where: 'values', values: merged({ values }) }];
  const files = (given.valuesFiles ?? []).toReversed().map((file) => fileSetters(file, 'values-file'));
  return (steps) => {
    const path = pathText(steps);
    const plain = [...onLine, ...object].flatMap(({ kind, where, values }) => {
      const value = valueAtSteps(values, steps);
      return value === undefined ? [] : [{ kind, where, path, value: toJsonValue(value) }];
    });
    return [...plain, ...files.flatMap((file) => file(steps).map((setter) => ({ ...setter, path })))];
  };
}

// `--set a=1,b=2` sets two values. Commas within braces or after a backslash belong to a value.
function assignmentsIn(text: string, member: (typeof flags)[number][1]): readonly string[] {
  if (member !== 'set' && member !== 'setString') return [text];
  const found: string[] = [];
  for (const part of text.match(/(?:\\.|\{(?:\\.|[^\\}])*(?:\}|\\?$)|[^\\,{])+/gs) ?? []) {
    const last = found.at(-1);
    // Without an equals sign it is not an assignment but part of the previous one.
    if (last !== undefined && !/^(?:\\.|[^\\=])*=/s.test(part)) found[found.length - 1] = `${last},${part}`;
    else found.push(part);
  }
  return found;
}

function orEmpty(read: () => GoMap): GoMap {
  try {
    return read();
  } catch (error) {
    // An unreadable file has failed the rendering, or is not a mapping.
    if (isError(error)) return new Map();
    throw error;
  }
}

/** A chart in its tree, and the places in its values.yaml. */
interface PlacedChart {
  readonly chart: Chart;
  readonly file: FileSetters;
  readonly children: readonly { readonly names: readonly string[]; readonly placed: PlacedChart }[];
}

function placeChart(chart: Chart, folder: string): PlacedChart {
  const { valuesData } = chart;
  const file =
    valuesData === undefined
      ? (): [] => []
      : fileSetters({ name: `${folder}/values.yaml`, text: decodeUtf8(valuesData) }, 'chart');
  const children = chart.children.map((child) => ({
    names: subchartKeys(chart, child),
    placed: placeChart(child, childPath(folder, child)),
  }));
  return { chart, file, children };
}

/**
 * Returns a function that finds the places that set a value, the winning one first. `user` returns those of the user; `folder` names the
 * chart's files. A global value of a subchart is also set by its enclosing charts, which take precedence.
 */
export function settersOf(
  chart: Chart,
  { folder, user }: { readonly folder: string; readonly user: SettersOf },
): SettersOf {
  const root = placeChart(chart, folder);
  const known = new Map<string, readonly Setter[]>();
  return (steps) => {
    const path = pathText(steps);
    const found = known.get(path) ?? findSetters(root, user, steps);
    known.set(path, found);
    return found;
  };
}

function findSetters(root: PlacedChart, user: SettersOf, steps: Steps): readonly Setter[] {
  const at = steps.indexOf('global');
  const paths =
    at <= 0 ? [steps] : [...Array(at + 1).keys()].map((depth) => [...steps.slice(0, depth), ...steps.slice(at)]);
  const found = paths.flatMap((path) => [...user(path), ...chartSetters(root, { above: [], steps: path })]);
  const titles = found.map(({ where, line, column }) => `${where}:${line}:${column}`);
  return found.filter((_setter, index) => titles.indexOf(titles[index]!) === index);
}

interface Way {
  /** The path to the chart. */
  readonly above: Steps;
  /** The path from there. */
  readonly steps: Steps;
}

// Places in a chart's own values, its imports, and its subcharts' values: the outer ones first.
function chartSetters(placed: PlacedChart, { above, steps }: Way): Setter[] {
  const [first, ...rest] = steps;
  const child = rest.length === 0 ? undefined : placed.children.find(({ names }) => names.includes(String(first)));
  const path = pathText([...above, ...steps]);
  const own = placed.file(steps).map((setter): Setter => {
    return { ...setter, path, ...(child === undefined ? {} : { kind: 'parent-chart' }) };
  });
  const imported = placed.chart.metadata.dependencies.flatMap((entry) =>
    importSetters(placed, entry, { above, steps }),
  );
  const inner =
    child === undefined ? [] : chartSetters(child.placed, { above: [...above, first as string], steps: rest });
  return [...own, ...imported, ...inner];
}

// What Chart.yaml imports from a subchart's values at the end of a path. Later imports have lower precedence.
function importSetters(placed: PlacedChart, entry: Dependency, { above, steps }: Way): Setter[] {
  const name = entry.alias || entry.name;
  const child = placed.children.find(({ names }) => names.includes(name));
  if (child === undefined) return [];
  return entry.importValues.flatMap((item) => {
    const { from, to } = importOf(item);
    if (!to.every((step, at) => String(steps[at]) === step)) return [];
    const inner = [...from, ...steps.slice(to.length)];
    return chartSetters(child.placed, { above: [...above, name], steps: inner }).map((setter): Setter => {
      return { ...setter, kind: 'import-values' };
    });
  });
}

// A short import copies `exports` to the top level.
function importOf(item: GoValue): { readonly from: readonly string[]; readonly to: readonly string[] } {
  if (!(item instanceof Map)) return { from: ['exports', String(item)], to: [] };
  const pathOf = (key: string): readonly string[] => {
    const path = item.get(key);
    return typeof path === 'string' && path !== '' && path !== '.' ? path.split('.') : [];
  };
  return { from: pathOf('child'), to: pathOf('parent') };
}
