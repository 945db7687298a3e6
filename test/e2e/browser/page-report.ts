// Runs a program in a page of Chromium.

import { launchChromium } from '../../../scripts/dev/tools/chromium.ts';
import { serveContent, until } from '../../../scripts/dev/tools/tools.ts';

/** Options for `reportOfPage`. */
export interface PageOptions {
  /** The content security policy of the page. */
  readonly policy?: string;
  /** The time that the program may take. Default 120. */
  readonly seconds?: number;
}

const html =
  '<!doctype html><meta charset="utf-8"><title>drydock</title><script type="module" src="/page.js"></script>';

/** Opens a page that loads `/page.js` from `content`. Returns the value to which the program sets `window.report`, and the browser's version. */
export async function reportOfPage<Report>(
  content: Readonly<Record<string, string | Uint8Array>>,
  { policy = '', seconds = 120 }: PageOptions = {},
): Promise<{ readonly report: Report; readonly version: string }> {
  const { url, close } = await serveContent({ '/': html, ...content }, policy);
  const browser = await launchChromium({ isLean: true });
  try {
    const page = await browser.newPage();
    page.on('pageerror', (error) => console.log(`    page: ${error.message}`));
    await page.goto(url);
    // Polled from outside, because `waitForFunction` evaluates code in the page, which its policy may forbid.
    await until('the page reports its results', () => page.evaluate<boolean>('window.report !== undefined'), seconds);
    return { report: await page.evaluate<Report>('window.report'), version: browser.version() };
  } finally {
    await browser.close();
    close();
  }
}
