// The parts of the benchmark that compare drydock with Helm: whole processes, new charts in a warm process, repeated renderings, and many
// cases in one process.

import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { execa } from 'execa';
import type { ConformanceCase } from '../../test/conformance/charts.ts';
import { recordedHelms } from '../../test/support/rows.ts';
import { requireBanner } from '../build/build.ts';
import { cacheDirectory } from '../dev/tools/pinned-package.ts';
import { temporaryFolder } from '../dev/tools/tools.ts';
import { type Figure, figureOf, measure, runOnce } from './measure.ts';
import type { RenderJob, RenderReport } from './render.ts';
import type { Row } from './table.ts';

/** The programs to measure, and how often. */
export interface Bench {
  readonly root: string;
  readonly helm: string;
  readonly drydock: string;
  readonly runs: number;
  /** The maximum number of charts and of cases. */
  readonly count: number;
  readonly many: number;
  readonly cases: readonly ConformanceCase[];
}

/** The goals for whole processes, as multiples of Helm's time. */
const wholeGoals: ReadonlyMap<string, number> = new Map([
  ['web', 1.5],
  ['ingress-nginx', 1.5],
  ['kube-prometheus-stack', 1.4],
]);
/** Fixture charts that warm up a process before others are timed in it. */
const warmUpCharts = ['web', 'crds-and-hooks', 'library-user', 'umbrella'];
/** The number of processes. Each of them times every chart. */
const rounds = 3;

/** Returns `count` items spread over a list. */
function spreadOver<T>(list: readonly T[], count: number): T[] {
  const step = list.length / Math.min(count, list.length);
  return Array.from({ length: Math.min(count, list.length) }, (_, i) => list[Math.floor(i * step)] as T);
}

/** Measures `drydock template` and `helm template` alternately. Missing charts are reported and skipped. */
export async function measureWhole({ root, helm, drydock, runs, cases }: Bench): Promise<Row[]> {
  const known = [join(root, 'fixtures/charts/web'), ...cases.map(({ chart }) => chart)];
  const rows: Row[] = [];
  for (const [name, goal] of wholeGoals) {
    const chart = known.find((path) => basename(path) === name);
    if (chart === undefined) {
      console.log(`skipped: ${name}, which is not in any folder of --charts`);
      continue;
    }
    const args = ['template', 'demo', chart] as const;
    if ((await runOnce([helm, ...args])).exitCode !== 0) {
      console.log(`skipped: ${name}, which Helm does not render; the --charts folders may lack a dependency`);
      continue;
    }
    // The first runs fill the compile cache.
    const own = [process.execPath, drydock, ...args, '--helm', recordedHelms[3]] as const;
    await measure([own], 6);
    const [theirs, ours] = await measure([[helm, ...args], own], runs);
    rows.push({
      section: 'whole',
      what: `\`template\` of ${name}`,
      drydock: ours as Figure,
      helm: theirs as Figure,
      goal,
    });
  }
  const [node, start] = await measure(
    [
      [process.execPath, '-e', '0'],
      [helm, 'version'],
    ],
    runs,
  );
  rows.push({ section: 'whole', what: '`node -e 0`, `helm version`', drydock: node as Figure, helm: start as Figure });
  return rows;
}

/** Runs a rendering job in a separate process, with bundled code rather than through tsx. */
async function renderJob({ root }: Bench, job: RenderJob): Promise<RenderReport> {
  const folder = temporaryFolder('drydock-bench-');
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
  const file = join(folder, 'job.json');
  await writeFile(file, JSON.stringify(job));
  const { stdout } = await execa(process.execPath, [outfile, file], { env: { NODE_EXTRA_CA_CERTS: '' } });
  return JSON.parse(stdout) as RenderReport;
}

/**
 * Returns Helm's time for a chart without its startup, in milliseconds; undefined if it does not render the chart. Small charts take little
 * more than startup, so both are measured alternately and each pair is one sample.
 */
async function helmWork({ helm }: Bench, chart: string, pairs: number): Promise<Figure | undefined> {
  const differences: number[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    const { processor, exitCode } = await runOnce([helm, 'template', 'demo', chart]);
    if (exitCode !== 0) return undefined;
    differences.push(processor - (await runOnce([helm, 'version'])).processor);
  }
  return figureOf(differences);
}

