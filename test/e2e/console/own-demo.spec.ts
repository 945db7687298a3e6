// Tests that a user of the package can make a demo of their own chart and Order with `drydock demo`, in a project without drydock's sources.

import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { execa } from 'execa';
import { installProject, packProduct } from '../../../scripts/dev/tools/product.ts';
import { temporaryFolder } from '../../../scripts/dev/tools/tools.ts';
import { chartArchive, eventually } from './console-page.ts';
import { checkFirstViewSize, demoTest, type SiteFiles } from './fixture.ts';

const files = {
  'charts/strange/Chart.yaml':
    'apiVersion: v2\nname: strange\nversion: 3.2.1\ndescription: A chart of this project only\n',
  'charts/strange/values.yaml': '# Number of replicas.\nreplicas: 2\n',
  'charts/strange/templates/map.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}-strange\ndata:\n  replicas: {{ .Values.replicas | quote }}\n',
  'order.yaml': `# Ours: "quoted" & <marked>.
apiVersion: releases.x-helm.dev/v1alpha1
kind: Order
metadata:
  name: strange-order
spec:
  kubeVersion: "1.31.0"
  packages:
    - chart:
        name: strange
        version: 3.2.1
        sourceRef: {kind: Local, name: ./charts/strange}
        releaseName: ours
        namespace: default
        values:
          replicas: 7
`,
};

let project: string;

function drydock(...args: readonly string[]) {
  const cli = join(project, 'node_modules/drydock/dist/drydock.cjs');
  return execa(process.execPath, [cli, ...args], { cwd: project, reject: false, stripFinalNewline: false });
}

/** Installs the package in a project, and makes the demo. */
async function makeDemo(): Promise<SiteFiles> {
  project = temporaryFolder('drydock-own-demo-');
  await installProject(project, [await packProduct(project)]);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(project, path, '..'), { recursive: true });
    await writeFile(join(project, path), text);
  }
  const { exitCode, stderr } = await drydock('demo', 'public/demo', 'order.yaml', '--charts', 'charts');
  assert.equal(exitCode, 0, stderr);
  const folder = join(project, 'public/demo');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(await Promise.all(paths.map(async (path) => [relative(folder, path), await readFile(path)] as const)));
}

const test = demoTest('/some/where/', makeDemo);

test('starts with the saved Order, rendered to the bytes of drydock render', async ({ app, files: demo }) => {
  checkFirstViewSize(demo);
  await app.untilOutlined('ours-strange');
  const preview = await app.callEmulator('POST', 'preview', { order: files['order.yaml'] });
  const { manifest } = JSON.parse(preview) as { manifest: string };
  assert.equal(manifest, (await drydock('render', 'order.yaml')).stdout);
  assert.match(manifest, /replicas: "7"/);
  assert.ok((await app.callEmulator('GET', 'orders')).includes('strange-order'));
});

test('removes dropped charts, and keeps those of the project', async ({ app, page }) => {
  await app.untilOutlined('ours-strange');
  await app.dropFile('small-1.0.0.tgz', chartArchive('small', 'a: b'));
  await app.untilOutlined('small');
  const charts = (): Promise<string> => app.callEmulator('GET', 'charts');
  assert.ok((await charts()).includes('"small"'));
  await app.go('#/charts');
  await page.getByRole('button', { name: 'Remove dropped charts' }).click();
  await eventually(async () => assert.ok(!(await charts()).includes('"small"')));
  assert.ok((await charts()).includes('"strange"'));
});

// Stops the host, so it is the last one.
test('works offline', async ({ app, page, stop }) => {
  await app.untilOutlined('ours-strange');
  await app.untilOffline();
  await stop();
  await page.reload();
  await app.untilOutlined('ours-strange');
});
