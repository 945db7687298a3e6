// Tests the console as a user sees it. `npm run test:e2e -- console` Headless Chromium visits every screen at three widths, light and dark:
// no request to another origin, no logged error, nothing serious found by axe-core, nothing wider than the page, and the Tab key reaches
// every control.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { packChart } from '../../../render/vendor/lock/pack.ts';
import { check, until } from '../../../scripts/dev/tools/tools.ts';
import {
  addChart,
  type ConsolePage,
  chartArchive,
  dropFile,
  isFirefox,
  launchBrowser,
  openPage,
  startConsole,
  untilOutlined,
} from './page.ts';
import { faultsOf, lookEverywhere, tabThrough } from './screens.ts';

// Folder for screenshots.
const shots = process.argv[2];

const server = await startConsole(['--render-time', '5000']);
const { url } = server;

async function walk(page: ConsolePage): Promise<void> {
  const errors: string[] = [];
  const foreign: string[] = [];
  page.on('console', (message) => {
    // The server refuses a draft that does not render, and a failed sign-in: browsers log every such response as an error.
    if (message.type() === 'error' && !/status of 4(?:03|22)/.test(message.text())) errors.push(message.text());
  });
  page.on('pageerror', ({ message }) => void errors.push(message));
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !/^(?:data|blob):/.test(request.url())) foreign.push(request.url());
  });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(url);
  await page.waitForSelector('.start-recent');
  await lookAtStart(page);
  await compose(page);
  await moveAbout(page);
  await fillIn(page);
  await writeFast(page);
  await jumpFromCheck(page);
  await breakAndRepair(page);
  await drop(page);
  await showIcons(page);
  await share(page);
  await writeInTwoPages(page);
  await workAsUser(page);
  await lookEverywhere(page, shots);
  await tabThrough(page, 1440);
  check(`nothing is asked of a foreign origin ${foreign.join(' ')}`, foreign.length === 0);
  check(`no error is logged ${errors.join(' | ').slice(0, 500)}`, errors.length === 0);
}

