// An upgrade of a package: its effects on the package's values, and the resulting Order.

import { splitPath } from '../../../render/core/paths.ts';
import { moveValue, type NewPackage, readOrderView, setValueAt, setVersion } from './document.ts';

/** The effects of another chart version on values. */
export interface UpgradeResult {
  readonly values: readonly {
    readonly path: string;
    readonly value: unknown;
    /** Unused means that neither version reads it. */
    readonly kind: 'moved' | 'retyped' | 'unread' | 'unused';
    /** Where the other version reads it. */
    readonly to?: string;
    /** The default of the other version, if it has another type. */
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
  readonly report: UpgradeResult;
}

/**
 * Returns the Order with the other version: moved values are moved, values that only the old version reads, or of another type, are
 * removed.
 */
export function upgradedOrder(text: string, { index, chart, report }: Upgrade): string {
  let upgraded = setVersion(text, index, chart);
  // Values of a patch stay, because it has its own paths.
  if (readOrderView(text).packages[index]?.values === '') return upgraded;
  for (const { path, kind, to } of report.values) {
    const from = splitPath(path);
    if (to !== undefined) upgraded = moveValue(upgraded, index, { from, to: splitPath(to) });
    else if (kind !== 'unused') upgraded = setValueAt(upgraded, index, { path: from, value: undefined });
  }
  return upgraded;
}
