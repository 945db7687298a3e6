// `drydock impact`: the objects and fields that a value affects.

import { type Impact, impactOf } from '../../provenance/impact/impact.ts';
import { impactJson, impactText } from '../../provenance/impact/text.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandContext } from '../io.ts';
import { type OrderInput, printFailure, readOrderFile } from './order-input.node.ts';
import { isChartInput, traceChart, traceOrder } from './traced-input.node.ts';

/** Prints the effects of values. Returns 1 if the input or a path is invalid. Throws UsageError, RenderError. */
export async function impactCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  const [input, ...paths] = flags.args;
  if (input === undefined || paths.length === 0) {
    throw new UsageError('"drydock impact" takes an Order or a chart, and paths of values such as image.tag');
  }
  let order: OrderInput | undefined;
  let impacts: readonly Impact[];
  try {
    if (!isChartInput(input, io.cwd)) order = await readOrderFile(input, flags, io);
    const { releases } = order === undefined ? await traceChart(input, flags, io) : await traceOrder(order);
    impacts = paths.map((path) => impactOf(releases, path));
  } catch (error) {
    return printFailure(error, order?.text, io, input);
  }
  io.stdout(flags.on('json') ? impactJson(impacts) : impacts.map(impactText).join('\n'));
  return 0;
}
