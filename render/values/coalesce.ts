// Layers values: what the user gives over what the chart gives over what its sub-charts give.
// Mirrors: helm.sh/helm/v3/pkg/chartutil, coalesce.go, v3.17.3.

import { formatValue, sprintf } from '../go/format.ts';
import { quote } from '../go/number.ts';
import { GoError, type GoMap, type GoValue } from '../go/value.ts';
import { copyValue, isTable } from './lookup.ts';

/** Takes a line that Helm would log on standard error, without its line end. */
export type Warn = (line: string) => void;

/** Is what coalescing needs to know of a chart. */
export interface Layer {
  readonly metadata: { readonly name: string };
  readonly values: GoMap;
  readonly children: readonly Layer[];
}

/** Says how a run goes. */
export interface CoalescingOptions {
  /** Merging keeps nulls; coalescing lets them delete. */
  readonly merge: boolean;
  readonly warn: Warn;
  /** Whether all values belong to the caller, who wants them changed where they are. Default false. */
  readonly inPlace?: boolean;
}

/**
 * Is one run of coalescing over values that nobody may write to. Helm copies everything first; we copy a table only when
 * the run changes it. `owned` holds the maps and lists made by this run, which are the only ones written to.
 */
export class Coalescing {
  private readonly owned = new Set<GoMap | GoValue[]>();
  private readonly warn: Warn;
  private readonly merge: boolean;
  private readonly inPlace: boolean;

  constructor(options: CoalescingOptions) {
    this.merge = options.merge;
    this.warn = options.warn;
    this.inPlace = options.inPlace ?? false;
  }

  /**
   * Lays values over the defaults of a chart and of all its sub-charts. Neither is changed; the result shares what it can
   * with both. Throws GoError `type mismatch on NAME: …`. Mirrors: `CoalesceValues`, `MergeValues`.
   */
  layer(chart: Layer, values: GoMap): GoMap {
    const top = this.own(values);
    this.layerChart(chart, top, '');
    return top;
  }

  /** Fills `target` with what `source` has more, and gives the result. Mirrors: `CoalesceTables`, `MergeTables`. */
  fill(target: GoMap, source: GoMap): GoMap {
    return this.fillTable(target, source, '', this.merge);
  }

  /**
   * Gives the outcome of this run as the caller's own: what is still shared with charts or values given is copied.
   * Tables that a chart shares with its sub-charts (the inner ones of `global`) stay shared, as in Helm.
   */
  detach(values: GoMap): GoMap {
    return this.ownDeep(values, copyValue, new Set());
  }

  private own(map: GoMap): GoMap {
    if (this.inPlace || this.owned.has(map)) return map;
    const copy: GoMap = new Map(map);
    this.owned.add(copy);
    return copy;
  }

  // Replaces all below the map that is not this run's own by copies.
  private ownDeep(map: GoMap, copy: <T extends GoValue>(value: T) => T, seen: Set<GoMap>): GoMap {
    if (!this.owned.has(map)) return copy(map);
    if (seen.has(map)) return map;
    seen.add(map);
    for (const [key, item] of map) {
      if (isTable(item)) {
        const own = this.ownDeep(item, copy, seen);
        if (own !== item) map.set(key, own);
      } else if (Array.isArray(item) && !this.owned.has(item)) {
        map.set(key, copy(item));
      }
    }
    return map;
  }

  private copyAsOwn<T extends GoValue>(value: T): T {
    return this.adopt(copyValue(value));
  }

  private adopt<T extends GoValue>(value: T): T {
    if (Array.isArray(value)) {
      this.owned.add(value);
      for (const item of value) this.adopt(item);
    } else if (isTable(value)) {
      this.owned.add(value);
      for (const item of value.values()) this.adopt(item);
    }
    return value;
  }

  // `values` belongs to this run. Mirrors: `coalesce`, `coalesceDeps`.
  private layerChart(chart: Layer, values: GoMap, prefix: string): void {
    this.layerDefaults(chart, values, prefix);
    const path = join(prefix, chart.metadata.name);
    for (const child of chart.children) {
      const name = child.metadata.name;
      const section = orEmpty(values.get(name));
      if (!isTable(section)) throw new GoError(sprintf('type mismatch on %s: %t', name, section));
      const own = this.own(section);
      values.set(name, own);
      this.passGlobals(own, values, path);
      this.layerChart(child, own, path);
    }
  }

