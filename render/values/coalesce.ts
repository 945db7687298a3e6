// Merges values: the user's over the chart's over those of its subcharts.
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

export interface CoalescingOptions extends Composing {
  /** Merging keeps nulls; coalescing deletes their keys. */
  readonly merge: boolean;
}

/**
 * Returns values merged over the defaults of a chart and all its subcharts, as new maps. Throws GoError `type mismatch on NAME: …`.
 * Mirrors: `CoalesceValues`, `MergeValues`.
 */
export function coalesceValues(chart: Layer, values: GoMap, options: CoalescingOptions): GoMap {
  const top = copyValue(values);
  layerChart(chart, top, '', options);
  return top;
}

// Mirrors: `coalesce`, `coalesceDeps`.
function layerChart(chart: Layer, values: GoMap, prefix: string, options: CoalescingOptions): void {
  const path = join(prefix, chart.metadata.name);
  layerDefaults(chart, values, path, options);
  for (const child of chart.children) {
    const name = child.metadata.name;
    const section = orEmpty(values.get(name));
    if (!isTable(section)) throw new GoError(sprintf('type mismatch on %s: %t', name, section));
    values.set(name, section);
    passGlobals(section, values, path, options);
    layerChart(child, section, path, options);
  }
}

// Mirrors: `coalesceValues`.
function layerDefaults(chart: Layer, values: GoMap, path: string, options: CoalescingOptions): void {
  const { warn, helm } = options;
  const dropsNulls = helm.values.dropsDefaultNulls && !options.merge;
  for (const [key, fallback] of copyValue(chart.values)) {
    const value = values.get(key);
    if (value === undefined) {
      if (dropsNulls) dropNulls(fallback);
      if (fallback !== null || !dropsNulls) values.set(key, fallback);
    } else if (value === null && !options.merge) values.delete(key);
    else if (isTable(value)) {
      if (isTable(fallback)) {
        const merge = options.merge || chart.children.some((child) => child.metadata.name === key);
        if (dropsNulls && !merge) dropNulls(fallback);
        fillTable(value, fallback, join(path, key), { ...options, merge });
      } else if (fallback !== null) warn(helm.log.skippedValue(`${path}.${key}`));
    }
  }
}

/**
 * Adds to `target` what only `source` has, and shares tables and lists with it.
 * Mirrors: `CoalesceTables`, `MergeTables`.
 */
export function coalesceTables(target: GoMap, source: GoMap, options: CoalescingOptions): void {
  fillTable(target, source, '', options);
}

// Mirrors: `coalesceTablesFullKey`.
function fillTable(target: GoMap, source: GoMap, prefix: string, options: CoalescingOptions): void {
  const { merge, warn, helm } = options;
  const { nestedNulls } = helm.values;
  if (!merge && nestedNulls === 'remove all') {
    for (const [key, value] of target) if (value === null && !source.has(key)) target.delete(key);
  }
  for (const [key, fallback] of source) {
    const value = target.get(key);
    const path = join(prefix, key);
    const staysNull = merge || (nestedNulls === 'keep without default' && fallback === null);
    if (value === null && nestedNulls !== 'remove defaults' && staysNull) continue;
    if (value === null && !merge) target.delete(key);
    else if (value === undefined) target.set(key, fallback);
    else if (isTable(fallback)) {
      if (isTable(value)) fillTable(value, fallback, path, options);
      else warn(helm.log.tableOverValue(path, formatValue(fallback)));
    } else if (isTable(value) && fallback !== null) {
      warn(helm.log.valueOverTable(path, formatValue(fallback)));
    }
  }
}

// Helm copies the first level only: deeper tables are shared by parent and child, and what the child's defaults add is visible in the parent.
// Mirrors: `coalesceGlobals`.
function passGlobals(child: GoMap, parent: GoMap, prefix: string, options: CoalescingOptions): void {
  const { warn, helm } = options;
  const target = orEmpty(child.get('global'));
  if (!isTable(target)) {
    warn(helm.log.childGlobalNoTable);
    return;
  }
  const source = orEmpty(parent.get('global'));
  if (!isTable(source)) {
    warn(helm.log.parentGlobalNoTable);
    return;
  }
  child.set('global', target);
  for (const [key, value] of source) {
    const existing = target.get(key);
    if (!isTable(value)) {
      if (isTable(existing)) warn(helm.log.globalIsTable(key));
      else target.set(key, value);
    } else if (existing === undefined) {
      target.set(key, new Map(value));
    } else if (isTable(existing)) {
      const copy: GoMap = new Map(value);
      fillTable(copy, existing, join(prefix, key), { ...options, merge: true });
      target.set(key, copy);
    } else {
      warn(helm.log.globalConflict(key));
    }
  }
}

// Mirrors: `cleanNilValues` of Helm 4.
function dropNulls(value: GoValue): void {
  if (!isTable(value)) return;
  for (const [key, item] of value) {
    if (item === null) value.delete(key);
    else dropNulls(item);
  }
}

// An absent value is read as an empty table; null is not.
function orEmpty(value: GoValue | undefined): GoValue {
  return value === undefined ? new Map() : value;
}

function join(prefix: string, key: string): string {
  return prefix === '' ? key : `${prefix}.${key}`;
}
