import assert from 'node:assert/strict';
import { test } from 'node:test';
import { as, strictEmulator } from '../../support/emulator.ts';

test('lists clusters of the caller, of the organizations and shared ones, each once', async () => {
  const emulator = strictEmulator({ now: '2025-05-02T00:00:00Z' });
  const names = async (login: string, query: string): Promise<unknown> =>
    ((await as(emulator, login)('GET', `/user/clusters${query}`)).json() as { name: string }[]).map(({ name }) => name);
  assert.deepEqual(await names('cleo', ''), ['playground']);
  assert.deepEqual(await names('cleo', '?all=true'), [
    ...['sandbox', 'playground', 'prod-eu', 'prod-us', 'watchtower', 'warehouse', 'prototype'],
  ]);
  assert.deepEqual(await names('cleo', '?all=1'), ['playground']);
  assert.equal((await as(emulator, 'cleo')('GET', '/user/clusters')).at('0.age'), '47h');
});
