// Tests the Emulator screen: requests, scenarios, faults, snapshots and worlds.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { ConsolePage } from './console-page.ts';
import { consoleTest, skipInFirefox } from './fixture.ts';

const test = consoleTest();

const button = (where: Page | Locator, name: string): Locator => where.getByRole('button', { name, exact: true });
const field = (where: Page | Locator, label: string): Locator => where.getByLabel(label, { exact: true });
const row = (page: Page, name: string): Locator => page.getByRole('row', { name });
const active = '.tag.risk';

test('the request copied from a part returns what the part shows', async ({ app }) => {
  await app.checkCopies('#/control/scenarios');
});

test('a logged request is sent again with its body', async ({ app, page }) => {
  await app.addEmail('again@example.com');
  await app.go('#/control/requests');
  await page.getByRole('searchbox').fill('post user/emails 201');
  await page.locator('.logged summary').click();
  const detail = page.locator('.logged-detail', { hasText: 'again@example.com' });
  await button(detail, 'Send again as ada').click();
  await detail.locator('.call .tag', { hasText: '422 ·' }).waitFor();
  await app.callEmulator('POST', 'reset');
  await button(detail, 'Send again as ada').click();
  await detail.locator('.call .tag', { hasText: '201 ·' }).waitFor();
  await app.go('#/users/ada/emails');
  await page.getByRole('cell', { name: 'again@example.com' }).waitFor();
});

test('a fault is validated, affects its route, is logged and can be removed', async ({ app, page }) => {
  await app.go('#/control/faults');
  const route = field(page, 'Route');
  await route.fill('GET /user/emailz');
  await button(page, 'Add fault').click();
  await page.locator('.last-call .fault', { hasText: 'emailz' }).waitFor();
  await route.fill('GET /user/emails');
  await field(page, 'Status').fill('503');
  await button(page, 'Add fault').click();
  await page.locator('.issue', { hasText: 'GET /user/emails' }).waitFor();
  await app.go('#/users/ada/emails');
  await page.locator('.page-body .fault', { hasText: '503' }).waitFor();
  await app.go('#/control/requests');
  await page.getByRole('searchbox').fill('fault emails');
  await page
    .locator('.logged', { has: page.locator(active) })
    .locator('summary')
    .click();
  await page.locator('.logged-detail', { hasText: 'Fault' }).filter({ hasText: '503' }).waitFor();
  await app.go('#/control/faults');
  await button(page, 'Remove').click();
  await page.getByText('No faults').first().waitFor();
  await app.go('#/users/ada/emails');
  await page.getByRole('cell', { name: 'ada@example.com' }).waitFor();
});

test('a scenario is turned on and off, and its duplicate starts with its faults', async ({ app, page }) => {
  await app.go('#/control/scenarios');
  await row(page, 'garbled').getByRole('button', { name: 'Turn on' }).click();
  await row(page, 'garbled').locator(active).waitFor();
  await row(page, 'garbled').getByRole('button', { name: 'Turn off' }).click();
  await row(page, 'garbled').locator(active).waitFor({ state: 'detached' });
  await button(page, 'Duplicate flaky').click();
  assert.equal(await field(page, 'Name').inputValue(), 'my-flaky');
  const more = page.getByRole('group', { name: 'Fault 1' }).locator('textarea');
  assert.match(await more.inputValue(), /^probability: 0\.1$/m);
});

