// Tests that the published package opens a bundle in a page, with the same bytes as in Node. `npm run test:e2e -- browser`

import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { execa } from 'execa';
import { launchChromium } from '../../../scripts/dev/tools/chromium.ts';
import { buildProduct } from '../../../scripts/dev/tools/product.ts';
import { check, freePort } from '../../../scripts/dev/tools/tools.ts';

const root = join(import.meta.dirname, '../../..');
const charts = ['web', 'umbrella', 'crds-and-hooks'];

// Runs in both: from the bytes of a bundle to every output, and the errors for invalid bytes.
const program = `
import { openBundle, readOrder, renderOrder } from 'drydock';
export async function outputsOf(bytes) {
  const { order, registry } = openBundle(bytes);
  const rendered = await renderOrder(readOrder(order, 'shop.tgz').value, { registry });
  const faults = [bytes.subarray(0, bytes.length >> 1), new Uint8Array([1, 2, 3])].map((part) => {
    try {
      openBundle(part);
      return 'taken';
    } catch (error) {
      return error.code + ': ' + error.message;
    }
  });
  return { manifest: rendered.manifest(), faults };
}`;
const inPage = `${program}
window.report = await outputsOf(new Uint8Array(await (await fetch('/shop.tgz')).arrayBuffer()));`;
const inNode = `${program}
import { readFileSync } from 'node:fs';
console.log(JSON.stringify(await outputsOf(new Uint8Array(readFileSync(process.argv[2])))));`;

interface Outputs {
  readonly manifest: string;
  readonly faults: readonly string[];
}

/** Writes an Order with fixture charts and bundles it with the command. Returns the path of the bundle. */
async function makeBundle(folder: string): Promise<string> {
  for (const name of charts) await cp(join(root, 'fixtures/charts', name), join(folder, name), { recursive: true });
  const packages = charts.map((name) => ({
    chart: { name, sourceRef: { kind: 'Local', name }, releaseName: name, namespace: 'shop' },
  }));
  await writeFile(join(folder, 'order.yaml'), JSON.stringify({ spec: { packages } }));
  await execa('node', [join(root, 'dist/drydock.cjs'), 'bundle', 'order.yaml', '-o', 'shop.tgz'], { cwd: folder });
  return join(folder, 'shop.tgz');
}

async function runInPage(bundle: Uint8Array): Promise<Outputs> {
  const built = await build({
    stdin: { contents: inPage, resolveDir: root, loader: 'js' },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    logLevel: 'error',
  });
  const html = '<!doctype html><meta charset="utf-8"><script type="module" src="/page.js"></script>';
  const parts = new Map<string, readonly [type: string, content: string | Uint8Array]>([
    ['/', ['text/html', html]],
    ['/page.js', ['text/javascript', built.outputFiles[0]?.contents ?? '']],
    ['/shop.tgz', ['application/octet-stream', bundle]],
  ]);
  const server = createServer((request, response) => {
    const [type, content] = parts.get(request.url ?? '') ?? ['text/plain', ''];
    response.setHeader('Content-Type', type).end(content);
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    page.on('pageerror', (error) => console.log(`    page: ${error.message}`));
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.waitForFunction('window.report', undefined, { timeout: 120_000 });
    return await page.evaluate<Outputs>('window.report');
  } finally {
    await browser.close();
    server.close();
  }
}

/** Node imports the package by its own name, from the project folder. */
async function runInNode(path: string): Promise<Outputs> {
  const { stdout } = await execa('node', ['--input-type=module', '-', path], { cwd: root, input: inNode });
  return JSON.parse(stdout) as Outputs;
}

await buildProduct();
const folder = await mkdtemp(join(tmpdir(), 'drydock-bundle-'));
try {
  const bundle = await makeBundle(folder);
  const [page, node] = [await runInPage(await readFile(bundle)), await runInNode(bundle)];
  check(
    `a bundle of ${charts.length} charts renders ${page.manifest.length} characters in a page, as in Node`,
    page.manifest === node.manifest && page.manifest.length > 1000,
  );
  check(
    `what is not a bundle is told alike: ${page.faults.join(' | ')}`,
    JSON.stringify(page.faults) === JSON.stringify(node.faults) &&
      page.faults.every((fault) => fault.startsWith('CHART_INVALID: ') && !fault.includes('\n')),
  );
} finally {
  await rm(folder, { recursive: true });
}
