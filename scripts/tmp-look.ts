import { startConsole } from '../test/e2e/console/page.ts';
import { launchChromium } from './tools/chromium.ts';
const server = await startConsole(['--charts', '/tmp/kpsdir']);
const browser: any = await launchChromium();
const wait = (ms: number) => new Promise((r) => setTimeout(r, ms));
const page: any = await browser.newPage();
await page.setViewportSize({ width: 1440, height: 900 });
await page.goto(server.url); await wait(2000);
for (const [chart, field] of [['kube-prometheus-stack', 'value-nameOverride']]) {
  await page.goto(`${server.url}#/orders`); await wait(500);
  await page.evaluate(`[...document.querySelectorAll('button')].find((x) => x.textContent.trim() === 'New')?.click()`); await wait(800);
  await page.evaluate(`[...document.querySelectorAll('button')].find((x) => /Add chart/.test(x.textContent))?.click()`); await wait(800);
  await page.keyboard.type(chart!); await wait(800); await page.keyboard.press('Enter'); await wait(chart === 'big' ? 6000 : 12000);
  await page.evaluate(`globalThis.tasks = []; new PerformanceObserver((l) => l.getEntries().forEach((e) => globalThis.tasks.push([Math.round(e.startTime), Math.round(e.duration)]))).observe({ entryTypes: ['longtask'] })`);
  const has = await page.evaluate(`!!document.getElementById('${field}')`);
  if (has) await page.locator(`#${field}`).focus();
  const t = await page.evaluate('performance.now()');
  await page.keyboard.type('x'); await wait(5000); await page.keyboard.type('y'); await wait(5000);
  console.log(chart, has, Math.round(t), JSON.stringify(await page.evaluate('globalThis.tasks')), await page.evaluate(`document.querySelector('.status')?.textContent`));
  await page.screenshot({ path: `/tmp/look-${chart}.png` });
}
await server.stop(); process.exit(0);
