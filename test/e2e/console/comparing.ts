// Tests that Compare shows what changes, entry by entry. `node --import tsx test/e2e/console/comparing.ts`
// A chart that prints what it is rendered for is compared with another Kubernetes version, another Helm, another version of itself, a
// saved Order, a file and the previous Order; every row must be as expected. Served and as a demo. Charts are also dragged into the Order.

import { packChart } from '../../../render/vendor/lock/pack.ts';
import { bundleDemo } from '../../../scripts/build/demo.ts';
import { check, until } from '../../../scripts/dev/tools/tools.ts';
import {
  type ConsolePage,
  dropFile,
  isFirefox,
  launchBrowser,
  listenTo,
  openPage,
  serveFiles,
  startConsole,
  untilOutlined,
} from './page.ts';

/** A chart whose objects show what they are rendered for. The second version has an additional object and another name for one. */
function turns(version: string): Uint8Array {
  const map = (name: string, lines: readonly string[]): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata:\n${lines.map((line) => `  ${line}\n`).join('')}`;
  const changedMap = map('said', [
    'chart: {{ .Chart.Version | quote }}',
    'helm: {{ (splitList "." .Capabilities.HelmVersion.Version) | first | quote }}',
    'kube: {{ .Capabilities.KubeVersion.Minor | quote }}',
    'word: {{ .Values.word | quote }}',
    'settings.json: {{ dict "level" (dict "of" .Chart.Version) | toJson | quote }}',
  ]);
  const own = version === '1.0.0' ? 'old' : 'new';
  const budget =
    'apiVersion: {{ ternary "policy/v1" "policy/v1beta1" (semverCompare ">=1.29-0" .Capabilities.KubeVersion.Version) }}\nkind: PodDisruptionBudget\nmetadata: {name: budget}\nspec: {minAvailable: 1}\n';
  const pods = `apiVersion: apps/v1
kind: Deployment
metadata: {name: pods}
spec:
  selector: {matchLabels: {app: pods}}
  template:
    metadata: {labels: {app: pods, helm.sh/chart: "turns-{{ .Chart.Version }}"}}
    spec: {containers: [{name: pod, image: a}]}
`;
  const files = {
    'Chart.yaml': `apiVersion: v2\nname: turns\nversion: ${version}\n`,
    'values.yaml': 'word: first\n',
    'templates/said.yaml': changedMap,
    'templates/budget.yaml': budget,
    'templates/pods.yaml': pods,
    [`templates/${own}.yaml`]: map(own, ['a: b', 'c: d', 'e: f']),
    ...(own === 'new' && { 'templates/more.yaml': map('more', ['one: two']) }),
  };
  return packChart(
    'turns',
    new Map(Object.entries(files).map(([name, text]) => [name, new TextEncoder().encode(text)])),
  );
}

/** The entries shown, with a line for each object and each of its entries. */
const shown = `(() => {
  const told = document.querySelector('.preview-body .empty h2, .preview-body .empty p');
  const text = (one) => (one?.textContent ?? '').replace(/\\s+/g, ' ').trim();
  const restarts = [...document.querySelectorAll('.restarts')].map(text);
  const lines = [...document.querySelectorAll('.change')].flatMap((change) => [
    text(change.querySelector('summary')),
    ...[...change.querySelectorAll('.entry')].map((one) =>
      [one.dataset.op, ...[...one.querySelectorAll('code')].map(text), text(one.querySelector('del')), text(one.querySelector('ins'))].join(' | ')),
  ]);
  return JSON.stringify(lines.length > 0 ? [...restarts, ...lines] : [text(told)]);
})()`;

async function becomes(page: ConsolePage, name: string, wanted: readonly string[]): Promise<void> {
  let seen = '';
  await until(name, async () => {
    seen = await page.evaluate<string>(shown);
    return seen === JSON.stringify(wanted);
  }).catch(() => undefined);
  check(
    `${name}: ${seen === JSON.stringify(wanted) ? wanted.slice(0, 3).join(' / ') : seen}`,
    seen === JSON.stringify(wanted),
  );
}

async function choose(page: ConsolePage, start: string): Promise<void> {
  let label = '';
  await until(`${start} among the choices`, async () => {
    const labels = "[...document.querySelectorAll('.compare-choice option')].map(({ label }) => label)";
    label = await page.evaluate<string>(`${labels}.find((label) => label.startsWith(${JSON.stringify(start)})) ?? ''`);
    return label !== '';
  });
  await page.locator('.compare-choice select').selectOption({ label });
}

async function chooseFile(page: ConsolePage, name: string, text: string): Promise<void> {
  const [choice] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'File', exact: true }).click(),
  ]);
  await choice.setFiles({ name, mimeType: 'text/yaml', buffer: Buffer.from(text) });
}

const heading = 'changed ConfigMap default/said';
const budget = 'changed PodDisruptionBudget default/budget';

async function compare(page: ConsolePage, where: string): Promise<void> {
  const kept = (): Promise<string> => page.evaluate("localStorage.getItem('drydock.order')");
  for (const version of ['2.0.0', '1.0.0']) {
    await dropFile(page, `turns-${version}.tgz`, turns(version));
    await page.waitForSelector(`.said:has-text("turns ${version}")`);
  }
  await page.locator('#package-version').fill('1.0.0');
  await page.locator('.targets input').fill('v1.30.0');
  await page.keyboard.press('Tab');
  await untilOutlined(page, 'old');
  await page.getByRole('tab', { name: 'Compare' }).click();
  await page.waitForSelector('.preview-body .empty:has-text("Nothing to compare with yet")');
  await choose(page, 'Kubernetes v1.28.0');
  await becomes(page, `${where}, another Kubernetes`, [
    budget,
    'change | apiVersion | policy/v1 | policy/v1beta1',
    heading,
    'change | data.kube | 30 | 28',
  ]);
  await choose(page, 'Helm 4');
  await becomes(page, `${where}, Helm 4`, [heading, 'change | data.helm | v3 | v4']);
  await page.locator('.targets select').selectOption({ label: '4.3.1' });
  await choose(page, 'Helm 3');
  await becomes(page, `${where}, from Helm 4 to Helm 3`, [heading, 'change | data.helm | v4 | v3']);
  await page.locator('.targets select').selectOption({ label: '3.17.3' });
  await choose(page, 'turns: turns 2.0.0');
  await becomes(page, `${where}, another version of the chart`, [
    '1 workload restarts: Deployment default/pods',
    'added ConfigMap default/more',
    'renamed ConfigMap default/new, was default/old',
    heading,
    'change | data.chart | 1.0.0 | 2.0.0',
    'change | data["settings.json"] | level.of | 1.0.0 | 2.0.0',
  ]);
  const before = await kept();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await choose(page, 'my-order of');
  await becomes(page, `${where}, what is stored`, ['No differences']);
  await page.locator('#value-word').fill('second');
  await page.keyboard.press('Tab');
  await becomes(page, `${where}, a stored Order`, [heading, 'change | data.word | first | second']);
  await chooseFile(
    page,
    'mine.yaml',
    before.replace('releaseName: turns', 'releaseName: turns\n        values: {word: third}'),
  );
  await becomes(page, `${where}, a file`, [heading, 'change | data.word | third | second']);
  await chooseFile(page, 'mine.yaml', before);
  await becomes(page, `${where}, another file of that name`, [heading, 'change | data.word | first | second']);
  await page.locator('#value-word').fill('first');
  await page.keyboard.press('Tab');
  await becomes(page, `${where}, what is written meanwhile`, ['No differences']);
  await chooseFile(page, 'broken.yaml', 'a: b: c');
  await page.waitForSelector('.preview-body .fault');
  check(`${where}, a file that is not an Order is reported in place`, true);
}

/** A chart is dragged to a position: before the first package, between two, and after the last. */
async function drag(page: ConsolePage, where: string): Promise<void> {
  const names = (): Promise<string> =>
    page.evaluate("[...document.querySelectorAll('.package-name')].map((one) => one.textContent).join(' ')");
  const put = async (chart: string, place: string, wanted: string): Promise<void> => {
    await page.evaluate("location.hash = '#/charts'");
    await page.waitForSelector(`.chart:has-text("${chart}")`);
    await dragTo(page, `.chart:has-text("${chart}")`, place);
    await until(`packages ${wanted}`, async () => (await names()) === wanted, 10);
  };
  await put('redis', '.place:nth-child(1) b', 'redis turns');
  await put('web 1.4.2', '.place:nth-child(2) b', 'redis web turns');
  await put('redis', '.places h2', 'redis-2 redis web turns');
  await page.evaluate("location.hash = '#/charts'");
  await page.waitForSelector('.chart:has-text("web 1.4.2")');
  await dragTo(page, '.chart:has-text("web 1.4.2")', '.chart-list');
  await page.waitForSelector('body:not(:has(.places))');
  await page.evaluate("location.hash = '#/orders'");
  await page.waitForSelector('.package');
  check(
    `${where}: charts are dragged to their places: ${await names()}`,
    (await names()) === 'redis-2 redis web turns',
  );
}

// The drop targets are only shown while dragging.
async function dragTo(page: ConsolePage, from: string, to: string): Promise<void> {
  const middle = (selector: string): Promise<readonly [number, number]> =>
    page.evaluate(`(() => { const { x, y, width, height } = [...document.querySelectorAll('.chart, .place b, .places h2, .chart-list')]
      .filter((one) => one.matches(${JSON.stringify(selector.replace(/:has-text\("[^"]*"\)/, ''))}))
      .find((one) => one.textContent.includes(${JSON.stringify(/has-text\("([^"]*)"/.exec(selector)?.[1] ?? '')}))
      .getBoundingClientRect(); return [x + width / 2, y + height / 2]; })()`);
  const [x, y] = await middle(from);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 8, y + 8);
  await page.waitForSelector('.places');
  const [toX, toY] = await middle(to);
  await page.mouse.move(toX, toY - 3);
  await page.mouse.move(toX, toY - 4);
  await page.mouse.up();
}

async function walk(url: string, where: string): Promise<void> {
  const page = await openPage(browser);
  const { errors } = listenTo(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(url);
  await page.waitForSelector('.add-chart button:not([disabled])');
  try {
    await compare(page, where);
    if (!isFirefox) await drag(page, where);
  } catch (failure) {
    if (process.argv[2] !== undefined) await page.screenshot({ path: `${process.argv[2]}/comparing-failed.png` });
    throw failure;
  }
  // The server refuses a draft that does not render, which browsers log as an error.
  const thrown = errors.filter((text) => !/status of 422/.test(text));
  check(`${where}: no error is logged ${thrown.join(' | ').slice(0, 500)}`, thrown.length === 0);
  await page.close();
}

const browser = await launchBrowser();
const server = await startConsole();
const demo = await serveFiles(await bundleDemo());
try {
  await walk(server.url, 'served');
  await walk(demo.url, 'demo');
} finally {
  await browser.close();
  await server.stop();
  demo.server.close();
  demo.server.closeAllConnections();
}
