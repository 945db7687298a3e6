// The values in explanations: each with its path, its value and where it was set.

import type { Chart } from '../../chart/chart.ts';
import type { Steps } from '../../core/paths.ts';
import type { GoMap } from '../../go/value.ts';
import type { JsonObject, JsonValue } from '../../order/order.ts';
import type { Read, Way } from '../../template/origin.ts';
import type { MovedValues, Trace } from '../../template/trace.ts';
import { leafPaths } from '../../values/edit.ts';
import { pathText, startsWith, valueAtSteps } from '../../values/paths.ts';
import { type Setter, type SetterKind, type SettersOf, settersOf, toJsonValue } from './setters.ts';

/**
 * How a value took part.
 *
 * - `exact` – it, or a part of it, is in the text.
 * - `computed` – the text was computed from it.
 * - `decides` – it decided what is used.
 * - `shares` – it did so with others, of which each would have been enough: alone, another one changes nothing.
 */
export type ValueWay = Way;

/** A value that was read. */
export interface ExplainedValue {
  /**
   * The path for users, from the values of the root chart, such as `image.tag`: a global value of a subchart is `global.registry` if an
   * enclosing chart sets it. Objects other than values start with a dot, such as `.Release.Name`.
   */
  readonly path: string;
  /** The same as a list; for objects other than values with the object's name first, such as `Release`. */
  readonly steps: Steps;
  /** The path of the chart that the value belongs to, such as `web/charts/cache`; the same for an alias. */
  readonly chart: string;
  /** The name of that chart, if it is used under another one. */
  readonly alias: string | undefined;
  readonly how: ValueWay;
  readonly value: JsonValue;
  /** Every place that sets it, the winning one first. Empty if nothing sets it. */
  readonly setBy: readonly Setter[];
}

export interface ValueTable {
  /** The chart before its dependencies were processed. */
  readonly chart: Chart;
  /** The values that the root chart's templates received. */
  readonly root: GoMap;
  explain(read: Read, how: ValueWay): ExplainedValue;
  readonly settersOf: SettersOf;
}

export interface TraceSources {
  /** The chart before its dependencies were processed: then an alias is still beside the name. */
  readonly chart: Chart;
  /** The prefix of the chart's files in reports. Default: its name. */
  readonly folder?: string | undefined;
  /** Returns the places of the user. */
  readonly user: SettersOf;
  /** Returns the places that set an object other than values, such as `.Release.Name`; empty for `.Chart`. */
  readonly objects: (read: Read) => readonly Setter[];
}

/** A traced rendering: the values that the root chart's templates received, and its trace. */
export interface TracedValues {
  readonly values: GoMap;
  readonly trace: Trace;
}

interface ValueSources {
  readonly chart: Chart;
  readonly values: GoMap;
  readonly moved: readonly MovedValues[];
  readonly settersOf: SettersOf;
  readonly objectSetters: (read: Read) => readonly Setter[];
}

/** Returns the table of the values that a release's explanations refer to. Values and places are computed on first use. */
export function valuesOfRelease({ values, trace: { moved } }: TracedValues, given: TraceSources): ValueTable {
  const { chart, folder = chart.metadata.name, user, objects } = given;
  const objectSetters = (read: Read): Setter[] => [...ownSetters(read, chart, folder), ...objects(read)];
  const sources = { chart, values, moved, settersOf: settersOf(chart, { folder, user }), objectSetters };
  const known = new Map<string, ExplainedValue>();
  return {
    chart,
    root: values,
    settersOf: (steps) => [steps, ...placesOf(steps, moved)].flatMap(sources.settersOf),
    explain(read, how) {
      const key = `${how} ${read.root} ${read.chart ?? ''} ${JSON.stringify(read.steps)}`;
      const found = known.get(key) ?? explainRead(read, how, sources);
      known.set(key, found);
      return found;
    },
  };
}

// `.Chart` and `.Files` are the chart's own files.
function ownSetters({ steps, chart = '', value }: Read, root: Chart, folder: string): Setter[] {
  const [object, name] = steps;
  if (object !== 'Chart' && (object !== 'Files' || name === undefined)) return [];
  const file = object === 'Chart' ? 'Chart.yaml' : name;
  const where = `${folder}${chart.slice(root.metadata.name.length)}/${file}`;
  return [{ kind: 'chart', where, path: `.${pathText(steps)}`, value: toJsonValue(value ?? null) }];
}

