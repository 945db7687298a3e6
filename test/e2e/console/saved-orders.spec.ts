// Tests the Saved screen.

import assert from 'node:assert/strict';
import { eventually } from './console-page.ts';
import { consoleTest } from './fixture.ts';

const test = consoleTest();

test('saved Orders are renamed, duplicated and deleted, and undo restores one with its UID', async ({ app, page }) => {
  const expectNames = (names: string): Promise<void> =>
    eventually(async () => {
      const cells = await page.locator('tbody tr td:first-child').allTextContents();
      assert.equal(cells.sort().join(' '), names);
    });
  const uids = async (): Promise<string[]> =>
    (JSON.parse(await app.callEmulator('GET', 'orders')) as { uid: string }[]).map(({ uid }) => uid).sort();
  await app.go('#/stored');
  await expectNames('backend nightly-backups portal shop storefront');
  await page.getByRole('button', { name: 'Rename storefront' }).click();
  await page.getByLabel('New name of storefront').fill('store');
  await page.keyboard.press('Enter');
  await expectNames('backend nightly-backups portal shop store');
  await page.getByRole('button', { name: 'Duplicate portal' }).click();
  await expectNames('backend nightly-backups portal portal-copy shop store');
  const before = await uids();
  await page.getByRole('button', { name: 'Delete shop' }).click();
  await expectNames('backend nightly-backups portal portal-copy store');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expectNames('backend nightly-backups portal portal-copy shop store');
  assert.deepEqual(await uids(), before);
});
