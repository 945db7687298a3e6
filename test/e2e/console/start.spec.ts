// Tests the start screen and the tour.

import assert from 'node:assert/strict';
import { consoleTest } from './fixture.ts';
import { problemsAtWidths } from './screens.ts';

const test = consoleTest();

test('the start screen fits, and axe-core finds nothing serious', async ({ page }) => {
  await page.locator('.start-recent').waitFor();
  assert.deepEqual(await problemsAtWidths(page), []);
});

test('the tour shows six parts of the console', async ({ page }) => {
  await page.locator('.start-recent').waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Take the tour');
  await page.keyboard.press('Enter');
  for (let step = 1; step < 6; step++) {
    await page.locator('.tour', { hasText: `${step} of 6` }).waitFor();
    await page.locator('[data-tour]').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
  }
  await page.getByRole('button', { name: 'End tour' }).click();
  await page.locator('.tour, [data-tour]').waitFor({ state: 'detached' });
});
