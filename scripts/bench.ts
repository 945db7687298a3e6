// Prints, in one run, how long drydock and real Helm take for a small and a large chart, as whole processes and in process.
// `npm run bench [-- CHART…]` takes further chart folders. Every time is the best of several runs, the programs in turn.

import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { execa } from 'execa';
import type { RenderTimes } from './bench-render.ts';
import { buildAll, requireBanner } from './build.ts';
import { helmBinary } from './helm-binary.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const chartsDirectory = join(root, 'fixtures/charts');
/** Charts that a process renders before others are timed in it. */
const fixtures = ['crds-and-hooks', 'library-user', 'umbrella', 'values-and-text'].map((name) =>
  join(chartsDirectory, name),
);
const releases = 60;

/** Makes an umbrella of many copies of the fixture `web`: a chart as large as the largest public ones. */
async function makeLargeChart(target: string): Promise<void> {
  const production = await readFile(join(chartsDirectory, 'web/ci/production-values.yaml'), 'utf8');
  const values: string[] = [];
  await mkdir(join(target, 'charts'), { recursive: true });
  await writeFile(join(target, 'Chart.yaml'), 'apiVersion: v2\nname: large\nversion: 1.0.0\n');
  for (let i = 0; i < releases; i++) {
    const copy = join(target, 'charts', `web${i}`);
    await cp(join(chartsDirectory, 'web'), copy, { recursive: true });
    const manifest = join(copy, 'Chart.yaml');
    await writeFile(manifest, (await readFile(manifest, 'utf8')).replace('name: web', `name: web${i}`));
    values.push(`web${i}:\n${production.replace(/^/gm, '  ')}`);
  }
  await writeFile(join(target, 'values.yaml'), values.join('\n'));
}

/** Bundles the renderer that is timed: the code as it ships, not as tsx runs it. */
async function bundleRenderer(folder: string): Promise<string> {
  const outfile = join(folder, 'bench-render.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: ['scripts/bench-render.ts'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'es2022',
    outfile,
    logLevel: 'warning',
    banner: { js: requireBanner },
  });
  return outfile;
}

async function run(program: string, args: readonly string[]): Promise<number> {
  const started = performance.now();
  await execa(program, args, { stdout: 'ignore', stderr: 'ignore' });
  return performance.now() - started;
}

/** Are the best times of one chart, in milliseconds. */
interface Row {
  readonly what: string;
  readonly drydock: number;
  readonly helm: number;
  /** The first rendering of a process, before its code is compiled for speed. */
  readonly first: RenderTimes;
  /** A rendering in a process that has rendered other charts. */
  readonly later: RenderTimes;
}

interface Programs {
  readonly drydock: string;
  readonly helm: string;
  readonly renderer: string;
}

const runs = 3;

async function render(renderer: string, charts: readonly string[], before: readonly string[]): Promise<RenderTimes[]> {
  const lists = [JSON.stringify(charts), JSON.stringify(before)];
  return JSON.parse((await execa(process.execPath, [renderer, ...lists])).stdout) as RenderTimes[];
}

function bestOf(times: readonly RenderTimes[]): RenderTimes {
  const best = (pick: (one: RenderTimes) => number): number => Math.min(...times.map(pick));
  return { bytes: times[0]?.bytes ?? 0, cold: best(({ cold }) => cold), warm: best(({ warm }) => warm) };
}

/** Times every chart in one process that has rendered others; each run begins at another chart. */
async function measureLater(charts: readonly string[], renderer: string): Promise<Map<string, RenderTimes>> {
  const times = new Map<string, RenderTimes[]>();
  for (let i = 0; i < runs; i++) {
    const from = Math.floor((i * charts.length) / runs);
    const turned = [...charts.slice(from), ...charts.slice(0, from)];
    const found = await render(renderer, turned, fixtures);
    for (const [at, chart] of turned.entries())
      times.set(chart, [...(times.get(chart) ?? []), found[at] as RenderTimes]);
  }
  return new Map([...times].map(([chart, all]) => [chart, bestOf(all)]));
}

async function measure(chart: string, { drydock, helm, renderer }: Programs, later: RenderTimes): Promise<Row> {
  const [ours, theirs, first] = [[] as number[], [] as number[], [] as RenderTimes[]];
  for (let i = 0; i < runs; i++) {
    ours.push(await run(process.execPath, [drydock, 'template', 'demo', chart]));
    theirs.push(await run(helm, ['template', 'demo', chart]));
    first.push(...(await render(renderer, [chart], [])));
  }
  return {
    what: basename(chart),
    drydock: Math.min(...ours),
    helm: Math.min(...theirs),
    first: bestOf(first),
    later,
  };
}

const time = (value: number): string => value.toFixed(value < 10 ? 1 : 0);
const ratio = (a: number, b: number): string => `${(a / b).toFixed(2)}x`;

function print(title: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => (row[column] ?? '').length)));
  const line = (cells: readonly string[]): string =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ');
  console.log(`\n${title}\n${[head, ...rows].map(line).join('\n')}`);
}

function report(rows: readonly Row[], start: { readonly helm: number; readonly node: number }): void {
  print(
    `whole process, ms (start alone: node ${time(start.node)}, helm ${time(start.helm)})`,
    ['chart', 'output KiB', 'drydock', 'helm', 'drydock/helm'],
    rows.map(({ what, drydock, helm, first }) => [
      what,
      String(Math.round(first.bytes / 1024)),
      time(drydock),
      time(helm),
      ratio(drydock, helm),
    ]),
  );
  print(
    'in process, ms: load, parse and render; helm is what it needs beyond its start',
    ['chart', 'helm', 'first', 'first/helm', 'cold', 'cold/helm', 'warm', 'warm/helm', 'cold/warm'],
    rows.map((row) => {
      const helm = row.helm - start.helm;
      const { cold, warm } = row.later;
      const cells = [time(helm), time(row.first.cold), ratio(row.first.cold, helm), time(cold), ratio(cold, helm)];
      return [row.what, ...cells, time(warm), ratio(warm, helm), ratio(cold, warm)];
    }),
  );
  console.log('first: the first rendering of a process. cold: a new chart in a process that has rendered others.');
  console.log('warm: the same chart once more, with other values.');
}

const folder = await mkdtemp(join(tmpdir(), 'drydock-bench-'));
try {
  const large = join(folder, 'large');
  await makeLargeChart(large);
  const { helm } = await helmBinary();
  const programs = { helm, drydock: await buildAll(), renderer: await bundleRenderer(folder) };
  const starts = { helm: [] as number[], node: [] as number[] };
  for (let i = 0; i < 9; i++) {
    starts.helm.push(await run(helm, ['version']));
    starts.node.push(await run(process.execPath, ['-e', '0']));
  }
  const charts = [join(chartsDirectory, 'web'), large, ...process.argv.slice(2).map((path) => resolve(path))];
  const later = await measureLater(charts, programs.renderer);
  const rows: Row[] = [];
  for (const chart of charts) rows.push(await measure(chart, programs, later.get(chart) as RenderTimes));
  report(rows, { helm: Math.min(...starts.helm), node: Math.min(...starts.node) });
} finally {
  await rm(folder, { recursive: true, force: true });
}
