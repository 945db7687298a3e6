// Tests the Emulator screen: requests, scenarios, faults, the clock, snapshots and worlds.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { addEmail, callEmulator, checkCopies, copied, go } from './console-page.ts';
import { consoleTest, skipInFirefox } from './fixture.ts';

const test = consoleTest();

const button = (where: Page | Locator, name: string): Locator => where.getByRole('button', { name, exact: true });
const field = (where: Page | Locator, label: string): Locator => where.getByLabel(label, { exact: true });
const active = '.tag.risk';

test('the requests copied from each part return what the part shows', async ({ page }) => {
  for (const part of ['requests', 'scenarios', 'faults', 'clock', 'snapshots', 'worlds'])
    await checkCopies(page, `#/control/${part}`);
});

describe('Requests', () => {
  test('a logged request is sent again with its body', async ({ page, url }) => {
    await addEmail(page, 'again@example.com');
    await go(page, '#/control/requests');
    await page.getByRole('searchbox').fill('post user/emails 201');
    await page.locator('.logged summary').click();
    const detail = page.locator('.logged-detail', { hasText: 'again@example.com' });
    await button(detail, 'Send again as ada').click();
    await detail.locator('.call .tag', { hasText: '422 ·' }).waitFor();
    const response = await fetch(`${url}api/v1/user/emails`, {
      method: 'DELETE',
      body: '{"emails":["again@example.com"]}',
      headers: { ...(await authorization(page)), 'Content-Type': 'application/json' },
    });
    assert.equal(response.status, 204);
    await button(detail, 'Send again as ada').click();
    await detail.locator('.call .tag', { hasText: '201 ·' }).waitFor();
    await go(page, '#/users/ada/emails');
    await page.getByRole('cell', { name: 'again@example.com' }).waitFor();
  });

  test('the requests of the user pages are logged', async ({ page }) => {
    await addEmail(page, 'harbour@example.com');
    await go(page, '#/users/ada/credentials');
    await page.getByRole('cell', { name: 'aws-lab' }).waitFor();
    await page.locator('#new-row').fill('{"name": "aws-lab", "type": "Azure", "azure": {}}');
    await button(page, 'Replace').click();
    await page.getByRole('row', { name: 'aws-lab' }).filter({ hasText: 'Azure' }).waitFor();
    await go(page, '#/control/requests');
    await page.locator('.logged', { hasText: 'PUT /api/v1/user/credentials' }).waitFor();
    await page.locator('.logged', { hasText: 'POST /api/v1/user/emails' }).waitFor();
  });
});

async function authorization(page: Page): Promise<{ readonly Authorization: string }> {
  const { users } = JSON.parse(await callEmulator(page, 'GET', 'status')) as Status;
  return { Authorization: `token ${users.find(({ login }) => login === 'ada')!.token}` };
}

interface Status {
  readonly users: readonly { readonly login: string; readonly token: string }[];
}

describe('Faults', () => {
  test('a fault with an unknown route is rejected', async ({ page }) => {
    await go(page, '#/control/faults');
    await field(page, 'Route').fill('GET /user/emailz');
    await button(page, 'Add fault').click();
    await page.locator('.last-call .fault', { hasText: 'emailz' }).waitFor();
  });

  test('a fault affects its route, is logged and can be removed', async ({ page }) => {
    await go(page, '#/control/faults');
    await field(page, 'Route').fill('GET /user/emails');
    await field(page, 'Status').fill('503');
    await button(page, 'Add fault').click();
    await page.locator('.issue', { hasText: 'GET /user/emails' }).waitFor();
    const curl = await copied(page, () => page.locator('.last-call').getByRole('button', { name: 'curl' }).click());
    for (const part of ['-X POST', '/__drydock/faults', '"status":503']) assert.ok(curl.includes(part), curl);
    await go(page, '#/users/ada/emails');
    await page.locator('.page-body .fault', { hasText: '503' }).waitFor();
    await go(page, '#/control/requests');
    await page.getByRole('searchbox').fill('fault emails');
    await page
      .locator('.logged', { has: page.locator(active) })
      .locator('summary')
      .click();
    const detail = page.locator('.logged-detail', { hasText: 'Fault' }).filter({ hasText: '503' });
    await button(detail, 'Send again as ada').click();
    await detail.locator('.call .tag[data-status=bad]', { hasText: '503' }).waitFor();
    await go(page, '#/control/faults');
    await button(page, 'Remove').click();
    await page.getByText('No faults').first().waitFor();
    await go(page, '#/users/ada/emails');
    await page.getByRole('cell', { name: 'ada@example.com' }).waitFor();
  });
});

