// What `npm run bench` runs in a process of its own: loads and renders charts one after the other, prints times as JSON.
// `node render.js CHARTS [BEFORE]`, both JSON lists of folders; those of BEFORE are rendered first and not timed.

import { loadChartPath } from '../../render/chart/directory.node.ts';
import { type Chart, template } from '../../render/index.ts';

/** Is how long one chart took, in milliseconds of processor time. */
export interface RenderTimes {
  readonly bytes: number;
  /** Load, parse and render. */
  readonly cold: number;
  /** The same chart once more with other values: the median of several. */
  readonly again: number;
}

const beforeRounds = 5;
const againRounds = 5;

function spent(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

function renderAgain(chart: Chart, round: number): void {
  const other = { releaseName: `demo-${round}`, namespace: `n${round}` };
  try {
    template(chart, { ...other, set: [`bench=${round}`] });
  } catch {
    template(chart, other); // The chart's schema knows no such value.
  }
}

/** Gives undefined for a chart that does not render with its defaults. */
async function render(path: string): Promise<RenderTimes | undefined> {
  const started = process.cpuUsage();
  try {
    const chart = await loadChartPath(path);
    const text = template(chart, { releaseName: 'demo' });
    const cold = spent(started);
    const again: number[] = [];
    for (let round = 0; round < againRounds; round++) {
      const since = process.cpuUsage();
      renderAgain(chart, round);
      again.push(spent(since));
    }
    again.sort((a, b) => a - b);
    return { bytes: new TextEncoder().encode(text).length, cold, again: again[againRounds >> 1] ?? 0 };
  } catch {
    return undefined;
  }
}

const [charts = [], before = []] = process.argv.slice(2).map((list) => JSON.parse(list) as string[]);
for (let round = 0; round < beforeRounds; round++) {
  for (const path of before) template(await loadChartPath(path), { releaseName: `before-${round}` });
}
const times: (RenderTimes | null)[] = [];
for (const chart of charts) times.push((await render(chart)) ?? null);
console.log(JSON.stringify({ times, megabytes: Math.round(process.resourceUsage().maxRSS / 1024) }));
