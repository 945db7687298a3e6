// The fixture of the console's specs: `consoleTest` and `demoTest` start a server and a browser for a spec, and give each test a page with
// empty storage, reset data, and a check that it threw no error and requested nothing from elsewhere.

import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { execa } from 'execa';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { bundleDemo } from '../../../scripts/build/demo.ts';
import { launchChromium } from '../../../scripts/dev/tools/chromium.ts';
import { launchFirefox } from '../../../scripts/dev/tools/firefox.ts';
import { listen } from '../../support/loopback.ts';
import { ConsolePage } from './console-page.ts';

const root = join(import.meta.dirname, '../../..');

/** Whether the console is tested in Firefox: DRYDOCK_BROWSER=firefox. */
export const isFirefox = process.env.DRYDOCK_BROWSER === 'firefox';

/** The options of a test that Firefox cannot run, with the reason. */
export function skipInFirefox(reason: string): { readonly skip: string | false } {
  return { skip: isFirefox && reason };
}

/** Starts the browser: Chromium, or Firefox if DRYDOCK_BROWSER=firefox. */
function launchBrowser(): Promise<Browser> {
  return isFirefox ? launchFirefox() : launchChromium({ isLean: true });
}

/** A running console. */
export interface Site {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts `drydock serve` with further arguments. */
export async function startConsole(args: readonly string[] = []): Promise<Site> {
  const command = ['--import', 'tsx', 'emulator/cli/main.node.ts', 'serve', '--port', '0', '--json', ...args];
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

/** The files of a static site by path. */
export type SiteFiles = ReadonlyMap<string, Uint8Array>;

const types: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript', css: 'text/css' };

/** Serves files below a path like a static host: compressed, and nothing else. */
async function serveFiles(files: SiteFiles, path = '/'): Promise<Site> {
  const packed = new Map([...files].map(([name, content]) => [name, gzipSync(content)]));
  const server = createServer((request, response) => {
    const name = (request.url ?? '').replace(path, '').replace(/\?.*/, '') || 'index.html';
    const content = request.url?.startsWith(path) ? packed.get(name) : undefined;
    if (content === undefined) return void response.writeHead(404).end();
    response.setHeader('Content-Encoding', 'gzip');
    response.setHeader('Content-Type', types[name.split('.').at(-1) ?? ''] ?? 'text/plain').end(content);
  });
  const { host, stop } = await listen(server);
  return { url: `http://${host}${path}`, stop };
}

/** What a test gets. */
export interface Fixture {
  readonly page: Page;
  readonly app: ConsolePage;
  readonly context: BrowserContext;
  readonly browser: Browser;
  /** The address of the console. */
  readonly url: string;
  /** The files of the demo; empty if the console is served. */
  readonly files: SiteFiles;
  /** Stops the server, for the rest of the spec or `describe`. */
  readonly stop: () => Promise<void>;
}

/** Adds a test of a page of the console. */
export type PageTest = (
  title: string,
  run: (fixture: Fixture) => Promise<void>,
  options?: { readonly skip: string | false },
) => void;

/**
 * Returns a function that adds tests of the served console. `args` are further arguments of `drydock serve`, `chart` is in the Order when a
 * test starts.
 */
export function consoleTest(args: readonly string[] = [], chart?: string): PageTest {
  return pageTest(async () => ({ site: await startConsole(args), files: new Map() }), chart);
}

/** Returns a function that adds tests of the static demo, hosted below a path. */
export function demoTest(path = '/', bundle: () => Promise<SiteFiles> = bundleDemo): PageTest {
  return pageTest(async () => {
    const files = await bundle();
    return { site: await serveFiles(files, path), files };
  });
}

function pageTest(start: () => Promise<{ readonly site: Site; readonly files: SiteFiles }>, chart?: string): PageTest {
  let started: Awaited<ReturnType<typeof start>>;
  let browser: Browser;
  before(async () => {
    started = await start();
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await started?.site.stop();
  });
  return (title, run, options = { skip: false }) =>
    void test(title, options, async () => {
      const { site, files } = started;
      if (files.size === 0) await resetServer(site.url);
      const context = await openContext(browser);
      const problems = watch(context, site.url, files);
      const page = await context.newPage();
      try {
        await page.goto(site.url);
        const app = new ConsolePage(page);
        if (chart !== undefined) await app.addRendered(chart);
        await run({ page, app, context, browser, url: site.url, files, stop: site.stop });
      } catch (failure) {
        await saveScreenshot(page, title);
        throw failure;
      } finally {
        await context.close();
      }
      assert.deepEqual(problems, []);
    });
}

/** Opens a context whose pages have the size of a laptop's screen. */
export async function openContext(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  // esbuild wraps named functions in a call of this one, also in code that runs in the page.
  await context.addInitScript('globalThis.__name = (named) => named');
  return context;
}

async function resetServer(url: string): Promise<void> {
  for (const [method, path] of [
    ['POST', 'reset'],
    ['DELETE', 'files'],
    ['DELETE', 'requests'],
  ]) {
    const { ok, status } = await fetch(`${url}__drydock/${path}`, { method: method! });
    assert.ok(ok, `${method} ${path} answered ${status}`);
  }
}

/** Collects errors that pages throw or log, and requests for anything but the console's own files. */
function watch(context: BrowserContext, url: string, files: SiteFiles): readonly string[] {
  const problems: string[] = [];
  const isOwn = (address: string): boolean =>
    /^(?:data|blob|about):/.test(address) ||
    (files.size === 0
      ? address.startsWith(url)
      : files.has(address.replace(url, '').replace(/#.*/, '') || 'index.html'));
  context.on('weberror', (error) => void problems.push(error.error().message));
  context.on('request', (request) => {
    if (!isOwn(request.url())) problems.push(`requested ${request.url()}`);
  });
  context.on('console', (message) => {
    // Browsers log responses with an error status, which tests ask for.
    if (message.type() === 'error' && !/status of \d{3}/.test(message.text())) problems.push(message.text());
  });
  context.on('page', (page) => page.on('crash', () => void problems.push('the page crashed')));
  return problems;
}

async function saveScreenshot(page: Page, title: string): Promise<void> {
  const path = join(await mkdtemp(join(tmpdir(), 'drydock-failed-')), `${title.replace(/\W+/g, '-')}.png`);
  await page.screenshot({ path }).then(
    () => console.error(`screenshot: ${path}`),
    () => undefined,
  );
}