/** The start screen, at three widths. */
async function lookAtStart(page: ConsolePage): Promise<void> {
  const found: string[] = [];
  for (const width of [360, 820, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    found.push(...(await faultsOf(page)).map((fault) => `${width}: ${fault}`));
    if (shots !== undefined) await page.screenshot({ path: join(shots, `start-${width}-light.png`) });
  }
  check(`the start screen fits, and axe finds nothing serious ${found.join(' | ')}`, found.length === 0);
}

/** From an empty page to two packages; the manifest equals that of the API for the same Order, byte for byte. */
async function compose(page: ConsolePage): Promise<void> {
  for (const [index, chart] of ['redis 1.8.3', 'web 1.4.2'].entries()) {
    await addChart(page, chart);
    await page.waitForSelector(`.package:nth-child(${index + 1})`);
  }
  await untilOutlined(page, 'web');
  const state = await page.evaluate<{ preview: string; stored: string }>(bothWays);
  check(
    `two packages are composed, and the preview is what the stored Order renders to: ${state.preview.length} bytes`,
    state.preview.length > 1000 && state.preview === state.stored,
  );
}

/** Packages are moved by dragging and by keys; the focus follows a moved package, and stays near a removed one. */
async function moveAbout(page: ConsolePage): Promise<void> {
  const state = (): Promise<string> =>
    page.evaluate(`[...document.querySelectorAll('.package-name')].map((one) => one.textContent).join(' ') + ': ' +
      (document.activeElement.closest('.package')?.querySelector('.package-name').textContent ?? 'elsewhere')`);
  const seen: string[] = [];
  const becomes = async (wanted: string): Promise<void> => {
    await until(`packages ${wanted}`, async () => (await state()) === wanted, 10);
    seen.push(wanted);
  };
  await page.locator('.package:nth-child(1) .package-choice').focus();
  await page.keyboard.press('Alt+ArrowDown');
  await becomes('web redis: redis');
  await page.keyboard.press('Alt+ArrowUp');
  await becomes('redis web: redis');
  await page.getByRole('button', { name: 'Move redis down' }).focus();
  await page.keyboard.press('Enter');
  await becomes('web redis: redis');
  // The Firefox driver cannot drag; these keys have the same effect.
  if (isFirefox) {
    await page.locator('.package:nth-child(2) .package-choice').focus();
    await page.keyboard.press('Alt+ArrowUp');
  } else await page.dragAndDrop('.package:nth-child(2)', '.package:nth-child(1)');
  await until('redis first', async () => (await state()).startsWith('redis web'), 10);
  await page.getByRole('button', { name: 'Remove redis' }).focus();
  await page.keyboard.press('Enter');
  await becomes('web: web');
  await page.getByRole('button', { name: 'Undo: remove redis' }).click();
  await until('redis again', async () => (await state()).startsWith('redis web'), 10);
  await page.locator('.package:nth-child(2) .package-choice').click();
  check(`packages are moved by drag and by keys, and the keyboard stays there: ${seen.join('; ')}`, true);
}

// The clock is frozen so that both are rendered at the same time.
const bothWays = `(async () => {
  const ask = (method, path, body, token) => fetch(path, { method,
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: 'token ' + token }) },
    ...(body && { body: JSON.stringify(body) }) });
  await ask('PUT', '__drydock/clock', { now: '2026-01-02T03:04:05Z', frozen: true });
  const order = localStorage.getItem('drydock.order');
  const preview = (await (await ask('POST', '__drydock/preview', { order })).json()).manifest;
  const { users: [{ token }] } = await (await ask('GET', '__drydock/status')).json();
  document.querySelector('.bar-actions .main').click();
  const isMine = ({ order }) => order.metadata.name === 'my-order';
  let stored;
  while (!stored) stored = (await (await ask('GET', '__drydock/orders')).json()).find(isMine);
  const answer = await ask('GET', 'api/v1/user/deploy/orders/' + stored.uid + '/render/manifest', undefined, token);
  return { preview, stored: await answer.text() };
})()`;

/** A form field changes the Order; the rendered line leads back to it; the difference from the stored Order is shown. */
async function fillIn(page: ConsolePage): Promise<void> {
  await page.waitForSelector('#value-replicaCount');
  await page.locator('#value-replicaCount').fill('7');
  await page.keyboard.press('Tab');
  const line = '.manifest .cm-line:has-text("replicas: 7")';
  await page.locator('.outline-row[title="web/templates/deployment.yaml"]').click();
  await page.waitForSelector(line);
  await page.locator(line).click();
  await page.waitForSelector('.why-values');
  const why = await page.locator('.why-body').textContent();
  if (shots !== undefined) {
    // Screenshots: without earlier notifications, scrolled to the first column.
    await until('silence', () => page.evaluate<boolean>("document.querySelector('.said').hidden"), 30);
    await page.evaluate(
      "document.querySelector('.manifest .code-host').shadowRoot.querySelector('.cm-scroller').scrollLeft = 0",
    );
    await picture(page, 'why-1440-light');
  }
  await page.locator('.why-values > li:has-text("replicaCount is") .link:has-text("Edit")').click();
  const isBack = "document.activeElement.id === 'value-replicaCount'";
  await until('the keyboard in the field', () => page.evaluate<boolean>(isBack), 30);
  check(
    'a line tells its template, its value and what set it, and leads back to the field',
    /deployment\.yaml:\d+/.test(why ?? '') && /replicaCount is 7/.test(why ?? ''),
  );
  await page.getByRole('tab', { name: 'Compare' }).click();
  await page.locator('.compare-choice select').selectOption({ label: await storedLabel(page) });
  await page.waitForSelector('.change');
  const changes = await page.locator('.changes').textContent();
  check('the difference from the stored Order is that value', /spec\.replicas2 → 7/.test(squeezed(changes)));
  await page.getByRole('tab', { name: 'Patch' }).click();
  await page.waitForSelector('.values-chart .cm-line:has-text("/replicaCount")');
  await page.getByRole('button', { name: 'Convert values to patch' }).click();
  await page.waitForSelector('.values-own .cm-line:has-text("/replicaCount")');
  await page.getByRole('tab', { name: 'Manifest' }).click();
  await page.locator('.outline-row[title="web/templates/deployment.yaml"]').click();
  await page.waitForSelector(line);
  check('as a patch it renders to the same', true);
}

async function storedLabel(page: ConsolePage): Promise<string> {
  const labels = "[...document.querySelectorAll('.compare-choice option')].map(({ label }) => label)";
  let label = '';
  await until('the stored Order among the choices', async () => {
    label = await page.evaluate<string>(`${labels}.find((label) => label.startsWith('my-order of')) ?? ''`);
    return label !== '';
  });
  return label;
}

function squeezed(text: string | null): string {
  return (text ?? '').replace(/\s+/g, ' ').replace(/ ?spec\.replicas ?/, 'spec.replicas');
}

/** Typed text is complete while it is rendered. */
async function writeFast(page: ConsolePage): Promise<void> {
  await page.getByRole('tab', { name: 'Values', exact: true }).click();
  await page.waitForSelector('.values-own .cm-content');
  await page.locator('.values-own .cm-content').click();
  await page.keyboard.type('fullnameOverride: harbour-front');
  await untilOutlined(page, 'harbour-front');
  check('every letter typed arrives, and its rendering follows', true);
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
}

/** The checks report a value that no template reads, and a click leads to its line. */
async function jumpFromCheck(page: ConsolePage): Promise<void> {
  await page.locator('.values-own .cm-content').click();
  await page.keyboard.type('replicaCuont: 3');
  await page.getByRole('tab', { name: 'Checks' }).click();
  await page.locator('.issue:has-text("replicaCuont") .button').click();
  const line = "document.querySelector('.writing .code-host')?.shadowRoot.querySelector('.cm-activeLine')?.textContent";
  const isThere = `(${line} ?? '').includes('replicaCuont') && document.activeElement.matches('.writing .code-host')`;
  await until('the line of the check', () => page.evaluate<boolean>(isThere), 30);
  check('a check leads to its line of the Order', true);
  await page.getByRole('tab', { name: 'Manifest' }).click();
  await page.getByRole('tab', { name: 'Values', exact: true }).click();
  await page.locator('.values-own .cm-content').click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
}

async function breakAndRepair(page: ConsolePage): Promise<void> {
  await page.getByRole('tab', { name: 'Order YAML' }).click();
  await page.waitForSelector('.writing .cm-content');
  await page.locator('.writing .cm-content').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('one: two: three');
  // Before the last word is typed there is another error, which slow typing shows first.
  await page.waitForSelector('.status[data-state=bad]');
  await page.waitForSelector('.fault:has-text("mapping values are not allowed")');
  const words = await page.locator('.fault').textContent();
  const kept = await page.evaluate<number>("document.querySelectorAll('.outline-row').length");
  await picture(page, 'fault-1440-light');
  check('a fault is reported with its line, and the last good preview stays', /line \d+/.test(words ?? '') && kept > 5);
  for (let count = 0; count < 20; count++) await page.keyboard.press('Control+z');
  await page.waitForSelector('.status[data-state=good]');
  await page.getByRole('tab', { name: 'Values', exact: true }).click();
}

/** A dropped chart is available and rendered; one that never ends is stopped with a message, and nothing waits for it. */
async function drop(page: ConsolePage): Promise<void> {
  const before = await page.evaluate<string>("localStorage.getItem('drydock.order')");
  await dropFile(page, 'small-1.0.0.tgz', chartArchive('small', 'a: {{ .Values.text | quote }}'));
  await untilOutlined(page, 'small');
  await dropFile(page, 'values.yaml', new TextEncoder().encode('text: from-a-file\n'));
  const isWritten = `fetch('__drydock/preview', { method: 'POST', headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ order: localStorage.getItem('drydock.order') }) }).then((answer) => answer.text())
    .then((text) => text.includes('from-a-file'))`;
  await until('the values that were dropped', () => page.evaluate<boolean>(isWritten), 30);
  const endless = '{{ range until 100000 }}{{ range until 100000 }}{{ $_ := add 1 . }}{{ end }}{{ end }}';
  await dropFile(page, 'endless-1.0.0.tgz', chartArchive('endless', endless));
  await page.waitForSelector('.fault:has-text("took longer than 5000 ms")');
  const kept = await page.evaluate<number>("document.querySelectorAll('.outline-row').length");
  await picture(page, 'endless-1440-light');
  await page.getByRole('button', { name: 'Remove endless' }).click();
  await page.waitForSelector('.status[data-state=good]');
  await page.getByRole('button', { name: 'Remove small' }).click();
  const isAsBefore = `localStorage.getItem('drydock.order') === ${JSON.stringify(before)}`;
  await until('the Order as it was', () => page.evaluate<boolean>(isAsBefore), 30);
  check('a chart and values that are dropped are rendered; one without end is stopped, and the page goes on', kept > 5);
}

/** Charts show their own icons; those of other hosts are not requested and replaced by letters. */
async function showIcons(page: ConsolePage): Promise<void> {
  const drawn = (extra: string): string =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"${extra}><script>top.hacked = 1</script><image href="https://elsewhere.example/x.png"/><rect width="9" height="9" fill="red"/></svg>`;
  const encoded = Buffer.from(drawn(' onload="top.hacked = 1"')).toString('base64');
  const icons = {
    'icon-far': 'https://elsewhere.example/icon.png',
    'icon-data': `data:image/svg+xml;base64,${encoded}`,
    'icon-file': './art/mark.svg',
    'icon-lost': 'art/none.svg',
    'icon-page': 'data:text/html,<script>top.hacked = 1</script>',
    'icon-broken': 'data:image/png;base64,AAAA',
    'icon-code': 'javascript:top.hacked=1',
  };
  for (const [name, icon] of Object.entries(icons)) {
    const files = {
      'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: 1.0.0\ntype: library\nicon: ${JSON.stringify(icon)}\n`,
      'art/mark.svg': drawn(''),
    };
    const bytes = new Map(Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(text)]));
    await dropFile(page, `${name}-1.0.0.tgz`, packChart(name, bytes));
    await page.waitForSelector(`.said:has-text("${name} 1.0.0")`);
  }
  await page.evaluate("location.hash = '#/charts'");
  await page.waitForSelector('.chart:has-text("icon-page") .tile');
  const state = `Object.fromEntries([...document.querySelectorAll('.chart')].filter((row) => /icon-/.test(row.textContent)).map((row) => {
    const picture = row.querySelector('.tile img');
    return [/icon-\\w+/.exec(row.textContent)[0], picture ? picture.naturalWidth : row.querySelector('.tile').textContent];
  }))`;
  const wanted =
    '{"icon-broken":"IB","icon-code":"IC","icon-data":9,"icon-far":"IF","icon-file":9,"icon-lost":"IL","icon-page":"IP"}';
  let seen = '';
  await until(
    'the pictures of charts',
    async () => {
      seen = JSON.stringify(await page.evaluate(state));
      return seen === wanted;
    },
    30,
  ).catch(() => undefined);
  await picture(page, 'icons-1440-light');
  const hacked = await page.evaluate<boolean>("'hacked' in window");
  check(`charts show pictures of their own, and letters for all others: ${seen}`, seen === wanted && !hacked);
  await page.getByRole('button', { name: 'Remove dropped charts' }).click();
  await page.waitForSelector('body:not(:has(.chart:has-text("icon-")))');
  await page.evaluate("location.hash = '#/orders'");
  await page.waitForSelector('.outline-row');
}

