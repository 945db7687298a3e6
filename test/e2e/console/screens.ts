// Every screen of the console, and the checks that each must pass, served or in the demo: it fits, axe-core finds nothing serious, and the
// Tab key reaches every control.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { check, until } from '../../../scripts/dev/tools/tools.ts';
import { type ConsolePage, isFirefox } from './page.ts';

const { source: axe } = createRequire(import.meta.url)('axe-core') as { source: string };

/** A screen, and how to reach it from the current page: a stored Order of the chart web 1.4.2. */
export interface Screen {
  readonly name: string;
  readonly hash: string;
  /** Of the Order's screen. */
  readonly tab?: string;
  readonly key?: string;
  readonly sees: string;
}

// The request of the screen itself; the previous screen may have made one too.
const answered = (name: string): string => `.page-body > .request:has-text("/${name}") .tag`;
const writing = { form: 'Form', patch: 'Patch', order: 'Order YAML', values: 'Values' } as const;

/** The screens. */
export const screens: readonly Screen[] = [
  { name: 'manifest', hash: '#/orders', tab: 'Manifest', sees: '.outline-row' },
  { name: 'resources', hash: '#/orders', tab: 'Resources', sees: '.resource' },
  { name: 'images', hash: '#/orders', tab: 'Images', sees: '.images' },
  { name: 'computed', hash: '#/orders', tab: 'Computed values', sees: '.row-item' },
  { name: 'scripts', hash: '#/orders', tab: 'Scripts', sees: '.preview-body .cm-line:has-text("#!/bin/sh")' },
  { name: 'notes', hash: '#/orders', tab: 'Notes', sees: '.preview-body .text-block' },
  { name: 'checks', hash: '#/orders', tab: 'Checks', sees: '.preview-body .issues, .preview-body .empty' },
  { name: 'compare', hash: '#/orders', tab: 'Compare', sees: '.preview-body .compare-choice' },
  { name: 'form', hash: '#/orders', tab: writing.form, sees: '.form-fields > *' },
  { name: 'patch', hash: '#/orders', tab: writing.patch, sees: '.values-chart .cm-content' },
  { name: 'order', hash: '#/orders', tab: writing.order, sees: '.writing .cm-content' },
  { name: 'values', hash: '#/orders', tab: writing.values, sees: '.values-chart .cm-content' },
  { name: 'palette', hash: '#/orders', key: 'Control+k', sees: 'dialog[open] .palette-item' },
  { name: 'all-charts', hash: '#/charts', sees: '.chart-link' },
  { name: 'charts', hash: '#/charts/web/1.4.2', sees: '.chart-part .cm-content' },
  { name: 'stored', hash: '#/stored', sees: '.table' },
  { name: 'users', hash: '#/users', sees: '.chart-link' },
  { name: 'profile', hash: '#/users/ada', sees: '.profile' },
  ...['emails', 'followers', 'following', 'orgs', 'teams', 'clusters', 'credentials', 'buckets', 'inbox', 'tokens'].map(
    (name) => ({ name, hash: `#/users/ada/${name}`, sees: answered(name) }),
  ),
  { name: 'locked', hash: '#/users/gus', sees: '.page-body .fault' },
  ...['requests', 'scenarios', 'faults', 'clock', 'snapshots', 'worlds'].map((name) => ({
    name,
    hash: `#/control/${name}`,
    sees: answered(name),
  })),
  { name: 'all-calls', hash: '#/api', sees: '.group-title' },
  { name: 'api', hash: '#/api/addEmails', sees: '.call' },
  { name: 'api-password', hash: '#/api/createToken', sees: '.call' },
  { name: 'nowhere', hash: '#/nowhere', sees: '.empty' },
];

/** Shows a screen at a width; returns a function that leaves it. */
export async function show(
  page: ConsolePage,
  { hash, tab, key, sees }: Screen,
  width: number,
): Promise<() => Promise<void>> {
  // The previous screen may have the element that identifies this one.
  await page.evaluate(`(async () => {
    if (location.hash === ${JSON.stringify(hash)}) return;
    const changed = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }));
    location.hash = ${JSON.stringify(hash)};
    await changed;
    for (let count = 0; count < 2; count++) await new Promise((resolve) => requestAnimationFrame(resolve));
  })()`);
  if (tab !== undefined) {
    await page.waitForSelector('.orders');
    const isWritten = (Object.values(writing) as readonly string[]).includes(tab);
    if (width <= 900) await page.getByRole('tab', { name: isWritten ? 'Edit' : 'Preview', exact: true }).click();
    await page.getByRole('tab', { name: new RegExp(`^${tab}`) }).click();
  }
  if (key !== undefined) await page.keyboard.press(key);
  await page.waitForSelector(sees);
  return async () => {
    if (key === undefined) return;
    await page.keyboard.press('Escape');
    await page.waitForSelector('body:not(:has(dialog[open]))');
  };
}

