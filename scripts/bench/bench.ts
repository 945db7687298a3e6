// Measures drydock beside real Helm in one run: whole processes, and renderings in a process that is warm.
// `npm run bench [-- --charts DIR…] [--runs N] [--count N] [--record]`; `-- --table [--check]` writes the page's table from
// the recorded run. Below the folders are public charts; rows of charts that are not there are left out, and named.

import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { execa } from 'execa';
import { helmVersion } from '../../render/helm-version.ts';
import { buildAll, requireBanner } from '../build/build.ts';
import { listCases } from '../conformance-charts.ts';
import { helmBinary } from '../tools/helm-binary.ts';
import { cacheDirectory } from '../tools/pinned-package.ts';
import { type Figure, figureOf, measure } from './measure.ts';
import type { RenderTimes } from './render.ts';
import { compareRuns, formatRun, type Recorded, type Row, writeTable } from './table.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const chartsDirectory = join(root, 'fixtures/charts');
const record = join(root, 'scripts/docs/speed.json');
/** The goals for whole processes, as times of Helm's. */
const wholeGoals: ReadonlyMap<string, number> = new Map([
  ['web', 1.5],
  ['ingress-nginx', 1.5],
  ['kube-prometheus-stack', 1],
]);
/** Charts that a process renders before others are timed in it. */
const before = ['crds-and-hooks', 'library-user', 'umbrella', 'values-and-text'];

const { values: flags } = parseArgs({
  options: {
    charts: { type: 'string', multiple: true, default: [] },
    runs: { type: 'string', default: '7' },
    count: { type: 'string', default: '30' },
    record: { type: 'boolean', default: false },
    table: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  },
});

async function readRecord(): Promise<Recorded | undefined> {
  const text = await readFile(record, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Recorded);
}

/** Gives the folders of all charts, those with dependencies assembled, each once. */
async function findCharts(folders: readonly string[]): Promise<string[]> {
  const cases = await listCases(
    folders.map((folder) => resolve(folder)),
    join(cacheDirectory, 'conformance'),
  );
  return [...new Set(cases.map(({ chart }) => chart))];
}

/** Bundles the renderer that is timed: the code as it ships, not as tsx runs it. */
async function bundleRenderer(): Promise<string> {
  const outfile = join(cacheDirectory, 'bench-render.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: ['scripts/bench/render.ts'],
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

async function measureProcesses(drydock: string, helm: string, known: readonly string[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, goal] of wholeGoals) {
    const chart = known.find((path) => basename(path) === name);
    if (chart === undefined) {
      console.log(`left out: ${name}, which is below none of the folders that --charts names`);
      continue;
    }
    const args = ['template', 'demo', chart] as const;
    await measure([[process.execPath, drydock, ...args]], 2);
    const [theirs, ours] = await measure(
      [
        [helm, ...args],
        [process.execPath, drydock, ...args],
      ],
      Number(flags.runs),
    );
    rows.push({ what: `whole process: ${name}`, drydock: ours as Figure, helm: theirs as Figure, goal });
  }
  return rows;
}

/** Measures charts in one warm process; what Helm needs beyond its start is its own work. */
async function measureInProcess(helm: string, charts: readonly string[]): Promise<Row[]> {
  const renderer = await bundleRenderer();
  const lists = [charts, before.map((name) => join(chartsDirectory, name))].map((list) => JSON.stringify(list));
  const rounds: (RenderTimes | null)[][] = [];
  for (let round = 0; round < 3; round++) {
    const { stdout } = await execa(process.execPath, [renderer, ...lists]);
    rounds.push((JSON.parse(stdout) as { times: (RenderTimes | null)[] }).times);
  }
  const [start] = await measure([[helm, 'version']], Number(flags.runs));
  const ratios = { cold: [] as number[], again: [] as number[] };
  for (const [i, chart] of charts.entries()) {
    const times = rounds.map((round) => round[i]).filter((one) => one !== null && one !== undefined);
    if (times.length < rounds.length) continue;
    const [whole] = await measure([[helm, 'template', 'demo', chart]], 3);
    const work = Math.max(1, (whole?.median ?? 0) - (start?.median ?? 0));
    for (const kind of ['cold', 'again'] as const)
      ratios[kind].push(figureOf(times.map((one) => one[kind])).median / work);
  }
  const helmOne: Figure = { median: 1, least: 1, most: 1, runs: 3 };
  const row = (what: string, found: readonly number[], goal: number): Row => ({
    what,
    drydock: figureOf(found),
    helm: helmOne,
    goal,
  });
  return [
    row(`new chart, warm process: median of ${ratios.cold.length} charts, Helm's own work = 1`, ratios.cold, 0.6),
    row(`same chart, other values: median of ${ratios.again.length} charts, Helm's own work = 1`, ratios.again, 0.08),
  ];
}

async function run(): Promise<void> {
  const { helm } = await helmBinary();
  const drydock = await buildAll();
  const found = flags.charts.length === 0 ? [] : await findCharts(flags.charts);
  const rows = await measureProcesses(drydock, helm, [join(chartsDirectory, 'web'), ...found]);
  const count = Math.min(Number(flags.count), found.length);
  const sample = found.filter(
    (_, i) => Math.floor((i * count) / found.length) !== Math.floor(((i - 1) * count) / found.length),
  );
  if (count > 0) rows.push(...(await measureInProcess(helm, sample)));
  else console.log('left out: charts new to a warm process; --charts DIR… names folders of charts');
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'processor'}`;
  const made: Recorded = {
    date: new Date().toISOString().slice(0, 10),
    machine,
    node: process.version,
    helm: helmVersion,
    rows,
  };
  console.log(formatRun(made));
  for (const line of compareRuns(await readRecord(), made)) console.log(line);
  if (flags.record) await writeFile(record, `${JSON.stringify(made, null, 2)}\n`);
}

if (flags.table) {
  const recorded = await readRecord();
  if (recorded === undefined) throw new Error('no run is recorded: npm run bench -- --record');
  process.exitCode = (await writeTable(join(root, 'scripts/docs/speed.md'), recorded, flags.check)) ? 0 : 1;
} else await run();
