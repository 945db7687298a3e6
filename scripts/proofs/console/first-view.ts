// Proof: the static demo stands at once and fits any screen. `node --import tsx scripts/proofs/console/first-view.ts`
// Time until it can be used with a processor slowed to a quarter, best of five; every screen at 320 pixels and from right to
// left; no movement where somebody wants none; Tab alone, on the narrowest screen.

import { bundleDemo } from '../../build/demo.ts';
import { type Browser, launchChromium } from '../../tools/chromium.ts';
import { prove } from '../../tools/tools.ts';
import { addChart, type ConsolePage, listenTo, proveFirstView, serveFiles } from './page.ts';

const interactive = '.add-chart select';
const loads = 5;

/** Milliseconds from the start of a visit until the page can be used, and until its last long task before that was over. */
async function visit(browser: Browser, url: string): Promise<number> {
  const page = (await (await browser.newContext()).newPage()) as unknown as ConsolePage;
  const devtools = await page.context().newCDPSession(page);
  await page.goto('about:blank');
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await page.goto(url);
  await page.waitForSelector(interactive);
  // A key that is pressed is answered from then on: the palette opens by its own.
  await page.keyboard.press('Control+k');
  await page.waitForSelector('dialog[open], [role=dialog]');
  const time = await page.evaluate<number>(`(async () => {
    const entries = await new Promise((resolve) => {
      new PerformanceObserver((list) => resolve(list.getEntries())).observe({ type: 'longtask', buffered: true });
      setTimeout(() => resolve([]), 200);
    });
    const [paint] = performance.getEntriesByName('first-contentful-paint');
    const ends = entries.map(({ startTime, duration }) => startTime + duration);
    return Math.max(paint.startTime, ...ends.filter((end) => end < performance.now()));
  })()`);
  await page.close();
  return time;
}

/** What is asked for until the charts are there, and a moment longer. */
async function proveSize(browser: Browser, url: string): Promise<void> {
  const page = (await (await browser.newContext()).newPage()) as unknown as ConsolePage;
  const heard = listenTo(page);
  await page.goto(url);
  await page.waitForSelector('.add-chart select:not([disabled])');
  await new Promise((resolve) => setTimeout(resolve, 500));
  // What keeps the files for visits without a network loads all of them, later, in a thread of its own.
  proveFirstView(files, { asked: [...heard.asked], url });
  await page.close();
}

const screens: readonly { readonly hash: string; readonly tab?: string; readonly sees: string }[] = [
  { hash: '#/orders', sees: '.orders' },
  { hash: '#/orders', tab: 'Form', sees: '.form-fields > *' },
  { hash: '#/orders', tab: 'Values', sees: '.values-own .cm-content' },
  { hash: '#/orders', tab: 'Patch', sees: '.values-chart .cm-content' },
  { hash: '#/orders', tab: 'Whole Order', sees: '.writing .cm-content' },
  { hash: '#/orders', tab: 'Manifest', sees: '.outline-row' },
  { hash: '#/orders', tab: 'Resources', sees: '.resource' },
  { hash: '#/orders', tab: 'Scripts', sees: '.preview-body .cm-content' },
  { hash: '#/orders', tab: 'Checks', sees: '.preview-body .issues, .preview-body .empty' },
  { hash: '#/orders', tab: 'Compare', sees: '.preview-body .empty' },
  { hash: '#/charts/web/1.4.2', sees: '.chart-part .cm-content' },
  { hash: '#/stored', sees: '.table' },
  { hash: '#/users', sees: '.chart-list' },
  { hash: '#/users/ada', sees: '.record' },
  { hash: '#/users/bob/buckets', sees: '.page-body .table' },
  { hash: '#/users/ada/credentials', sees: '.page-body .table' },
  { hash: '#/control/requests', sees: '.page-body, .scroll' },
  { hash: '#/control/faults', sees: '.fault-form' },
  { hash: '#/api/addEmails', sees: '.call' },
];
const written = ['Form', 'Values', 'Patch', 'Whole Order'];

async function show(page: ConsolePage, { hash, tab, sees }: (typeof screens)[number], width: number): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  if (tab !== undefined) {
    await page.waitForSelector('.orders');
    if (width <= 900)
      await page.getByRole('tab', { name: written.includes(tab) ? 'Write' : 'Preview', exact: true }).click();
    await page.getByRole('tab', { name: tab }).click();
  }
  await page.waitForSelector(sees);
}

