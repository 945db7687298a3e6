// Tests the emulator in a page: every row of the API document goes through msw's service worker in headless Chromium, from the bundle
// that applications import, under a content security policy without `unsafe-eval`. `npm run test:e2e -- browser`

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { buildProduct } from '../../../scripts/dev/tools/product.ts';
import { check } from '../../../scripts/dev/tools/tools.ts';
import type { PageReport } from '../../support/page.ts';
import { reportOfPage } from './page-report.ts';

const root = join(import.meta.dirname, '../../..');
// Allows only scripts of this origin and no `eval`. The page also calls another origin, which the worker handles.
const policy =
  "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self' https://platform.example.com";

// Imports the emulator by the package's name, as an application does.
const byPackageName: Plugin = {
  name: 'by-package-name',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /[\\/]worker\.browser\.ts$/ }, () =>
      resolve('drydock/emulator/browser', { kind: 'import-statement', resolveDir: root }),
    );
  },
};

/** Returns the files of the page by path, and the size of its first file. */
async function bundle(): Promise<{ readonly files: Record<string, Uint8Array>; readonly bytes: number }> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: { page: 'test/support/page.ts' },
    outdir: root,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    minify: true,
    write: false,
    plugins: [byPackageName],
    logLevel: 'error',
  });
  const files = Object.fromEntries(outputFiles.map(({ path, contents }) => [`/${relative(root, path)}`, contents]));
  return { files, bytes: files['/page.js']?.length ?? 0 };
}

await buildProduct();
const { files, bytes } = await bundle();
const worker = await readFile(createRequire(import.meta.url).resolve('msw/mockServiceWorker.js'));
const { report, version } = await reportOfPage<PageReport>({ '/mockServiceWorker.js': worker, ...files }, { policy });
for (const line of report.failed) console.log(`    ${line}`);
console.log(`    Chromium ${version}, page ${Math.round(bytes / 1024)} KiB without the engine`);
check(
  `${report.passed} rows of the API document pass in a page with the policy ${policy}`,
  report.failed.length === 0 && report.passed > 0,
);
