// Tests that the static demo works below any path, sends no requests once its files are loaded, and then works offline.
// `npm run test:e2e -- demo [FOLDER]`, in headless Chromium. Screenshots are written to the folder.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEmulator } from '../../../emulator/index.ts';
import { archiveDigest } from '../../../render/vendor/lock/locked.ts';
import { packBundle } from '../../../render/vendor/lock/pack.ts';
import { bundleDemo } from '../../../scripts/build/demo.ts';
import { check, until } from '../../../scripts/dev/tools/tools.ts';
import {
  addChart,
  ask,
  type ConsolePage,
  chartArchive,
  checkAlone,
  dropFile,
  dropPaths,
  launchBrowser,
  leaveHost,
  listenTo,
  serveFiles,
} from './page.ts';

const path = '/some/where/';
const shots = process.argv[2];
const now = '2026-01-02T03:04:05Z';

function preview(page: ConsolePage, body: string): Promise<string> {
  const init = `{ method: 'POST', headers: { 'Content-Type': 'application/json' }, body: ${body} }`;
  return page.evaluate(`${ask}('./__drydock/preview', ${init}).then((answer) => answer.text())`);
}

function untilOutlined(page: ConsolePage, name: string): Promise<void> {
  const rows = `[...document.querySelectorAll('.outline-row')].some(({ title }) => title.startsWith('${name}/'))`;
  return until(`${name} in the outline`, () => page.evaluate<boolean>(rows), 60);
}

/** The same bytes as an emulator in Node. */
async function compose(page: ConsolePage): Promise<void> {
  await addChart(page, 'redis 1.8.3');
  await untilOutlined(page, 'redis');
  const clock = JSON.stringify({ now, frozen: true });
  const init = `{ method: 'PUT', headers: { 'Content-Type': 'application/json' }, body: '${clock}' }`;
  await page.evaluate(`${ask}('./__drydock/clock', ${init}).then(() => undefined)`);
  const order = await page.evaluate<string>("localStorage.getItem('drydock.order')");
  const shown = await preview(page, "JSON.stringify({ order: localStorage.getItem('drydock.order') })");
  const answer = await createEmulator({ now }).fetch('/__drydock/preview', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ order }),
  });
  const expected = await answer.text();
  check(`the page renders as Node does: ${expected.length} bytes`, expected.length > 1000 && shown === expected);
}

/** A dropped chart is rendered; one that never ends is stopped, while the page stays responsive. */
async function drop(page: ConsolePage): Promise<void> {
  await dropFile(page, 'small-1.0.0.tgz', chartArchive('small', 'a: b'));
  await untilOutlined(page, 'small');
  const endless = '{{ range until 100000 }}{{ range until 100000 }}{{ $_ := add 1 . }}{{ end }}{{ end }}';
  await dropFile(page, 'endless-1.0.0.tgz', chartArchive('endless', endless));
  await page.waitForSelector('.fault:has-text("took longer than 5000 ms")');
  await untilOutlined(page, 'small');
  await page.getByRole('button', { name: 'Remove endless' }).click();
  await page.waitForSelector('.status[data-state=good]');
  await page.getByRole('button', { name: 'Remove small' }).click();
  await page.waitForSelector('.package:only-child');
  check('a chart that is dropped is rendered, and one without end is stopped with a sentence', true);
}

/** A chart folder, values, a bundle and an Order from disk: each is recognized and rendered. */
async function dropEach(page: ConsolePage): Promise<void> {
  const before = await page.evaluate<string>("localStorage.getItem('drydock.order')");
  const source = 'https://charts.example.com';
  const inner = chartArchive('bundled', 'a: b');
  const locked = {
    source,
    name: 'bundled',
    asked: '^1',
    version: '1.0.0',
    archive: 'a.tgz',
    digest: archiveDigest(inner),
  };
  const ordered = `apiVersion: releases.x-helm.dev/v1alpha1\nkind: Order\nmetadata: {name: o}\nspec:\n  packages:\n    - chart: {name: bundled, version: ^1, sourceRef: {name: "${source}"}, releaseName: bundled, namespace: ns}\n`;
  const bundle = packBundle(ordered, { folder: 'charts', charts: [locked] }, new Map([['a.tgz', inner]]));
  const folder = await mkdtemp(join(tmpdir(), 'drydock-dropped-'));
  const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Values.word | default "held" }}}\n';
  try {
    await mkdir(join(folder, 'held/templates'), { recursive: true });
    await writeFile(join(folder, 'held/Chart.yaml'), 'apiVersion: v2\nname: held\nversion: 0.1.0\n');
    await writeFile(join(folder, 'held/templates/map.yaml'), map);
    await writeFile(join(folder, 'values.yaml'), 'word: from-values\n');
    await writeFile(join(folder, 'bundle.tgz'), bundle);
    await writeFile(join(folder, 'order.yaml'), before);
    await dropPaths(page, [join(folder, 'held')]);
    await untilOutlined(page, 'held');
    await dropPaths(page, [join(folder, 'values.yaml')]);
    await page.waitForSelector('.outline-row:has-text("from-values")');
    await dropPaths(page, [join(folder, 'bundle.tgz')]);
    await untilOutlined(page, 'bundled');
    await dropPaths(page, [join(folder, 'order.yaml')]);
    await untilOutlined(page, 'redis');
  } finally {
    await rm(folder, { recursive: true });
  }
  const after = await page.evaluate<string>("localStorage.getItem('drydock.order')");
  check('a folder of a chart, values, a bundle and an Order are dropped, and rendered', after === before);
}

/** Without the server, on a phone. */
async function leaveServer(page: ConsolePage, server: Server): Promise<void> {
  await leaveHost(page, server);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.reload();
  await page.waitForSelector('.package');
  await page.getByRole('tab', { name: 'Preview' }).click();
  await untilOutlined(page, 'redis');
  const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  if (shots !== undefined) await page.screenshot({ path: join(shots, 'demo-offline-360.png') });
  check('it renders without its server, on 360 pixels', wide <= 0);
  const charts = await page.evaluate<string>(`${ask}('./__drydock/charts').then((answer) => answer.text())`);
  check('charts that were dropped are there again', charts.includes('"small"') && charts.includes('"endless"'));
}

const files = await bundleDemo();
const { server, url } = await serveFiles(files, path);
const browser = await launchBrowser();
try {
  const page = (await browser.newPage()) as unknown as ConsolePage;
  const events = listenTo(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(url);
  await compose(page);
  await drop(page);
  await dropEach(page);
  if (shots !== undefined) await page.screenshot({ path: join(shots, 'demo-1440.png') });
  await leaveServer(page, server);
  checkAlone(events, files, url);
} finally {
  await browser.close();
  server.close();
}
