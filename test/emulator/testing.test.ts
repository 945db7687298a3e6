// Worlds of tests: isolated, typed, over the network and in process, and closed with their test.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  openWorld,
  type PageRoute,
  playwrightFixtures,
  type RoutedPages,
  type TestWorld,
  testWorld,
  vitestFixtures,
} from '../../emulator/testing.node.ts';

const path = '/api/v1/user/emails';

function add(world: TestWorld, email: string): Promise<Response> {
  return world.fetch(path, { as: 'ada', method: 'POST', body: JSON.stringify({ emails: [email] }), headers: json });
}

const json = { 'Content-Type': 'application/json' };

async function emailsAt(url: string, token: string): Promise<readonly string[]> {
  const answer = await fetch(`${url}${path}`, { headers: { Authorization: `token ${token}` } });
  return ((await answer.json()) as { email: string }[]).map(({ email }) => email);
}

test('two worlds are independent', async (t) => {
  const [one, other] = [await testWorld(t), await testWorld(t)];
  assert.equal(one.emulator, other.emulator);
  one.fault({ route: 'GET /user', status: 503 });
  one.clock.freeze('2025-05-02T09:00:00Z');
  assert.equal((await add(one, 'new@example.com')).status, 201);
  assert.ok((await emailsAt(one.url, one.token('ada'))).includes('new@example.com'));
  assert.ok(!(await emailsAt(other.url, other.token('ada'))).includes('new@example.com'));
  assert.equal((await one.fetch('/api/v1/user', { as: 'ada' })).status, 503);
  assert.equal((await other.fetch('/api/v1/user', { as: 'ada' })).status, 200);
  assert.equal(other.clock.frozen, false);
  assert.equal((await one.waitForRequest({ method: 'POST' })).status, 201);
  assert.equal(other.countRequests({ method: 'POST' }), 0);
});

test('closing releases the world, and the port with the last one', async () => {
  const options = { seed: 'closing' };
  const first = await openWorld(options);
  const second = await openWorld(options);
  await first[Symbol.asyncDispose]();
  await first.close();
  assert.ok(!first.emulator.worlds().includes(first.world));
  assert.ok((await emailsAt(second.url, second.token('ada'))).length > 0);
  await second.close();
  await assert.rejects(fetch(`${second.url}/api/v1/version`), TypeError);
});

test('every active user has a token, and nobody else', async (t) => {
  const world = await testWorld(t);
  const zoe = world.db.person.create({ login: 'zoe' });
  assert.equal((await world.fetch(path, { as: 'zoe' })).status, 200);
  assert.equal(world.token('ZOE'), world.token(zoe.login));
  const failure = /^EmulatorError: login: there is no person "adda"; did you mean "ada"\?/;
  assert.throws(() => world.token('adda'), failure);
});

test('a world starts with the added rows, and still shares the emulator', async (t) => {
  const plain = await testWorld(t);
  const add = { users: [{ login: 'zoe' }], follows: [{ user: 'zoe', follows: ['ada'] }] };
  const world = await testWorld(t, { add });
  assert.equal(world.emulator, plain.emulator);
  assert.deepEqual([world.db.person.count(), plain.db.person.count()], [76, 75]);
  await assert.rejects(testWorld(t, { add: { users: [{ login: 5 as never }] } }), {
    name: 'FixtureError',
    code: 'FIXTURE_INVALID',
    message: 'add.users[0].login: must be a string',
  });
});

test('the fixture of a test runner closes its world when the test fails', async () => {
  const { drydock } = vitestFixtures({ seed: 'runner' });
  // Test runners read the first parameter from the source of the function.
  assert.match(String(drydock), /^async\s*\(\{\s*\}/);
  let used: TestWorld | undefined;
  const run = drydock({}, async (world) => {
    used = world;
    throw new Error('the test failed');
  });
  await assert.rejects(run, /the test failed/);
  assert.ok(used && !used.emulator.worlds().includes(used.world));
});

test('without a base address, requests go to the world', async (t) => {
  const drydock = await testWorld(t);
  const baseOf = async (configured: string | undefined): Promise<string | undefined> => {
    let base: string | undefined;
    await playwrightFixtures().baseURL({ baseURL: configured, drydock }, async (given) => {
      base = given;
    });
    return base;
  };
  assert.equal(await baseOf('http://app.example'), 'http://app.example');
  const answer = await fetch(new URL('api/v1/version', await baseOf(undefined)));
  assert.equal(answer.status, 200);
  assert.equal(drydock.countRequests({ route: 'getVersion' }), 1);
});

test('API calls of a page go to the world, others pass through, a dropped connection is an abort', async (t) => {
  const drydock = await testWorld(t);
  let matches = /^$/;
  let handle: (route: PageRoute) => Promise<void> = async () => {};
  const context: RoutedPages = {
    route: async (url, handler) => {
      [matches, handle] = [url, handler];
    },
  };
  await playwrightFixtures().context({ context, drydock }, async () => {});
  const at = (address: string): boolean => matches.test(address);
  assert.ok(at('https://app.example/api/v1/user') && at('http://127.0.0.1:1/api/v1/user/emails?page=2'));
  assert.ok(at(`http://app.example/@${drydock.name}/api/v1/user`));
  assert.ok(!at('https://weather.example/api/v1/weather') && !at('https://app.example/avatars/ada'));
  assert.ok(!at('https://app.example/x?y=/api/v1/user') && !at('https://app.example/api/v1/userx'));

  const done: string[] = [];
  const sent: string[] = [];
  const route = (method: string, address: string, body?: string, isNavigation = false): PageRoute => ({
    request: () => ({
      url: () => new URL(address, 'https://app.example').href,
      method: () => method,
      allHeaders: async () => ({ ...json, authorization: `token ${drydock.token('ada')}` }),
      postDataBuffer: () => (body === undefined ? null : new TextEncoder().encode(body)),
      isNavigationRequest: () => isNavigation,
    }),
    fallback: async () => void done.push('fallback'),
    fulfill: async ({ status, body: answer }) => {
      done.push(String(status));
      sent.push(String(answer));
    },
    abort: async (reason) => void done.push(reason),
  });
  await handle(route('POST', path, '{"emails":["page@example.com"]}'));
  await handle(route('GET', '/api/v1/user'));
  // The links of a response lead to the emulator, not to the application.
  const { avatar_url } = JSON.parse(sent.at(-1) ?? '') as { avatar_url: string };
  assert.ok(at(avatar_url), avatar_url);
  await handle(route('GET', avatar_url));
  assert.match(sent.at(-1) ?? '', /^<svg/);
  assert.ok(at('https://app.example/user/login'));
  await handle(route('GET', '/user/login'));
  await handle(route('POST', '/user/login', '{"user_name":"ada","password":"ada-password"}'));
  // Playwright does not route redirects, so a page navigates itself.
  const provider = '/user/oauth2/org-1005';
  assert.ok(at(`https://app.example${provider}`));
  await handle(route('GET', provider, undefined, true));
  assert.match(sent.at(-1) ?? '', /http-equiv="refresh" content="0; url=[^"]*\/user\/oauth2\/org-1005\/authorize\?/);
  drydock.fault({ drop: true });
  await handle(route('GET', path));
  assert.deepEqual(done, ['201', '200', '200', 'fallback', '200', '200', 'connectionfailed']);
});
