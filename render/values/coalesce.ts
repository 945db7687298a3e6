// Merges values: the user's over the chart's over those of its sub-charts.
// Mirrors: helm.sh/helm/v3/pkg/chartutil, coalesce.go, v3.17.3.

import { formatValue, sprintf } from '../go/format.ts';
import { GoError, type GoMap, type GoValue } from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';
import { copyValue, isTable } from './lookup.ts';

/** Called with a line that Helm would log to standard error, without its line break. */
export type Warn = (line: string) => void;

/** What coalescing needs of a chart. */
export interface Layer {
  readonly metadata: { readonly name: string };
  readonly values: GoMap;
  readonly children: readonly Layer[];
}

/** The Helm profile, and the callback for warnings. */
export interface Composing {
  readonly warn: Warn;
  readonly helm: Helm;
}

/** Options of a run. */
export interface CoalescingOptions extends Composing {
  /** Merging keeps nulls; coalescing deletes their keys. */
  readonly merge: boolean;
  /** Whether all values belong to the caller and can be changed in place. Default false. */
  readonly inPlace?: boolean;
}

/**
 * One run of coalescing over values that must not be modified. Helm copies everything first; this implementation copies a table only when
 * it changes. `owned` holds the maps and lists created by this run, the only ones that are modified.
 */
export class Coalescing {
  readonly #owned = new Set<GoMap | GoValue[]>();
  readonly #warn: Warn;
  readonly #helm: Helm;
  readonly #merge: boolean;
  readonly #inPlace: boolean;

  constructor(options: CoalescingOptions) {
    this.#merge = options.merge;
    this.#warn = options.warn;
    this.#helm = options.helm;
    this.#inPlace = options.inPlace ?? false;
  }

  /**
   * Merges values over the defaults of a chart and all its sub-charts. Neither is modified; the result shares parts with both. Throws
   * GoError `type mismatch on NAME: …`.
   * Mirrors: `CoalesceValues`, `MergeValues`.
   */
  layer(chart: Layer, values: GoMap): GoMap {
    const top = this.#own(values);
    this.#layerChart(chart, top, '');
    return top;
  }

  /**
   * Adds to `target` what only `source` has, and returns the result.
   * Mirrors: `CoalesceTables`, `MergeTables`.
   */
  fill(target: GoMap, source: GoMap): GoMap {
    return this.#fillTable(target, source, '', this.#merge);
  }

  /**
   * Returns the result as the caller's own: parts shared with charts or input values are copied. Tables that a chart shares with its
   * sub-charts (the inner ones of `global`) stay shared, as in Helm.
   */
  detach(values: GoMap): GoMap {
    return this.#ownDeep(values, copyValue);
  }

  #own(map: GoMap): GoMap {
    if (this.#inPlace || this.#owned.has(map)) return map;
    const copy: GoMap = new Map(map);
    this.#owned.add(copy);
    return copy;
  }

  // Copies everything below the map that this run does not own.
  #ownDeep(top: GoMap, copy: <T extends GoValue>(value: T) => T): GoMap {
    if (!this.#owned.has(top)) return copy(top);
    const seen = new Set([top]);
    const left = [top];
    for (let map = left.pop(); map !== undefined; map = left.pop()) {
      for (const [key, item] of map) {
        if (!isTable(item) && !Array.isArray(item)) continue;
        if (!this.#owned.has(item)) map.set(key, copy(item));
        else if (isTable(item) && !seen.has(item)) {
          seen.add(item);
          left.push(item);
        }
      }
    }
    return top;
  }

  #copyAsOwn<T extends GoValue>(value: T): T {
    return this.#adopt(copyValue(value));
  }

