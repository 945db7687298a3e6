// Takes the screenshots of the docs: `npm run docs -- screenshots`. Writes them to fixtures/screenshots.

import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openContext, startConsole } from '../../test/e2e/console/fixture.ts';
import { launchChromium } from '../dev/tools/chromium.ts';

const folder = join(import.meta.dirname, '../../fixtures/screenshots');

interface Screenshot {
  readonly name: string;
  readonly width: number;
  readonly scheme: 'light' | 'dark';
  /** Navigates from a new page of the console to the view. */
  readonly steps: (page: Page) => Promise<void>;
}

/** Opens the shop example and waits until it is rendered. */
async function openShop(page: Page): Promise<void> {
  await page.locator('.start-card:has-text("Shop")').click();
  await page.waitForSelector('.package-about:has-text("object")');
}

async function showScreen(page: Page, hash: string, selector: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  await page.waitForSelector(selector);
}

const screenshots: readonly Screenshot[] = [
  {
    name: 'start',
    width: 1440,
    scheme: 'light',
    steps: async (page) => {
      await page.waitForSelector('.start-card');
      await page.waitForSelector('.start-recent');
    },
  },
  {
    name: 'order',
    width: 1440,
    scheme: 'light',
    steps: async (page) => {
      await openShop(page);
      await page.locator('.package-choice:has-text("storefront")').click();
      await page.waitForSelector('#value-replicaCount');
      await page.locator('#value-replicaCount').fill('4');
      await page.keyboard.press('Tab');
      await page.waitForSelector('.outline-changes');
      await page.locator('.outline-changes').click();
      await page.waitForSelector('.manifest .cm-line:has-text("replicas: 4")');
      await page.locator('.manifest .cm-line:has-text("replicas: 4")').click();
      await page.waitForSelector('.why-values');
    },
  },
  {
    name: 'order-phone',
    width: 390,
    scheme: 'dark',
    steps: async (page) => {
      await openShop(page);
      await page.getByRole('tab', { name: 'Preview' }).click();
      await page.waitForSelector('.outline-row');
    },
  },
  {
    name: 'profile',
    width: 1440,
    scheme: 'dark',
    steps: (page) => showScreen(page, '#/users/ada', '.profile-section li'),
  },
  {
    name: 'scenarios',
    width: 1440,
    scheme: 'light',
    steps: (page) => showScreen(page, '#/control/scenarios', 'tr:has-text("flaky")'),
  },
];

await mkdir(folder, { recursive: true });
for (const file of await readdir(folder)) await rm(join(folder, file));
const server = await startConsole(['--now', '2026-01-15T09:30:00Z']);
const browser = await launchChromium();
try {
  for (const { name, width, scheme, steps } of screenshots) {
    const page = await (await openContext(browser)).newPage();
    await page.setViewportSize({ width, height: width < 600 ? 800 : 900 });
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    // Pages of one origin share browser storage.
    await page.goto(`${server.url}api/v1/version`);
    await page.evaluate('localStorage.clear()');
    await page.goto(server.url);
    await page.waitForSelector('.demo-item');
    await steps(page);
    // A click scrolls an editor to its middle.
    await page.evaluate(
      "document.querySelector('.manifest .code-host')?.shadowRoot.querySelector('.cm-scroller').scrollTo({ left: 0 })",
    );
    // Notifications are gone.
    await page.waitForSelector('.said', { timeout: 20_000, state: 'hidden' });
    await page.screenshot({ path: join(folder, `${name}.png`) });
    await page.close();
    console.log(`${name}.png`);
  }
} finally {
  await browser.close();
  await server.stop();
}
