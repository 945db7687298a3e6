// Proof: the static demo works below any path, asks nothing of any server once its files are there, and works without one then.
// `npm run demo-proof`, in a real headless Chromium. With a folder: keeps pictures there.

import type { Server } from 'node:http';
import { join } from 'node:path';
import { createEmulator } from '../../../emulator/index.ts';
import { packChart } from '../../../render/vendor/pack.ts';
import { bundleDemo } from '../../build/demo.ts';
import { launchChromium } from '../../tools/chromium.ts';
import { prove, until } from '../../tools/tools.ts';
import { serveFiles } from './page.ts';

/** The parts of a page that this proof uses. */
interface DemoPage {
  goto(url: string): Promise<unknown>;
  reload(): Promise<unknown>;
  setViewportSize(size: { width: number; height: number }): Promise<void>;
  screenshot(options: { path: string }): Promise<unknown>;
  evaluate<Result>(code: string): Promise<Result>;
  waitForSelector(selector: string): Promise<unknown>;
  locator(selector: string): { selectOption(value: { readonly label: string }): Promise<unknown> };
  getByRole(role: string, options: { name: string }): { click(): Promise<void> };
  on(event: string, hear: (heard: { text(): string; type(): string; url(): string; message: string }) => void): void;
}

const path = '/some/where/';
const shots = process.argv[2];
const now = '2026-01-02T03:04:05Z';

const ask = "globalThis[Symbol.for('drydock.console.fetch')]";

function preview(page: DemoPage, body: string): Promise<string> {
  const init = `{ method: 'POST', headers: { 'Content-Type': 'application/json' }, body: ${body} }`;
  return page.evaluate(`${ask}('./__drydock/preview', ${init}).then((answer) => answer.text())`);
}

function untilOutlined(page: DemoPage, name: string): Promise<void> {
  const rows = `[...document.querySelectorAll('.outline-row')].some(({ title }) => title.startsWith('${name}/'))`;
  return until(`${name} in the outline`, () => page.evaluate<boolean>(rows), 60);
}

/** The same bytes as an emulator in Node gives. */
async function compose(page: DemoPage): Promise<void> {
  await page.waitForSelector('.add-chart select:not([disabled])');
  await page.locator('.add-chart select').selectOption({ label: 'umbrella 2.0.0' });
  await untilOutlined(page, 'umbrella');
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
  const told = await answer.text();
  prove(`the page renders as Node does: ${told.length} bytes`, told.length > 1000 && shown === told);
}

/** A chart that is dropped is rendered; one without end is stopped, while the page keeps drawing. */
async function drop(page: DemoPage): Promise<void> {
  await dropChart(page, 'small', 'a: b');
  await untilOutlined(page, 'small');
  const endless = '{{ range until 100000 }}{{ range until 100000 }}{{ $_ := add 1 . }}{{ end }}{{ end }}';
  await dropChart(page, 'endless', endless);
  await page.waitForSelector('.fault:has-text("took longer than 5000 ms")');
  await untilOutlined(page, 'small');
  await page.getByRole('button', { name: 'Remove endless' }).click();
  await page.waitForSelector('.status[data-state=good]');
  await page.getByRole('button', { name: 'Remove small' }).click();
  await page.waitForSelector('.package:only-child');
  prove('a chart that is dropped is rendered, and one without end is stopped with a sentence', true);
}

async function dropChart(page: DemoPage, name: string, template: string): Promise<void> {
  const files = {
    'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`,
    'templates/map.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  ${template}\n`,
  };
  const archive = packChart(
    name,
    new Map(Object.entries(files).map(([file, text]) => [file, new TextEncoder().encode(text)])),
  );
  await page.evaluate(`(() => {
    const bytes = Uint8Array.from(atob('${Buffer.from(archive).toString('base64')}'), (char) => char.charCodeAt(0));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([bytes], '${name}-1.0.0.tgz'));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  })()`);
}

/** With the server gone, on a phone. */
async function leaveServer(page: DemoPage, server: Server): Promise<void> {
  await until('the files kept', () => page.evaluate<boolean>('Boolean(navigator.serviceWorker.controller)'), 60);
  server.close();
  server.closeAllConnections();
  await page.setViewportSize({ width: 360, height: 740 });
  await page.reload();
  await page.waitForSelector('.package');
  await page.getByRole('tab', { name: 'Preview' }).click();
  await untilOutlined(page, 'umbrella');
  const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  if (shots !== undefined) await page.screenshot({ path: join(shots, 'demo-offline-360.png') });
  prove('it renders without its server, on 360 pixels', wide <= 0);
  const charts = await page.evaluate<string>(`${ask}('./__drydock/charts').then((answer) => answer.text())`);
  prove('charts that were dropped are there again', charts.includes('"small"') && charts.includes('"endless"'));
}

const { files, firstView } = await bundleDemo();
prove(`its first view is ${Math.round(firstView / 1024)} KiB compressed`, firstView < 250 * 1024);
const { server, url } = await serveFiles(files, path);
const browser = await launchChromium({ isLean: true });
try {
  const page = (await browser.newPage()) as unknown as DemoPage;
  const errors: string[] = [];
  const asked: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())));
  page.on('pageerror', ({ message }) => void errors.push(message));
  page.on('request', (request) => void asked.push(request.url()));
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(url);
  await compose(page);
  await drop(page);
  if (shots !== undefined) await page.screenshot({ path: join(shots, 'demo-1440.png') });
  await leaveServer(page, server);
  const others = asked.filter(
    (one) => !/^(?:data|blob):/.test(one) && !files.has(one.replace(url, '') || 'index.html'),
  );
  prove(`nothing but its own files is asked for ${others.join(' ')}`, others.length === 0);
  prove(`no error is logged ${errors.join(' | ').slice(0, 500)}`, errors.length === 0);
} finally {
  await browser.close();
  server.close();
}