  // Mirrors: `coalesceValues`.
  private layerDefaults(chart: Layer, values: GoMap, prefix: string): void {
    const path = join(prefix, chart.metadata.name);
    for (const [key, fallback] of chart.values) {
      const value = values.get(key);
      if (value === undefined) values.set(key, fallback);
      else if (value === null && !this.merge) values.delete(key);
      else if (isTable(value)) {
        if (isTable(fallback)) {
          const merge = this.merge || chart.children.some((child) => child.metadata.name === key);
          const filled = this.fillTable(value, fallback, join(path, key), merge);
          if (filled !== value) values.set(key, filled);
        } else if (fallback !== null) {
          this.warn(`coalesce.go:237: warning: skipped value for ${path}.${key}: Not a table.`);
        }
      }
    }
  }

  // Mirrors: `coalesceTablesFullKey`.
  private fillTable(target: GoMap, source: GoMap, prefix: string, merge: boolean): GoMap {
    let filled = target;
    for (const [key, fallback] of source) {
      const value = filled.get(key);
      if (value === null && !merge) {
        filled = this.own(filled);
        filled.delete(key);
      } else if (value === undefined) {
        filled = this.own(filled);
        filled.set(key, fallback);
      } else if (isTable(fallback)) {
        const path = join(prefix, key);
        if (isTable(value)) {
          const inner = this.fillTable(value, fallback, path, merge);
          if (inner !== value) filled = this.own(filled).set(key, inner);
        } else {
          const text = formatValue(fallback);
          this.warn(`coalesce.go:298: warning: cannot overwrite table with non table for ${path} (${text})`);
        }
      } else if (isTable(value) && fallback !== null) {
        const text = formatValue(fallback);
        this.warn(
          `coalesce.go:301: warning: destination for ${join(prefix, key)} is a table. Ignoring non-table value (${text})`,
        );
      }
    }
    return filled;
  }

  // Both maps belong to this run. Mirrors: `coalesceGlobals`.
  private passGlobals(child: GoMap, parent: GoMap, prefix: string): void {
    const below = orEmpty(child.get('global'));
    if (!isTable(below)) {
      this.warn('coalesce.go:138: warning: skipping globals because destination global is not a table.');
      return;
    }
    const above = orEmpty(parent.get('global'));
    if (!isTable(above)) {
      this.warn('coalesce.go:145: warning: skipping globals because source global is not a table.');
      return;
    }
    const target = this.own(below);
    child.set('global', target);
    if (above.size === 0) return;
    // Helm copies the first level only: deeper tables are one and the same in parent and child, and what the child's
    // defaults add to them shows in the parent too. So they must be the run's own before they are shared.
    const source = this.own(above);
    parent.set('global', source);
    this.ownDeep(source, (value) => this.copyAsOwn(value), new Set());
    for (const [key, value] of source) {
      const existing = target.get(key);
      if (!isTable(value)) {
        if (isTable(existing)) this.warn(`coalesce.go:175: key ${key} is table. Skipping`);
        else target.set(key, value);
      } else if (existing === undefined) {
        target.set(key, this.share(value));
      } else if (isTable(existing)) {
        target.set(key, this.fillTable(this.share(value), existing, join(prefix, key), true));
      } else {
        this.warn(`coalesce.go:161: Conflict: cannot merge map onto non-map for ${quote(key)}. Skipping.`);
      }
    }
  }

  // A shallow copy of a map that is the run's own already.
  private share(map: GoMap): GoMap {
    const copy: GoMap = new Map(map);
    this.owned.add(copy);
    return copy;
  }
}

// Nothing reads as an empty table; null does not.
function orEmpty(value: GoValue | undefined): GoValue {
  return value === undefined ? new Map() : value;
}

function join(prefix: string, key: string): string {
  return prefix === '' ? key : `${prefix}.${key}`;
}
