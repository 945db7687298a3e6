// The part of the benchmark that measures the engine in a page: its size, and previews of a large chart in headless Chromium.

import { basename } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { readChartFiles } from '../../render/chart/directory.node.ts';
import { buildBrowserEngine } from '../build/build.ts';
import { launchChromium } from '../dev/tools/chromium.ts';
import { serveContent } from '../dev/tools/tools.ts';
import { type Bench, figureOf } from './measure.ts';
import type { Row } from './table.ts';

const chartName = 'kube-prometheus-stack';
const nextPreviews = 9;

/** The program in the page: previews the files once, then with different values. Times are elapsed times. */
const script = `import { loadChart, template } from '/engine.js';
const files = new Map((await (await fetch('/files.json')).json()).map(([name, data]) => {
  return [name, Uint8Array.from(atob(data), (char) => char.charCodeAt(0))];
}));
await new Promise((resolve) => setTimeout(resolve, 300));
const started = performance.now();
const chart = loadChart(files);
const bytes = template(chart, { releaseName: 'demo' }).length;
const first = performance.now() - started;
const next = [];
for (let round = 0; round < ${nextPreviews}; round++) {
  const since = performance.now();
  template(chart, { releaseName: 'demo', set: ['bench=' + round] });
  next.push(performance.now() - since);
}
window.report = { bytes, first, next };`;

interface PageReport {
  readonly bytes: number;
  readonly first: number;
  readonly next: readonly number[];
}

/** Measures previews in a page. */
export async function measurePage(bench: Bench): Promise<Row[]> {
  const engine = await buildBrowserEngine('{ template }');
  const size = figureOf([brotliCompressSync(engine.code).length / 1000]);
  const what = 'engine for pages, `import { template }`, brotli';
  const rows: Row[] = [{ section: 'page', what, unit: 'KB', drydock: size, goal: 220 }];
  const { code } = await buildBrowserEngine('{ loadChart, template }');
  const chart = bench.cases.find((one) => basename(one.chart) === chartName)?.chart;
  if (chart === undefined) {
    console.log(`skipped: previews of ${chartName}, which is not in any folder of --charts`);
    return rows;
  }
  const files = [...readChartFiles(chart)].map(([name, data]) => [name, Buffer.from(data).toString('base64')]);
  const reports = await preview({ '/engine.js': code, '/files.json': JSON.stringify(files) }, bench.runs);
  const next = reports.map(({ next: times }) => figureOf(times).median);
  rows.push(
    {
      section: 'page',
      what: `first preview of ${chartName}, elapsed time`,
      drydock: figureOf(reports.map(({ first }) => first)),
      goal: 400,
    },
    { section: 'page', what: `later previews of ${chartName}, elapsed time`, drydock: figureOf(next), goal: 60 },
  );
  return rows;
}

async function preview(parts: Readonly<Record<string, string | Uint8Array>>, runs: number): Promise<PageReport[]> {
  const html = `<!doctype html><meta charset="utf-8"><title>drydock</title><script type="module">${script}</script>`;
  const { url, close } = await serveContent({ '/': html, ...parts });
  const reports: PageReport[] = [];
  try {
    for (let run = 0; run < runs; run++) reports.push(await previewOnce(url));
  } finally {
    close();
  }
  return reports;
}

// Each run starts its own browser, because a compile cache would favor later runs.
async function previewOnce(url: string): Promise<PageReport> {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    page.on('pageerror', (error) => console.log(`page: ${error.message}`));
    await page.goto(url);
    await page.waitForFunction('window.report', undefined, { timeout: 60_000 });
    return await page.evaluate<PageReport>('window.report');
  } finally {
    await browser.close();
  }
}