test('a new scenario is validated, applied, edited and deleted', async ({ app, page }) => {
  await app.go('#/control/scenarios');
  await row(page, 'garbled').waitFor();
  const form = page.getByRole('group', { name: 'New scenario' });
  const second = form.getByRole('group', { name: 'Fault 2' });
  const labelOf = (where: Locator, name: string): Locator =>
    where.locator('.field').filter({ has: page.locator(`span:text-is("${name}")`) });
  const write = (where: Locator, name: string, text: string): Promise<void> =>
    labelOf(where, name).locator('input').fill(text);
  const expectProblem = (problem: string): Promise<void> =>
    page.locator('.last-call .fault', { hasText: problem }).waitFor();
  await write(form, 'Name', 'slow');
  await write(form, 'Route', 'POST /user/emails');
  await write(form, 'Status', '503');
  await button(form, 'Add fault').click();
  await write(second, 'Route', 'GET /user/emails');
  await write(second, 'Status', '99');
  const save = button(form, 'Save and turn on');
  await save.click();
  await expectProblem('choose another');
  await write(form, 'Name', 'half-open');
  await save.click();
  await expectProblem('faults[1].status: must be at least 200');
  await write(second, 'Status', '429');
  await save.click();
  await row(page, 'half-open').locator(active).waitFor();
  await app.go('#/users/ada/emails');
  await page.locator('.page-body .fault', { hasText: '429' }).waitFor();
  await app.go('#/control/scenarios');
  await button(page, 'Edit half-open').click();
  await button(page, 'Remove fault 2').click();
  await save.click();
  await page.locator('.last-call', { hasText: 'PUT' }).locator('.tag[data-status=good]').waitFor();
  await app.go('#/users/ada/emails');
  await page.getByRole('cell', { name: 'ada@example.com' }).waitFor();
  await app.go('#/control/scenarios');
  await button(page, 'Delete half-open').click();
  await row(page, 'half-open').waitFor({ state: 'detached' });
});

test('a snapshot is taken, restored and deleted, and the data is reset', async ({ app, page }) => {
  const expectNo = (address: string): Promise<void> =>
    page.locator('.table', { hasText: 'ada@example.com' }).filter({ hasNotText: address }).waitFor();
  await app.go('#/control/snapshots');
  await field(page, 'New snapshot').fill('noon');
  await button(page, 'Take snapshot').click();
  await page.locator('.issue', { hasText: 'noon' }).waitFor();
  await app.addEmail('after-noon@example.com');
  await app.go('#/control/snapshots');
  await button(page, 'Restore noon').click();
  await page.locator('.said', { hasText: 'Restored noon' }).waitFor();
  await app.go('#/users/ada/emails');
  await expectNo('after-noon@');
  await app.addEmail('later@example.com');
  await app.go('#/control/snapshots');
  await button(page, 'Delete noon').click();
  await page.getByText('No snapshots').first().waitFor();
  await page.locator('.page-body').getByRole('button', { name: 'Reset data' }).click();
  await page.locator('.said', { hasText: 'Data reset' }).waitFor();
  await app.go('#/users/ada/emails');
  await expectNo('later@');
});

test(
  'data is exported',
  async ({ app, page }) => {
    await app.addEmail('exported@example.com');
    await app.go('#/control/snapshots');
    const download = page.waitForEvent('download');
    await button(page, 'Export data').click();
    assert.equal((await download).suggestedFilename(), 'default-state.json');
    const text = await readFile(await (await download).path(), 'utf8');
    assert.deepEqual(JSON.parse(text).state, JSON.parse(await app.callEmulator('GET', 'state')).state);
  },
  skipInFirefox('the driver cannot download'),
);

test('a world is opened by its link, and its changes stay in it', async ({ app, page, context }) => {
  await app.go('#/control/worlds');
  await field(page, 'New world').fill('blue');
  await button(page, 'Create').click();
  const link = page.locator('.issue').getByRole('link', { name: 'blue' });
  const address = await link.evaluate((one: HTMLAnchorElement) => one.href);
  assert.match(address, /@blue\/$/);
  const other = await context.newPage();
  await other.goto(address);
  await other.locator('.demo-bar', { hasText: 'blue' }).waitFor();
  await new ConsolePage(other).addEmail('blue@example.com');
  await other.close();
  await app.go('#/users/ada/emails');
  await page.locator('.table', { hasText: 'ada@example.com' }).filter({ hasNotText: 'blue@' }).waitFor();
  await app.go('#/control/worlds');
  await button(page, 'Delete blue').click();
  await link.waitFor({ state: 'detached' });
});
