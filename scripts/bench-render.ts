// What `npm run bench` runs in a process of its own: loads and renders charts one after the other, prints times as JSON.
// `node bench-render.js CHARTS [BEFORE]`, both JSON lists of folders; those of BEFORE are rendered first and not timed.

import { loadChartPath } from '../render/chart/directory.node.ts';
import { type Chart, template } from '../render/index.ts';

/** Is how long one chart took, in milliseconds. */
export interface RenderTimes {
  readonly bytes: number;
  /** Load, parse and render. */
  readonly cold: number;
  /** The same chart once more with other values: the best of several. */
  readonly warm: number;
}

const beforeRounds = 5;
const warmRounds = 7;

function renderAgain(chart: Chart, round: number): void {
  const other = { releaseName: `demo-${round}`, namespace: `n${round}` };
  try {
    template(chart, { ...other, set: [`bench=${round}`] });
  } catch {
    template(chart, other); // The chart's schema knows no such value.
  }
}

async function render(path: string): Promise<RenderTimes> {
  const started = performance.now();
  const chart = await loadChartPath(path);
  const text = template(chart, { releaseName: 'demo' });
  const cold = performance.now() - started;
  let warm = Number.POSITIVE_INFINITY;
  for (let round = 0; round < warmRounds; round++) {
    const again = performance.now();
    renderAgain(chart, round);
    warm = Math.min(warm, performance.now() - again);
  }
  return { bytes: new TextEncoder().encode(text).length, cold, warm };
}

const [charts = [], before = []] = process.argv.slice(2).map((list) => JSON.parse(list) as string[]);
for (let round = 0; round < beforeRounds; round++) {
  for (const path of before) template(await loadChartPath(path), { releaseName: `before-${round}` });
}
const times: RenderTimes[] = [];
for (const chart of charts) times.push(await render(chart));
console.log(JSON.stringify(times));
