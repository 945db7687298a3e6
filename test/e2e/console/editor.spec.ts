// Tests the help for editing an Order: explanations of manifest lines, completion, descriptions and checks of values, form and editors in
// step, and that no keystroke is lost while renderings arrive.

import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { eventually, fill } from './console-page.ts';
import { consoleTest } from './fixture.ts';

const test = consoleTest(['--charts', 'fixtures/charts'], 'web 1.4.2');
const deployment = 'web/templates/deployment.yaml';
const valuesEditor = (page: Page): Locator => page.locator('.values-own .cm-content');

/** Waits until a field has the focus. */
function untilFocused(page: Page, selector: string): Promise<void> {
  return page.locator(`${selector}:focus`).waitFor();
}

/** Points at an element until its card is shown: scrolling removes the card. Returns the text of the card. */
async function cardOf(page: Page, target: Locator): Promise<string> {
  const card = page.locator('.card');
  await eventually(async () => {
    await target.hover();
    await card.waitFor({ timeout: 1000 });
  });
  return card.innerText();
}

describe('Manifest lines', () => {
  test('pointing at a line shows its template line and its value', async ({ app, page }) => {
    await app.showTemplate(deployment);
    const card = await cardOf(page, app.manifestLine('replicas: 2').locator('span', { hasText: 'replicas' }).first());
    assert.match(card, /deployment\.yaml:\d+/);
    assert.match(card, /replicaCount is 2/);
  });

  test('a click or Enter on a line focuses the field that decides it', async ({ app, page }) => {
    await app.showTemplate(deployment);
    await app.manifestLine('image: ').click();
    await untilFocused(page, '[id^="value-image."]');
    await app.manifestLine('app.kubernetes.io/instance: web').first().click();
    await untilFocused(page, '#package-releaseName');
    await page.locator('.manifest .cm-content').focus();
    const active = page.locator('.manifest .cm-activeLine');
    for (let count = 0; count < 40 && !/^ *replicas/.test(await active.innerText()); count++)
      await page.keyboard.press('ArrowDown');
    await page.locator('.why', { hasText: 'replicaCount is 2' }).waitFor();
    await page.keyboard.press('Enter');
    await untilFocused(page, '#value-replicaCount');
  });
});

describe('Completion', () => {
  const offered = (page: Page, text: string): Locator =>
    page.locator('.cm-tooltip-autocomplete li', { hasText: text }).first();

  /** Waits for an offer, and for the moment during which the list ignores keys to avoid accidental selection. */
  async function untilOffered(page: Page, text: string): Promise<void> {
    await offered(page, text).waitFor();
    await delay(150);
  }

  test('offers the names of values, describes them, and offers their values', async ({ app, page }) => {
    await app.openTab('Values');
    await valuesEditor(page).click();
    await page.keyboard.type('autos');
    await page.locator('.cm-completionInfo').waitFor();
    await untilOffered(page, 'autoscaling');
    await page.keyboard.press('Enter');
    await page.keyboard.type('ena');
    await untilOffered(page, 'enabled');
    await page.keyboard.press('Enter');
    await untilOffered(page, 'true');
    await page.keyboard.type('true');
    await page.keyboard.press('Escape');
    await eventually(async () => assert.match(await app.orderText(), /autoscaling:\s+enabled: true/));
    const name = page.locator('.values-own .cm-line', { hasText: 'enabled' }).locator('span', { hasText: 'enabled' });
    assert.match(await cardOf(page, name.first()), /^autoscaling\.enabled/);
  });

  test('offers the members of an Order', async ({ app, page }) => {
    await app.openTab('Order YAML');
    await page.locator('.writing .cm-line', { hasText: 'spec:' }).click();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('kub');
    await offered(page, 'kubeVersion').waitFor();
  });

  test('offers the values that a schema allows, and an invalid one is marked', async ({ app, page }) => {
    await app.addChart('schema 1.0.0');
    await app.openTab('Values');
    await page.locator('.values-own .cm-content[aria-label="Values of schema"]').click();
    await page.keyboard.type('level: ');
    await untilOffered(page, 'warn');
    await page.keyboard.press('Escape');
    await page.keyboard.type('loud');
    await page.locator('.preview .fault').waitFor();
    assert.equal(await page.locator('.values-own .cm-lintRange-error').innerText(), 'level: loud');
  });
});