function explainRead(read: Read, how: ValueWay, sources: ValueSources): ExplainedValue {
  const isValue = read.root === 'Values';
  const steps = isValue ? userSteps(read.steps, sources) : read.steps;
  let value: JsonValue | undefined;
  let setBy: readonly Setter[] | undefined;
  return {
    path: isValue ? pathText(steps) : `.${pathText(steps)}`,
    steps,
    ...(isValue ? ownerOf(sources.chart, steps) : { chart: ownerOfObject(read, sources.chart), alias: undefined }),
    how,
    get value() {
      value ??= toJsonValue((isValue ? valueAtSteps(sources.values, read.steps) : read.value) ?? null);
      return value;
    },
    get setBy() {
      setBy ??= isValue ? settersOfValue(steps, read.steps, sources) : sources.objectSetters(read);
      return setBy;
    },
  };
}

function settersOfValue(steps: Steps, readSteps: Steps, { moved, settersOf }: ValueSources): readonly Setter[] {
  if (!moved.some(({ from }) => startsWith(readSteps, from))) return settersOf(readSteps);
  const path = pathText(steps);
  return [...settersOf(steps), ...settersOf(readSteps).map((setter) => ({ ...setter, path }))];
}

/** Returns the other places of a value, according to the tables that became `.Values`. */
export function placesOf(steps: Steps, moved: readonly MovedValues[]): readonly Steps[] {
  const found = moved.filter(({ from, to }) => startsWith(steps, to) && !startsWith(steps, from));
  return found.map(({ from, to }) => [...from, ...steps.slice(to.length)]);
}

// Where a user sets what templates read at a path.
function userSteps(steps: Steps, { chart, values, moved }: ValueSources): Steps {
  const table = moved.find(({ from }) => startsWith(steps, from));
  const own = table === undefined ? steps : [...table.to, ...steps.slice(table.from.length)];
  const at = own.indexOf('global');
  if (at <= 0 || !isChart(chart, own.slice(0, at))) return own;
  // A chart passes its globals to its subcharts, where they take precedence.
  const outer = Array.from({ length: at }, (_, depth) => [...own.slice(0, depth), ...own.slice(at)]);
  return (
    outer.find((path) => valueAtSteps(values, path) !== undefined) ??
    (valueAtSteps(values, own) === undefined ? outer[0]! : own)
  );
}

function isChart(root: Chart, steps: Steps): boolean {
  return chartsAlong(root, steps).length === steps.length;
}

// `.Release` and `.Capabilities` are the same for all charts.
function ownerOfObject({ steps, chart }: Read, root: Chart): string {
  return steps[0] === 'Chart' || steps[0] === 'Files' ? (chart ?? '') : root.metadata.name;
}

// The chart of the tree whose section a path leads into.
function ownerOf(root: Chart, steps: Steps): { readonly chart: string; readonly alias: string | undefined } {
  const charts = chartsAlong(root, steps.slice(0, -1));
  const path = charts.reduce((folder, _, at) => `${folder}/charts/${steps[at]}`, root.metadata.name);
  return { chart: path, alias: charts.at(-1)?.alias };
}

// The subcharts on a path, one for each step, with the names of those used under another one.
function chartsAlong(
  root: Chart,
  steps: Steps,
): readonly { readonly chart: Chart; readonly alias: string | undefined }[] {
  const found: { readonly chart: Chart; readonly alias: string | undefined }[] = [];
  let chart = root;
  for (const step of steps) {
    const entry = chart.metadata.dependencies.find((one) => one.alias === step);
    const child = chart.children.find(({ metadata }) => metadata.name === (entry?.name ?? step));
    if (child === undefined) break;
    found.push({ chart: child, alias: entry?.name });
    chart = child;
  }
  return found;
}

/** A value that templates received: a text, a number, a whole list, or an empty table. */
export interface MergedValue {
  /** For example `image.tag`; for a subchart, from the root chart. */
  readonly path: string;
  readonly steps: readonly (string | number)[];
  readonly value: JsonValue;
  /** Every place that sets it, the winning one first. */
  readonly setBy: readonly Setter[];
  /** Whether a user set it, rather than a chart. */
  readonly isGiven: boolean;
  /** Whether the user's value differs from the chart's default. */
  readonly isChanged: boolean;
}

const defaults: ReadonlySet<SetterKind> = new Set<SetterKind>(['chart', 'parent-chart', 'import-values']);

/** Returns values in order of their paths. Global values are listed once, where they are set, not in every subchart. */
export function mergedValues(values: JsonObject, setBy: (steps: Steps) => readonly Setter[]): MergedValue[] {
  return leafPaths(values).flatMap(({ steps, value }) => {
    const places = setBy(steps);
    if (steps.indexOf('global') > 0 && places[0]?.path.startsWith('global')) return [];
    const isGiven = places[0] !== undefined && !defaults.has(places[0].kind);
    const own = places.find(({ kind }) => defaults.has(kind));
    const isChanged = isGiven && JSON.stringify(own?.value) !== JSON.stringify(value);
    return [{ path: pathText(steps), steps, value, setBy: places, isGiven, isChanged }];
  });
}