  #adopt<T extends GoValue>(value: T): T {
    const left: GoValue[] = [value];
    for (let item = left.pop(); item !== undefined; item = left.pop()) {
      if (!isTable(item) && !Array.isArray(item)) continue;
      this.#owned.add(item);
      for (const inner of item.values()) left.push(inner);
    }
    return value;
  }

  // `values` is owned by this run.
  // Mirrors: `coalesce`, `coalesceDeps`.
  #layerChart(chart: Layer, values: GoMap, prefix: string): void {
    this.#layerDefaults(chart, values, prefix);
    const path = join(prefix, chart.metadata.name);
    for (const child of chart.children) {
      const name = child.metadata.name;
      const section = orEmpty(values.get(name));
      if (!isTable(section)) throw new GoError(sprintf('type mismatch on %s: %t', name, section));
      const own = this.#own(section);
      values.set(name, own);
      this.#passGlobals(own, values, path);
      this.#layerChart(child, own, path);
    }
  }

  // Mirrors: `coalesceValues`.
  #layerDefaults(chart: Layer, values: GoMap, prefix: string): void {
    const path = join(prefix, chart.metadata.name);
    const dropsNulls = this.#helm.values.dropsDefaultNulls && !this.#merge;
    for (const [key, fallback] of chart.values) {
      const value = values.get(key);
      if (value === undefined) {
        if (fallback !== null || !dropsNulls) values.set(key, dropsNulls ? withoutNulls(fallback) : fallback);
      } else if (value === null && !this.#merge) values.delete(key);
      else if (isTable(value)) {
        if (isTable(fallback)) {
          const merge = this.#merge || chart.children.some((child) => child.metadata.name === key);
          const source = dropsNulls && !merge ? withoutNulls(fallback) : fallback;
          const filled = this.#fillTable(value, source, join(path, key), merge);
          if (filled !== value) values.set(key, filled);
        } else if (fallback !== null) {
          this.#warn(this.#helm.log.skippedValue(`${path}.${key}`));
        }
      }
    }
  }

  // Mirrors: `coalesceTablesFullKey`.
  #fillTable(target: GoMap, source: GoMap, prefix: string, merge: boolean): GoMap {
    const open = [this.#begin(target, source, { prefix, merge })];
    for (;;) {
      const top = open[open.length - 1]!;
      const inner = this.#fillOn(top, merge);
      if (inner !== undefined) {
        open.push(inner);
        continue;
      }
      open.pop();
      const outer = open[open.length - 1];
      if (outer === undefined) return top.filled;
      if (top.filled !== top.target) outer.filled = this.#own(outer.filled).set(outer.key, top.filled);
    }
  }

  #begin(
    target: GoMap,
    source: GoMap,
    { prefix, merge }: { readonly prefix: string; readonly merge: boolean },
  ): Filling {
    const filling = beginFilling(target, source, prefix);
    if (merge || this.#helm.values.nestedNulls !== 'remove all') return filling;
    for (const [key, value] of target) {
      if (value !== null || source.has(key)) continue;
      filling.filled = this.#own(filling.filled);
      filling.filled.delete(key);
    }
    return filling;
  }

  // Merges a table up to the next nested one, which is returned; undefined at the end.
  #fillOn(filling: Filling, merge: boolean): Filling | undefined {
    const { prefix } = filling;
    const { nestedNulls } = this.#helm.values;
    for (let entry = filling.entries.next(); entry.done !== true; entry = filling.entries.next()) {
      const [key, fallback] = entry.value;
      let { filled } = filling;
      const value = filled.get(key);
      const staysNull = merge || (nestedNulls === 'keep without default' && fallback === null);
      if (value === null && nestedNulls !== 'remove defaults' && staysNull) {
        continue;
      } else if (value === null && !merge) {
        filled = this.#own(filled);
        filled.delete(key);
      } else if (value === undefined) {
        filled = this.#own(filled);
        filled.set(key, fallback);
      } else if (isTable(fallback)) {
        const path = join(prefix, key);
        if (isTable(value)) {
          filling.key = key;
          return this.#begin(value, fallback, { prefix: path, merge });
        } else {
          this.#warn(this.#helm.log.tableOverValue(path, formatValue(fallback)));
        }
      } else if (isTable(value) && fallback !== null) {
        this.#warn(this.#helm.log.valueOverTable(join(prefix, key), formatValue(fallback)));
      }
      filling.filled = filled;
    }
    return undefined;
  }

  // Both maps are owned by this run.
  // Mirrors: `coalesceGlobals`.
  #passGlobals(child: GoMap, parent: GoMap, prefix: string): void {
    const below = orEmpty(child.get('global'));
    if (!isTable(below)) {
      this.#warn(this.#helm.log.childGlobalNoTable);
      return;
    }
    const above = orEmpty(parent.get('global'));
    if (!isTable(above)) {
      this.#warn(this.#helm.log.parentGlobalNoTable);
      return;
    }
    const target = this.#own(below);
    child.set('global', target);
    if (above.size === 0) return;
    // Helm copies the first level only: deeper tables are shared by parent and child, and what the child's defaults add is visible in the
    // parent. So they must be owned before they are shared.
    const source = this.#own(above);
    parent.set('global', source);
    this.#ownDeep(source, (value) => this.#copyAsOwn(value));
    for (const [key, value] of source) {
      const existing = target.get(key);
      if (!isTable(value)) {
        if (isTable(existing)) this.#warn(this.#helm.log.globalIsTable(key));
        else target.set(key, value);
      } else if (existing === undefined) {
        target.set(key, this.#share(value));
      } else if (isTable(existing)) {
        target.set(key, this.#fillTable(this.#share(value), existing, join(prefix, key), true));
      } else {
        this.#warn(this.#helm.log.globalConflict(key));
      }
    }
  }

  // A shallow copy of an owned map.
  #share(map: GoMap): GoMap {
    const copy: GoMap = new Map(map);
    this.#owned.add(copy);
    return copy;
  }
}

/** A table being merged into. */
interface Filling {
  readonly target: GoMap;
  /** The target, or this run's copy of it. */
  filled: GoMap;
  readonly entries: Iterator<[string, GoValue]>;
  readonly prefix: string;
  /** The key of the nested table being merged. */
  key: string;
}

const cleaned = new WeakMap<GoMap, GoMap>();

// Returns the value without nulls in its tables; the value itself if there are none.
// Mirrors: `cleanNilValues` of Helm 4.
function withoutNulls<T extends GoValue>(value: T): T;
function withoutNulls(value: GoValue): GoValue {
  if (!isTable(value)) return value;
  const known = cleaned.get(value);
  if (known !== undefined) return known;
  const clean: GoMap = new Map();
  let isSame = true;
  for (const [key, item] of value) {
    if (item === null) {
      isSame = false;
      continue;
    }
    const inner = withoutNulls(item);
    if (inner !== item) isSame = false;
    clean.set(key, inner);
  }
  const result = isSame ? value : clean;
  cleaned.set(value, result);
  return result;
}

function beginFilling(target: GoMap, source: GoMap, prefix: string): Filling {
  return { target, filled: target, entries: source.entries(), prefix, key: '' };
}

// An absent value is read as an empty table; null is not.
function orEmpty(value: GoValue | undefined): GoValue {
  return value === undefined ? new Map() : value;
}

function join(prefix: string, key: string): string {
  return prefix === '' ? key : `${prefix}.${key}`;
}
