// Renders charts in a page in Chromium with another time zone and language, for same-bytes.ts.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { build } from 'esbuild';
import { readChartPath } from '../../../render/chart/directory.node.ts';
import { decodeUtf8 } from '../../../render/go/utf8.ts';
import { casesOf } from '../../../render/inputs/cases.node.ts';
import { bundleOptions } from '../../../scripts/build/build.ts';
import { launchChromium } from '../../../scripts/dev/tools/chromium.ts';
import { freePort } from '../../../scripts/dev/tools/tools.ts';
import type { PageChart, PageOutcome } from './page-cases.ts';

const html = '<!doctype html><meta charset="utf-8"><title>charts</title><script type="module" src="/page.js"></script>';
const program = `
import { renderPageChart } from './test/e2e/testing/page-cases.ts';
window.renderAt = async (at) => renderPageChart(await (await fetch('/charts/' + at)).json());`;

/** Renders the snapshots of charts in a page. Returns them in the order of the paths; undefined for a chart that cannot be read. */
export async function renderInPage(
  paths: readonly string[],
  { root }: { readonly root: string },
): Promise<{ readonly outcomes: readonly (PageOutcome | undefined)[]; readonly version: string }> {
  const built = await build({
    ...bundleOptions,
    stdin: { contents: program, resolveDir: root },
    format: 'esm',
    minify: true,
    write: false,
  });
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    const [type, content] =
      path === '/'
        ? ['text/html', html]
        : path === '/page.js'
          ? ['text/javascript', built.outputFiles[0]?.contents ?? '']
          : ['application/json', JSON.stringify(chartAt(paths[Number(path.slice('/charts/'.length))] ?? ''))];
    response.setHeader('Content-Type', type).end(content);
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  // The browser inherits the environment.
  Object.assign(process.env, { TZ: 'Pacific/Chatham', LANG: 'ar_EG.UTF-8', LC_ALL: 'ar_EG.UTF-8' });
  const browser = await launchChromium({ isLean: true });
  try {
    const page = await browser.newPage();
    page.on('pageerror', (error) => console.log(`    page: ${error.message}`));
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.waitForFunction('window.renderAt', undefined, { timeout: 60_000 });
    const outcomes: (PageOutcome | undefined)[] = [];
    for (const [at, path] of paths.entries()) {
      outcomes.push(isReadable(path) ? await page.evaluate<PageOutcome>(`window.renderAt(${at})`) : undefined);
    }
    return { outcomes, version: browser.version() };
  } finally {
    await browser.close();
    server.close();
    server.closeAllConnections();
  }
}

function isReadable(path: string): boolean {
  try {
    readChartPath(path);
    return true;
  } catch {
    return false;
  }
}

function chartAt(path: string): PageChart {
  const files = [...readChartPath(path).files].map(
    ([name, data]) => [name, Buffer.from(data).toString('base64')] as const,
  );
  const cases = casesOf(path, []).map(({ name, valuesFiles }) => ({
    name,
    valuesFiles: valuesFiles.map((file) => ({ name: file, text: decodeUtf8(readFileSync(file)) })),
  }));
  return { files, cases };
}