/** The link contains the whole Order: a new page that opens it shows the same. */
async function share(page: ConsolePage): Promise<void> {
  const link = await page.evaluate<string>(`new Promise((resolve) => {
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => resolve(text) } });
    [...document.querySelectorAll('.bar-actions button')].find(({ textContent }) => textContent.includes('Share')).click();
  })`);
  const before = await page.evaluate<string>("localStorage.getItem('drydock.order')");
  await page.evaluate("localStorage.removeItem('drydock.order')");
  await page.goto('about:blank');
  await page.goto(link);
  await page.waitForSelector('.status[data-state=good]');
  const after = await page.evaluate<string>("localStorage.getItem('drydock.order')");
  check(`a link of ${link.length} characters holds the whole Order`, before === after && before.includes('web'));
}

/** Two pages edit one Order alternately: neither reverts the changes of the other. */
async function writeInTwoPages(page: ConsolePage): Promise<void> {
  const before = await page.evaluate<string>("localStorage.getItem('drydock.order')");
  const other = await page.context().newPage();
  await other.goto(url);
  await other.waitForSelector('#package-namespace');
  const write = async (where: ConsolePage, field: string, text: string): Promise<void> => {
    await where.locator(`#package-${field}`).fill(text);
    await where.keyboard.press('Tab');
    const isKept = `localStorage.getItem('drydock.order').includes(${JSON.stringify(text)})`;
    await until(`${text} kept`, () => page.evaluate<boolean>(isKept), 30);
  };
  await write(other, 'namespace', 'elsewhere');
  await until(
    'the change of the other page',
    async () => (await page.locator('#package-namespace').inputValue()) === 'elsewhere',
    30,
  );
  await write(page, 'releaseName', 'both');
  const kept = await page.evaluate<string>("localStorage.getItem('drydock.order')");
  check(
    'two pages of one Order keep what each other wrote',
    /namespace: elsewhere/.test(kept) && /releaseName: both/.test(kept),
  );
  await other.close();
  for (let count = 0; count < 2; count++) await page.getByRole('button', { name: 'Undo: ' }).click();
  await until(
    'the Order as it was',
    () => page.evaluate<boolean>(`localStorage.getItem('drydock.order') === ${JSON.stringify(before)}`),
    30,
  );
  await page.waitForSelector('.status[data-state=good][data-busy=false]');
}