/** Measures new charts in a warm process, and their second rendering, as multiples of Helm's own time. */
export async function measureCharts(bench: Bench): Promise<Row[]> {
  const all = [...new Set(bench.cases.map(({ chart }) => chart))];
  // Some charts do not render with their defaults.
  const charts = spreadOver(all, Math.ceil(bench.count * 1.3));
  const warmUp = warmUpCharts.map((name) => join(bench.root, 'fixtures/charts', name));
  const job: RenderJob = { kind: 'charts', warmUp, cases: charts.map((chart) => ({ chart })) };
  const reports: RenderReport[] = [];
  for (let round = 0; round < rounds; round++) reports.push(await renderJob(bench, job));
  const found: ChartTimes[] = [];
  for (const [i, chart] of charts.entries()) {
    const times = reports.map((report) => report.times[i]).filter((one) => one !== null && one !== undefined);
    if (times.length < rounds || found.length === bench.count) continue;
    const median = (kind: 'cold' | 'again'): number => figureOf(times.map((one) => one[kind])).median;
    const quick = (await helmWork(bench, chart, 1))?.median;
    // One pair is enough for a median of hundreds; a chart that seems slow gets more.
    const work = quick !== undefined && quick < median('cold') ? (await helmWork(bench, chart, 5))?.median : quick;
    if (work === undefined) continue;
    // Process times have a resolution of milliseconds.
    found.push({ work: Math.max(1, work), cold: median('cold'), again: median('again') });
  }
  return rowsOf(found);
}

interface ChartTimes {
  /** Helm's own time, in milliseconds. */
  readonly work: number;
  readonly cold: number;
  readonly again: number;
}

function rowsOf(found: readonly ChartTimes[]): Row[] {
  const sum = (kind: 'work' | 'cold' | 'again'): Figure => figureOf([found.reduce((all, one) => all + one[kind], 0)]);
  return (
    [
      ['cold', 'new charts in a warm process', 0.6],
      ['again', 'the same charts with other values', 0.08],
    ] as const
  ).flatMap(([section, what, goal]): Row[] => [
    {
      section,
      what: `${what}: median of ${found.length} charts, Helm's own work = 1`,
      unit: 'times',
      drydock: figureOf(found.map((one) => one[section] / one.work)),
      goal,
    },
    { section, what: `${what}: all ${found.length} together`, drydock: sum(section), helm: sum('work') },
  ]);
}

/** Compares many cases in one process with one Helm process for each, and measures our memory. */
export async function measureMany(bench: Bench): Promise<Row[]> {
  const rendered: ConformanceCase[] = [];
  let helm = 0;
  // More cases than needed, because some do not render.
  for (const one of spreadOver(bench.cases, Math.ceil(bench.many * 1.4))) {
    if (rendered.length === bench.many) break;
    const values = one.valuesFile === undefined ? [] : ['-f', join(one.chart, one.valuesFile)];
    const { processor, exitCode } = await runOnce([bench.helm, 'template', 'demo', one.chart, ...values]);
    if (exitCode !== 0) continue;
    helm += processor;
    rendered.push(one);
  }
  const reports: RenderReport[] = [];
  for (let round = 0; round < rounds; round++) {
    reports.push(await renderJob(bench, { kind: 'cases', warmUp: [], cases: rendered }));
  }
  for (const report of reports) {
    if (report.rendered !== rendered.length) {
      throw new Error(
        `${rendered.length - report.rendered} of ${rendered.length} cases that Helm renders fail in drydock`,
      );
    }
  }
  const count = rendered.length.toLocaleString('en');
  return [
    {
      section: 'many',
      what: `${count} cases in one process, with startup`,
      drydock: figureOf(reports.map(({ whole }) => whole)),
      helm: figureOf([helm]),
      goal: 0.2,
    },
    {
      section: 'many',
      what: `memory of these ${count} cases`,
      unit: 'MB',
      drydock: figureOf(reports.map(({ megabytes }) => megabytes)),
      goal: 400,
    },
  ];
}
