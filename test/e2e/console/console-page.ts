// Actions on a page of the console.

import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { execa } from 'execa';
import type { Locator, Page } from 'playwright-core';
import { packChart } from '../../../render/vendor/lock/bundle.ts';

/** Repeats assertions until they pass; rejects with the last failure after a number of seconds. */
export async function eventually(assertions: () => Promise<void>, seconds = 30): Promise<void> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    try {
      return await assertions();
    } catch (failure) {
      if (Date.now() > end) throw failure;
    }
    await delay(50);
  }
}

/** Sets a field, and leaves it. */
export async function fill(field: Locator, text: string): Promise<void> {
  await field.fill(text);
  await field.press('Tab');
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

/** A page of the console. */
export class ConsolePage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Opens a screen by its hash, such as `#/users/ada`. */
  async go(hash: string): Promise<void> {
    await this.page.evaluate((to) => {
      location.hash = to;
    }, hash);
    await this.page.waitForURL((url) => url.hash === hash);
  }

  /** Opens a tab; its name may be followed by a count. */
  async openTab(name: string): Promise<void> {
    await this.page.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
  }

  /** Adds a chart from the list, such as `web 1.4.2`. */
  async addChart(label: string): Promise<void> {
    await this.page.locator('.add-chart button:enabled').click();
    await this.page.locator('dialog[open] .palette-search').fill(label);
    await this.page.keyboard.press('Enter');
  }

  /** Adds a chart from the list and waits until the Order is rendered. */
  async addRendered(label: string): Promise<void> {
    await this.addChart(label);
    await this.untilRendered(label.split(' ')[0]!);
  }

  /** Waits until the manifest has objects of a chart. */
  async untilRendered(chart: string): Promise<void> {
    await this.page.locator(`.outline-row[title^="${chart}/"]`).first().waitFor({ timeout: 60_000 });
  }

  /** Waits until the manifest has an object with a name. */
  async untilOutlined(name: string): Promise<void> {
    await this.page.locator('.outline-row', { hasText: name }).first().waitFor({ timeout: 60_000 });
  }

  /** Waits until the latest edit is rendered without errors. */
  async untilValid(): Promise<void> {
    await this.page.locator('.status[data-state=good][data-busy=false]').waitFor({ timeout: 60_000 });
  }

  /** Returns the line of the manifest with a text. */
  manifestLine(text: string): Locator {
    return this.page.locator('.manifest .cm-line', { hasText: text });
  }

  /** Shows the manifest of a template, such as `web/templates/deployment.yaml`. */
  async showTemplate(path: string): Promise<void> {
    await this.page.locator(`.outline-row[title="${path}"]`).click();
  }

  /** Returns the form's field of a value, such as `image.tag`. */
  valueField(path: string): Locator {
    return this.page.locator(`[id="value-${path}"]`);
  }

  /** Returns the text of the Order. */
  orderText(): Promise<string> {
    return this.page.evaluate(() => localStorage.getItem('drydock.order') ?? '');
  }

  /** Waits until the text of the Order is as expected. */
  async untilOrder(text: string): Promise<void> {
    await eventually(async () => assert.equal(await this.orderText(), text));
  }

  /** Returns the names of the packages, in order. */
  packageNames(): Promise<string[]> {
    return this.page.locator('.package-name').allTextContents();
  }

  /** Selects what the Order is compared with, by the start of its label. */
  async compareWith(start: string): Promise<void> {
    const list = this.page.locator('.compare-choice select');
    const label = await list
      .locator('option', { hasText: new RegExp(`^${start}`) })
      .first()
      .textContent();
    await list.selectOption({ label: label! });
  }

  /** Chooses a file to compare the Order with. */
  async compareWithFile(name: string, text: string): Promise<void> {
    const chooser = this.page.waitForEvent('filechooser');
    await this.page.getByRole('button', { name: 'File', exact: true }).click();
    await (await chooser).setFiles({ name, mimeType: 'text/yaml', buffer: Buffer.from(text) });
  }

  /** Calls the emulator from the page, which contains it in the demo. Returns the body of the response. */
  callEmulator(method: string, path: string, body?: object): Promise<string> {
    return this.page.evaluate(
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
  async copied(action: () => Promise<void>): Promise<string> {
    await this.page.evaluate(() => {
      const shared = window as unknown as { copied: string };
      shared.copied = '';
      const writeText = async (text: string): Promise<void> => {
        shared.copied = text;
      };
      Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true });
    });
    await action();
    let copied = '';
    // waitForFunction evaluates text, which the page's Content Security Policy forbids.
    await eventually(async () => {
      copied = await this.page.evaluate('window.copied');
      assert.notEqual(copied, '');
    });
    return copied;
  }

  /** Puts a file into the page without the console knowing it. */
  async pickUpFile(name: string, bytes: Uint8Array): Promise<void> {
    await this.page.evaluate(
      ([name, base64]) => {
        const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
        (window as unknown as { file: File }).file = new File([bytes], name);
      },
      [name, Buffer.from(bytes).toString('base64')] as const,
    );
  }

  /** Drops the file of `pickUpFile` onto the page, or only drags it there. */
  async dropPicked(event: 'drop' | 'dragenter' = 'drop'): Promise<void> {
    await this.page.evaluate((event) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add((window as unknown as { file: File }).file);
      document.body.dispatchEvent(new DragEvent(event, { dataTransfer, bubbles: true, cancelable: true }));
    }, event);
  }

  /** Drops a file onto the this.page. */
  async dropFile(name: string, content: Uint8Array | string): Promise<void> {
    await this.pickUpFile(name, typeof content === 'string' ? new TextEncoder().encode(content) : content);
    await this.dropPicked();
  }

  /** Drops a chart and waits for the notification. */
  async dropChart(label: string, archive: Uint8Array): Promise<void> {
    await this.dropFile(`${label.replace(' ', '-')}.tgz`, archive);
    await this.page.locator('.said', { hasText: label }).waitFor();
  }

  /** Adds an email address on the page of ada. */
  async addEmail(address: string): Promise<void> {
    await this.go('#/users/ada/emails');
    await this.page.getByRole('cell', { name: 'ada@example.com' }).waitFor();
    await this.page.locator('#new-row').fill(address);
    await this.page.getByRole('button', { name: 'Add', exact: true }).click();
    await this.page.getByRole('cell', { name: address }).waitFor();
  }

  /** Checks that the request of a page, copied for curl and as a program, returns the same. */
  async checkCopies(hash: string): Promise<void> {
    await this.go(hash);
    const request = this.page.locator('.request');
    await request.locator('summary .tag[data-status=good]').waitFor();
    await request.locator('summary').click();
    const copy = (name: string): Promise<string> => this.copied(() => request.getByRole('button', { name }).click());
    const { stdout } = await execa('sh', ['-c', await copy('curl')]);
    const program = `(async () => { ${await copy('fetch')} return response.ok ? response.text() : 'error' })()`;
    const response = await this.page.evaluate<string>(program);
    assert.notEqual(response, 'error', hash);
    assert.equal(stdout.trim(), response.trim(), hash);
  }

  /** Waits until the service worker of a demo has kept its files. */
  async untilOffline(): Promise<void> {
    await this.page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, { timeout: 60_000 });
  }
}
