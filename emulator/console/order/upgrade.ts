// An upgrade of a package: what it does to the package's values, and the Order after it.

import { splitPath } from '../../../render/core/paths.ts';
import { moveValue, type NewPackage, readOrderView, setValueAt, setVersion } from './document.ts';

/** What another version of a chart does to values. */
export interface UpgradeReport {
  readonly values: readonly {
    readonly path: string;
    readonly value: unknown;
    /** Neither version reads what is unused. */
    readonly kind: 'moved' | 'retyped' | 'unread' | 'unused';
    /** Where the other version reads it. */
    readonly to?: string;
    /** The default of the other version, if that is of another type. */
    readonly expected?: unknown;
  }[];
  readonly defaults: readonly { readonly path: string; readonly before: unknown; readonly after: unknown }[];
  readonly failureBefore?: string;
  readonly failureAfter?: string;
}

/** The other version of the chart of a package. */
export interface Upgrade {
  /** In the Order, from 0. */
  readonly index: number;
  readonly chart: NewPackage;
  readonly report: UpgradeReport;
}

/** Returns the Order with the other version: what moved is moved, what only the version before read, or in another type, is gone. */
export function upgradedOrder(text: string, { index, chart, report }: Upgrade): string {
  let upgraded = setVersion(text, index, chart);
  // Values of a patch stay: it names them in its own words.
  if (readOrderView(text).packages[index]?.values === '') return upgraded;
  for (const { path, kind, to } of report.values) {
    const from = splitPath(path);
    if (to !== undefined) upgraded = moveValue(upgraded, index, { from, to: splitPath(to) });
    else if (kind !== 'unused') upgraded = setValueAt(upgraded, index, { path: from, value: undefined });
  }
  return upgraded;
}
