// Every screen of the console, and the checks that each must pass, served or in the demo.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import type { ConsolePage } from './console-page.ts';
import { isFirefox, type PageTest, skipInFirefox } from './fixture.ts';

const { source: axe } = createRequire(import.meta.url)('axe-core') as { source: string };

/** A screen, and how to reach it from the current page: a saved Order of the chart web 1.4.2. */
interface Screen {
  readonly name: string;
  readonly hash: string;
  /** Of the Order's screen. */
  readonly tab?: string;
  readonly key?: string;
  /** Selects an element that only this screen has. */
  readonly shows: string;
}

// The request of the screen itself; the previous screen may have made one too.
const requested = (name: string): string => `.page-body > .request:has-text("/${name}") .tag`;
const editorTabs: readonly string[] = ['Form', 'Patch', 'Order YAML', 'Values'];

const screens: readonly Screen[] = [
  { name: 'manifest', hash: '#/orders', tab: 'Manifest', shows: '.outline-row' },
  { name: 'resources', hash: '#/orders', tab: 'Resources', shows: '.resource' },
  { name: 'images', hash: '#/orders', tab: 'Images', shows: '.images' },
  { name: 'computed', hash: '#/orders', tab: 'Computed values', shows: '.row-item' },
  { name: 'scripts', hash: '#/orders', tab: 'Scripts', shows: '.preview-body .cm-line:has-text("#!/bin/sh")' },
  { name: 'notes', hash: '#/orders', tab: 'Notes', shows: '.preview-body .text-block' },
  { name: 'checks', hash: '#/orders', tab: 'Checks', shows: '.preview-body .issues, .preview-body .empty' },
  { name: 'compare', hash: '#/orders', tab: 'Compare', shows: '.preview-body .compare-choice' },
  { name: 'form', hash: '#/orders', tab: 'Form', shows: '.form-fields > *' },
  { name: 'patch', hash: '#/orders', tab: 'Patch', shows: '.values-chart .cm-content' },
  { name: 'order', hash: '#/orders', tab: 'Order YAML', shows: '.writing .cm-content' },
  { name: 'values', hash: '#/orders', tab: 'Values', shows: '.values-chart .cm-content' },
  { name: 'palette', hash: '#/orders', key: 'Control+k', shows: 'dialog[open] .palette-item' },
  { name: 'all-charts', hash: '#/charts', shows: '.chart-link' },
  { name: 'charts', hash: '#/charts/web/1.4.2', shows: '.chart-part .cm-content' },
  { name: 'stored', hash: '#/stored', shows: '.table' },
  { name: 'users', hash: '#/users', shows: '.chart-link' },
  { name: 'profile', hash: '#/users/ada', shows: '.profile' },
  ...['emails', 'followers', 'following', 'orgs', 'teams', 'clusters', 'credentials', 'buckets', 'inbox', 'tokens'].map(
    (name) => ({ name, hash: `#/users/ada/${name}`, shows: requested(name) }),
  ),
  { name: 'locked', hash: '#/users/gus', shows: '.page-body .fault' },
  ...['requests', 'scenarios', 'faults', 'snapshots', 'worlds'].map((name) => ({
    name,
    hash: `#/control/${name}`,
    shows: requested(name),
  })),
  { name: 'all-calls', hash: '#/api', shows: '.group-title' },
  { name: 'api', hash: '#/api/addEmails', shows: '.call' },
  { name: 'api-password', hash: '#/api/createToken', shows: '.call' },
  { name: 'nowhere', hash: '#/nowhere', shows: '.empty' },
];

/** Shows a screen at the current width. */
async function show(app: ConsolePage, { hash, tab, key, shows }: Screen): Promise<void> {
  const { page } = app;
  // The previous screen may have the element that identifies this one.
  await app.go(hash);
  await page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
  if (tab !== undefined) {
    await page.locator('.orders').waitFor();
    const side = editorTabs.includes(tab) ? 'Edit' : 'Preview';
    if ((page.viewportSize()?.width ?? 0) <= 900) await page.getByRole('tab', { name: side, exact: true }).click();
    await app.openTab(tab);
  }
  if (key !== undefined) await page.keyboard.press(key);
  await page.locator(shows).first().waitFor();
}

/** Closes an open dialog. */
async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.locator('dialog[open]').waitFor({ state: 'detached' });
}

/** Runs a check on every screen, and reports the problems with the name of the screen. */
async function problemsOfScreens(
  app: ConsolePage,
  check: (screen: Screen) => Promise<readonly string[]>,
): Promise<string[]> {
  const problems: string[] = [];
  for (const screen of screens) {
    await show(app, screen);
    problems.push(...(await check(screen)).map((problem) => `${screen.name}: ${problem}`));
    if (screen.key !== undefined) await closeDialog(app.page);
  }
  return problems;
}

// The Firefox driver cannot switch to the dark scheme, which only affects colors.
const schemes = isFirefox ? (['light'] as const) : (['light', 'dark'] as const);

/** Returns the problems of the current page in each color scheme. */
async function problemsInSchemes(page: Page): Promise<string[]> {
  const problems: string[] = [];
  for (const colorScheme of schemes) {
    if (!isFirefox) await page.emulateMedia({ colorScheme });
    problems.push(...(await problemsOf(page, colorScheme === 'dark')));
  }
  return problems;
}

