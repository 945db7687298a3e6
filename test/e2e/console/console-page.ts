// Actions on a page of the console.

import assert from 'node:assert/strict';
import { execa } from 'execa';
import type { Locator, Page } from 'playwright-core';
import { packChart } from '../../../render/vendor/lock/pack.ts';
import { eventually } from './fixture.ts';

/** Opens a screen by its hash, such as `#/users/ada`. */
export async function go(page: Page, hash: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
  await page.waitForURL((url) => url.hash === hash);
}

/** Opens a tab; its name may be followed by a count. */
export async function openTab(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
}

/** Adds a chart from the list, such as `web 1.4.2`. */
export async function addChart(page: Page, label: string): Promise<void> {
  await page.locator('.add-chart button:enabled').click();
  await page.locator('dialog[open] .palette-search').fill(label);
  await page.keyboard.press('Enter');
}

/** Adds a chart from the list and waits until the Order is rendered. */
export async function addRendered(page: Page, label: string): Promise<void> {
  await addChart(page, label);
  await untilRendered(page, label.split(' ')[0]!);
}

/** Waits until the manifest has objects of a chart. */
export async function untilRendered(page: Page, chart: string): Promise<void> {
  await page.locator(`.outline-row[title^="${chart}/"]`).first().waitFor({ timeout: 60_000 });
}

/** Waits until the manifest has an object with a name. */
export async function untilOutlined(page: Page, name: string): Promise<void> {
  await page.locator('.outline-row', { hasText: name }).first().waitFor({ timeout: 60_000 });
}

/** Waits until the latest edit is rendered without errors. */
export async function untilValid(page: Page): Promise<void> {
  await page.locator('.status[data-state=good][data-busy=false]').waitFor({ timeout: 60_000 });
}

/** Returns the line of the manifest with a text. */
export function manifestLine(page: Page, text: string): Locator {
  return page.locator('.manifest .cm-line', { hasText: text });
}

/** Shows the manifest of a template, such as `web/templates/deployment.yaml`. */
export async function showTemplate(page: Page, path: string): Promise<void> {
  await page.locator(`.outline-row[title="${path}"]`).click();
}

/** Sets a field, and leaves it. */
export async function fill(field: Locator, text: string): Promise<void> {
  await field.fill(text);
  await field.press('Tab');
}

/** Returns the form's field of a value, such as `image.tag`. */
export function valueField(page: Page, path: string): Locator {
  return page.locator(`[id="value-${path}"]`);
}

/** Returns the text of the Order. */
export function orderText(page: Page): Promise<string> {
  return page.evaluate(() => localStorage.getItem('drydock.order') ?? '');
}

/** Waits until the text of the Order is as expected. */
export async function untilOrder(page: Page, text: string): Promise<void> {
  await eventually(async () => assert.equal(await orderText(page), text));
}

/** Returns the names of the packages, in order. */
export function packageNames(page: Page): Promise<string[]> {
  return page.locator('.package-name').allTextContents();
}

/** Selects the option of a list whose label starts with a text. */
export async function selectOption(list: Locator, start: string): Promise<void> {
  await eventually(async () => {
    const label = (await list.locator('option').allTextContents()).find((one) => one.startsWith(start));
    assert.ok(label, `no option ${start}`);
    await list.selectOption({ label });
  });
}

/** Selects what the Order is compared with. */
export function compareWith(page: Page, start: string): Promise<void> {
  return selectOption(page.locator('.compare-choice select'), start);
}

/** Chooses a file to compare the Order with. */
export async function compareWithFile(page: Page, name: string, text: string): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'File', exact: true }).click();
  await (await chooser).setFiles({ name, mimeType: 'text/yaml', buffer: Buffer.from(text) });
}

/** Calls the emulator from the page, which contains it in the demo. Returns the body of the response. */
export function callEmulator(page: Page, method: string, path: string, body?: object): Promise<string> {
  return page.evaluate(
    async ([method, path, body]) => {
      const shared = globalThis as unknown as Record<symbol, typeof fetch | undefined>;
      const send = shared[Symbol.for('drydock.console.fetch')] ?? fetch;
      const headers = { 'Content-Type': 'application/json' };
      const response = await send(`./__drydock/${path}`, { method, ...(body && { headers, body }) } as RequestInit);
      return response.text();
    },
    [method, path, body && JSON.stringify(body)] as const,
  );
}

