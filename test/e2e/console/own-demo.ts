// Tests that a user of the package can make a demo of their own chart and Order with `drydock demo`, which works below a path of any static
// host: it opens that Order, saves it, renders the bytes of `drydock render`, and works offline.
// `node --import tsx test/e2e/console/own-demo.ts`, in a project without drydock's sources.

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { execa } from 'execa';
import { installProject, packProduct } from '../../../scripts/dev/tools/product.ts';
import { check, until } from '../../../scripts/dev/tools/tools.ts';
import {
  ask,
  type ConsolePage,
  chartArchive,
  checkAlone,
  checkFirstView,
  dropFile,
  launchBrowser,
  leaveHost,
  listenTo,
  serveFiles,
  untilOutlined,
} from './page.ts';

const project = await mkdtemp(join(tmpdir(), 'drydock-own-demo-'));

const chart = {
  'Chart.yaml': 'apiVersion: v2\nname: strange\nversion: 3.2.1\ndescription: A chart of nobody else\n',
  'values.yaml': '# How many there are.\nreplicas: 2\n',
  'templates/map.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}-strange\ndata:\n  replicas: {{ .Values.replicas | quote }}\n',
};
const order = `# Ours: "quoted" & <marked>.
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
`;

function drydock(...words: readonly string[]) {
  const cli = join(project, 'node_modules/drydock/dist/drydock.cjs');
  return execa(process.execPath, [cli, ...words], { cwd: project, reject: false, stripFinalNewline: false });
}

async function install(): Promise<void> {
  await installProject(project, [await packProduct(project)]);
  for (const [name, text] of Object.entries(chart)) {
    const path = join(project, 'charts/strange', name);
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, text);
  }
  await writeFile(join(project, 'order.yaml'), order);
}

async function checkRefusals(): Promise<void> {
  const wrong: readonly (readonly [readonly string[], number, RegExp])[] = [
    [['demo'], 2, /takes the folder to write/],
    [['demo', 'charts'], 1, /charts holds something else/],
    [['demo', 'out', 'nope.yaml'], 1, /nope\.yaml/],
    [['demo', 'out', 'order.yaml', '--charts', 'none'], 1, /there is no folder none/],
    [['demo', 'out', '--fixtures', 'none'], 1, /none/],
  ];
  for (const [words, code, message] of wrong) {
    const { exitCode, stderr } = await drydock(...words);
    const isRefused = exitCode === code && message.test(stderr) && !/\n {4}at /.test(stderr);
    check(`drydock ${words.join(' ')}: ${stderr.split('\n')[0]}`, isRefused);
  }
}

async function readFolder(folder: string): Promise<ReadonlyMap<string, Uint8Array>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(await Promise.all(paths.map(async (path) => [relative(folder, path), await readFile(path)] as const)));
}

async function visit(page: ConsolePage, url: string): Promise<void> {
  await page.goto(url);
  await untilOutlined(page, 'ours-strange');
  const body = JSON.stringify(JSON.stringify({ order }));
  const answer = await page.evaluate<string>(
    `${ask}('./__drydock/preview', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: ${body} }).then((one) => one.text())`,
  );
  const { stdout } = await drydock('render', 'order.yaml');
  const { manifest } = JSON.parse(answer) as { manifest: string };
  check(`it begins with the Order, rendered to the bytes of drydock render: ${stdout.length}`, manifest === stdout);
  check('with the value of the Order', /replicas: "7"/.test(manifest));
  const stored = await page.evaluate<string>(`${ask}('./__drydock/orders').then((one) => one.text())`);
  check('which is stored, too', stored.includes('strange-order'));
}

async function dropAndForget(page: ConsolePage): Promise<void> {
  await dropFile(page, 'small-1.0.0.tgz', chartArchive('small', 'a: b'));
  await untilOutlined(page, 'small');
  await page.getByRole('button', { name: 'Remove small' }).click();
  const charts = (): Promise<string> => page.evaluate(`${ask}('./__drydock/charts').then((one) => one.text())`);
  check('what is dropped joins', (await charts()).includes('"small"'));
  await page.evaluate(`location.hash = '#/charts'`);
  await page.waitForSelector('button:has-text("Remove dropped charts")');
  await page.getByRole('button', { name: 'Remove dropped charts' }).click();
  await until('small is forgotten', async () => !(await charts()).includes('"small"'));
  check('and is forgotten; the chart of the demo stays', (await charts()).includes('"strange"'));
  await page.evaluate(`location.hash = '#/orders'`);
}

try {
  await install();
  await checkRefusals();
  const made = await drydock('demo', 'public/demo', 'order.yaml', '--charts', 'charts');
  process.stdout.write(made.stdout + made.stderr);
  check('drydock demo writes a folder', made.exitCode === 0);
  check('and writes it once more', (await drydock('demo', 'public/demo', 'order.yaml', '--quiet')).exitCode === 0);
  const files = await readFolder(join(project, 'public/demo'));
  checkFirstView(files);
  const path = '/some/where/';
  const { server, url } = await serveFiles(files, path);
  const browser = await launchBrowser();
  try {
    const page = (await browser.newPage()) as unknown as ConsolePage;
    const events = listenTo(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await visit(page, url);
    await dropAndForget(page);
    await leaveHost(page, server);
    await page.reload();
    await untilOutlined(page, 'ours-strange');
    check('it works without its host', true);
    checkAlone(events, files, url);
  } finally {
    await browser.close();
    server.close();
  }
} finally {
  await rm(project, { recursive: true, force: true });
}