/** A request of a user page is sent, its response shown, and it is in the request log. */
async function workAsUser(page: ConsolePage): Promise<void> {
  await page.evaluate("location.hash = '#/users/ada/emails'");
  await page.waitForSelector('#new-row');
  await page.locator('#new-row').fill('harbour@example.com');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.waitForSelector('td:has-text("harbour@example.com")');
  await page.evaluate("location.hash = '#/users/ada/credentials'");
  await page.waitForSelector('td:has-text("aws-lab")');
  await page.locator('#new-row').fill('{"name": "aws-lab", "type": "Azure", "azure": {}}');
  await page.getByRole('button', { name: 'Replace', exact: true }).click();
  await page.waitForSelector('tr:has-text("aws-lab"):has-text("Azure")');
  await page.evaluate("location.hash = '#/control/requests'");
  await page.waitForSelector('.logged:has-text("PUT /api/v1/user/credentials")');
  await page.waitForSelector('.logged:has-text("POST /api/v1/user/emails")');
  check('what a user sends is answered on the page, and stands in the log', true);
}

async function picture(page: ConsolePage, name: string): Promise<void> {
  if (shots !== undefined) await page.screenshot({ path: join(shots, `${name}.png`) });
}

const browser = await launchBrowser();
try {
  if (shots !== undefined) await mkdir(shots, { recursive: true });
  const page = await openPage(browser);
  await walk(page).catch(async (failure: unknown) => {
    await picture(page, 'failed');
    throw failure;
  });
} finally {
  await browser.close();
  await server.stop();
}
