// The Firefox of this machine (Debian: `firefox-esr`), driven over WebDriver BiDi, so that Playwright's own build is not needed. Versions of
// Playwright after 1.61.0 send a command that the ESR of Firefox does not have.

import { type Browser, firefox } from 'playwright-core';

// A headless browser has no pointer, and the page would use its touch layout: these report a mouse.
const firefoxUserPrefs = { 'ui.primaryPointerCapabilities': 6, 'ui.allPointerCapabilities': 6 };

/** Starts the browser without a window. Rejects if `firefox-esr` is not installed. */
export function launchFirefox(): Promise<Browser> {
  return firefox.launch({
    channel: 'moz-firefox',
    executablePath: '/usr/bin/firefox-esr',
    headless: true,
    firefoxUserPrefs,
  });
}
