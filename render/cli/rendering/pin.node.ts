// `drydock pin` and `drydock bundle`: pins an Order to its current charts and values, and packs everything into one archive.

import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type RenderedOrder, renderOrder } from '../../api/order.ts';
import { counted } from '../../core/counted.ts';
import { expandPatterns } from '../../core/paths.node.ts';
import { type OrderInput, readOrderFile } from '../../inputs/orders.node.ts';
import { bundleOrder, pinOrder } from '../../inputs/pin.node.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import { printFailure } from '../output.ts';
import type { CommandContext } from '../program.ts';
import { renderSettings } from '../settings.ts';

/** Prints an Order with all charts and values pinned. Returns 0, or 1 if something does not render. Throws UsageError. */
export async function pinCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  return withRendered('pin', flags, io, async (input, rendered) => {
    io.stdout(pinOrder(input, rendered));
  });
}

/** Writes an Order, its lock file and its charts as one archive. Returns 0, or 1 if something does not render. Throws UsageError. */
export async function bundleCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  const out = flags.text('output') ?? '';
  if (out === '') throw new UsageError('"drydock bundle" needs --output FILE, such as --output order.tgz');
  return withRendered('bundle', flags, io, async (input, rendered) => {
    const { data, digest, charts } = bundleOrder(input, rendered);
    writeFileSync(resolve(io.cwd, out), data);
    if (!io.quiet) io.stdout(`${out}: ${counted(charts, 'chart')}, ${digest}\n`);
  });
}

async function withRendered(
  command: string,
  flags: ParsedFlags,
  io: CommandContext,
  use: (input: OrderInput, rendered: RenderedOrder) => Promise<void>,
): Promise<number> {
  const [name = '', ...more] = await expandPatterns(flags.args, io.cwd);
  if (name === '' || more.length > 0) {
    throw new UsageError(`"drydock ${command}" takes one argument: the file of an Order, or - for standard input`);
  }
  let input: OrderInput | undefined;
  try {
    input = await readOrderFile(name, renderSettings(flags), io);
    await use(input, await renderOrder(input.text.value, input.options));
    return 0;
  } catch (error) {
    return printFailure(error, input?.text, io);
  }
}