/** Nothing sticks out of the page, and no control stands outside of it, whichever way its words run. */
async function fits(page: ConsolePage): Promise<void> {
  const found: string[] = [];
  for (const dir of ['ltr', 'rtl']) {
    for (const width of [320, 1440]) {
      await page.setViewportSize({ width, height: 700 });
      await page.evaluate(`document.documentElement.dir = '${dir}'`);
      for (const screen of screens) {
        await show(page, screen, width);
        const out = await page.evaluate<readonly string[]>(`(() => {
          const wide = document.documentElement.scrollWidth - innerWidth;
          const isSeen = (one) => one.checkVisibility() && one.getBoundingClientRect().width > 1 && !one.closest('.skip');
          const isOut = (one) => { const { left, right } = one.getBoundingClientRect(); return left < -1 || right > innerWidth + 1; };
          // What can be scrolled to within its own place is none.
          const scrolls = (one) => { for (let at = one.parentElement; at; at = at.parentElement)
            if (/auto|scroll/.test(getComputedStyle(at).overflowX) && at.scrollWidth > at.clientWidth) return true; return false; };
          const lost = [...document.querySelectorAll('a[href], button, input, select, textarea, summary')]
            .filter((one) => isSeen(one) && isOut(one) && !scrolls(one));
          const turned = [...document.querySelectorAll('.code, pre, code')].filter((one) => getComputedStyle(one).direction !== 'ltr');
          lost.push(...turned);
          return [...(wide > 0 ? [wide + ' pixels stick out'] : []), ...lost.map((one) => one.outerHTML.slice(0, 100))];
        })()`);
        found.push(...out.map((one) => `${dir} ${width} ${screen.hash} ${screen.tab ?? ''}: ${one}`));
        if (process.argv[2] && dir === 'rtl')
          await page.screenshot({
            path: `${process.argv[2]}/rtl-${width}-${screen.hash.replace(/\W+/g, '-')}-${screen.tab ?? ''}.png`,
          });
      }
    }
  }
  await page.evaluate("document.documentElement.dir = 'ltr'");
  for (const line of found) console.log(`    ${line}`);
  prove(
    `${screens.length} screens fit 320 and 1440 pixels, from left to right and from right to left`,
    found.length === 0,
  );
}

async function rests(page: ConsolePage): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const moving: string[] = [];
  for (const screen of screens.slice(0, 3)) {
    await show(page, screen, 1440);
    await page.keyboard.press('Control+k');
    await page.waitForSelector('dialog[open]');
    const names = await page.evaluate<readonly string[]>(`[...document.querySelectorAll('*')].filter((one) => {
      const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(one);
      return transitionDuration.split(',').some((time) => parseFloat(time) > 0.01) || animationName !== 'none' || scrollBehavior === 'smooth';
    }).map((one) => one.className || one.tagName)`);
    moving.push(...names);
    await page.keyboard.press('Escape');
    await page.waitForSelector('body:not(:has(dialog[open]))');
  }
  prove(`nothing moves where somebody wants no movement ${[...new Set(moving)].join(' ')}`, moving.length === 0);
}

/** Tab alone reaches every control that can be seen on the narrowest screen. */
async function tabThrough(page: ConsolePage): Promise<void> {
  await page.setViewportSize({ width: 320, height: 700 });
  const missed: string[] = [];
  for (const screen of screens.filter(({ tab }) => tab === undefined || tab === 'Form' || tab === 'Manifest')) {
    await show(page, screen, 320);
    await page.evaluate(`(() => {
      document.activeElement?.blur();
      const isSeen = (one) => one.checkVisibility() && !one.disabled && one.tabIndex >= 0;
      window.left = new Set([...document.querySelectorAll('a[href], button, input, select, textarea, summary, .code-host')].filter(isSeen));
      document.addEventListener('focusin', () => window.left.delete(document.activeElement));
    })()`);
    for (let count = 0; count < 200; count++) {
      await page.keyboard.press('Tab');
      if ((await page.evaluate<number>('window.left.size')) === 0) break;
    }
    const left = await page.evaluate<readonly string[]>('[...window.left].map((one) => one.outerHTML.slice(0, 100))');
    missed.push(...left.map((one) => `${screen.hash}: ${one}`));
  }
  for (const line of missed) console.log(`    ${line}`);
  prove('Tab reaches every control on 320 pixels', missed.length === 0);
}

const files = await bundleDemo();
const { server, url } = await serveFiles(files);
const browser = await launchChromium({ isLean: true });
try {
  await proveSize(browser, url);
  const times: number[] = [];
  for (let count = 0; count < loads; count++) times.push(await visit(browser, url));
  const best = Math.round(Math.min(...times));
  console.log(`    ${times.map(Math.round).join(', ')} ms`);
  prove(`with a processor slowed to a quarter it can be used after ${best} ms`, best < 1000);
  const page = (await (await browser.newContext()).newPage()) as unknown as ConsolePage;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(url);
  await addChart(page, 'web 1.4.2');
  await page.waitForSelector('.outline-row');
  await fits(page);
  await tabThrough(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await rests(page);
} finally {
  await browser.close();
  server.close();
  server.closeAllConnections();
}
