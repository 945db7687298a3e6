// Tests that the console's preview, the demo's preview, `drydock render` and the API render the same bytes, for the sample Orders and for an
// Order of each chart. `node --import tsx test/e2e/console/preview-bytes.spec.ts [CHART…]` adds folders of charts with their dependencies in
// charts/.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'node:test';
import { execa } from 'execa';
import { parse } from 'yaml';
import { readChartFiles } from '../../../render/chart/directory.node.ts';
import { packChart } from '../../../render/vendor/lock/bundle.ts';
import { temporaryFolder } from '../../../scripts/dev/tools/tools.ts';
import type { ConsolePage } from './console-page.ts';
import { consoleTest, demoTest } from './fixture.ts';

const root = join(import.meta.dirname, '../../..');
const own = ['web', 'umbrella', 'crds-and-hooks', 'values-and-text', 'values-as-json'];
const folders = [...process.argv.slice(2), ...own.map((name) => join(root, 'fixtures/charts', name))];
// The time that `--seed` of the command implies.
const world = { seed: 'drydock', now: '2025-01-01T00:00:00Z' } as const;

interface Case {
  readonly name: string;
  readonly order: string;
}

interface ChartCase extends Case {
  /** The name of the chart, and the chart for a page without folders. */
  readonly chart: string;
  readonly archive: Uint8Array;
}

function chartCase(folder: string): ChartCase {
  const { name, version } = parse(readFileSync(join(folder, 'Chart.yaml'), 'utf8')) as Record<string, string>;
  const chart = { name, version, sourceRef: { name: 'charts' }, releaseName: 'one', namespace: 'town' };
  const order = {
    apiVersion: 'releases.x-helm.dev/v1alpha1',
    kind: 'Order',
    metadata: { name: `of-${name}` },
    spec: { packages: [{ chart }] },
  };
  const archive = packChart(name!, readChartFiles(folder));
  return { name: `${name} ${version}`, order: `${JSON.stringify(order, null, 2)}\n`, chart: name!, archive };
}

const samples = readdirSync(join(root, 'fixtures/orders'))
  .filter((name) => /\.(?:ya?ml|json)$/.test(name))
  .map((name): Case => ({ name, order: readFileSync(join(root, 'fixtures/orders', name), 'utf8') }))
  .filter(({ order }) => /kind"?: *"?Order/.test(order));
const charts = folders.map(chartCase);
const cases: readonly Case[] = [...charts, ...samples];
const chartFlags = folders.flatMap((folder) => ['--charts', folder]);

const scratch = temporaryFolder('drydock-bytes-');

/** Returns the output of `drydock render`. */
async function renderedByCommand({ name, order }: Case): Promise<string> {
  const file = join(scratch, name);
  writeFileSync(file, order);
  const args = ['render', file, '--seed', world.seed, '--quiet', '--no-config', ...chartFlags];
  const program = ['--import', 'tsx', 'emulator/cli/main.node.ts', ...args];
  const { stdout } = await execa('node', program, { cwd: root, stripFinalNewline: false });
  assert.ok(stdout.length > 100);
  return stdout;
}

/** Returns the response of the API for the Order, once it is saved. */
async function renderedByApi(url: string, { order }: Case): Promise<string> {
  const { users } = (await (await fetch(`${url}__drydock/status`)).json()) as { users: { token: string }[] };
  const headers = { Authorization: `token ${users[0]!.token}`, 'Content-Type': 'application/json' };
  const orders = `${url}api/v1/user/deploy/orders`;
  const saved = await fetch(orders, { method: 'POST', headers, body: JSON.stringify(parse(order)) });
  const { metadata } = (await saved.json()) as { metadata: { uid: string } };
  return (await fetch(`${orders}/${metadata.uid}/render/manifest`, { headers })).text();
}

/** Returns the manifest that the page copies for a dropped Order. */
async function renderedByPage(app: ConsolePage, { order }: Case): Promise<string> {
  const { page } = app;
  await page.locator('.add-chart button:enabled').waitFor();
  await app.dropFile('order.json', order);
  await app.untilOrder(order);
  await app.untilValid();
  return app.copied(() => page.locator('.manifest .viewer-tools').getByRole('button', { name: 'Copy' }).click());
}

describe('The console and the API render the bytes of the command', () => {
  const test = consoleTest(['--now', world.now, '--seed', world.seed, ...chartFlags]);
  for (const one of cases)
    test(one.name, async ({ app, url }) => {
      const expected = await renderedByCommand(one);
      assert.equal(await renderedByApi(url, one), expected);
      assert.equal(await renderedByPage(app, one), expected);
    });
});

describe('The demo renders the bytes of the command', () => {
  const test = demoTest();
  for (const one of cases)
    test(one.name, async ({ app }) => {
      await app.callEmulator('PUT', 'clock', { now: world.now, frozen: true });
      const used = charts.filter(({ chart }) => one.order.includes(chart));
      for (const { name, archive } of used) await app.dropChart(name, archive);
      assert.equal(await renderedByPage(app, one), await renderedByCommand(one));
    });
});
