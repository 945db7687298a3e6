// Tests the pages of `explain --html`, `coverage --format html` and `--report html` in headless Chromium: keyboard and mouse work, axe-core
// finds no violations, and no script of a hostile chart runs. `npm run test:e2e -- report-pages`.

import { writeFileSync } from 'node:fs';
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
import { check, temporaryFolder, until } from '../../../scripts/dev/tools/tools.ts';

const folder = temporaryFolder('drydock-pages-');
const { source: axe } = createRequire(import.meta.url)('axe-core') as { readonly source: string };

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

// Polled from outside, because `waitForFunction` evaluates code in the page, which its policy forbids.
const untilTrue = (page: Page, expression: string): Promise<void> =>
  until(expression, () => page.evaluate<boolean>(expression), 30);

/** A page, and what to do in it before it is checked. */
interface ReportPage {
  readonly title: string;
  readonly content: string;
  readonly drive?: (page: Page) => Promise<void>;
}

/** Opens a page, and checks its layout at the width of a desktop and of a phone, both color schemes with axe-core, and that no script ran. */
async function checkPage(page: Page, { title, content, drive }: ReportPage): Promise<void> {
  const file = join(folder, `${title.replaceAll(' ', '-')}.html`);
  writeFileSync(file, content);
  await page.goto(pathToFileURL(file).href);
  await drive?.(page);
  for (const width of [390, 1400]) {
    await page.setViewportSize({ width, height: 900 });
    const isWithin = await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth');
    check(`${title}: a page of ${width} pixels does not scroll horizontally`, isWithin);
  }
  await page.evaluate(axe);
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    const found = await page.evaluate<readonly string[]>(
      'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160)}`))',
    );
    check(`${title}: axe-core finds nothing in the ${colorScheme} scheme: ${found.join(', ')}`, found.length === 0);
  }
  check(`${title}: no script of the chart runs`, (await page.title()) === title);
}

const text = (selector: string): string => `document.querySelector(${JSON.stringify(selector)})?.textContent ?? ''`;

/** Uses the explanation of a chart with keyboard and mouse. */
async function driveExplanation(page: Page): Promise<void> {
  await page.locator('main .row').first().waitFor();
  const active = text('main [aria-selected="true"] .code');
  const why = text('.why .body');
  await page.keyboard.press('/');
  check('/ focuses the search box', await page.evaluate<boolean>('document.activeElement.id === "search"'));
  await page.keyboard.type('metadata');
  await untilTrue(page, `document.querySelector('nav')?.textContent.includes('Lines (')`);
  check('the search finds lines', (await page.locator('nav a').count()) > 0);
  await page.locator('#search').fill('');
  await page.keyboard.press('Escape');
  const first = await page.evaluate<string>(active);
  for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowDown');
  check('the arrow keys select another line', first !== (await page.evaluate<string>(active)));
  const explanation = await page.evaluate<string>(why);
  check('the selected line is explained', /written by/.test(explanation));
  await page.hover('main .row:nth-child(2)');
  check('hovering over another line explains that line', explanation !== (await page.evaluate<string>(why)));
  await page.click('main .row:nth-child(3)');
  const source = await page.evaluate<string>(text('.source [aria-selected="true"] .code'));
  check('clicking a line shows its source', source.trim() !== '');
}

async function checkChart(page: Page, chart: Chart): Promise<void> {
  const { name } = chart.metadata;
  const title = `Explanation of ${name}`;
  const content = explanationPage(renderRelease(chart, { trace: true }), { title });
  await checkPage(page, { title, content, drive: driveExplanation });
  const coverage = formatCoverage(coverChart(chart), { format: 'html' });
  await checkPage(page, { title: `Coverage of ${name}`, content: coverage });
}

/** Returns the page of `--report html`: added, removed and changed objects, multi-line strings, and hostile content from a chart. */
function reportPage(): string {
  const config = (text: string): string =>
    `kind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\ndata: {short: ${JSON.stringify(text)}, long: ${JSON.stringify(`a\n${text}\n`)}}\n`;
  const secret = 'kind: Secret\napiVersion: v1\nmetadata: {name: s}\nstringData: {a: b}\n';
  const pod = 'kind: Pod\napiVersion: v1\nmetadata: {name: p}\n';
  const { objects, summary } = diffManifests(`${config('x')}---\n${secret}`, `${config(hostile)}---\n${pod}`);
  const issue = { severity: 'error', path: '', message: hostile, file: 'a.yaml' } as const;
  return formatHtml({
    command: 'snapshot',
    version: '1.0.0',
    time: new Date(0),
    files: [{ file: 'charts/a', issues: [issue] }],
    difference: {
      review: reviewOf([{ title: 'charts/a', folder: 'charts/a', changes: objects, summary }]),
      against: 'origin/main',
      severity: 'error',
      texts: [{ title: 'install.sh is different', diff: '@@ -1 +1 @@\n-a\n+b\n' }],
      notes: [],
    },
  });
}

const browser = await launchChromium();
const problems: string[] = [];
try {
  const page = await browser.newPage();
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => problems.push(message.text()));
  await checkChart(page, await loadChartPath('fixtures/charts/web'));
  await checkChart(page, hostileChart);
  await checkPage(page, { title: 'drydock snapshot', content: reportPage() });
} finally {
  await browser.close();
}
check(`the pages log nothing: ${problems.join(', ')}`, problems.length === 0);
