// Prints, in one run, how long drydock and real Helm take for a small and a large chart, and what a second render costs.
// `npm run bench [-- CHART…]`: further chart folders are measured in process beside ours.

import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { loadChartPath } from '../render/chart/directory.node.ts';
import { template } from '../render/index.ts';
import { buildAll } from './build.ts';
import { helmBinary } from './helm-binary.ts';

const chartsDirectory = fileURLToPath(new URL('../fixtures/charts', import.meta.url));
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

function median(samples: readonly number[]): number {
  return [...samples].sort((a, b) => a - b)[Math.floor(samples.length / 2)] ?? Number.NaN;
}

async function time(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

interface Row {
  readonly what: string;
  readonly drydock: number;
  readonly helm: number;
}

/** Times both programs as whole processes, in turn, so that a change of the machine's speed meets both. */
async function wholeProcess(what: string, chart: string, drydock: string, helm: string, runs: number): Promise<Row> {
  const samples = { drydock: [] as number[], helm: [] as number[] };
  for (let i = 0; i < runs; i++) {
    samples.drydock.push(await time(() => execa(process.execPath, [drydock, 'template', 'demo', chart])));
    samples.helm.push(await time(() => execa(helm, ['template', 'demo', chart])));
  }
  return { what, drydock: median(samples.drydock), helm: median(samples.helm) };
}

interface InProcess {
  readonly what: string;
  readonly bytes: number;
  readonly cold: number;
  readonly firstRender: number;
  readonly warm: number;
}

/** Times load and render of a chart that this process never saw, and then renders of it with other values. */
async function inProcess(what: string, path: string): Promise<InProcess> {
  const started = performance.now();
  const chart = await loadChartPath(path);
  const loaded = performance.now();
  const text = template(chart, { releaseName: 'demo', namespace: 'default' });
  const rendered = performance.now();
  const warm: number[] = [];
  for (let i = 0; i < 15; i++) {
    warm.push(await time(() => template(chart, { releaseName: 'demo', namespace: `n${i}`, set: [`bench=${i}`] })));
  }
  const firstRender = rendered - loaded;
  return { what, bytes: text.length, cold: rendered - started, firstRender, warm: median(warm) };
}

const folder = await mkdtemp(join(tmpdir(), 'drydock-bench-'));
try {
  const large = join(folder, 'large');
  await makeLargeChart(large);
  const small = join(chartsDirectory, 'web');
  const { helm } = await helmBinary();
  const drydock = await buildAll();
  const milliseconds = (value: number): string => `${value.toFixed(1).padStart(8)} ms`;

  const helmStart = median(await Promise.all([1, 2, 3].map(() => time(() => execa(helm, ['version', '--short'])))));
  console.log('whole process              drydock        helm   drydock/helm');
  const helmTimes = new Map<string, number>();
  for (const [what, chart, runs] of [
    ['small chart', small, 9],
    ['large chart', large, 5],
  ] as const) {
    const row = await wholeProcess(what, chart, drydock, helm, runs);
    helmTimes.set(what, row.helm);
    const ratio = (row.drydock / row.helm).toFixed(2);
    console.log(`${what.padEnd(22)}${milliseconds(row.drydock)} ${milliseconds(row.helm)}   ${ratio.padStart(8)}`);
  }
  console.log(`helm's own start (helm version)${milliseconds(helmStart)}`);

  console.log(
    '\nin process                  output       cold      1st render    warm render   cold/warm   helm beyond start',
  );
  const extra = process.argv.slice(2).map((path) => [path, resolve(path)] as const);
  for (const [what, chart] of [['small chart', small], ['large chart', large], ...extra] as const) {
    const row = await inProcess(what, chart);
    const size = `${Math.round(row.bytes / 1024)} KiB`.padStart(9);
    const beyond = helmTimes.get(what) ?? (await wholeProcess(what, chart, drydock, helm, 3)).helm;
    console.log(
      `${what.slice(-24).padEnd(24)}${size} ${milliseconds(row.cold)} ${milliseconds(row.firstRender)}    ${milliseconds(row.warm)} ` +
        `${(row.cold / row.warm).toFixed(1).padStart(9)}x   ${milliseconds(beyond - helmStart)}`,
    );
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
