// Tests the Order screen: packages, the form, the explanation of manifest lines, checks, files dropped onto the page, sharing.

import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { chartArchive, eventually, fill } from './console-page.ts';
import { consoleTest, isFirefox } from './fixture.ts';

const test = consoleTest([], 'web 1.4.2');

describe('Packages', () => {
  test('are moved by dragging and by keys, and the focus follows', async ({ app, page }) => {
    await app.addRendered('redis 1.8.3');
    const expectOrder = (names: string, focused: string): Promise<void> =>
      eventually(async () => {
        assert.equal((await app.packageNames()).join(' '), names);
        assert.equal(await page.locator('.package:focus-within .package-name').textContent({ timeout: 1000 }), focused);
      });
    await page.getByRole('button', { name: 'Move web down' }).press('Enter');
    await expectOrder('redis web', 'web');
    // The Firefox driver cannot drag.
    if (isFirefox) await page.getByRole('button', { name: 'Move web up' }).press('Enter');
    else await page.dragAndDrop('.package:nth-child(2)', '.package:nth-child(1)');
    await eventually(async () => assert.deepEqual(await app.packageNames(), ['web', 'redis']));
    await page.getByRole('button', { name: 'Remove web' }).press('Enter');
    await expectOrder('redis', 'redis');
    await page.getByRole('button', { name: 'Undo: remove web' }).click();
    await eventually(async () => assert.deepEqual(await app.packageNames(), ['web', 'redis']));
  });
});

describe('Values', () => {
  test('a check of an unused value leads to its line in the Order', async ({ app, page }) => {
    await app.openTab('Values');
    await page.locator('.values-own .cm-content').click();
    await page.keyboard.type('replicaCuont: 3');
    await app.openTab('Checks');
    await page.locator('.issue', { hasText: 'replicaCuont' }).getByRole('button').click();
    await page.locator('.writing .cm-activeLine', { hasText: 'replicaCuont' }).waitFor();
    await page.locator('.writing .code-host:focus').waitFor();
  });

  test('a syntax error is reported with its line, and the last preview stays until it is undone', async ({
    app,
    page,
  }) => {
    await app.openTab('Order YAML');
    const editor = page.locator('.writing .cm-content');
    const valid = await editor.innerText();
    await editor.press('Control+End');
    await page.keyboard.type('one: two: three');
    await page.locator('.status[data-state=bad]').waitFor();
    const fault = page.locator('.fault', { hasText: 'mapping values are not allowed' });
    assert.match(await fault.innerText(), /line \d+/);
    assert.ok((await page.locator('.outline-row').count()) > 2);
    while ((await editor.innerText()) !== valid) await page.keyboard.press('Control+z');
    await app.untilValid();
    await app.untilRendered('web');
  });

  test('computed values show what sets them and what that overrides', async ({ app, page }) => {
    await fill(app.valueField('replicaCount'), '3');
    await app.openTab('Computed values');
    await page.getByLabel('Only what the Order sets').check();
    const row = page.locator('.row-item', { hasText: 'replicaCount' });
    await row.filter({ hasText: 'overrides web/values.yaml' }).waitFor();
  });
});

describe('Dropped files', () => {
  test('a chart and values are rendered', async ({ app, page }) => {
    const before = await app.orderText();
    await app.dropFile('small-1.0.0.tgz', chartArchive('small', 'a: {{ .Values.text | quote }}'));
    await app.untilOutlined('small');
    await app.dropFile('values.yaml', 'text: from-a-file\n');
    await app.showTemplate('small/templates/map.yaml');
    await app.manifestLine('from-a-file').waitFor();
    await page.getByRole('button', { name: 'Remove small' }).click();
    await app.untilOrder(before);
  });

  test('a chart dropped onto another screen is added to the Order, which is shown', async ({ app, page }) => {
    await app.go('#/control/worlds');
    await app.pickUpFile('small-1.0.0.tgz', chartArchive('small', 'a: b'));
    await app.dropPicked('dragenter');
    await page.locator('.dropping').waitFor();
    await app.dropPicked();
    await app.untilOutlined('small');
    await page.locator('.dropping').waitFor({ state: 'detached' });
  });
});

describe('Sharing', () => {
  test('a link contains the whole Order', async ({ app, page }) => {
    const order = await app.orderText();
    const link = await app.copied(() => page.getByRole('button', { name: 'Share link' }).click());
    await page.evaluate(() => localStorage.removeItem('drydock.order'));
    await page.goto('about:blank');
    await page.goto(link);
    await app.untilValid();
    assert.equal(await app.orderText(), order);
  });

  test('two pages that edit one Order keep the edits of each other', async ({ app, page, context, url }) => {
    const before = await app.orderText();
    const other = await context.newPage();
    await other.goto(url);
    await fill(other.locator('#package-namespace'), 'elsewhere');
    await eventually(async () => assert.equal(await page.locator('#package-namespace').inputValue(), 'elsewhere'));
    await fill(page.locator('#package-releaseName'), 'both');
    await eventually(async () => {
      assert.match(await app.orderText(), /namespace: elsewhere/);
      assert.match(await app.orderText(), /releaseName: both/);
    });
    for (let count = 0; count < 2; count++) await page.getByRole('button', { name: 'Undo: ' }).click();
    await app.untilOrder(before);
  });
});
