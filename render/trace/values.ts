// The values that explanations name: each under its path, with what it is and where it was set.

import type { Chart } from '../chart/chart.ts';
import type { GoMap } from '../go/value.ts';
import type { JsonValue } from '../order/order.ts';
import type { Read, Way } from '../template/origin.ts';
import { pathText, type Steps } from '../values/paths.ts';
import { jsonOf, type Setter, type SettersOf, valueAt } from './setters.ts';

/**
 * How a value took part.
 *
 * - `exact` – it, or a part of it, stands in the text.
 * - `computed` – something was made of it.
 * - `decides` – it chose what stands there.
 * - `shares` – it did so with others, of which each would have been enough: alone, another one changes nothing.
 */
export type ValueWay = Way;

/** A value that was read. */
export interface ExplainedValue {
  /** From the values of the root chart, such as `image.tag`; with a dot in front where it is no value, such as `.Release.Name`. */
  readonly path: string;
  /** The same as a list; of what is no value with the object's name first, such as `Release`. */
  readonly steps: Steps;
  /** The path of the chart whose value it is, such as `web/charts/cache`; the same for an alias. */
  readonly chart: string;
  /** The name of that chart, where it is used under another one. */
  readonly alias: string | undefined;
  readonly how: ValueWay;
  readonly value: JsonValue;
  /** Every place that sets it: the first one wins over the others. Empty for what nothing sets. */
  readonly setBy: readonly Setter[];
}

/** What explanations of one release share. */
export interface ValueTable {
  /** The chart before its dependencies were decided. */
  readonly chart: Chart;
  /** The values that the root chart's templates saw. */
  readonly root: GoMap;
  /** Gives what a read was of, as it took part. */
  explain(read: Read, how: ValueWay): ExplainedValue;
  readonly settersOf: SettersOf;
}

/** What a table of values is made from. */
export interface ValueSources {
  /** The chart before its dependencies were decided: then an alias still stands beside the name. */
  readonly chart: Chart;
  readonly values: GoMap;
  readonly settersOf: SettersOf;
  /** The same for what is no value: `.Release`, `.Chart`, `.Capabilities`. */
  readonly objectSetters: (read: Read) => readonly Setter[];
}

/** Gives the table of a release's values. Values and places are worked out when they are first asked for. */
export function createValueTable(sources: ValueSources): ValueTable {
  const known = new Map<string, ExplainedValue>();
  return {
    chart: sources.chart,
    root: sources.values,
    settersOf: sources.settersOf,
    explain(read, how) {
      const key = `${how} ${read.root} ${read.chart ?? ''} ${JSON.stringify(read.steps)}`;
      const found = known.get(key) ?? explainRead(read, how, sources);
      known.set(key, found);
      return found;
    },
  };
}

function explainRead(read: Read, how: ValueWay, sources: ValueSources): ExplainedValue {
  const { steps, root } = read;
  const isValue = root === 'Values';
  let value: JsonValue | undefined;
  let setBy: readonly Setter[] | undefined;
  return {
    path: isValue ? pathText(steps) : `.${pathText(steps)}`,
    steps,
    ...(isValue ? ownerOf(sources.chart, steps) : { chart: ownerOfObject(read, sources.chart), alias: undefined }),
    how,
    get value() {
      value ??= jsonOf((isValue ? valueAt(sources.values, steps) : read.value) ?? null);
      return value;
    },
    get setBy() {
      setBy ??= isValue ? sources.settersOf(steps) : sources.objectSetters(read);
      return setBy;
    },
  };
}

// `.Release` and `.Capabilities` are the same for all charts.
function ownerOfObject({ steps, chart }: Read, root: Chart): string {
  return steps[0] === 'Chart' || steps[0] === 'Files' ? (chart ?? '') : root.metadata.name;
}

// The chart of the tree whose section the steps lead into.
function ownerOf(root: Chart, steps: Steps): { readonly chart: string; readonly alias: string | undefined } {
  let chart = root;
  let path = root.metadata.name;
  let alias: string | undefined;
  for (const step of steps.slice(0, -1)) {
    const entry = chart.metadata.dependencies.find((one) => one.alias === step);
    const child = chart.children.find(({ metadata }) => metadata.name === (entry?.name ?? step));
    if (child === undefined) break;
    alias = entry?.name;
    path = `${path}/charts/${step}`;
    chart = child;
  }
  return { chart: path, alias };
}
