// Tests the Order screen: packages, the form, the explanation of manifest lines, checks, files dropped onto the page, sharing.

import assert from 'node:assert/strict';
import { describe } from 'node:test';
import {
  addRendered,
  callEmulator,
  chartArchive,
  compareWith,
  copied,
  dropFile,
  dropPicked,
  endless,
  fill,
  go,
  manifestLine,
  openTab,
  orderText,
  packageNames,
  pickUpFile,
  showTemplate,
  untilOrder,
  untilOutlined,
  untilRendered,
  untilValid,
  valueField,
} from './console-page.ts';
import { consoleTest, eventually, isFirefox } from './fixture.ts';

const test = consoleTest(['--render-time', '5000']);

describe('Packages', () => {
  test('the preview of an Order is what the API renders once it is saved', async ({ page, url }) => {
    await addRendered(page, 'redis 1.8.3');
    await addRendered(page, 'web 1.4.2');
    // Both are rendered at the same time.
    await callEmulator(page, 'PUT', 'clock', { now: '2026-01-02T03:04:05Z', frozen: true });
    const order = await orderText(page);
    const preview = JSON.parse(await callEmulator(page, 'POST', 'preview', { order })) as { manifest: string };
    assert.ok(preview.manifest.length > 1000);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('.said', { hasText: 'Saved' }).waitFor();
    const saved = JSON.parse(await callEmulator(page, 'GET', 'orders')) as Saved[];
    const { uid } = saved.find((one) => one.order.metadata.name === 'my-order')!;
    const { users } = JSON.parse(await callEmulator(page, 'GET', 'status')) as { users: { token: string }[] };
    const headers = { Authorization: `token ${users[0]!.token}` };
    const response = await fetch(`${url}api/v1/user/deploy/orders/${uid}/render/manifest`, { headers });
    assert.equal(await response.text(), preview.manifest);
  });

  test('are moved by dragging and by keys, and the focus follows', async ({ page }) => {
    await addRendered(page, 'redis 1.8.3');
    await addRendered(page, 'web 1.4.2');
    const expectOrder = (names: string, focused: string): Promise<void> =>
      eventually(async () => {
        assert.equal((await packageNames(page)).join(' '), names);
        assert.equal(await page.locator('.package:focus-within .package-name').textContent({ timeout: 1000 }), focused);
      });
    await page.locator('.package-choice').first().press('Alt+ArrowDown');
    await expectOrder('web redis', 'redis');
    await page.locator('.package-choice').last().press('Alt+ArrowUp');
    await expectOrder('redis web', 'redis');
    await page.getByRole('button', { name: 'Move redis down' }).press('Enter');
    await expectOrder('web redis', 'redis');
    // The Firefox driver cannot drag.
    if (isFirefox) await page.locator('.package-choice').last().press('Alt+ArrowUp');
    else await page.dragAndDrop('.package:nth-child(2)', '.package:nth-child(1)');
    await eventually(async () => assert.deepEqual(await packageNames(page), ['redis', 'web']));
    await page.getByRole('button', { name: 'Remove redis' }).press('Enter');
    await expectOrder('web', 'web');
    await page.getByRole('button', { name: 'Undo: remove redis' }).click();
    await eventually(async () => assert.deepEqual(await packageNames(page), ['redis', 'web']));
  });
});

interface Saved {
  readonly uid: string;
  readonly order: { readonly metadata: { readonly name: string } };
}

