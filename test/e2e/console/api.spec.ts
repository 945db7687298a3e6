// Tests the API screen.

import { consoleTest } from './fixture.ts';

const test = consoleTest();

test('an operation that takes a password is sent with it', async ({ app, page }) => {
  await app.go('#/api/listTokens');
  await page.locator('.fault-form .field', { hasText: 'username' }).getByRole('textbox').fill('ada');
  await page.getByRole('button', { name: 'Send as ada' }).click();
  await page.locator('.call .tag[data-status=good]').waitFor();
});
