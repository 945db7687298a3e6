// The command `demo`: the console as a folder for any static host, with the user's charts, Orders and fixtures.

import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { type ParsedFlags, UsageError } from '../../render/cli/flags.ts';
import { printFailure } from '../../render/cli/output.ts';
import type { CommandContext } from '../../render/cli/program.ts';
import { renderSettings } from '../../render/cli/settings.ts';
import { counted } from '../../render/core/counted.ts';
import { didYouMeanPath, expandPatterns } from '../../render/core/paths.node.ts';
import { RenderError, renderOrder } from '../../render/index.ts';
import { type OrderInput, readOrderFile } from '../../render/inputs/orders.node.ts';
import { type DemoChart, readEmulatorOptions, type WrittenDemo, writeDemo } from '../server.node.ts';

/** Writes a demo into a folder. Returns 0, or 1 if its content is invalid. Throws UsageError, FixtureError, EmulatorError. */
export async function demoCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  const [folder, ...patterns] = flags.args;
  if (folder === undefined)
    throw new UsageError('"drydock demo" takes the folder to write, and Orders: drydock demo FOLDER [ORDER...]');
  const orders: { readonly text: string; readonly value: unknown }[] = [];
  const charts: DemoChart[] = [];
  for (const name of patterns.length === 0 ? [] : await expandPatterns(patterns, io.cwd)) {
    let input: OrderInput | undefined;
    try {
      input = await readOrderFile(name, renderSettings(flags), io);
      charts.push(...(await chartsOf(name, input)));
    } catch (error) {
      return printFailure(error, input?.text, io, name);
    }
    orders.push({ text: input.source, value: input.text.value });
  }
  const fixtures = flags.text('fixtures');
  const written = await writeDemo(resolve(io.cwd, folder), {
    orders,
    charts,
    chartFolders: flags.list('charts').map((place) => chartFolder(place, io.cwd)),
    ...(fixtures !== undefined && { emulator: await readEmulatorOptions(resolve(io.cwd, fixtures)) }),
  });
  for (const { name, reason } of written.skipped)
    io.stderr(`${io.err.yellow('warning:')} ${name} is left out: ${reason}\n`);
  print(written, { folder, orders: orders.length, json: flags.on('json') }, io);
  return 0;
}

// Renders the Order, because a demo only has Orders that render. A bundle includes its charts.
async function chartsOf(name: string, { text, options, bundle }: OrderInput): Promise<readonly DemoChart[]> {
  const { packages } = await renderOrder(text.value, options);
  if (bundle !== undefined) return [{ name: basename(name), data: bundle }];
  return packages.map(({ chart, selection }) => ({ chart, sourceRef: selection.chart.sourceRef }));
}

function chartFolder(place: string, cwd: string): string {
  const folder = resolve(cwd, place);
  if (existsSync(folder)) return folder;
  throw new RenderError('CHART_NOT_FOUND', `there is no folder ${place}${didYouMeanPath(place, cwd)}`, {
    hint: 'Name a folder that holds charts: --charts DIR.',
  });
}

function print(
  { files, bytes, charts }: WrittenDemo,
  { folder, orders, json }: { readonly folder: string; readonly orders: number; readonly json: boolean },
  io: CommandContext,
): void {
  if (json) io.stdout(`${JSON.stringify({ folder, files, bytes, charts, orders })}\n`);
  else if (!io.quiet) {
    const own = `${counted(charts, 'chart')} and ${counted(orders, 'Order')} of yours`;
    io.stdout(`${folder}: ${counted(files, 'file')}, ${(bytes / 1e6).toFixed(1)} MB, ${own}\n`);
    io.stdout(`Put it on any static host; to look at it here: npx http-server ${folder}\n`);
  }
}