/** Returns what an action copies to the clipboard. */
export async function copied(page: Page, action: () => Promise<void>): Promise<string> {
  await page.evaluate(() => {
    const shared = window as unknown as { copied: string };
    shared.copied = '';
    const writeText = async (text: string): Promise<void> => {
      shared.copied = text;
    };
    Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true });
  });
  await action();
  await page.waitForFunction('window.copied !== ""');
  return page.evaluate('window.copied');
}

/** Returns the archive of a chart with these files. */
export function chartOf(name: string, files: Readonly<Record<string, string>>, version = '1.0.0'): Uint8Array {
  const all = { 'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: ${version}\n`, ...files };
  return packChart(name, new Map(Object.entries(all).map(([path, text]) => [path, new TextEncoder().encode(text)])));
}

/** Returns the archive of a chart with one ConfigMap. */
export function chartArchive(name: string, data: string): Uint8Array {
  const head = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata:\n`;
  return chartOf(name, { 'templates/map.yaml': `${head}  ${data}\n` });
}

/** A template that renders for minutes. */
export const endless = '{{ range until 100000 }}{{ range until 100000 }}{{ $_ := add 1 . }}{{ end }}{{ end }}';

/** Puts a file into the page without the console knowing it. */
export async function pickUpFile(page: Page, name: string, bytes: Uint8Array): Promise<void> {
  await page.evaluate(
    ([name, base64]) => {
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
      (window as unknown as { file: File }).file = new File([bytes], name);
    },
    [name, Buffer.from(bytes).toString('base64')] as const,
  );
}

/** Drops the file of `pickUpFile` onto the page, or only drags it there. */
export async function dropPicked(page: Page, event: 'drop' | 'dragenter' = 'drop'): Promise<void> {
  await page.evaluate((event) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add((window as unknown as { file: File }).file);
    document.body.dispatchEvent(new DragEvent(event, { dataTransfer, bubbles: true, cancelable: true }));
  }, event);
}

/** Drops a file onto the page. */
export async function dropFile(page: Page, name: string, content: Uint8Array | string): Promise<void> {
  await pickUpFile(page, name, typeof content === 'string' ? new TextEncoder().encode(content) : content);
  await dropPicked(page);
}

/** Drops a chart and waits for the notification. */
export async function dropChart(page: Page, label: string, archive: Uint8Array): Promise<void> {
  await dropFile(page, `${label.replace(' ', '-')}.tgz`, archive);
  await page.locator('.said', { hasText: label }).waitFor();
}

/** Adds an email address on the page of ada. */
export async function addEmail(page: Page, address: string): Promise<void> {
  await go(page, '#/users/ada/emails');
  await page.getByRole('cell', { name: 'ada@example.com' }).waitFor();
  await page.locator('#new-row').fill(address);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('cell', { name: address }).waitFor();
}

/** Checks that the request of a page, copied for curl and as a program, returns the same. */
export async function checkCopies(page: Page, hash: string): Promise<void> {
  await go(page, hash);
  const request = page.locator('.request');
  await request.locator('summary .tag[data-status=good]').waitFor();
  await request.locator('summary').click();
  const copy = (name: string): Promise<string> => copied(page, () => request.getByRole('button', { name }).click());
  const { stdout } = await execa('sh', ['-c', await copy('curl')]);
  const program = `(async () => { ${await copy('fetch')} return response.ok ? response.text() : 'error' })()`;
  const response = await page.evaluate<string>(program);
  assert.notEqual(response, 'error', hash);
  // Time passes and the log grows between two requests.
  if (!['#/control/clock', '#/control/requests'].includes(hash)) assert.equal(stdout.trim(), response.trim(), hash);
}

/** Waits until the service worker of a demo has kept its files. */
export async function untilOffline(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, { timeout: 60_000 });
}
