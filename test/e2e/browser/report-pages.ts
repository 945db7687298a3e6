// Tests the pages of `explain --html`, `coverage --format html` and `--report html` in headless Chromium: keyboard and mouse work, axe-core
// finds no violations, and no script of a hostile chart runs. `npm run test:e2e -- report-pages [CHART…]`.

import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import type { Chart } from '../../../render/chart/chart.ts';
import { loadChartPath } from '../../../render/chart/directory.node.ts';
import { reviewOf } from '../../../render/diff/review.ts';
import {
  coverChart,
  diffManifests,
  explanationPage,
  formatCoverage,
  loadChart,
  renderRelease,
} from '../../../render/index.ts';
import { formatHtml } from '../../../render/report/html.ts';
import { launchChromium } from '../../../scripts/dev/tools/chromium.ts';
import { temporaryFolder, until } from '../../../scripts/dev/tools/tools.ts';

const paths = process.argv.length > 2 ? process.argv.slice(2) : ['fixtures/charts/web'];
const folder = temporaryFolder('drydock-pages-');
const failures: string[] = [];
const maxAudited = 2_000_000;

const hostile = '</script><img src=x onerror="document.title=1">{{ "`" }}';
const hostileChart = loadChart({
  'Chart.yaml': 'apiVersion: v2\nname: hostile\nversion: 1.0.0\n',
  'values.yaml': `text: ${JSON.stringify(hostile)}\nshown: true\n`,
  'templates/<img src=x onerror=alert(1)>.yaml': `# </script><svg onload="document.title=1">
kind: ConfigMap
metadata: {name: hostile}
data:
  {{- if .Values.shown }}
  text: {{ .Values.text | quote }}
  {{- end }}
`,
});

function checkPage(page: string, what: string, holds: boolean): void {
  if (!holds) failures.push(`${page}: ${what}`);
}

// Polled from outside, because `waitForFunction` evaluates code in the page, which its policy forbids.
const untilTrue = (page: Page, expression: string): Promise<void> =>
  until(expression, () => page.evaluate<boolean>(expression), 30);

const schemes = ['light', 'dark'] as const;

