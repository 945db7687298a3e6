// Tests the help for editing an Order: explanations of manifest lines, completion, descriptions and checks of values, form and editors in
// step, and that no keystroke is lost while renderings arrive.

import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { eventually, fill } from './console-page.ts';
import { consoleTest, type Fixture, skipInFirefox } from './fixture.ts';

const test = consoleTest(['--charts', 'fixtures/charts'], 'web 1.4.2');
const deployment = 'web/templates/deployment.yaml';
const valuesEditor = (page: Page): Locator => page.locator('.values-own .cm-content');
const orderEditor = (page: Page): Locator => page.locator('.writing .cm-content');

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
    assert.match(card, /replicas: \{\{/);
    assert.match(card, /replicaCount is 2/);
  });

  test('a click on a line focuses the field that decides it', async ({ app, page }) => {
    await app.showTemplate(deployment);
    await app.manifestLine('replicas: 2').click();
    await untilFocused(page, '#value-replicaCount');
    await app.manifestLine('image: ').click();
    await untilFocused(page, '[id^="value-image."]');
    await app.manifestLine('app.kubernetes.io/instance: web').first().click();
    await untilFocused(page, '#package-releaseName');
  });

  test('Enter on a line focuses the field that decides it', async ({ app, page }) => {
    await app.showTemplate(deployment);
    await app.manifestLine('replicas: 2').waitFor();
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

  test('offers the members of an Order, and the names of values within it and within braces', async ({ app, page }) => {
    await fill(app.valueField('replicaCount'), '6');
    await app.openTab('Order YAML');
    for (const [line, typed, name] of [
      ['spec:', 'kub', 'kubeVersion'],
      ['replicaCount: 6', 'autosc', 'autoscaling'],
      ['replicaCount: 6', 'service: {targ', 'targetPort'],
    ] as const) {
      await page.locator('.writing .cm-line', { hasText: line }).click();
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await page.keyboard.type(typed);
      await offered(page, name).waitFor();
      await page.keyboard.press('Escape');
      // The editor has closed the brace.
      for (const key of ['End', 'Shift+Home', 'Shift+Home', 'Backspace', 'Backspace']) await page.keyboard.press(key);
    }
  });
});

describe('Values against a schema', () => {
  /** Types an invalid value for `level`, an enumeration. */
  async function typeInvalid(page: Page): Promise<void> {
    await page.keyboard.type('loud');
    await page.locator('.preview .fault').waitFor();
  }

  async function startValue({ app, page }: Fixture): Promise<void> {
    await app.addChart('schema 1.0.0');
    await app.openTab('Values');
    await page.locator('.values-own .cm-content[aria-label="Values of schema"]').click();
    await page.keyboard.type('level: ');
    await page.locator('.cm-tooltip-autocomplete li', { hasText: 'warn' }).waitFor();
    await delay(150);
    await page.keyboard.press('Escape');
  }

  test('the allowed values are offered, and an invalid one is marked in the editor', async (fixture) => {
    const { page } = fixture;
    await startValue(fixture);
    await typeInvalid(page);
    assert.equal(await page.locator('.values-own .cm-lintRange-error').innerText(), 'level: loud');
  });

  test(
    'the error message does not shift the page',
    async (fixture) => {
      const { page } = fixture;
      await startValue(fixture);
      // Including shifts soon after a keystroke, which browsers exclude from Cumulative Layout Shift.
      await page.evaluate(() => {
        const shared = window as unknown as { shifted: number };
        shared.shifted = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) shared.shifted += (entry as unknown as { value: number }).value;
        }).observe({ type: 'layout-shift' });
      });
      await typeInvalid(page);
      await delay(300);
      const shifted = await page.evaluate<number>('window.shifted');
      assert.ok(shifted < 0.001, `shifted by ${shifted}`);
    },
    skipInFirefox('Firefox does not report layout shifts'),
  );
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
    await page.locator('.form .values-own .cm-line', { hasText: 'replicaCount: 6' }).click();
    await page.keyboard.press('End');
    await page.keyboard.type('1');
    await expectField(replicas, '61');
    await page.keyboard.press('Backspace');
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
  const long = `${alphabet}-${alphabet}`;

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
      ['.targets input', `1.31.0-${alphabet}-abcdefgh`],
      ['#package-releaseName', long.slice(0, 40)],
      ['#package-namespace', long.slice(0, 40)],
      ['#value-replicaCount', '1234567'],
      ['.form-search', 'image tag and more words that no value has'],
      ['#value-nameOverride', long],
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

  for (const [tab, lines] of [
    ['Values', [`nameOverride: ${long}`, `fullnameOverride: "${long}"`, 'podAnnotations: {a: b, c: d}']],
    ['Patch', ['- {op: replace, path: /replicaCount, value: 12345}']],
  ] as const)
    test(`loses no keystroke in the editor ${tab}`, async ({ app, page }) => {
      await keepRendering(page);
      await app.openTab(tab);
      await valuesEditor(page).click();
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Delete');
      for (const [index, line] of lines.entries()) {
        if (index > 0) await page.keyboard.press('Enter');
        // Completion opens, and the indentation for the next line is removed.
        await page.keyboard.press('Escape');
        for (let count = 0; index > 0 && count < 12; count++) await page.keyboard.press('Shift+Home');
        await type(page, line);
        await page.keyboard.press('Escape');
      }
      const text = async (): Promise<string> =>
        (await page.locator('.values-own .cm-line').allTextContents()).join('\n');
      const expectLines = async (): Promise<void> => {
        const typed = await text();
        for (const line of lines) assert.ok(typed.includes(line), typed);
      };
      await expectLines();
      await delay(600);
      await expectLines();
      await expectRenderings(page);
    });

  test('loses no keystroke in the editor Order YAML', async ({ app, page }) => {
    await keepRendering(page);
    await app.openTab('Order YAML');
    await orderEditor(page).click();
    await page.keyboard.press('Control+Home');
    const comment = `# ${alphabet}: {abc: [1, 2]} ${alphabet}`;
    await type(page, comment);
    await page.keyboard.press('Enter');
    await eventually(async () => assert.equal((await app.orderText()).split('\n')[0], comment));
    await expectRenderings(page);
  });
});
