// Editor help for an Order: its members from its schema, and values from the chart of the package.

import type { EditorHelp } from '../help.ts';
import { yamlHelp } from './help.ts';
import type { KnownValues } from './known-values.ts';

/** The sources of the help for an Order, called when needed. */
export interface OrderHelpSources {
  /** Returns the schema of Orders; undefined if it is not available. */
  readonly order: () => KnownValues | undefined;
  /** Returns what is known of the values of a package's chart (index from 0), or undefined. */
  readonly valuesOf: (index: number) => KnownValues | undefined;
}

/** Returns the help of an editor of an Order. */
export function orderHelp({ order, valuesOf }: OrderHelpSources): EditorHelp {
  return yamlHelp((path) => {
    const [spec, list, index, chart, member, ...rest] = path;
    const isPackage = spec === 'spec' && (list === 'packages' || list === 'items') && typeof index === 'number';
    const isValues = isPackage && chart === 'chart' && member === 'values';
    const words = isValues ? valuesOf(index) : order();
    return words && { words, path: isValues ? rest : path };
  });
}