// The Firefox driver cannot switch to the dark scheme, which only affects colors.
const widths = isFirefox ? [1440, 1024, 390] : [1440, 820, 360];
const schemes = isFirefox ? (['light'] as const) : (['light', 'dark'] as const);

/** Checks every screen at three widths, light and dark. */
export async function lookEverywhere(page: ConsolePage, shots?: string): Promise<void> {
  await until('silence', () => page.evaluate<boolean>("document.querySelector('.said').hidden"), 30);
  const found: string[] = [];
  let looks = 0;
  for (const width of widths) {
    await page.setViewportSize({ width, height: width < 400 ? 740 : 900 });
    for (const screen of screens) {
      const leave = await show(page, screen, width);
      for (const colorScheme of schemes) {
        if (!isFirefox) await page.emulateMedia({ colorScheme });
        const place = `${screen.name}-${width}-${colorScheme}`;
        if (shots !== undefined) await page.screenshot({ path: join(shots, `${place}.png`) });
        const faults = await faultsOf(page, colorScheme === 'dark');
        found.push(...faults.map((fault) => `${place}: ${fault}`));
        looks++;
      }
      await leave();
    }
  }
  if (!isFirefox) await page.emulateMedia({ colorScheme: 'light' });
  for (const line of found) console.log(`    ${line}`);
  check(`${looks} looks: axe finds nothing serious, and nothing sticks out of the page`, found.length === 0);
}

// On a phone, controls are at least 44 pixels high, except links within text.
const smallTargets = `innerWidth > 560 ? [] :
  [...document.querySelectorAll('button:not(.skip), select, input[type=text], input[type=search], textarea, summary, nav a')]
    .filter((one) => one.checkVisibility())
    .map((one) => [one, one.getBoundingClientRect()])
    .filter(([, { width, height }]) => width > 1 && height < 43.5)
    .map(([one, { height }]) => Math.round(height) + ' pixels high: ' + one.outerHTML.slice(0, 100))`;

/** Returns the problems of a page. The dark theme only differs in colors. */
export async function faultsOf(page: ConsolePage, isDark = false): Promise<string[]> {
  const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  const tooWide = wide > 0 ? [`${wide} pixels stick out`] : [];
  const small = await page.evaluate<readonly string[]>(smallTargets);
  // The script stays in the page until it is left.
  await page.evaluate(`window.axe || (() => { ${axe} })()`);
  const found = await page.evaluate<readonly string[]>(`(async () => {
    const { violations } = await axe.run(document, { resultTypes: ['violations'], ${isDark ? "runOnly: ['color-contrast']" : ''} });
    return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => id + ' ' + nodes.slice(0, 3).map(({ html, any }) => html.slice(0, 120) + ' ' + (any[0]?.message ?? '')).join(' | '));
  })()`);
  return [...found, ...tooWide, ...small];
}

// More than any screen has.
const mostTabs = 400;

/** The Tab key reaches every visible control on each screen, and leaves every editor. */
export async function tabThrough(page: ConsolePage, width: number): Promise<void> {
  await page.setViewportSize({ width, height: width < 500 ? 740 : 900 });
  const missed: string[] = [];
  for (const screen of screens) {
    // An open dialog keeps the focus.
    if (screen.key !== undefined) continue;
    await show(page, screen, width);
    await page.evaluate(`(() => {
      document.activeElement?.blur();
      const isSeen = (one) => one.checkVisibility() && !one.disabled && one.tabIndex >= 0;
      const all = document.querySelectorAll('a[href], button, input, select, textarea, summary, .code-host');
      window.left = new Set([...all].filter(isSeen));
    })()`);
    for (let count = 0; count < mostTabs; count++) {
      await page.keyboard.press('Tab');
      const left = await page.evaluate<number>('(window.left.delete(document.activeElement), window.left.size)');
      if (left === 0) break;
    }
    // An element that was rendered again meanwhile, such as a log row, is a different one.
    const left = await page.evaluate<readonly string[]>(
      '[...window.left].filter((one) => one.isConnected).map((one) => one.outerHTML.slice(0, 100))',
    );
    missed.push(...left.map((one) => `${screen.name}: ${one}`));
  }
  for (const line of missed) console.log(`    ${line}`);
  check(`Tab reaches every control of ${screens.length - 1} screens on ${width} pixels`, missed.length === 0);
}
