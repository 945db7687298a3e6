// Shared by the tests of the console: the types of a page, a server of the console, and files to drop onto it.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { execa } from 'execa';
import { packChart } from '../../../render/vendor/lock/pack.ts';
import { type Browser, launchChromium } from '../../../scripts/dev/tools/chromium.ts';
import { launchFirefox } from '../../../scripts/dev/tools/firefox.ts';
import { check, until } from '../../../scripts/dev/tools/tools.ts';

const root = join(import.meta.dirname, '../../..');

/** The methods of a page that tests use. */
export interface ConsolePage {
  goto(url: string): Promise<unknown>;
  reload(): Promise<unknown>;
  setViewportSize(size: { width: number; height: number }): Promise<void>;
  emulateMedia(media: { colorScheme?: 'light' | 'dark'; reducedMotion?: 'reduce' }): Promise<void>;
  screenshot(options: { path: string }): Promise<unknown>;
  evaluate<Result>(code: string): Promise<Result>;
  dragAndDrop(from: string, to: string): Promise<void>;
  waitForSelector(selector: string, options?: { timeout: number; state?: 'hidden' }): Promise<unknown>;
  close(): Promise<void>;
  waitForEvent(event: 'filechooser'): Promise<{ setFiles(file: ChosenFile): Promise<void> }>;
  waitForEvent(event: 'download'): Promise<{ path(): Promise<string>; suggestedFilename(): string }>;
  locator(selector: string): ConsoleLocator;
  getByRole(role: string, options: { name: string | RegExp; exact?: boolean }): ConsoleLocator;
  on(
    event: string,
    listener: (heard: { text(): string; type(): string; url(): string; message: string }) => void,
  ): void;
  context(): { newCDPSession(page: ConsolePage): Promise<Devtools>; newPage(): Promise<ConsolePage> };
  readonly keyboard: { press(key: string): Promise<void>; type(text: string): Promise<void> };
  readonly mouse: { move(x: number, y: number): Promise<void>; down(): Promise<void>; up(): Promise<void> };
}

/** A file chosen by a user. */
export interface ChosenFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** A DevTools session. */
export interface Devtools {
  send<Answer>(method: string, options?: object): Promise<Answer>;
}

/** The methods of a locator that tests use. */
export interface ConsoleLocator {
  click(): Promise<void>;
  hover(): Promise<void>;
  count(): Promise<number>;
  focus(): Promise<void>;
  fill(text: string): Promise<void>;
  selectOption(value: { readonly label: string }): Promise<unknown>;
  textContent(): Promise<string | null>;
  inputValue(): Promise<string>;
}

/** Whether the console is tested in Firefox: DRYDOCK_BROWSER=firefox. */
export const isFirefox = process.env.DRYDOCK_BROWSER === 'firefox';

/** Starts the browser: Chromium, or Firefox if DRYDOCK_BROWSER=firefox. */
export function launchBrowser(): Promise<Browser> {
  return isFirefox ? launchFirefox() : launchChromium({ isLean: true });
}

/** Opens a page with separate storage. */
export async function openPage(browser: Browser): Promise<ConsolePage> {
  return (await (await browser.newContext()).newPage()) as unknown as ConsolePage;
}

/** A server of the console, with its address. */
export interface ConsoleServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts `drydock serve` with further arguments. */
export async function startConsole(words: readonly string[] = []): Promise<ConsoleServer> {
  const command = ['--import', 'tsx', 'emulator/cli/main.node.ts', 'serve', '--port', '0', '--json', ...words];
  const server = execa('node', command, { cwd: root });
  const url = await new Promise<string>((resolve, reject) => {
    server.stdout.once('data', (line: Buffer) => resolve((JSON.parse(line.toString()) as { console: string }).console));
    server.catch(reject);
  });
  return {
    url,
    stop: async () => {
      server.kill();
      await server.catch(() => undefined);
    },
  };
}

/** Calls the emulator from within the page. */
export const ask = "globalThis[Symbol.for('drydock.console.fetch')]";

/** Errors and requests of a page. */
export interface PageEvents {
  readonly errors: readonly string[];
  readonly requests: readonly string[];
}

/** Records errors thrown or logged by a page, and every address it requests. */
export function listenTo(page: ConsolePage): PageEvents {
  const errors: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())));
  page.on('pageerror', ({ message }) => void errors.push(message));
  page.on('request', (request) => void requests.push(request.url()));
  return { errors, requests };
}

/** Checks that a demo only requested its own files and logged no error. */
export function checkAlone(
  { errors, requests }: PageEvents,
  files: ReadonlyMap<string, Uint8Array>,
  url: string,
): void {
  const others = requests.filter(
    (one) => !/^(?:data|blob):/.test(one) && !files.has(one.replace(url, '') || 'index.html'),
  );
  check(`nothing but its own files is asked for ${others.join(' ')}`, others.length === 0);
  check(`no error is logged ${errors.join(' | ').slice(0, 500)}`, errors.length === 0);
}

/** Waits until a demo no longer needs its host, and stops the host. */
export async function leaveHost(page: ConsolePage, server: Server): Promise<void> {
  await until('the files kept', () => page.evaluate<boolean>('Boolean(navigator.serviceWorker.controller)'), 60);
  server.close();
  server.closeAllConnections();
}

