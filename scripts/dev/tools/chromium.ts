// Headless Chromium for end-to-end tests, from the npm registry. Newer packages need Node 22; this one runs on Node 20.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installTools } from './tools.ts';

/** The methods of playwright-core's Page that tests use. */
export interface Page {
  goto(url: string): Promise<unknown>;
  reload(): Promise<unknown>;
  close(): Promise<void>;
  context(): { newPage(): Promise<Page> };
  on(event: 'console', listener: (message: { text(): string }) => void): void;
  on(event: 'pageerror', listener: (error: Error) => void): void;
  waitForFunction(expression: string, argument?: undefined, options?: { timeout: number }): Promise<unknown>;
  evaluate<Result>(expression: string): Promise<Result>;
}

/** The methods of playwright-core's Browser that tests use. */
export interface Browser {
  newPage(): Promise<Page>;
  newContext(): Promise<{ newPage(): Promise<Page> }>;
  version(): string;
  close(): Promise<void>;
}

interface Playwright {
  readonly chromium: { launch(options: object): Promise<Browser> };
}

interface Chromium {
  readonly default: { readonly args: readonly string[]; executablePath(): Promise<string> };
}

const packages = ['@sparticuz/chromium@147.0.0', 'playwright-core@1.65.1'];

// Without WebGL, which crashes on a busy machine.
const leanArgs = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--headless=shell'];

/**
 * Starts the browser; downloads it once, some 70 MB. A lean one has a separate process for each page, and no WebGL. With DRYDOCK_SLOW=4 in
 * the environment each page gets a quarter of the processor, which reveals tests that do not wait long enough.
 */
export async function launchChromium({ isLean = false } = {}): Promise<Browser> {
  const tools = await installTools('chromium', packages);
  const { chromium } = tools.load<Playwright>('playwright-core');
  const packed = await loadPacked();
  const browser = await chromium.launch({
    executablePath: await packed.executablePath(),
    args: isLean ? leanArgs : packed.args,
    headless: true,
  });
  const rate = Number(process.env.DRYDOCK_SLOW ?? 1);
  return rate > 1 ? slowed(browser, rate) : browser;
}

interface Devtools {
  send(method: string, options: object): Promise<unknown>;
}

interface Context {
  newPage(): Promise<Page>;
  newCDPSession(page: Page): Promise<Devtools>;
}

// Every page, however it is opened.
function slowed(browser: Browser, rate: number): Browser {
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async () => {
    const context = (await newContext()) as unknown as Context;
    const newPage = context.newPage.bind(context);
    context.newPage = async () => {
      const page = await newPage();
      await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate });
      return page;
    };
    return context;
  };
  browser.newPage = async () => (await browser.newContext()).newPage();
  return browser;
}

/** Returns the path of the browser; downloads it once. */
export async function chromiumPath(): Promise<string> {
  return (await loadPacked()).executablePath();
}

async function loadPacked(): Promise<Chromium['default']> {
  const { folder } = await installTools('chromium', packages);
  const entry = createRequire(join(folder, 'package.json')).resolve('@sparticuz/chromium');
  return ((await import(pathToFileURL(entry).href)) as Chromium).default;
}
