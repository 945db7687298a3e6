// Tests the Users screen and the sign-in pages.

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { consoleTest } from './fixture.ts';
import { problemsAtWidths } from './screens.ts';

const test = consoleTest();

test('the request copied from a page returns what the page shows', async ({ app }) => {
  await app.checkCopies('#/users/ada/emails');
});

test('tokens are created and deleted with the password, and a wrong password is reported', async ({ app, page }) => {
  await app.go('#/users/ada/tokens');
  await page.getByRole('cell', { name: 'demo' }).waitFor();
  await page.locator('#new-row').fill('laptop');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const laptop = page.getByRole('row', { name: 'laptop' });
  await laptop.getByRole('button').click();
  await laptop.waitFor({ state: 'detached' });
  const password = page.getByLabel('Password of ada');
  await password.fill('a guess');
  await password.press('Tab');
  await page.locator('.fault', { hasText: '401' }).filter({ hasText: 'right password' }).waitFor();
});

// The sign-in pages have no client-side program and request nothing.
async function signedInUser(page: Page, url: string): Promise<string> {
  await page.goto(`${url}api/v1/user`);
  return page.evaluate('JSON.parse(document.body.textContent).login');
}

test('a user signs in with a password', async ({ page, url }) => {
  const problems: string[] = [];
  await page.goto(`${url}user/login?redirect_to=/user/login`);
  problems.push(...(await problemsAtWidths(page)));
  await page.locator('[name=user_name]').fill('bob');
  await page.locator('[name=password]').fill('a guess');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  await page.locator('[name=password]').fill('bob-password');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  problems.push(...(await problemsAtWidths(page)));
  assert.equal(await signedInUser(page, url), 'bob');
  await page.goto(`${url}user/login`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.locator('[name=password]').waitFor();
  assert.deepEqual(problems, []);
});

test('a user signs in through an organization', async ({ page, url }) => {
  await page.goto(`${url}user/oauth2/org-1005?redirect_to=/user/login`);
  await page.getByRole('heading', { name: 'Okta' }).waitFor();
  const problems = await problemsAtWidths(page);
  await page.getByRole('button', { name: 'Sign in as eve' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  assert.equal(await signedInUser(page, url), 'eve');
  assert.deepEqual(problems, []);
});