describe('Values', () => {
  const deployment = 'web/templates/deployment.yaml';

  test('a manifest line is explained, and leads back to the field of its value', async ({ page }) => {
    await addRendered(page, 'web 1.4.2');
    await fill(valueField(page, 'replicaCount'), '7');
    await showTemplate(page, deployment);
    await manifestLine(page, 'replicas: 7').click();
    const explanation = page.getByRole('region', { name: 'Explanation of the line' });
    await explanation
      .getByText(/deployment\.yaml:\d+/)
      .first()
      .waitFor();
    const value = explanation.locator('.why-values > li', { hasText: 'replicaCount is 7' });
    await value.getByRole('button', { name: 'Edit' }).click();
    await page.locator('#value-replicaCount:focus').waitFor();
  });

  test('are compared with the saved Order, and converted to a patch that renders the same', async ({ page }) => {
    await addRendered(page, 'web 1.4.2');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await fill(valueField(page, 'replicaCount'), '7');
    await openTab(page, 'Compare');
    await compareWith(page, 'my-order of');
    const change = page.locator('.change .entry');
    await change.filter({ hasText: 'spec.replicas' }).waitFor();
    assert.equal(await change.count(), 1);
    assert.match((await change.innerText()).replace(/\s+/g, ' '), /spec\.replicas 2 → 7/);
    await openTab(page, 'Patch');
    await page.locator('.values-chart .cm-line', { hasText: '/replicaCount' }).first().waitFor();
    await page.getByRole('button', { name: 'Convert values to patch' }).click();
    await page.locator('.values-own .cm-line', { hasText: '/replicaCount' }).waitFor();
    await openTab(page, 'Manifest');
    await showTemplate(page, deployment);
    await manifestLine(page, 'replicas: 7').waitFor();
  });

  test('text typed without a pause is rendered in full', async ({ page }) => {
    await addRendered(page, 'web 1.4.2');
    await openTab(page, 'Values');
    await page.locator('.values-own .cm-content').click();
    await page.keyboard.type('fullnameOverride: harbour-front');
    await untilOutlined(page, 'harbour-front');
  });

  test('a check of an unused value leads to its line in the Order', async ({ page }) => {
    await addRendered(page, 'web 1.4.2');
    await openTab(page, 'Values');
    await page.locator('.values-own .cm-content').click();
    await page.keyboard.type('replicaCuont: 3');
    await openTab(page, 'Checks');
    await page.locator('.issue', { hasText: 'replicaCuont' }).getByRole('button').click();
    await page.locator('.writing .cm-activeLine', { hasText: 'replicaCuont' }).waitFor();
    await page.locator('.writing .code-host:focus').waitFor();
  });

  test('a syntax error is reported with its line, and the last preview stays until it is undone', async ({ page }) => {
    await addRendered(page, 'web 1.4.2');
    await openTab(page, 'Order YAML');
    const editor = page.locator('.writing .cm-content');
    const valid = await editor.innerText();
    await editor.press('Control+End');
    await page.keyboard.type('one: two: three');
    await page.locator('.status[data-state=bad]').waitFor();
    const fault = page.locator('.fault', { hasText: 'mapping values are not allowed' });
    assert.match(await fault.innerText(), /line \d+/);
    assert.ok((await page.locator('.outline-row').count()) > 2);
    while ((await editor.innerText()) !== valid) await page.keyboard.press('Control+z');
    await untilValid(page);
    await untilRendered(page, 'web');
  });

  test('images are listed', async ({ page }) => {
    await addRendered(page, 'web 1.4.2');
    await openTab(page, 'Images');
    await page.locator('.images', { hasText: 'shop/web' }).first().waitFor();
  });

  test('computed values show what sets them and what that overrides', async ({ page }) => {
    await addRendered(page, 'web 1.4.2');
    await fill(valueField(page, 'replicaCount'), '3');
    await openTab(page, 'Computed values');
    await page.getByLabel('Values to show').selectOption({ label: 'Different from the default' });
    const row = page.locator('.row-item', { hasText: 'replicaCount' });
    await row.filter({ hasText: 'overrides web/values.yaml' }).waitFor();
  });
});

describe('Dropped files', () => {
  test('a chart and values are rendered, and an endless chart is stopped', async ({ page }) => {
    await addRendered(page, 'web 1.4.2');
    const before = await orderText(page);
    await dropFile(page, 'small-1.0.0.tgz', chartArchive('small', 'a: {{ .Values.text | quote }}'));
    await untilOutlined(page, 'small');
    await dropFile(page, 'values.yaml', 'text: from-a-file\n');
    await showTemplate(page, 'small/templates/map.yaml');
    await manifestLine(page, 'from-a-file').waitFor();
    await dropFile(page, 'endless-1.0.0.tgz', chartArchive('endless', endless));
    await page.locator('.fault', { hasText: 'took longer than 5000 ms' }).waitFor();
    assert.ok((await page.locator('.outline-row').count()) > 2);
    await page.getByRole('button', { name: 'Remove endless' }).click();
    await untilValid(page);
    await page.getByRole('button', { name: 'Remove small' }).click();
    await untilOrder(page, before);
  });

  test('a chart dropped onto another screen is added to the Order, which is shown', async ({ page }) => {
    await go(page, '#/control/clock');
    await pickUpFile(page, 'small-1.0.0.tgz', chartArchive('small', 'a: b'));
    await dropPicked(page, 'dragenter');
    await page.locator('.dropping').waitFor();
    await dropPicked(page);
    await untilOutlined(page, 'small');
    await page.locator('.dropping').waitFor({ state: 'detached' });
  });
});

describe('Sharing', () => {
  test('a link contains the whole Order', async ({ page }) => {
    await addRendered(page, 'web 1.4.2');
    const order = await orderText(page);
    const link = await copied(page, () => page.getByRole('button', { name: 'Share link' }).click());
    await page.evaluate(() => localStorage.removeItem('drydock.order'));
    await page.goto('about:blank');
    await page.goto(link);
    await untilValid(page);
    assert.equal(await orderText(page), order);
  });

  test('two pages that edit one Order keep the edits of each other', async ({ page, context, url }) => {
    await addRendered(page, 'web 1.4.2');
    const before = await orderText(page);
    const other = await context.newPage();
    await other.goto(url);
    await fill(other.locator('#package-namespace'), 'elsewhere');
    await eventually(async () => assert.equal(await page.locator('#package-namespace').inputValue(), 'elsewhere'));
    await fill(page.locator('#package-releaseName'), 'both');
    await eventually(async () => {
      assert.match(await orderText(page), /namespace: elsewhere/);
      assert.match(await orderText(page), /releaseName: both/);
    });
    for (let count = 0; count < 2; count++) await page.getByRole('button', { name: 'Undo: ' }).click();
    await untilOrder(page, before);
  });
});
