// Tests that a user of the package can make a demo of their own chart and Order with `drydock demo`, in a project without drydock's sources.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { execa } from 'execa';
import { installProject, packProduct } from '../../../scripts/dev/tools/product.ts';
import { temporaryFolder } from '../../../scripts/dev/tools/tools.ts';
import { writeFiles } from '../../../scripts/dev/tools/write-files.ts';
import { chartArchive, eventually } from './console-page.ts';
import { demoTest, type SiteFiles } from './fixture.ts';

const order = `# Ours: "quoted" & <marked>.
apiVersion: releases.x-helm.dev/v1alpha1
kind: Order
metadata: {name: strange-order}
spec:
  packages:
    - chart:
        name: strange
        sourceRef: {kind: Local, name: ./charts/strange}
        releaseName: ours
        namespace: default
        values: {replicas: 7}
`;
const map =
  'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}-strange\ndata:\n  replicas: {{ .Values.replicas | quote }}\n';

let project: string;

async function drydock(...args: readonly string[]): Promise<string> {
  const cli = join(project, 'node_modules/drydock/dist/drydock.cjs');
  const { stdout } = await execa(process.execPath, [cli, ...args], { cwd: project, stripFinalNewline: false });
  return stdout;
}

/** Installs the package in a project, and makes the demo. */
async function makeDemo(): Promise<SiteFiles> {
  project = temporaryFolder('drydock-own-demo-');
  await installProject(project, [await packProduct(project)]);
  await writeFiles(project, {
    'charts/strange/Chart.yaml': 'apiVersion: v2\nname: strange\nversion: 3.2.1\n',
    'charts/strange/templates/map.yaml': map,
    'order.yaml': order,
  });
  await drydock('demo', 'public/demo', 'order.yaml', '--charts', 'charts');
  const folder = join(project, 'public/demo');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(await Promise.all(paths.map(async (path) => [relative(folder, path), await readFile(path)] as const)));
}

const test = demoTest('/some/where/', makeDemo);

test('the first view is small: the page and the files that it names, with the emulator', async ({ files }) => {
  const page = new TextDecoder().decode(files.get('index.html'));
  const names = [...page.matchAll(/(?:href|src)="\.\/([^"]+)"/g)].map(([, name = '']) => name);
  const bytes = [...new Set(names)].reduce((sum, name) => sum + gzipSync(files.get(name) ?? '').length, 0);
  assert.ok(bytes > 10_000 && bytes < 330_000, `the first view has ${bytes} bytes compressed`);
});

test('starts with the saved Order, rendered to the bytes of drydock render', async ({ app }) => {
  await app.untilOutlined('ours-strange');
  const { manifest } = JSON.parse(await app.callEmulator('POST', 'preview', { order })) as { manifest: string };
  assert.equal(manifest, await drydock('render', 'order.yaml'));
  assert.match(manifest, /replicas: "7"/);
  assert.ok((await app.callEmulator('GET', 'orders')).includes('strange-order'));
});

test('removes dropped charts, and keeps those of the project', async ({ app, page }) => {
  await app.untilOutlined('ours-strange');
  await app.dropFile('small-1.0.0.tgz', chartArchive('small', 'a: b'));
  await app.untilOutlined('small');
  await app.go('#/charts');
  await page.getByRole('button', { name: 'Remove dropped charts' }).click();
  await eventually(async () => {
    const charts = await app.callEmulator('GET', 'charts');
    assert.ok(charts.includes('"strange"') && !charts.includes('"small"'));
  });
});