/**
 * Composes an Order of the chart web in a console with the sample charts, and checks that nothing is thrown. `words` are further arguments
 * of the command.
 */
export async function withWeb(run: (page: ConsolePage) => Promise<void>, words: readonly string[] = []): Promise<void> {
  const server = await startConsole(['--charts', 'fixtures/charts', ...words]);
  const browser = await launchBrowser();
  try {
    const page = await openPage(browser);
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => void errors.push(message));
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(server.url);
    await addChart(page, 'web 1.4.2');
    await untilOutlined(page, 'web');
    await run(page);
    check(`no error is thrown ${errors.join(' | ').slice(0, 500)}`, errors.length === 0);
  } finally {
    await browser.close();
    await server.stop();
  }
}

const types: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript', css: 'text/css' };

/** Serves files below a path like a static host: compressed, and nothing else. */
export async function serveFiles(
  files: ReadonlyMap<string, Uint8Array>,
  path = '/',
): Promise<{ readonly server: Server; readonly url: string }> {
  const packed = new Map([...files].map(([name, content]) => [name, gzipSync(content)]));
  const server = createServer((request, response) => {
    const name = (request.url ?? '').replace(path, '').replace(/\?.*/, '') || 'index.html';
    const content = request.url?.startsWith(path) ? packed.get(name) : undefined;
    if (content === undefined) return void response.writeHead(404).end();
    response.setHeader('Content-Encoding', 'gzip');
    response.setHeader('Content-Type', types[name.split('.').at(-1) ?? ''] ?? 'text/plain').end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}` };
}

/** Files requested by a first view beside those that its page names: the demo's content, the engine, the service worker. */
const beside = ['given.js', 'render-worker.js', 'sw.js'];

/** Returns the files named by a demo's page, including the page: the first view with the emulator. */
export function firstView(files: ReadonlyMap<string, Uint8Array>): ReadonlySet<string> {
  const page = new TextDecoder().decode(files.get('index.html'));
  return new Set(['index.html', ...[...page.matchAll(/(?:href|src)="\.\/([^"]+)"/g)].map(([, name = '']) => name)]);
}

/** Checks that a first view is small, and that an idle visit requests nothing else. */
export function checkFirstView(
  files: ReadonlyMap<string, Uint8Array>,
  events?: { readonly requests: readonly string[]; readonly url: string },
): void {
  const named = firstView(files);
  const bytes = [...named].reduce((sum, name) => sum + gzipSync(files.get(name) ?? '').length, 0);
  check(
    `the first view, its emulator included, has ${Math.round(bytes / 1000)} KB compressed`,
    bytes < 330_000 && bytes > 10_000,
  );
  if (events === undefined) return;
  const names = events.requests
    .filter((one) => one.startsWith('http'))
    .map((one) => one.replace(events.url, '') || 'index.html');
  const others = names.filter((name) => !named.has(name) && !beside.includes(name));
  check(
    `and a visit loads nothing else before the engine ${others.join(' ')}`,
    others.length === 0 && names.length >= named.size,
  );
}

/** Adds a chart from the list, such as `web 1.4.2`. */
export async function addChart(page: ConsolePage, label: string): Promise<void> {
  await page.locator('.add-chart button:not([disabled])').click();
  await page.waitForSelector('dialog[open]');
  await page.locator('dialog[open] .palette-search').fill(label);
  await page.keyboard.press('Enter');
}

/** Waits until the manifest has an object with a name. */
export function untilOutlined(page: ConsolePage, name: string): Promise<void> {
  const code = `[...document.querySelectorAll('.outline-row')].some((row) => row.textContent.includes(${JSON.stringify(` ${name}`)}))`;
  return until(`${name} in the outline`, () => page.evaluate<boolean>(code), 30);
}

/** Returns the archive of a chart with one template. */
export function chartArchive(name: string, template: string): Uint8Array {
  const files = {
    'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`,
    'templates/map.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata:\n  ${template}\n`,
  };
  return packChart(name, new Map(Object.entries(files).map(([file, text]) => [file, new TextEncoder().encode(text)])));
}

/** Provides a file in the page without the console knowing it. */
export async function takeFile(page: ConsolePage, name: string, bytes: Uint8Array): Promise<void> {
  await page.evaluate(`(() => {
    const bytes = Uint8Array.from(atob(${JSON.stringify(Buffer.from(bytes).toString('base64'))}), (char) => char.charCodeAt(0));
    window.inHand = new File([bytes], ${JSON.stringify(name)});
  })()`);
}

/** Drops the provided file onto the page. */
export async function dropTaken(page: ConsolePage): Promise<void> {
  await page.evaluate(`(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(window.inHand);
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  })()`);
}

/** Drops files and folders of this machine onto the page, as a user does. */
export async function dropPaths(page: ConsolePage, paths: readonly string[]): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'])
    await devtools.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data });
}

/** Drops a file onto the page. */
export async function dropFile(page: ConsolePage, name: string, bytes: Uint8Array): Promise<void> {
  await takeFile(page, name, bytes);
  await dropTaken(page);
}
