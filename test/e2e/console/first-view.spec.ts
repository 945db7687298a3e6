// Tests that the static demo starts at once: its size and the time until it can be used on slow devices.

import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, CDPSession, Page } from 'playwright-core';

import { checkFirstViewSize, demoTest, firstView, openContext, skipInFirefox } from './fixture.ts';

const test = demoTest();
const slowdown = skipInFirefox('the driver cannot slow down the page');

test('the first view is small, and an idle visit requests nothing else', async ({ page, files, url }) => {
  checkFirstViewSize(files);
  const names: string[] = [];
  page.on('request', (request) => {
    if (request.url().startsWith('http')) names.push(request.url().replace(url, '') || 'index.html');
  });
  await page.reload();
  await page.locator('.add-chart button:enabled').waitFor();
  await delay(500);
  // The demo's content, the engine and the service worker, which loads all files later, in its own thread.
  const beside = ['given.js', 'render-worker.js', 'sw.js'];
  const own = firstView(files);
  assert.ok(names.length >= own.length);
  assert.deepEqual(
    names.filter((name) => !own.includes(name) && !beside.includes(name)),
    [],
  );
});

/** Opens a page with a quarter of the processor and empty storage. */
async function openSlowPage(browser: Browser): Promise<{ readonly page: Page; readonly devtools: CDPSession }> {
  const context = await openContext(browser);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  return { page, devtools };
}

/** Milliseconds from the start of a visit until the page can be used: the end of its last long task before that. */
async function timeUntilUsable(browser: Browser, url: string): Promise<number> {
  const { page } = await openSlowPage(browser);
  await page.goto(url);
  await page.locator('.add-chart button').waitFor();
  // The palette opening is the response to a key press.
  await page.keyboard.press('Control+k');
  await page.locator('dialog[open]').waitFor();
  const time = await page.evaluate(async () => {
    const entries = await new Promise<PerformanceEntry[]>((resolve) => {
      new PerformanceObserver((list) => resolve(list.getEntries())).observe({ type: 'longtask', buffered: true });
      setTimeout(() => resolve([]), 200);
    });
    const [paint] = performance.getEntriesByName('first-contentful-paint');
    const ends = entries.map(({ startTime, duration }) => startTime + duration);
    return Math.max(paint!.startTime, ...ends.filter((end) => end < performance.now()));
  });
  await page.context().close();
  return time;
}

test(
  'can be used within 1.5 seconds with a quarter of the processor',
  async ({ page, browser, url }) => {
    await page.close();
    const limit = 1500;
    const times: number[] = [];
    // Other load makes a visit longer, never shorter, so the fastest counts. If the first five were all delayed, more are tried.
    while (times.length < 5 || (times.length < 15 && Math.min(...times) >= limit))
      times.push(await timeUntilUsable(browser, url));
    assert.ok(Math.min(...times) < limit, `${times.map(Math.round).join(', ')} ms`);
  },
  slowdown,
);

interface PhoneVisit {
  /** Milliseconds until the first content, and until an example is rendered. */
  readonly content: number;
  readonly rendered: number;
  /** The Cumulative Layout Shift meanwhile. */
  readonly shift: number;
}

/** Visits on a phone with the "slow 4G" of Lighthouse. */
async function visitOnPhone(browser: Browser, url: string): Promise<PhoneVisit> {
  const { page, devtools } = await openSlowPage(browser);
  await page.setViewportSize({ width: 390, height: 844 });
  await devtools.send('Network.enable');
  const throughput = { downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8 };
  await devtools.send('Network.emulateNetworkConditions', { offline: false, latency: 150, ...throughput });
  const started = performance.now();
  await page.goto(url);
  await page.locator('.start-card:enabled').first().click();
  await page.locator('.outline-row').first().waitFor({ state: 'attached', timeout: 60_000 });
  const rendered = performance.now() - started;
  const { content, shift } = await page.evaluate(async () => {
    interface Shift extends PerformanceEntry {
      readonly hadRecentInput: boolean;
      readonly value: number;
    }
    const shifts = await new Promise<Shift[]>((resolve) => {
      new PerformanceObserver((list) => resolve(list.getEntries() as Shift[])).observe({
        type: 'layout-shift',
        buffered: true,
      });
      setTimeout(() => resolve([]), 500);
    });
    const unexpected = shifts.filter(({ hadRecentInput }) => !hadRecentInput);
    return {
      content: performance.getEntriesByName('first-contentful-paint')[0]!.startTime,
      shift: unexpected.reduce((sum, { value }) => sum + value, 0),
    };
  });
  await page.context().close();
  return { content, rendered, shift };
}

test(
  'an example is rendered within 6 seconds on a slow phone, and the page does not shift',
  async ({ page, browser, url }) => {
    await page.close();
    const visits: PhoneVisit[] = [];
    for (let count = 0; count < 3; count++) visits.push(await visitOnPhone(browser, url));
    const best = (name: keyof PhoneVisit): number => Math.min(...visits.map((visit) => visit[name]));
    const times = JSON.stringify(visits);
    assert.ok(best('content') < 2000, times);
    assert.ok(best('rendered') < 6000, times);
    assert.ok(best('shift') < 0.02, times);
  },
  slowdown,
);
