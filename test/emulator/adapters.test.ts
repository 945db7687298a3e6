// One suite through every adapter of Node: the in-process fetch, a port, and msw's setupServer. Pages: test/e2e/browser/emulator.ts.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setupServer } from 'msw/node';
import { createEmulator, type Emulator } from '../../emulator/emulator.ts';
import { mswHandlers } from '../../emulator/msw.ts';
import { startServer } from '../../emulator/server.node.ts';
import { apiRows } from '../support/api-rows.ts';
import { type RowRun, readAnswer, runRow, type Send, titleOfRow } from '../support/api-run.ts';
import { sendHttp } from '../support/send-http.ts';

function fetchDoor(emulator: Emulator): Send {
  return async (method, path, headers, body) => {
    const response = await emulator.fetch(path, { method, headers, ...(body !== undefined && { body }) });
    return readAnswer(response.status, await response.text(), (name) => response.headers.get(name));
  };
}

function runOf(emulator: Emulator, send: Send): RowRun {
  const { store } = emulator.world();
  const orders = store.order.all().map((row) => [store.user.get(row.owner)?.login ?? '', row.id] as const);
  return { send, tokens: new Map(emulator.users().map(({ login, token }) => [login, token])), orders: new Map(orders) };
}

interface Adapter {
  readonly name: string;
  open(emulator: Emulator): Promise<{ readonly send: Send; close(): Promise<void> }>;
}

const entries: readonly Adapter[] = [
  { name: 'fetch', open: async (emulator) => ({ send: fetchDoor(emulator), close: async () => {} }) },
  {
    name: 'HTTP',
    open: async (emulator) => {
      const server = await startServer(emulator);
      return { send: sendHttp(server.url), close: () => server.close() };
    },
  },
  {
    name: 'msw in Node',
    open: async (emulator) => {
      const base = 'http://platform.example.com';
      const server = setupServer(...mswHandlers(emulator, { baseUrl: base }));
      server.listen({ onUnhandledRequest: 'error' });
      return { send: sendHttp(base), close: async () => server.close() };
    },
  },
];

for (const entry of entries) {
  for (const hosted of [false, true]) {
    describe(`${entry.name}, ${hosted ? 'hosted' : 'not hosted'}`, () => {
      const emulator = createEmulator({ hosted, strict: true });
      let opened: Awaited<ReturnType<Adapter['open']>>;
      before(async () => {
        opened = await entry.open(emulator);
      });
      after(() => opened.close());
      const rows = apiRows.filter((row) => (row.hosted ?? hosted) === hosted);
      for (const [at, row] of rows.entries()) {
        test(titleOfRow(row), () => runRow(row, `row-${at}`, runOf(emulator, opened.send)));
      }
    });
  }
}

test('a session started through an adapter works there, by password and through an organization', async () => {
  for (const entry of entries) {
    const { send, close } = await entry.open(createEmulator({ strict: true }));
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const body = 'user_name=ada&password=ada-password&redirect_to=%2Fhome';
    const byPassword = await send('POST', '/user/login', form, body);
    const begun = await send('GET', '/user/oauth2/org-1005', {}, undefined);
    const query = new URLSearchParams(begun.header('location')?.replace(/.*\?/, ''));
    query.set('user', 'eve');
    const agreed = await send('POST', '/user/oauth2/org-1005/authorize', form, query.toString());
    const cookie = { Cookie: cookiesOf(begun) };
    const through = await send('GET', agreed.header('location') ?? '', cookie, undefined);
    const logins = [byPassword, through].map(async (answer) => {
      const { json } = await send('GET', '/api/v1/user', { Cookie: cookiesOf(answer) }, undefined);
      return (json as { readonly login?: string }).login;
    });
    assert.deepEqual(await Promise.all(logins), ['ada', 'eve'], entry.name);
    await close();
  }
});

function cookiesOf({ header }: { header(name: string): string | null }): string {
  const pairs = (header('set-cookie') ?? '').matchAll(/(?:^|, )([\w]+=[0-9a-f]{40})/g);
  return Array.from(pairs, ([, pair]) => pair).join('; ');
}
