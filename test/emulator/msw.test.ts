// The emulator as handlers of msw in Node: the catch-all beside own handlers, and single routes.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { createEmulator } from '../../emulator/index.ts';
import { mswHandlers, mswRouteHandlers } from '../../emulator/msw.ts';

const emulator = createEmulator();
const base = 'https://platform.example.com';
const headers = { Authorization: `token ${emulator.users()[0]?.token}` };
const server = setupServer(...mswHandlers(emulator, { baseUrl: `${base}/` }));

before(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => server.resetHandlers());
after(() => server.close());

test('a single endpoint is overridden, the others stay', async () => {
  server.use(http.get(`${base}/api/v1/user`, () => HttpResponse.json({ login: 'mine' })));
  assert.deepEqual(await (await fetch(`${base}/api/v1/user`, { headers })).json(), { login: 'mine' });
  assert.equal((await fetch(`${base}/api/v1/user/emails`, { headers })).status, 200);
});

test('an unknown address of the service is its own 404, another address is not ours', async () => {
  const answer = await fetch(`${base}/api/v1/nowhere`, { headers });
  assert.deepEqual([answer.status, await answer.text()], [404, '{"message":"Not Found"}\n']);
  for (const path of ['/elsewhere', '/scripts/app.js', '/avatars/nobody.png']) await assert.rejects(fetch(base + path));
});

test('worlds, control and pictures go through it too', async () => {
  assert.equal((await fetch(`${base}/@blue/api/v1/user`, { headers })).status, 200);
  assert.equal((await fetch(`${base}/__drydock/status`)).status, 200);
  assert.equal((await fetch(`${base}/avatars/ada`)).status, 200);
});

test('a sign-out feeds no jar of cookies that all tests share', async () => {
  const answer = await fetch(`${base}/api/v1/user/signout`, { headers });
  assert.equal(answer.headers.getSetCookie().length, 2);
  let sent: string | null = 'none asked';
  server.use(
    http.get(`${base}/echo`, ({ request }) => {
      sent = request.headers.get('cookie');
      return new HttpResponse();
    }),
  );
  await fetch(`${base}/echo`);
  assert.equal(sent, null);
});

test('a dropped connection is a network error', async () => {
  const lift = emulator.fault({ route: 'getVersion', drop: true });
  await assert.rejects(fetch(`${base}/api/v1/version`), TypeError);
  lift();
});

test('there is a handler per route, each answering its own address alone', async () => {
  const handlers = mswRouteHandlers(emulator, { baseUrl: base });
  assert.deepEqual(
    Object.keys(handlers),
    emulator.routes.map((route) => route.name),
  );
  const few = setupServer(...[handlers.checkFollowing, handlers.listEmails].filter((handler) => handler !== undefined));
  server.close();
  few.listen({ onUnhandledRequest: 'error' });
  try {
    assert.equal((await fetch(`${base}/api/v1/user/following/bob`, { headers })).status, 204);
    assert.equal((await fetch(`${base}/api/v1/user/emails`, { headers })).status, 200);
    await assert.rejects(fetch(`${base}/api/v1/user`, { headers }));
  } finally {
    few.close();
    server.listen({ onUnhandledRequest: 'error' });
  }
});
