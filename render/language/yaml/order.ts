// Help for the text of a whole Order: its members by its schema, and inside values what the chart of the package says.

import type { EditorHelp } from '../help.ts';
import { yamlHelp } from './help.ts';
import type { KnownValues } from './known-values.ts';

/** The sources of the help for an Order, called when they are needed. */
export interface OrderHelpSources {
  /** Returns what the schema of Orders says; undefined where it is not at hand. */
  readonly order: () => KnownValues | undefined;
  /** Returns what is known of the values of the chart of a package, from 0; undefined where nothing is. */
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