// In both color schemes, because contrast depends on colors.
async function audit(page: Page, name: string, axe: string): Promise<void> {
  await page.evaluate(axe);
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    const found = await page.evaluate<readonly { readonly id: string; readonly nodes: readonly { html: string }[] }[]>(
      'axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations)',
    );
    for (const { id, nodes } of found) {
      failures.push(`${name}, ${colorScheme}: axe ${id}: ${nodes[0]?.html.slice(0, 160)}`);
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

const widths = { wide: 1400, narrow: 390 };

// Checks the layout at the width of a desktop and of a phone.
async function checkLayout(page: Page, name: string): Promise<void> {
  for (const [size, width] of Object.entries(widths)) {
    await page.setViewportSize({ width, height: 900 });
    const isWithin = await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth');
    checkPage(name, `a ${size} page does not scroll horizontally`, isWithin);
  }
  await page.setViewportSize({ width: widths.wide, height: 900 });
}

const text = (selector: string): string => `document.querySelector(${JSON.stringify(selector)})?.textContent ?? ''`;

async function driveReport(page: Page, name: string): Promise<void> {
  const active = text('main [aria-selected="true"] .code');
  const why = text('.why .body');
  await page.keyboard.press('/');
  checkPage(name, '/ focuses the search box', await page.evaluate<boolean>('document.activeElement.id === "search"'));
  const before = await page.evaluate<number>('document.querySelectorAll("nav a").length');
  await page.keyboard.type('metadata');
  await untilTrue(page, `document.querySelector('nav')?.textContent.includes('Lines (')`);
  checkPage(
    name,
    'the search finds lines',
    (await page.evaluate<number>('document.querySelectorAll("nav a").length')) > 0,
  );
  await page.evaluate(
    `(() => { const box = document.getElementById('search'); box.value = ''; box.dispatchEvent(new Event('input')); })()`,
  );
  await untilTrue(page, `document.querySelectorAll('nav a').length === ${before}`);
  await page.keyboard.press('Escape');
  const first = await page.evaluate<string>(active);
  for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowDown');
  checkPage(name, 'the arrow keys select another line', first !== (await page.evaluate<string>(active)));
  checkPage(name, 'the selected line is explained', /written by/.test(await page.evaluate<string>(why)));
  const explanation = await page.evaluate<string>(why);
  await page.hover('main .row:nth-child(2)');
  checkPage(name, 'hovering over another line explains that line', explanation !== (await page.evaluate<string>(why)));
  await page.click('main .row:nth-child(3)');
  const source = await page.evaluate<string>(text('.source [aria-selected="true"] .code'));
  checkPage(name, 'clicking a line shows its source', source.trim() !== '');
  await page.keyboard.press(']');
  await page.keyboard.press('[');
}

async function openPage(page: Page, name: string, content: string): Promise<void> {
  const file = join(folder, `${name}.html`);
  writeFileSync(file, content);
  await page.goto(pathToFileURL(file).href);
}

async function checkChart(page: Page, chart: Chart, axe: string): Promise<void> {
  const { name } = chart.metadata;
  const release = renderRelease(chart, { trace: true });
  const title = `Explanation of ${name}`;
  const start = performance.now();
  const content = explanationPage(release, { title });
  const generated = performance.now();
  await openPage(page, name, content);
  await untilTrue(page, `document.querySelector('main .row') !== null`);
  const rendered = performance.now();
  console.log(
    `${name}: ${(content.length / 1e6).toFixed(1)} MB generated in ${Math.round(generated - start)} ms, displayed after ${Math.round(rendered - generated)} ms`,
  );
  await driveReport(page, name);
  await checkLayout(page, `${name}-explain`);
  await audit(page, `${name}, explain`, axe);
  checkPage(name, 'no script of the chart runs', (await page.evaluate<string>('document.title')) === title);
  const coverage = formatCoverage(coverChart(chart), { format: 'html' });
  await openPage(page, `${name}-coverage`, coverage);
  await page.evaluate(`document.querySelector('details[open]')?.scrollIntoView()`);
  await checkLayout(page, `${name}-coverage`);
  // axe checks every cell, which needs too much memory for a hundred thousand of them.
  if (coverage.length < maxAudited) await audit(page, `${name}, coverage`, axe);
  checkPage(
    name,
    'no script of the chart runs',
    (await page.evaluate<string>('document.title')) === `Coverage of ${name}`,
  );
}

// The page of `--report html`: added, removed and changed objects, multi-line strings, and hostile content from a chart.
async function checkReport(page: Page, axe: string): Promise<void> {
  const config = (text: string): string =>
    `kind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\ndata: {short: ${JSON.stringify(text)}, long: ${JSON.stringify(`a\n${text}\n`)}}\n`;
  const secret = 'kind: Secret\napiVersion: v1\nmetadata: {name: s}\nstringData: {a: b}\n';
  const difference = diffManifests(
    `${config('x')}---\n${secret}`,
    `${config(hostile)}---\nkind: Pod\nmetadata: {name: p}\n`,
  );
  const issue = { severity: 'error', path: '', message: hostile, file: 'a.yaml' } as const;
  const content = formatHtml({
    command: 'snapshot',
    version: '1.0.0',
    time: new Date(0),
    files: [{ file: 'charts/a', issues: [issue] }],
    difference: {
      review: reviewOf([
        { title: 'charts/a', folder: 'charts/a', changes: difference.objects, summary: difference.summary },
      ]),
      against: 'origin/main',
      severity: 'error',
      texts: [{ title: 'install.sh is different', diff: '@@ -1 +1 @@\n-a\n+b\n' }],
      notes: [],
    },
  });
  await openPage(page, 'report', content);
  await checkLayout(page, 'report');
  await audit(page, 'report', axe);
  checkPage(
    'report',
    'no script of the chart runs',
    (await page.evaluate<string>('document.title')) === 'drydock snapshot',
  );
}

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const browser = await launchChromium();
try {
  const page = await browser.newPage();
  await page.setViewportSize({ width: widths.wide, height: 900 });
  page.on('pageerror', (error) => failures.push(error.message));
  page.on('console', (message) => failures.push(`console: ${message.text()}`));
  for (const path of paths) await checkChart(page, await loadChartPath(path, { onWarning: () => {} }), axe);
  await checkChart(page, hostileChart, axe);
  await checkReport(page, axe);
} finally {
  await browser.close();
}
for (const failure of failures) console.error(failure);
console.log(`pages: ${paths.length} charts and a hostile one, ${failures.length} failures`);
process.exitCode = failures.length === 0 ? 0 : 1;
