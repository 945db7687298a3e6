// Tests that the console's preview, the static demo's preview, `drydock render` and the order routes give the same bytes.
// `node --import tsx test/e2e/console/bytes.ts [CHART…]`: for the sample Orders and for an Order of each chart. Charts are folders with
// their dependencies in charts/; default: those of fixtures/charts.

import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { parse } from 'yaml';
import { readChartFiles } from '../../../render/chart/directory.node.ts';
import { packChart } from '../../../render/vendor/lock/pack.ts';
import { bundleDemo } from '../../../scripts/build/demo.ts';
import { check, until } from '../../../scripts/dev/tools/tools.ts';
import { ask, type ConsolePage, dropFile, launchBrowser, openPage, serveFiles, startConsole } from './page.ts';

const root = join(import.meta.dirname, '../../..');
const samples = join(root, 'fixtures/orders');
// The time that `--seed` of the command implies.
const world = { seed: 'drydock', now: '2025-01-01T00:00:00Z' } as const;

interface Case {
  readonly name: string;
  readonly order: string;
  /** The files of the chart, for a page without folders; none for a sample. */
  readonly archive?: Uint8Array;
}

function chartCase(folder: string): Case {
  const about = readFileSync(join(folder, 'Chart.yaml'), 'utf8');
  const word = (key: string): string => new RegExp(`^${key}: *["']?([^\\s"']+)`, 'm').exec(about)?.[1] ?? '';
  const [name, version] = [word('name'), word('version')];
  const chart = { name, version, sourceRef: { name: 'charts' }, releaseName: 'one', namespace: 'town' };
  const order = JSON.stringify(
    {
      apiVersion: 'releases.x-helm.dev/v1alpha1',
      kind: 'Order',
      metadata: { name: `of-${name}` },
      spec: { packages: [{ chart }] },
    },
    null,
    2,
  );
  return { name, order: `${order}\n`, archive: packChart(name, readChartFiles(folder)) };
}

async function sampleCases(): Promise<readonly Case[]> {
  const names = (await readdir(samples)).filter((name) => /\.(?:ya?ml|json)$/.test(name));
  const all = await Promise.all(
    names.map(async (name) => ({ name, order: await readFile(join(samples, name), 'utf8') })),
  );
  return all.filter(({ order }) => /kind"?: *"?Order/.test(order));
}

async function rendered({ name, order }: Case, folders: readonly string[], scratch: string): Promise<string> {
  const file = join(scratch, `${name}.order`);
  await writeFile(file, order);
  const flags = ['--seed', world.seed, '--quiet', '--no-config', ...folders.flatMap((folder) => ['--charts', folder])];
  const words = ['--import', 'tsx', join(root, 'emulator/cli/main.node.ts'), 'render', file, ...flags];
  const { stdout } = await execa('node', words, { cwd: root, stripFinalNewline: false, maxBuffer: 1e9 });
  return stdout;
}

async function stored(url: string, { order }: Case): Promise<string> {
  const { users } = (await (await fetch(`${url}__drydock/status`)).json()) as { users: { token: string }[] };
  const headers = { Authorization: `token ${users[0]?.token}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify(parse(order));
  const answer = await fetch(`${url}api/v1/user/deploy/orders`, { method: 'POST', headers, body });
  const { metadata } = (await answer.json()) as { metadata: { uid: string } };
  return (await fetch(`${url}api/v1/user/deploy/orders/${metadata.uid}/render/manifest`, { headers })).text();
}

/** The text copied by the button of the page. */
async function shown(page: ConsolePage, { order, archive, name }: Case): Promise<string> {
  if (archive) {
    await dropFile(page, `${name}.tgz`, archive);
    await page.waitForSelector(`.said:has-text("${name}")`, { timeout: 20_000 });
  }
  await dropFile(page, 'order.json', new TextEncoder().encode(order));
  const order64 = JSON.stringify(Buffer.from(order).toString('base64'));
  const isIn = `localStorage.getItem('drydock.order') === new TextDecoder().decode(Uint8Array.from(atob(${order64}), (char) => char.charCodeAt(0)))`;
  await until(`the Order of ${name}`, () => page.evaluate<boolean>(isIn), 30);
  await page
    .waitForSelector('.status[data-state=good][data-busy=false]', { timeout: 60_000 })
    .catch(async (failure) => {
      throw new Error(`${name}: ${await page.locator('.preview').textContent()}`, { cause: failure });
    });
  return page.evaluate<string>(`new Promise((resolve) => {
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: async (text) => resolve(text) } });
    [...document.querySelectorAll('.manifest .viewer-tools button')].find(({ textContent }) => textContent.includes('Copy')).click();
  })`);
}

const given = process.argv.slice(2);
const own = ['web', 'umbrella', 'crds-and-hooks', 'values-and-text', 'values-as-json'].map((name) =>
  join(root, 'fixtures/charts', name),
);
const folders = [...given, ...own];
const ofCharts = folders.map(chartCase);
// A sample is rendered with the charts beside it.
const cases = [...ofCharts, ...(await sampleCases())];
const scratch = await mkdtemp(join(tmpdir(), 'drydock-bytes-'));
await mkdir(scratch, { recursive: true });
const server = await startConsole([
  '--now',
  world.now,
  '--seed',
  world.seed,
  ...folders.flatMap((folder) => ['--charts', folder]),
]);
const demo = await serveFiles(await bundleDemo());
const browser = await launchBrowser();
try {
  const open = async (url: string): Promise<ConsolePage> => {
    const page = await openPage(browser);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(url);
    await page.waitForSelector('.add-chart button:not([disabled])');
    return page;
  };
  const console_ = await open(server.url);
  const alone = await open(demo.url);
  const clock = JSON.stringify({ now: world.now, frozen: true });
  await alone.evaluate(`${ask}('./__drydock/clock', { method: 'PUT',
    headers: { 'Content-Type': 'application/json' }, body: '${clock}' }).then(() => undefined)`);
  for (const one of cases) {
    const command = await rendered(one, folders, scratch);
    const { archive: _, ...plain } = one;
    const ways = {
      'the order routes': await stored(server.url, one),
      'the console': await shown(console_, plain),
      'the demo': await shown(alone, one),
    };
    const others = Object.entries(ways).filter(([, text]) => text !== command);
    check(
      `${one.name}: ${command.length} characters, the same in all four ${others.map(([way]) => way).join(', ')}`,
      others.length === 0 && command.length > 100,
    );
  }
  console.log(`    ${cases.length} Orders`);
} finally {
  await browser.close();
  await server.stop();
  demo.server.close();
  demo.server.closeAllConnections();
  await rm(scratch, { recursive: true, force: true });
}
