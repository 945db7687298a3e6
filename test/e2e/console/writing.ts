// Tests the help for editing an Order. `node --import tsx test/e2e/console/writing.ts`
// Explanations of manifest lines by pointer, arrow keys and click; completion, descriptions and checks of values in the YAML editor; form,
// editor and Order YAML stay in step, whichever is edited.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { check, until } from '../../../scripts/dev/tools/tools.ts';
import { addChart, type ConsolePage, withWeb } from './page.ts';

const shots = process.argv[2];

async function picture(page: ConsolePage, name: string): Promise<void> {
  if (shots !== undefined) await page.screenshot({ path: join(shots, `${name}.png`) });
}

// Scrolling removes the card.
function pointAt(page: ConsolePage, selector: string): Promise<void> {
  return until('a card', async () => {
    await page.locator(selector).hover();
    await new Promise((resolve) => setTimeout(resolve, 700));
    return (await page.locator('.card').count()) > 0;
  });
}

const focused = 'document.activeElement?.id';

/** Pointing at a line shows its template line and its value; a click, or Enter, leads to the field that decides it. */
async function provenance(page: ConsolePage): Promise<void> {
  const line = '.manifest .cm-line:has-text("replicas: 2")';
  await page.locator('.outline-row[title="web/templates/deployment.yaml"]').click();
  await page.waitForSelector(line);
  await pointAt(page, `${line} >> span:has-text("replicas")`);
  const card = await page.locator('.card').textContent();
  await picture(page, 'hover');
  check(
    'a line that is pointed at tells its template line and its value',
    /deployment\.yaml:\d+/.test(card ?? '') &&
      /replicas: \{\{/.test(card ?? '') &&
      /replicaCount is 2/.test(card ?? ''),
  );
  await page.locator(line).click();
  await until('the field of the line', async () => (await page.evaluate(focused)) === 'value-replicaCount');
  const image = '.manifest .cm-line:has-text("image: ")';
  await page.locator(image).click();
  await until('the field of an image', async () => String(await page.evaluate(focused)).startsWith('value-image.'));
  const name = '.manifest .cm-line:has-text("app.kubernetes.io/instance: web") >> nth=0';
  await page.locator(name).click();
  await until('the field of the release', async () => (await page.evaluate(focused)) === 'package-releaseName');
  await page.locator('.outline-row[title="web/templates/deployment.yaml"]').click();
  await page.waitForSelector(line);
  await page.evaluate("document.querySelector('.manifest .code-host').shadowRoot.querySelector('.cm-content').focus()");
  for (let count = 0; count < 40; count++) {
    await page.keyboard.press('ArrowDown');
    if (await page.evaluate<boolean>(`/^ *replicas/.test(${activeLine})`)) break;
  }
  await until('the panel', async () => /replicaCount is 2/.test((await page.locator('.why').textContent()) ?? ''));
  await page.keyboard.press('Enter');
  await until('the field by Enter', async () => (await page.evaluate(focused)) === 'value-replicaCount');
  check('a click on a line, and Enter, lead to the field that decides it, and to the name of the release', true);
}

const activeLine =
  "document.querySelector('.manifest .code-host').shadowRoot.querySelector('.cm-activeLine')?.textContent ?? ''";

/** Completion while typing, hover, and problems at their place. */
async function help(page: ConsolePage): Promise<void> {
  await page.getByRole('tab', { name: 'Values', exact: true }).click();
  await page.locator('.values-own .cm-content').click();
  await page.keyboard.type('autos');
  await page.waitForSelector('.cm-tooltip-autocomplete li[aria-selected]');
  await picture(page, 'completion');
  await page.waitForSelector('.cm-completionInfo');
  // The list ignores keys for a moment, to avoid accidental selection.
  await new Promise((resolve) => setTimeout(resolve, 150));
  await page.keyboard.press('Enter');
  await page.keyboard.type('ena');
  await page.waitForSelector('.cm-tooltip-autocomplete li:has-text("enabled")');
  await new Promise((resolve) => setTimeout(resolve, 150));
  await page.keyboard.press('Enter');
  await page.waitForSelector('.cm-tooltip-autocomplete li:has-text("true")');
  await new Promise((resolve) => setTimeout(resolve, 150));
  await page.keyboard.type('true');
  await page.keyboard.press('Escape');
  await until('what was completed', async () => /autoscaling:\s+enabled: true/.test(await orderText(page)), 30);
  check('names of the values are offered while one writes, and what may stand behind them', true);
  await pointAt(page, '.values-own .cm-line:has-text("enabled") span:has-text("enabled") >> nth=0');
  const card = (await page.locator('.card').textContent()) ?? '';
  await picture(page, 'told');
  check(`pointing at a word describes it: ${card.slice(0, 80)}`, card.startsWith('autoscaling.enabled'));
  await addChart(page, 'schema 1.0.0');
  await page.waitForSelector('.values-own .cm-content[aria-label="Values of schema"]');
  await page.locator('.values-own .cm-content').click();
  await page.keyboard.type('level: ');
  await page.waitForSelector('.cm-tooltip-autocomplete li:has-text("warn")');
  await new Promise((resolve) => setTimeout(resolve, 150));
  await page.keyboard.press('Escape');
  await page.evaluate(watchShifts);
  await page.keyboard.type('loud');
  await page.waitForSelector('.preview .fault');
  await new Promise((resolve) => setTimeout(resolve, 300));
  const shifted = await page.evaluate<{ sum: number; what: string }>('globalThis.shifts');
  check(`a fault that comes moves nothing: ${shifted.sum.toFixed(4)} ${shifted.what}`, shifted.sum < 0.001);
  await page.waitForSelector('.values-own .cm-lintRange-error');
  const wrong = await page.locator('.values-own .cm-lintRange-error').textContent();
  await picture(page, 'wrong');
  check(`a value against the schema is marked where it stands: ${wrong}`, wrong === 'level: loud');
  await page.getByRole('button', { name: 'Remove schema' }).click();
  await page.waitForSelector('.status[data-state=good]');
}

// Including shifts soon after a keystroke, which browsers exclude from Cumulative Layout Shift.
const watchShifts = `(() => {
  globalThis.shifts = { sum: 0, what: '' };
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) {
      globalThis.shifts.sum += value;
      globalThis.shifts.what += sources.map(({ node }) => node?.className ?? node?.nodeName).join(' ') + '; ';
    }
  }).observe({ type: 'layout-shift' });
})()`;

function orderText(page: ConsolePage): Promise<string> {
  return page.evaluate<string>("localStorage.getItem('drydock.order')");
}

/** Edits in one of them appear in the others at once. */
async function inStep(page: ConsolePage): Promise<void> {
  const own = page.locator('.values-own .cm-content');
  await own.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('# by hand\nreplicaCount: 4\nimage:\ntag: v9');
  await page.getByRole('tab', { name: 'Form' }).click();
  await page.waitForSelector('.form .values-own .cm-content:has-text("replicaCount: 4")');
  await until('the editor in the form', async () => (await page.locator('#value-replicaCount').inputValue()) === '4');
  await page.waitForSelector('#value-image\\.tag');
  await until('the tag in the form', async () => (await page.locator('#value-image\\.tag').inputValue()) === 'v9');
  await page.locator('#value-replicaCount').fill('6');
  await page.keyboard.press('Tab');
  await page.waitForSelector('.form .values-own .cm-content:has-text("replicaCount: 6")');
  await picture(page, 'beside');
  await page.locator('.form .values-own .cm-line:has-text("replicaCount: 6")').click();
  await page.keyboard.press('End');
  await page.keyboard.type('1');
  await until('the editor beside it', async () => (await page.locator('#value-replicaCount').inputValue()) === '61');
  await page.keyboard.press('Backspace');
  await page.getByRole('tab', { name: 'Values', exact: true }).click();
  await until('the form in the editor', async () => /replicaCount: 6/.test((await own.textContent()) ?? ''));
  const kept = /# by hand/.test((await own.textContent()) ?? '');
  await page.getByRole('tab', { name: 'Order YAML' }).click();
  await page.waitForSelector('.writing .cm-content:has-text("replicaCount: 6")');
  await helpInOrder(page);
  await page.locator('.writing .cm-line:has-text("replicaCount: 6")').click();
  await page.keyboard.press('End');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('8');
  await page.getByRole('tab', { name: 'Form' }).click();
  await until('the Order in the form', async () => (await page.locator('#value-replicaCount').inputValue()) === '8');
  check('form, editor and whole Order are in step, and comments stay', kept);
}

/** The Order editor completes its own members, and within values those of the chart, also within braces. */
async function helpInOrder(page: ConsolePage): Promise<void> {
  const offers: readonly (readonly [line: string, typed: string, offered: string])[] = [
    ['spec:', 'kub', 'kubeVersion'],
    ['replicaCount: 6', 'autosc', 'autoscaling'],
    ['replicaCount: 6', 'service: {targ', 'targetPort'],
  ];
  for (const [line, typed, offered] of offers) {
    await page.locator(`.writing .cm-line:has-text("${line}")`).click();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.type(typed);
    await page.waitForSelector(`.cm-tooltip-autocomplete li:has-text("${offered}")`);
    await page.keyboard.press('Escape');
    // The editor has closed the brace.
    await page.keyboard.press('End');
    await page.keyboard.press('Shift+Home');
    await page.keyboard.press('Shift+Home');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
  }
  check('names are offered in the whole Order: its own, those of values, and within braces', true);
}

/** Typing in a field takes effect without leaving it; the changed line is marked, and the images are listed. */
async function whileTyping(page: ConsolePage): Promise<void> {
  const marked = `document.querySelector('.manifest .code-host').shadowRoot.querySelector('.cm-changedLine')?.textContent ?? ''`;
  await page.getByRole('tab', { name: 'Form' }).click();
  await page.locator('#value-replicaCount').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('7');
  await until('the manifest to follow', async () => /replicas: 7/.test(await page.evaluate<string>(marked)));
  check('a typed value is applied before the field is left', (await page.evaluate(focused)) === 'value-replicaCount');
  await page.getByRole('tab', { name: 'Images' }).click();
  await page.waitForSelector('.images .row-head');
  check('the images are listed', /shop\/web/.test((await page.locator('.images >> nth=0').textContent()) ?? ''));
}

/** Saved Orders are renamed, duplicated and deleted; Undo brings a deleted one back. */
async function savedOrders(page: ConsolePage): Promise<void> {
  const names = `[...document.querySelectorAll('tbody tr')].map((row) => row.cells[0].textContent).sort().join(' ')`;
  const become = (what: string, wanted: string): Promise<void> =>
    until(what, async () => (await page.evaluate<string>(names)) === wanted);
  await page.getByRole('link', { name: 'Saved', exact: true }).click();
  await become('the saved Orders', 'backend nightly-backups portal shop storefront');
  await page.getByRole('button', { name: 'Rename storefront' }).click();
  await page.waitForSelector('[aria-label="New name of storefront"]');
  await page.keyboard.type('store');
  await page.keyboard.press('Enter');
  await become('the new name', 'backend nightly-backups portal shop store');
  await page.getByRole('button', { name: 'Duplicate portal' }).click();
  await become('the copy', 'backend nightly-backups portal portal-copy shop store');
  const uids = `(async () => (await (await fetch('__drydock/orders')).json()).map(({ uid }) => uid).sort().join(' '))()`;
  const before = await page.evaluate<string>(uids);
  await page.getByRole('button', { name: 'Delete shop' }).click();
  await become('one less', 'backend nightly-backups portal portal-copy store');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await become('the deleted one', 'backend nightly-backups portal portal-copy shop store');
  check(
    'saved Orders are renamed, duplicated, deleted, and brought back under the same UID',
    (await page.evaluate<string>(uids)) === before,
  );
}

if (shots !== undefined) await mkdir(shots, { recursive: true });
await withWeb(async (page) => {
  try {
    await provenance(page);
    await help(page);
    await inStep(page);
    await whileTyping(page);
    await savedOrders(page);
  } catch (failure) {
    await picture(page, 'failed');
    throw failure;
  }
});
