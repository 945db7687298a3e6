// The command `demo`: the console as a folder for any static host, with the user's charts, Orders and fixtures.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { renderOrder } from '../../render/api/order.ts';
import { printFailure } from '../../render/cli/failure.ts';
import { type ParsedFlags, UsageError } from '../../render/cli/flags.ts';
import type { CommandContext } from '../../render/cli/io.ts';
import { settingsOf } from '../../render/cli/settings.ts';
import { counted } from '../../render/core/counted.ts';
import { RenderError } from '../../render/core/errors.ts';
import type { Chart, ChartRef } from '../../render/index.ts';
import { type OrderInput, readOrderFile } from '../../render/inputs/orders.node.ts';
import { didYouMeanPath, expandPatterns } from '../../render/inputs/patterns.node.ts';
import { isBundle } from '../../render/vendor/lock/bundle.ts';
import { archiveOfChart } from '../../render/vendor/lock/pack.node.ts';
import { type DemoParts, demoFiles, writeDemo } from '../demo/folder.node.ts';
import type { DemoInput } from '../demo/given.ts';
import { createEmulator } from '../emulator.ts';
import { readFolder } from '../fixture-folder.node.ts';
import { besideEntryPoints, loadConsoleFiles } from '../node/console.node.ts';
import { listCharts } from '../rendering/chart-folders.node.ts';

// The maximum number of charts in a page.
const mostCharts = 100;

/** Writes a demo into a folder. Returns 0, or 1 if its content is invalid. Throws UsageError, FixtureError, DemoError. */
export async function demoCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  const [folder, ...patterns] = flags.args;
  if (folder === undefined)
    throw new UsageError('"drydock demo" takes the folder to write, and Orders: drydock demo FOLDER [ORDER...]');
  const cargo = new Cargo();
  for (const name of patterns.length === 0 ? [] : await expandPatterns(patterns, io.cwd)) {
    let input: OrderInput | undefined;
    try {
      input = await readOrderFile(name, settingsOf(flags), io);
      await cargo.addOrder(name, input, io.cwd);
    } catch (error) {
      return printFailure(error, input?.text, io, name);
    }
  }
  for (const place of flags.list('charts')) await cargo.addFolder(place, io);
  const given = { ...cargo.given(), options: await optionsOf(flags.text('fixtures'), io.cwd) };
  const files = demoFiles(await loadParts(), given);
  await writeDemo(resolve(io.cwd, folder), files);
  printMade({ folder, charts: given.files.length, orders: given.orders.length, files }, flags, io);
  return 0;
}

interface Made {
  readonly folder: string;
  readonly charts: number;
  readonly orders: number;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

function printMade({ folder, charts, orders, files }: Made, flags: ParsedFlags, io: CommandContext): void {
  const bytes = [...files.values()].reduce((sum, content) => sum + content.length, 0);
  if (flags.on('json')) io.stdout(`${JSON.stringify({ folder, files: files.size, bytes, charts, orders })}\n`);
  else if (!io.quiet) {
    const own = `${counted(charts, 'chart')} and ${counted(orders, 'Order')} of yours`;
    io.stdout(`${folder}: ${counted(files.size, 'file')}, ${(bytes / 1e6).toFixed(1)} MB, ${own}\n`);
    io.stdout(`Put it on any static host; to look at it here: npx http-server ${folder}\n`);
  }
}

// The content of a demo beside what ships with drydock.
class Cargo {
  readonly #charts = new Map<string, NonNullable<DemoInput['files']>[number]>();
  readonly #orders: NonNullable<DemoInput['orders']>[number][] = [];

  /** Adds an Order that renders, with its charts. Throws a RenderError if it does not render. */
  async addOrder(name: string, { source, text, options }: OrderInput, cwd: string): Promise<void> {
    const { packages } = await renderOrder(text.value, options);
    const path = resolve(cwd, name);
    const data = name !== '-' && statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path) : undefined;
    // A bundle includes its charts.
    if (data && isBundle(data)) this.#charts.set(path, { path: basename(name), data: data.toString('base64') });
    else for (const { chart, selection } of packages) this.#add(chart, selection.chart.sourceRef);
    this.#orders.push({ text: source, value: text.value });
  }

  /** Adds every chart below a folder; unreadable ones are reported and skipped. Throws CHART_NOT_FOUND if there is none. */
  async addFolder(place: string, io: CommandContext): Promise<void> {
    const folder = resolve(io.cwd, place);
    if (!existsSync(folder))
      throw new RenderError('CHART_NOT_FOUND', `there is no folder ${place}${didYouMeanPath(place, io.cwd)}`, {
        hint: 'Name a folder that holds charts: --charts DIR.',
      });
    for (const { chart, sourceRef, fault } of await listCharts([folder])) {
      if (chart) this.#add(chart, sourceRef);
      else io.stderr(`${io.err.yellow('warning:')} ${sourceRef.name} is left out: ${fault}\n`);
    }
  }

  given(): { readonly files: NonNullable<DemoInput['files']>; readonly orders: NonNullable<DemoInput['orders']> } {
    if (this.#charts.size > mostCharts)
      throw new UsageError(
        `these are ${this.#charts.size} charts, a demo holds ${mostCharts}`,
        'Name folders of fewer charts, or the Orders alone: theirs come along.',
      );
    return { files: [...this.#charts.values()], orders: this.#orders };
  }

  // The first chart of a name and version wins, as when an Order is rendered.
  #add(chart: Chart, sourceRef: ChartRef['sourceRef']): void {
    const { name, version } = chart.metadata;
    const key = `${name}-${version}.tgz`;
    if (this.#charts.has(key)) return;
    const given = Object.fromEntries(Object.entries(sourceRef).filter(([, word]) => word !== '')) as typeof sourceRef;
    const data = Buffer.from(archiveOfChart(chart)).toString('base64');
    this.#charts.set(key, { path: key, data, sourceRef: given });
  }
}

// Problems are reported here and not by the page.
async function optionsOf(place: string | undefined, cwd: string): Promise<NonNullable<DemoInput['options']>> {
  if (place === undefined) return {};
  const { fixtures, scenarios, settings, recordings } = await readFolder(resolve(cwd, place));
  const options = { ...settings, fixtures, scenarios, recordings };
  createEmulator(options);
  return options;
}

// In the package they are separate bundles beside those of the console; from sources they are bundled now.
async function loadParts(): Promise<DemoParts> {
  const list = besideEntryPoints('demo-files.json');
  if (list === undefined) {
    const bundler = new URL('../../scripts/build/demo.ts', import.meta.url).href;
    const { bundleParts } = (await import(bundler)) as { readonly bundleParts: () => Promise<DemoParts> };
    return bundleParts();
  }
  const { files: names, early } = JSON.parse(await readFile(list, 'utf8')) as { files: string[]; early: string[] };
  const { script, style, early: beside, files: packed } = await loadConsoleFiles();
  const files = new Map<string, Uint8Array>();
  for (const [name, content] of packed) files.set(name, brotliDecompressSync(content));
  for (const name of names) {
    files.set(name, await readFile(new URL(name, list)));
  }
  return { script, style, files, early: [...beside, ...early] };
}