describe('Scenarios', () => {
  const row = (page: Page, name: string): Locator => page.getByRole('row', { name });

  test('a scenario is turned on and off', async ({ page }) => {
    await go(page, '#/control/scenarios');
    await row(page, 'garbled').getByRole('button', { name: 'Turn on' }).click();
    await row(page, 'garbled').locator(active).waitFor();
    await row(page, 'garbled').getByRole('button', { name: 'Turn off' }).click();
    await row(page, 'garbled').locator(active).waitFor({ state: 'detached' });
  });

  test('a duplicate starts with the faults of the original', async ({ page }) => {
    await go(page, '#/control/scenarios');
    await button(page, 'Duplicate flaky').click();
    assert.equal(await field(page, 'Name').inputValue(), 'my-flaky');
    assert.equal(await field(page, 'Probability').inputValue(), '0.1');
  });

  test('a new scenario is validated field by field, applied, edited and deleted', async ({ page, url }) => {
    await go(page, '#/control/scenarios');
    await row(page, 'garbled').waitFor();
    const expectProblem = (label: Locator, problem: string): Promise<void> =>
      label.filter({ has: page.locator('.field-fault', { hasText: problem }) }).waitFor();
    const labelOf = (where: Locator, name: string): Locator =>
      where.locator('.field').filter({ has: page.locator(`span:text-is("${name}")`) });
    const form = page.getByRole('group', { name: 'New scenario' });
    const second = form.getByRole('group', { name: 'Fault 2' });
    await labelOf(form, 'Name').getByRole('textbox').fill('slow');
    await labelOf(form, 'Description').getByRole('textbox').fill('Reads succeed, writes fail');
    await labelOf(form, 'Route').getByRole('combobox').fill('POST /user/emails');
    await labelOf(form, 'Status').getByRole('textbox').fill('503');
    await button(form, 'Add fault').click();
    await labelOf(second, 'Route').getByRole('combobox').fill('GET /user/emailz');
    await labelOf(second, 'Status').getByRole('textbox').fill('99');
    const save = button(form, 'Save and turn on');
    await save.click();
    await expectProblem(labelOf(form, 'Name'), 'choose another');
    await labelOf(form, 'Name').getByRole('textbox').fill('half-open');
    await save.click();
    await expectProblem(labelOf(second, 'Status'), '200');
    await labelOf(second, 'Status').getByRole('textbox').fill('429');
    await save.click();
    await expectProblem(labelOf(second, 'Route'), 'emails');
    await labelOf(second, 'Route').getByRole('combobox').fill('GET /user/emails');
    await second.getByText('More', { exact: true }).click();
    await labelOf(second, 'Headers').getByRole('textbox').fill('Retry-After: 2; X-Other: a');
    await save.click();
    await row(page, 'half-open').locator(active).waitFor();
    const response = await fetch(`${url}api/v1/user/emails`, { headers: await authorization(page) });
    assert.equal(response.status, 429);
    assert.equal(response.headers.get('Retry-After'), '2');
    await go(page, '#/users/ada/emails');
    await page.locator('.page-body .fault', { hasText: '429' }).waitFor();

    await go(page, '#/control/scenarios');
    await button(page, 'Edit half-open').click();
    await button(page, 'Remove fault 2').click();
    await save.click();
    await page.locator('.last-call', { hasText: 'PUT' }).locator('.tag[data-status=good]').waitFor();
    await go(page, '#/users/ada/emails');
    await page.getByRole('cell', { name: 'ada@example.com' }).waitFor();
    await go(page, '#/control/scenarios');
    await button(page, 'Delete half-open').click();
    await row(page, 'half-open').waitFor({ state: 'detached' });
  });
});

