// Headless Chromium for end-to-end tests, from the npm registry. Newer packages need Node 22; this one runs on Node 20.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { installTools } from './tools.ts';

interface Chromium {
  readonly default: { readonly args: string[]; executablePath(): Promise<string> };
}

// Without WebGL, which crashes on a busy machine.
const leanArgs = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--headless=shell'];

/**
 * Starts the browser; downloads it once, some 70 MB. A lean one has a separate process for each page, and no WebGL. With DRYDOCK_SLOW=4 in
 * the environment each page gets a quarter of the processor, which reveals tests that do not wait long enough.
 */
export async function launchChromium({ isLean = false } = {}): Promise<Browser> {
  const packed = await loadPacked();
  const browser = await chromium.launch({
    executablePath: await packed.executablePath(),
    args: isLean ? leanArgs : packed.args,
    headless: true,
  });
  const rate = Number(process.env.DRYDOCK_SLOW ?? 1);
  if (rate > 1) slowDown(browser, rate);
  return browser;
}

// Every page, however it is opened: `browser.newPage` opens a context too.
function slowDown(browser: Browser, rate: number): void {
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    const newPage = context.newPage.bind(context);
    context.newPage = async () => {
      const page = await newPage();
      await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate });
      return page;
    };
    return context;
  };
}

/** Returns the path of the browser; downloads it once. */
export async function chromiumPath(): Promise<string> {
  return (await loadPacked()).executablePath();
}

async function loadPacked(): Promise<Chromium['default']> {
  const { folder } = await installTools('chromium', ['@sparticuz/chromium@147.0.0']);
  const entry = createRequire(join(folder, 'package.json')).resolve('@sparticuz/chromium');
  return ((await import(pathToFileURL(entry).href)) as Chromium).default;
}
