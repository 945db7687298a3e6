// The Firefox of this machine (Debian: `firefox-esr`), driven over WebDriver BiDi, so that Playwright's own build is not needed. Versions of
// Playwright after this one send a command that the ESR of Firefox does not have.

import type { Browser } from './chromium.ts';
import { installTools } from './tools.ts';

interface Playwright {
  readonly firefox: { launch(options: object): Promise<Browser> };
}

// A headless browser has no pointer, and the page would use its touch layout: these report a mouse.
const firefoxUserPrefs = { 'ui.primaryPointerCapabilities': 6, 'ui.allPointerCapabilities': 6 };

/** Starts the browser without a window. Rejects if `firefox-esr` is not installed. */
export async function launchFirefox(): Promise<Browser> {
  const tools = await installTools('firefox', ['playwright-core@1.61.0']);
  const { firefox } = tools.load<Playwright>('playwright-core');
  return firefox.launch({
    channel: 'moz-firefox',
    executablePath: '/usr/bin/firefox-esr',
    headless: true,
    firefoxUserPrefs,
  });
}
