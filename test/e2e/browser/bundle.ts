// Tests that the packed package renders a bundle in a page to the same bytes as in Node. `npm run test:e2e -- browser`

import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { execa } from 'execa';
import { buildProduct } from '../../../scripts/dev/tools/product.ts';
import { check, temporaryFolder } from '../../../scripts/dev/tools/tools.ts';
import { reportOfPage } from './page-report.ts';

const root = join(import.meta.dirname, '../../..');
const charts = ['web', 'umbrella', 'crds-and-hooks'];

// Runs in both: renders a bundle, and collects the errors for invalid bytes.
const program = `
import { openBundle, readOrder, renderOrder } from 'drydock';
export async function outputsOf(bytes) {
  const { order, registry } = openBundle(bytes);
  const rendered = await renderOrder(readOrder(order, 'shop.tgz').value, { registry });
  const errors = [bytes.subarray(0, bytes.length >> 1), new Uint8Array([1, 2, 3])].map((part) => {
    try {
      openBundle(part);
      return 'opened';
    } catch (error) {
      return error.code + ': ' + error.message;
    }
  });
  return { manifest: rendered.manifest(), errors };
}`;
const inPage = `${program}
window.report = await outputsOf(new Uint8Array(await (await fetch('/shop.tgz')).arrayBuffer()));`;
const inNode = `${program}
import { readFileSync } from 'node:fs';
console.log(JSON.stringify(await outputsOf(new Uint8Array(readFileSync(process.argv[2])))));`;

interface Outputs {
  readonly manifest: string;
  readonly errors: readonly string[];
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
  const content = { '/page.js': built.outputFiles[0]?.contents ?? '', '/shop.tgz': bundle };
  return (await reportOfPage<Outputs>(content)).report;
}

/** Node imports the package by its own name, from the project folder. */
async function runInNode(path: string): Promise<Outputs> {
  const { stdout } = await execa('node', ['--input-type=module', '-', path], { cwd: root, input: inNode });
  return JSON.parse(stdout) as Outputs;
}

await buildProduct();
const folder = temporaryFolder('drydock-bundle-');

const bundle = await makeBundle(folder);
const [page, node] = [await runInPage(await readFile(bundle)), await runInNode(bundle)];
check(
  `a bundle of ${charts.length} charts renders the same ${page.manifest.length} characters in a page as in Node`,
  page.manifest === node.manifest && page.manifest.length > 1000,
);
check(
  `invalid bundles are rejected with the same errors as in Node: ${page.errors.join(' | ')}`,
  JSON.stringify(page.errors) === JSON.stringify(node.errors) &&
    page.errors.every((error) => error.startsWith('CHART_INVALID: ') && !error.includes('\n')),
);
