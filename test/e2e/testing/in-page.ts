// Renders charts in a page in Chromium with another time zone and language, for same-bytes.ts.

import { readFileSync } from 'node:fs';
import { build } from 'esbuild';
import { readChartPath } from '../../../render/chart/directory.node.ts';
import { decodeUtf8 } from '../../../render/go/utf8.ts';
import { casesOf } from '../../../render/inputs/cases.node.ts';
import { bundleOptions } from '../../../scripts/build/build.ts';
import { reportOfPage } from '../browser/page-report.ts';
import type { PageChart, PageOutcome } from './page-cases.ts';

const program = `
import { renderPageChart } from './test/e2e/testing/page-cases.ts';
const outcomes = [];
for (let at = 0; at < COUNT; at++) {
  const chart = await (await fetch('/charts/' + at)).json();
  outcomes.push(chart && renderPageChart(chart));
}
window.report = outcomes;`;

/** Renders the snapshots of charts in a page. Returns them in the order of the paths; null for a chart that cannot be read. */
export async function renderInPage(
  paths: readonly string[],
  { root }: { readonly root: string },
): Promise<{ readonly outcomes: readonly (PageOutcome | null)[]; readonly version: string }> {
  const built = await build({
    ...bundleOptions,
    stdin: { contents: program.replace('COUNT', `${paths.length}`), resolveDir: root },
    format: 'esm',
    minify: true,
    write: false,
  });
  const charts = paths.map((path, at) => [`/charts/${at}`, JSON.stringify(chartAt(path))]);
  const content = { '/page.js': built.outputFiles[0]?.contents ?? '', ...Object.fromEntries(charts) };
  // The browser inherits the environment.
  Object.assign(process.env, { TZ: 'Pacific/Chatham', LANG: 'ar_EG.UTF-8', LC_ALL: 'ar_EG.UTF-8' });
  const { report, version } = await reportOfPage<readonly (PageOutcome | null)[]>(content, { seconds: 1200 });
  return { outcomes: report, version };
}

function chartAt(path: string): PageChart | null {
  let read: ReturnType<typeof readChartPath>;
  try {
    read = readChartPath(path);
  } catch {
    return null;
  }
  const files = [...read.files].map(([name, data]) => [name, Buffer.from(data).toString('base64')] as const);
  const cases = casesOf(path, []).map(({ name, valuesFiles }) => ({
    name,
    valuesFiles: valuesFiles.map((file) => ({ name: file, text: decodeUtf8(readFileSync(file)) })),
  }));
  return { files, cases };
}
