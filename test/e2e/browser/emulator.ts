// Tests the emulator in a page: every row of the API document goes through msw's service worker in headless Chromium, from the bundle
// that applications import, under a content security policy without `unsafe-eval`. `npm run test:e2e -- browser`

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { launchChromium } from '../../../scripts/dev/tools/chromium.ts';
import { buildProduct } from '../../../scripts/dev/tools/product.ts';
import { check, freePort, until } from '../../../scripts/dev/tools/tools.ts';
import type { PageReport } from '../../support/page.ts';

const root = join(import.meta.dirname, '../../..');
const html =
  '<!doctype html><meta charset="utf-8"><title>drydock</title><script type="module" src="/page.js"></script>';

// Only scripts of this origin and no evaluated code. The page also calls another origin, which the worker handles.
const policy =
  "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self' https://platform.example.com";

// The page as an application builds it, importing the emulator by the package's name.
const byPackageName: Plugin = {
  name: 'by-package-name',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /[\\/]worker\.browser\.ts$/ }, () =>
      resolve('drydock/emulator/browser', { kind: 'import-statement', resolveDir: root }),
    );
  },
};

async function bundle(folder: string): Promise<number> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { page: 'test/support/page.ts' },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    minify: true,
    metafile: true,
    plugins: [byPackageName],
    logLevel: 'error',
  });
  return metafile.outputs[Object.keys(metafile.outputs).find((name) => name.endsWith('page.js')) ?? '']?.bytes ?? 0;
}

async function serve(folder: string): Promise<{ readonly url: string; readonly server: Server }> {
  const worker = createRequire(import.meta.url).resolve('msw/mockServiceWorker.js');
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    if (path === '/') {
      response.setHeader('Content-Security-Policy', policy).setHeader('Content-Type', 'text/html').end(html);
      return;
    }
    readFile(path === '/mockServiceWorker.js' ? worker : join(folder, path)).then(
      (content) => response.setHeader('Content-Type', 'text/javascript').end(content),
      () => response.writeHead(404).end(),
    );
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${port}/`, server };
}

await buildProduct();
const folder = await mkdtemp(join(tmpdir(), 'drydock-page-'));
const bytes = await bundle(folder);
const { url, server } = await serve(folder);
const browser = await launchChromium();
try {
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.log(`    page: ${error.message}`));
  await page.goto(url);
  // Polled from outside: the browser's own waiting evaluates code in the page.
  await until('the page', () => page.evaluate<boolean>('window.report !== undefined'), 120);
  const report = await page.evaluate<PageReport>('window.report');
  for (const line of report.failed) console.log(`    ${line}`);
  console.log(`    Chromium ${browser.version()}, page ${Math.round(bytes / 1024)} KiB without the engine`);
  console.log(`    worker up in ${report.startMs.toFixed()} ms, ${report.requestMs.toFixed(1)} ms a request`);
  check(
    `${report.passed} rows of the API document pass in a page under ${policy}`,
    report.failed.length === 0 && report.passed > 0,
  );
} finally {
  await browser.close();
  server.close();
  await rm(folder, { recursive: true });
}
