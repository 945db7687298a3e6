// Reads the input of a function that takes a chart or an Order.

import { isChartInput, locateChart } from './files.node.ts';
import { type OrderInput, readOrderFile } from './orders.node.ts';
import type { RunContext } from './run-options.node.ts';

/** Returns the located path of a chart, or the Order of an input. Throws CHART_NOT_FOUND, or ORDER_INVALID if it cannot be read. */
export async function readInput(
  input: string | OrderInput,
  { settings, io }: RunContext,
): Promise<string | OrderInput> {
  if (typeof input !== 'string') return input;
  return isChartInput(input, io.cwd) ? locateChart(input, io.cwd) : readOrderFile(input, settings, io);
}
