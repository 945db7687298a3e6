// The input of a command that takes an Order or a chart.

import { isChartInput } from '../../inputs/files.node.ts';
import { type OrderInput, readOrderFile } from '../../inputs/orders.node.ts';
import type { ParsedFlags } from '../flags.ts';
import { printFailure } from '../output.ts';
import type { CommandContext } from '../program.ts';
import { renderSettings } from '../settings.ts';

/**
 * Calls a function with the path of a chart, or with the Order in a file, and returns its exit code. If the input is invalid, prints why
 * and returns 1.
 */
export async function withInput(
  name: string,
  { flags, io }: { readonly flags: ParsedFlags; readonly io: CommandContext },
  call: (input: string | OrderInput) => Promise<number>,
): Promise<number> {
  let order: OrderInput | undefined;
  try {
    if (!isChartInput(name, io.cwd)) order = await readOrderFile(name, renderSettings(flags), io);
    return await call(order ?? name);
  } catch (error) {
    return printFailure(error, order?.text, io, name);
  }
}
