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

/** Starts the browser; downloads it once, some 70 MB. A lean one has a separate process for each page, and no WebGL. */
export async function launchChromium({ isLean = false } = {}): Promise<Browser> {
  const packed = await loadPacked();
  return chromium.launch({
    executablePath: await packed.executablePath(),
    args: isLean ? leanArgs : packed.args,
    headless: true,
  });
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