test('the clock is frozen, set and advanced, and rejects an invalid time', async ({ page }) => {
  await go(page, '#/control/clock');
  await button(page, 'Freeze').click();
  await page.locator('.clock').locator(active).waitFor();
  const time = page.locator('.form-line input');
  await time.fill('tomorrow');
  await button(page, 'Set').click();
  await page.locator('.last-call .fault').waitFor();
  await time.fill('2026-01-31T12:00:00Z');
  await button(page, 'Set').click();
  await page.locator('.clock', { hasText: '2026-01-31T12:00:00' }).waitFor();
  await button(page, '1 day').click();
  await page.locator('.clock', { hasText: '2026-02-01T12:00:00' }).waitFor();
});

describe('Snapshots', () => {
  const emails = (page: Page): Locator => page.locator('.table', { hasText: 'ada@example.com' });

  test('a snapshot is taken, restored and deleted', async ({ page }) => {
    await go(page, '#/control/snapshots');
    await field(page, 'New snapshot').fill('noon');
    await button(page, 'Take snapshot').click();
    await page.locator('.issue', { hasText: 'noon' }).waitFor();
    await addEmail(page, 'after-noon@example.com');
    await go(page, '#/control/snapshots');
    await button(page, 'Restore noon').click();
    await page.locator('.said', { hasText: 'Restored noon' }).waitFor();
    await go(page, '#/users/ada/emails');
    await emails(page).filter({ hasNotText: 'after-noon' }).waitFor();
    await go(page, '#/control/snapshots');
    await button(page, 'Delete noon').click();
    await page.getByText('No snapshots').first().waitFor();
  });

  test('resetting the data removes what was added', async ({ page }) => {
    await addEmail(page, 'later@example.com');
    await go(page, '#/control/snapshots');
    await page.locator('.page-body').getByRole('button', { name: 'Reset data' }).click();
    await page.locator('.said', { hasText: 'Data reset' }).waitFor();
    await go(page, '#/users/ada/emails');
    await emails(page).filter({ hasNotText: 'later@' }).waitFor();
  });

  test(
    'exported data can be imported',
    async ({ page, url }) => {
      await addEmail(page, 'exported@example.com');
      await go(page, '#/control/snapshots');
      const download = page.waitForEvent('download');
      await button(page, 'Export data').click();
      assert.equal((await download).suggestedFilename(), 'default-state.json');
      const body = await readFile(await (await download).path(), 'utf8');
      await callEmulator(page, 'POST', 'reset');
      const headers = { 'Content-Type': 'application/json' };
      const { status } = await fetch(`${url}__drydock/state`, { method: 'PUT', headers, body });
      assert.equal(status, 204);
      const imported = await callEmulator(page, 'GET', 'state');
      assert.deepEqual(JSON.parse(imported).state, JSON.parse(body).state);
      assert.ok(imported.includes('exported@example.com'));
    },
    skipInFirefox('the driver cannot download'),
  );
});

test('a world is opened by its link, and its changes stay in it', async ({ page, context }) => {
  await go(page, '#/control/worlds');
  await field(page, 'New world').fill('blue');
  await button(page, 'Create').click();
  const link = page.locator('.issue').getByRole('link', { name: 'blue' });
  const address = await link.evaluate((one: HTMLAnchorElement) => one.href);
  assert.match(address, /@blue\/$/);
  const other = await context.newPage();
  await other.goto(address);
  await other.locator('.demo-bar', { hasText: 'blue' }).waitFor();
  await addEmail(other, 'blue@example.com');
  await other.close();
  await go(page, '#/users/ada/emails');
  await page.locator('.table', { hasText: 'ada@example.com' }).filter({ hasNotText: 'blue@' }).waitFor();
  await go(page, '#/control/worlds');
  await button(page, 'Delete blue').click();
  await link.waitFor({ state: 'detached' });
});
