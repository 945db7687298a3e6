// The process that `npm run bench` starts: loads and renders charts one after another and prints times as JSON.
// `node bench-render.mjs KIND FILE`; the file holds a `RenderJob` as JSON.

import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { loadChartPath } from '../../render/chart/directory.node.ts';
import { type Chart, template } from '../../render/index.ts';
import { recordedHelms } from '../../test/support/rows.ts';

/** The version of Helm that drydock is compared with. */
const helm = recordedHelms[3];

/** A rendering job. */
export interface RenderJob {
  /** `charts` times each chart with its defaults and again with other values; `cases` times the rendering of all cases. */
  readonly kind: 'charts' | 'cases';
  /** Folders of charts that are rendered first and not timed. */
  readonly warmUp: readonly string[];
  readonly cases: readonly { readonly chart: string; readonly valuesFile?: string | undefined }[];
}

/** The time of one chart, in milliseconds of processor time. */
export interface RenderTimes {
  /** Load, parse and render. */
  readonly cold: number;
  /** The same chart with other values: the median of several. */
  readonly again: number;
}

/** The result of a process: a time for each case (null if it does not render), and the total time. */
export interface RenderReport {
  readonly times: readonly (RenderTimes | null)[];
  readonly rendered: number;
  /** Since process start, in milliseconds of processor time. */
  readonly whole: number;
  readonly megabytes: number;
}

const warmUpRounds = 5;
const againRounds = 3;

function spent(since?: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

function renderAgain(chart: Chart, round: number): void {
  const options = { helm, releaseName: `demo-${round}`, namespace: `n${round}` };
  try {
    template(chart, { ...options, set: [`bench=${round}`] });
  } catch {
    template(chart, options); // The chart's schema does not allow the value.
  }
}

/** Returns null for a chart that does not render with its defaults. */
async function time(path: string): Promise<RenderTimes | null> {
  const started = process.cpuUsage();
  try {
    const chart = await loadChartPath(path, { helm });
    template(chart, { helm, releaseName: 'demo' });
    const cold = spent(started);
    const again: number[] = [];
    for (let round = 0; round < againRounds; round++) {
      const since = process.cpuUsage();
      renderAgain(chart, round);
      again.push(spent(since));
    }
    again.sort((a, b) => a - b);
    return { cold, again: again[againRounds >> 1] ?? 0 };
  } catch {
    return null;
  }
}

/** Returns the number of cases that render. A chart is loaded once for all its cases. */
async function renderAll(cases: RenderJob['cases']): Promise<number> {
  let rendered = 0;
  let last: { readonly path: string; readonly chart: Chart } | undefined;
  for (const { chart: path, valuesFile } of cases) {
    try {
      if (last?.path !== path) last = { path, chart: await loadChartPath(path, { helm }) };
      const valuesFiles =
        valuesFile === undefined
          ? []
          : [{ name: basename(valuesFile), text: readFileSync(join(path, valuesFile), 'utf8') }];
      template(last.chart, { helm, releaseName: 'demo', valuesFiles });
      rendered++;
    } catch {
      // The caller compares how many render.
    }
  }
  return rendered;
}

const job = JSON.parse(readFileSync(process.argv[2] as string, 'utf8')) as RenderJob;
for (let round = 0; round < (job.warmUp.length > 0 ? warmUpRounds : 0); round++) {
  for (const path of job.warmUp)
    template(await loadChartPath(path, { helm }), { helm, releaseName: `warm-up-${round}` });
}
const times: (RenderTimes | null)[] = [];
let rendered = 0;
if (job.kind === 'charts') for (const { chart } of job.cases) times.push(await time(chart));
else rendered = await renderAll(job.cases);
const report: RenderReport = {
  times,
  rendered,
  whole: spent(),
  megabytes: process.resourceUsage().maxRSS / 1024,
};
console.log(JSON.stringify(report));