/** Returns the problems of the current page at three widths, in each color scheme. */
export async function problemsAtWidths(page: Page): Promise<string[]> {
  const problems: string[] = [];
  for (const width of [1440, 820, 360]) {
    await page.setViewportSize({ width, height: 740 });
    problems.push(...(await problemsInSchemes(page)));
  }
  return problems;
}

/** Returns what is too wide or too small, and what axe-core finds. The dark theme only differs in colors. */
async function problemsOf(page: Page, isDark = false): Promise<string[]> {
  const layout = await page.evaluate(() => {
    const excess = document.documentElement.scrollWidth - innerWidth;
    const problems = excess > 0 ? [`${excess} pixels wider than the page`] : [];
    if (innerWidth > 560) return problems;
    // On a phone, controls are at least 44 pixels high, except links within text.
    const controls = 'button:not(.skip), select, input[type=text], input[type=search], textarea, summary, nav a';
    for (const one of document.querySelectorAll(controls)) {
      const { width, height } = one.getBoundingClientRect();
      if (one.checkVisibility() && width > 1 && height < 43.5)
        problems.push(`${Math.round(height)} pixels high: ${one.outerHTML.slice(0, 100)}`);
    }
    return problems;
  });
  // The script stays in the page until it is left.
  await page.evaluate(`window.axe || (() => { ${axe} })()`);
  const violations = await page.evaluate<readonly Violation[]>(
    `axe.run(document, { resultTypes: ['violations'] ${isDark ? ", runOnly: ['color-contrast']" : ''} }).then((found) => found.violations)`,
  );
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  return [...serious.map(({ id, nodes }) => `${id}: ${nodes.map(describeNode).join(' | ')}`), ...layout];
}

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly ViolationNode[];
}

interface ViolationNode {
  readonly html: string;
  readonly any: readonly { readonly message: string }[];
}

function describeNode({ html, any }: ViolationNode): string {
  return `${html.slice(0, 120)} ${any[0]?.message ?? ''}`;
}

/** Returns the elements that move although reduced motion is preferred. */
function moving(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('*')]
      .filter((one) => {
        const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(one);
        const lasts = transitionDuration.split(',').some((time) => Number.parseFloat(time) > 0.01);
        return lasts || animationName !== 'none' || scrollBehavior === 'smooth';
      })
      .map((one) => one.className || one.tagName),
  );
}

// More than any screen has.
const mostTabs = 400;

/** Returns the visible controls that the Tab key does not reach. It also has to leave every editor. */
async function unreachable(page: Page, { key }: Screen): Promise<string[]> {
  // An open dialog keeps the focus.
  if (key !== undefined) return [];
  const unreached = await page.evaluateHandle(() => {
    (document.activeElement as HTMLElement | null)?.blur();
    const all = document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary, .code-host');
    const isReachable = (one: HTMLElement): boolean =>
      one.checkVisibility() && !one.matches(':disabled') && one.tabIndex >= 0;
    return new Set<Element | null>([...all].filter(isReachable));
  });
  for (let count = 0; count < mostTabs; count++) {
    await page.keyboard.press('Tab');
    const isDone = await unreached.evaluate((all) => {
      all.delete(document.activeElement);
      return all.size === 0;
    });
    if (isDone) break;
  }
  // An element that was rendered again meanwhile, such as a log row, is a different one.
  return unreached.evaluate((all) =>
    [...all].filter((one) => one?.isConnected).map((one) => one?.outerHTML.slice(0, 100) ?? ''),
  );
}

/** Opens a saved Order of the chart web, without notifications. */
async function saveOrder(app: ConsolePage): Promise<void> {
  const { page } = app;
  await app.addRendered('web 1.4.2');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.locator('.said', { hasText: 'Saved' }).waitFor();
  await page.locator('.said').waitFor({ state: 'hidden' });
}

/** Adds the tests of every screen for its width and with axe-core. */
export function testAccessibility(test: PageTest, widths: readonly number[]): void {
  for (const width of widths)
    test(`every screen fits ${width} pixels and axe-core finds nothing serious`, async ({ app, page }) => {
      await saveOrder(app);
      await page.setViewportSize({ width, height: width < 400 ? 740 : 900 });
      assert.deepEqual(await problemsOfScreens(app, () => problemsInSchemes(page)), []);
    });
}

/** Adds the tests of every screen for text direction, keyboard and motion. */
export function testLayoutAndKeyboard(test: PageTest): void {
  test(
    'every screen fits 320 pixels from right to left, and nothing moves if reduced motion is preferred',
    async ({ app, page }) => {
      await saveOrder(app);
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await page.setViewportSize({ width: 320, height: 700 });
      await page.evaluate(() => {
        document.documentElement.dir = 'rtl';
      });
      const check = async (): Promise<string[]> => {
        const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        return [...(excess > 0 ? [`${excess} pixels wider than the page`] : []), ...(await moving(page))];
      };
      assert.deepEqual(await problemsOfScreens(app, check), []);
    },
    skipInFirefox('the driver cannot set the preference'),
  );

  for (const width of [1440, 320])
    test(`the Tab key reaches every control at ${width} pixels`, async ({ app, page }) => {
      await saveOrder(app);
      await page.setViewportSize({ width, height: width < 500 ? 740 : 900 });
      assert.deepEqual(await problemsOfScreens(app, (screen) => unreachable(page, screen)), []);
    });
}
