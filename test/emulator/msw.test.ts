// The emulator as msw handlers in Node: the general handler beside custom ones, and single routes.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, afterEach, before, test } from 'node:test';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { createEmulator } from '../../emulator/index.ts';
import { mswHandlers, mswRouteHandlers } from '../../emulator/msw.ts';
import { listen } from '../support/loopback.ts';

const emulator = createEmulator();
const base = 'https://platform.example.com';
const headers = { Authorization: `token ${emulator.users()[0]?.token}` };
const server = setupServer(...mswHandlers(emulator, { baseUrl: `${base}/` }));

before(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => server.resetHandlers());
after(() => server.close());

test('one endpoint can be overridden without affecting others', async () => {
  server.use(http.get(`${base}/api/v1/user`, () => HttpResponse.json({ login: 'mine' })));
  assert.deepEqual(await (await fetch(`${base}/api/v1/user`, { headers })).json(), { login: 'mine' });
  assert.equal((await fetch(`${base}/api/v1/user/emails`, { headers })).status, 200);
});

test('an unknown path of the service is its own 404, other addresses are not handled', async () => {
  const answer = await fetch(`${base}/api/v1/nowhere`, { headers });
  assert.deepEqual([answer.status, await answer.text()], [404, '{"message":"Not Found"}\n']);
  for (const path of ['/elsewhere', '/scripts/app.js', '/avatars/nobody.png']) await assert.rejects(fetch(base + path));
});

test('a sign-out does not affect a cookie jar shared by all tests', async () => {
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

test('there is one handler per route, each for its own address only', async () => {
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

// Typical paths of an application, of other services and of a development server.
const foreign = [
  '/@vite/client',
  '/@fs/home/me/project/src/lazy.ts',
  '/npm/@mdi/font@7/css',
  '/api/v1/weather',
  '/avatars/bob',
  '/scripts/app.js',
  '/src/api/v1/user',
];

/** Runs with handlers in front of a server of the application, which responds to everything with 200 and `app`. */
async function beside(
  options: Parameters<typeof mswHandlers>[1],
  use: (origin: string, seen: readonly string[]) => Promise<void>,
): Promise<void> {
  const app = await listen(createServer((_, response) => response.end('app')));
  const unhandled: string[] = [];
  const mocks = setupServer(...mswHandlers(emulator, options));
  server.close();
  mocks.listen({ onUnhandledRequest: ({ url }) => void unhandled.push(new URL(url).pathname) });
  try {
    await use(`http://${app.host}`, unhandled);
  } finally {
    mocks.close();
    await app.stop();
    server.listen({ onUnhandledRequest: 'error' });
  }
}

const text = async (url: string): Promise<string> => (await fetch(url, { headers })).text();

test('on any origin, other requests pass through, and msw reports them as unhandled', async () => {
  await beside({}, async (origin, unhandled) => {
    for (const path of foreign) assert.equal(await text(origin + path), 'app', path);
    assert.deepEqual(unhandled, foreign);
    for (const path of ['/api/v1/version', '/@blue/api/v1/user', '//api//v1/user/', '/__drydock/status']) {
      assert.notEqual(await text(origin + path), 'app', path);
    }
    const { avatar_url } = JSON.parse(await text(`${origin}/@blue/api/v1/user`)) as { avatar_url: string };
    assert.equal(avatar_url, `${origin}/__drydock/web/@blue/avatars/ada`);
    assert.match(await text(avatar_url), /<svg/);
  });
});

test('only the paths below the base path are handled', async () => {
  const platform = 'http://127.0.0.1:1/platform';
  await beside({ baseUrl: `${platform}/` }, async (origin) => {
    const { avatar_url } = JSON.parse(await text(`${platform}/api/v1/user`)) as { avatar_url: string };
    assert.equal(avatar_url, `${platform}/avatars/ada`);
    assert.match(await text(avatar_url), /<svg/);
    assert.equal(await text(`${platform}/api/v1/nowhere`), '{"message":"Not Found"}\n');
    for (const path of ['/platform/api/v1/user', '/api/v1/user']) assert.equal(await text(origin + path), 'app');
    await assert.rejects(text('http://127.0.0.1:1/platformer/api/v1/user'));
  });
});

const credentials = { user_name: 'ada', password: 'ada-password' };

test('in a page any origin is handled, but not the paths of the application', async () => {
  const page = 'http://127.0.0.1:1';
  Object.defineProperty(globalThis, 'location', { value: { origin: page, href: `${page}/` }, configurable: true });
  const signIn = async (origin: string): Promise<number> => {
    const body = JSON.stringify(credentials);
    const sent = { method: 'POST', body, headers: { 'Content-Type': 'application/json' } };
    return (await fetch(`${origin}/user/login`, sent)).status;
  };
  try {
    await beside(undefined, async () => {
      for (const origin of [page, 'https://platform.example.com']) {
        assert.match(await text(`${origin}/api/v1/user`), /"login":"ada"/);
        assert.equal(await signIn(origin), 200);
      }
      for (const path of [...foreign, '/user/login']) await assert.rejects(text(page + path), path);
    });
    // With a base URL, all of its API is handled, and no other.
    await beside({ baseUrl: page }, async (origin) => {
      assert.equal(await text(`${page}/api/v1/weather`), '{"message":"Not Found"}\n');
      assert.equal(await signIn(page), 200);
      await assert.rejects(text(`${page}/avatars/bob`));
      assert.equal(await text(`${origin}/api/v1/user`), 'app');
    });
  } finally {
    Reflect.deleteProperty(globalThis, 'location');
  }
});

test('an invalid base address is reported', () => {
  assert.throws(() => mswHandlers(emulator, { baseUrl: 'platform' }), {
    code: 'SETTING_INVALID',
    message: /^baseUrl: "platform" is not a URL: give/,
  });
});