describe('Form and editors', () => {
  test('stay in step, and comments are kept', async ({ app, page }) => {
    const replicas = app.valueField('replicaCount');
    const expectField = (field: Locator, value: string): Promise<void> =>
      eventually(async () => assert.equal(await field.inputValue(), value));
    await app.openTab('Values');
    await valuesEditor(page).click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('# by hand\nreplicaCount: 4\nimage:\ntag: v9');
    await app.openTab('Form');
    await expectField(replicas, '4');
    await expectField(app.valueField('image.tag'), 'v9');
    await fill(replicas, '6');
    await app.openTab('Values');
    await page.locator('.values-own .cm-content', { hasText: 'replicaCount: 6' }).waitFor();
    assert.match(await valuesEditor(page).innerText(), /# by hand/);
    await app.openTab('Order YAML');
    await page.locator('.writing .cm-line', { hasText: 'replicaCount: 6' }).click();
    await page.keyboard.press('End');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('8');
    await app.openTab('Form');
    await expectField(replicas, '8');
  });

  test('a value is applied while it is typed, and the changed line is marked', async ({ app, page }) => {
    await app.showTemplate(deployment);
    await app.valueField('replicaCount').press('Control+a');
    await page.keyboard.type('7');
    await page.locator('.manifest .cm-changedLine', { hasText: 'replicas: 7' }).waitFor();
    await untilFocused(page, '#value-replicaCount');
  });
});

describe('Typing while renderings arrive', () => {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz';

  /** Switches the Helm version back and forth from now on, and counts the changes of the preview. */
  async function keepRendering(page: Page): Promise<void> {
    await page.evaluate(() => {
      const shared = window as unknown as { renderings: number };
      shared.renderings = 0;
      new MutationObserver(() => shared.renderings++).observe(document.querySelector('.status')!, {
        subtree: true,
        characterData: true,
        attributes: true,
        childList: true,
      });
      setInterval(() => {
        const versions = document.querySelector<HTMLSelectElement>('.targets select')!;
        // The first option is the default.
        versions.selectedIndex = versions.selectedIndex === 1 ? versions.length - 1 : 1;
        versions.dispatchEvent(new Event('change', { bubbles: true }));
      }, 300);
    });
  }

  /** Types the first half as fast as possible, the second at human speed. */
  async function type(page: Page, text: string): Promise<void> {
    await page.keyboard.type(text.slice(0, text.length / 2));
    await page.keyboard.type(text.slice(text.length / 2), { delay: 40 });
  }

  async function expectRenderings(page: Page): Promise<void> {
    assert.ok((await page.evaluate<number>('window.renderings')) > 0, 'nothing was rendered meanwhile');
  }

  test('loses no keystroke in fields', async ({ page }) => {
    await keepRendering(page);
    for (const [selector, text] of [
      ['.targets input', `1.31.0-${alphabet}`],
      ['#package-releaseName', alphabet],
      ['#value-replicaCount', '1234567'],
      ['.form-search', 'words that no value has'],
      ['#value-nameOverride', `${alphabet}-${alphabet}`],
    ] as const) {
      const field = page.locator(selector);
      await field.press('Control+a');
      await type(page, text);
      assert.equal(await field.inputValue(), text);
      await page.keyboard.press('Tab');
      // An invalid version is not rendered, and a search hides the other fields.
      if (selector.startsWith('.')) await fill(field, '');
    }
    await expectRenderings(page);
  });

  for (const [tab, editor] of [
    ['Values', '.values-own'],
    ['Patch', '.values-own'],
    ['Order YAML', '.writing'],
  ] as const)
    test(`loses no keystroke in the editor ${tab}`, async ({ app, page }) => {
      await keepRendering(page);
      await app.openTab(tab);
      await page.locator(`${editor} .cm-content`).click();
      await page.keyboard.press('Control+Home');
      const comment = `# ${alphabet}: {abc: [1, 2]} ${alphabet}`;
      await type(page, comment);
      await page.keyboard.press('Enter');
      const expectComment = async (): Promise<void> =>
        assert.equal(await page.locator(`${editor} .cm-line`).first().textContent(), comment);
      await expectComment();
      await delay(600);
      await expectComment();
      await expectRenderings(page);
    });
});
