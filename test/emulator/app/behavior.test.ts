// Behavior and inspection of a world: faults with bodies, preferences, the request log, exact numbers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEmulator, EmulatorError, type Fault } from '../../../emulator/index.ts';
import { as, strictEmulator } from '../../support/emulator.ts';

const control = (path: string): string => `//__drydock${path}`;

test('a fault responds with a body, headers and any status from 200', async () => {
  const emulator = strictEmulator();
  const call = as(emulator, 'ada');
  const answers = async (fault: Fault): Promise<readonly unknown[]> => {
    const lift = emulator.fault({ route: 'listTeams', ...fault });
    const { status, text, headers } = await call('GET', '/user/teams');
    lift();
    return [status, text, headers.get('content-type'), headers.get('retry-after')];
  };
  const json = 'application/json;charset=utf-8';
  const limited = { status: 429, message: 'Slow down', headers: { 'Retry-After': '7' } };
  const refused = '{"message":"Slow down","url":"http://localhost/api/swagger"}\n';
  assert.deepEqual(await answers(limited), [429, refused, json, '7']);
  assert.deepEqual(await answers({ body: [] }), [200, '[]\n', json, null]);
  const page = { status: 503, body: 'down', headers: { 'content-type': 'text/html' } };
  assert.deepEqual(await answers(page), [503, 'down', 'text/html', null]);
  const [status, text, , retry] = await answers({ headers: { 'Retry-After': '1' } });
  assert.deepEqual([status, retry, (JSON.parse(String(text)) as unknown[]).length > 0], [200, '1', true]);
});

test('a fault names a path with or without the escapes of its URL', async () => {
  const emulator = strictEmulator();
  for (const name of ['my key', 'my%20key']) {
    const lift = emulator.fault({ route: `GET /user/credentials/${name}`, status: 418 });
    assert.equal((await as(emulator, 'ada')('GET', '/user/credentials/my%20key')).status, 418);
    lift();
  }
});

const wrong: readonly (readonly [object, RegExp])[] = [
  [{ status: 99 }, /^status: must be at least 200/],
  [{ status: 302, location: '/→' }, /^location: /],
  [{ latencyMs: { min: 9, max: 1 } }, /^latencyMs: min is 9, more than max/],
  [{ headers: { 'a b': 'x' } }, /^headers\["a b"\]: is not a valid header name/],
  [{ headers: { A: 'x\r\nB: y' } }, /^headers\.A: /],
  [{ headers: { 'content-length': '1' } }, /written by the server itself/],
  [{ status: 204, body: {} }, /^body: cannot be sent with 204/],
  [{ message: 'x' }, /^message: needs a status/],
  [{ body: 1n }, /^body: is not valid JSON/],
];
for (const [fault, message] of wrong) {
  test(`a fault is refused: ${message.source}`, () => {
    assert.throws(
      () => createEmulator().fault(fault),
      (failure) =>
        failure instanceof EmulatorError && failure.code === 'FAULT_INVALID' && message.test(failure.message),
    );
  });
}

test('a response that cannot be sent is a 500 with the reason', async () => {
  // TypeScript rejects a number; JavaScript does not.
  for (const value of ['→', JSON.parse('5')]) {
    const reported: unknown[] = [];
    const elsewhere = async () => ({ status: 200, headers: { 'X-Odd': value } });
    const answer = await createEmulator({ elsewhere, onBug: (failure) => reported.push(failure) }).fetch('/x');
    assert.equal(answer.status, 500);
    assert.match(await answer.text(), /cannot be sent: the header \\"X-Odd\\"/);
    assert.equal(reported.length, 1);
  }
});

test('the Prefer header selects the response of one call, which has no effect', async () => {
  const emulator = strictEmulator();
  const call = as(emulator, 'ada');
  const prefer = (method: string, path: string, wish: string) => call(method, path, undefined, { Prefer: wish });
  const missing = await prefer('GET', '/user/credentials/aws-lab', 'code=404');
  assert.deepEqual([missing.status, missing.headers.get('preference-applied')], [404, 'code=404']);
  assert.equal((await prefer('GET', '/user', 'code=503')).status, 503);
  assert.deepEqual((await prefer('GET', '/user/teams', 'code=200, example=empty')).json(), []);
  assert.equal((await prefer('PUT', '/user/following/gus', 'code=204')).status, 204);
  assert.equal((await call('GET', '/user/following/gus')).status, 404);
  assert.match(String((await prefer('GET', '/user', 'code=204')).at('message')), /answers no 204, only 200/);
  assert.match(String((await prefer('GET', '/user/teams', 'example=x')).at('message')), /has sample, empty, many/);
  assert.equal((await prefer('GET', '/user', 'return=minimal')).status, 200);
  assert.equal((await as(emulator)('GET', '/user', undefined, { Prefer: 'code=200' })).status, 401);
});

test('the log stores headers and bodies without their secrets', async () => {
  const emulator = strictEmulator({ logBodyLimit: 300 });
  const call = as(emulator, 'ada');
  await call('POST', '/user/credentials', {
    name: 'new',
    type: 'Aws',
    aws: { accessKeyID: 'AKIA', secret: 'hush', keys: ['a'] },
  });
  await call('POST', '/user/emails', { emails: [`${'x'.repeat(400)}@example.com`] });
  await call('GET', '/user/msgbus/credentials');
  const [credential, email, bus] = emulator.requests();
  assert.equal(credential?.request.headers.authorization, 'token ***');
  assert.equal(
    credential?.request.body,
    '{"name":"new","type":"Aws","aws":{"accessKeyID":"***","secret":"***","keys":["***"]}}',
  );
  assert.deepEqual([email?.request.cut, email?.request.body?.length], [true, 300]);
  assert.match(email?.response.body ?? '', /"message"/);
  assert.match(bus?.response.body ?? '', /"credentials":"\*\*\*/);
  for (const token of emulator.users().map((user) => user.token)) {
    assert.ok(!JSON.stringify(emulator.requests()).includes(token));
  }
});

test('requests are counted, found, almost found and awaited, in each world', async () => {
  const emulator = strictEmulator();
  await as(emulator, 'ada')('GET', '/user/teams', undefined, { 'X-Drydock-World': 'blue' });
  await as(emulator, 'bob')('GET', '/user/tems');
  assert.equal(emulator.countRequests({ route: 'listTeams' }), 0);
  assert.equal(emulator.countRequests({ path: '/api/*/teams', method: 'get' }, 'blue'), 1);
  assert.equal((await emulator.waitForRequest({ user: 'ada' }, 10, 'blue')).route, 'listTeams');
  assert.equal(emulator.requests()[0]?.meant, '/api/v1/user/teams');
  const [near] = emulator.nearMisses({ route: 'listTeams', status: 200, user: 'bob' }, 'blue');
  assert.deepEqual(near?.misses, [{ field: 'user', wanted: 'bob', was: 'ada' }]);
  await assert.rejects(emulator.waitForRequest({ user: 'bob', status: 200 }, 1, 'blue'), {
    code: 'REQUEST_TIMEOUT',
    message: /the nearest was GET \/api\/v1\/user\/teams: user ada, not bob/,
  });
  assert.throws(() => emulator.requests({ rout: 'x' } as never), {
    code: 'FILTER_INVALID',
    message: /did you mean "route"/,
  });
  const over = await as(emulator)('GET', '//@blue/__drydock/requests/count?route=listTeams&status=');
  assert.equal(over.at('count'), 1);
  const waiting = as(emulator)('GET', control('/requests/wait?route=listOrganizations'));
  await as(emulator, 'bob')('GET', '/user/orgs');
  assert.equal((await waiting).at('user'), 'bob');
  assert.equal((await as(emulator)('GET', control('/requests/wait?route=signOut&timeoutMs=1'))).status, 404);
  assert.equal((await as(emulator)('GET', control('/requests?staus=200'))).status, 422);
});

test('numbers in a credential keep their digits, also through a snapshot', async () => {
  const emulator = strictEmulator();
  const ada = as(emulator, 'ada');
  const send = async (path: string, method = 'GET', body?: string): Promise<string> =>
    (await ada(method, path, body)).text;
  const numbers = '"a":9223372036854775807,"b":-0.0,"c":1.50,"d":1e400,"e":12,"f":"9223372036854775807"';
  assert.equal(await send('/user/credentials', 'POST', `{"name":"n","aws":{${numbers}}}`), '');
  assert.ok((await send('/user/credentials/n')).includes(numbers));
  const state = await send('//__drydock/state');
  emulator.reset();
  assert.equal(await send('//__drydock/state', 'PUT', state), '');
  assert.ok((await send('/user/credentials/n')).includes(numbers));
  assert.match(await send('/user/credentials', 'POST', '{"name":1.0}'), /name: must be a string/);
});

test('orders are listed for their owner', async () => {
  const emulator = strictEmulator();
  const all = emulator.orders();
  assert.ok(all.length > 0);
  const [{ owner = '' } = {}] = all;
  const owned = all.filter((order) => order.owner === owner);
  assert.deepEqual((await as(emulator, owner)('GET', control('/orders'))).json(), owned);
  assert.equal(emulator.orders(owner)[0]?.uid, owned[0]?.uid);
  assert.deepEqual(emulator.orders('nobody'), []);
  assert.equal(((await as(emulator)('GET', control('/orders'))).json() as unknown[]).length, all.length);
});

test('a page of another site creates no world, and old worlds are evicted if enabled', async () => {
  const emulator = createEmulator({ maxWorlds: 3, evictWorlds: true });
  const status = async (world: string, headers: Record<string, string> = {}): Promise<number> =>
    (await emulator.fetch(`/@${world}/api/v1/version`, { headers })).status;
  assert.equal(await status('x', { 'Sec-Fetch-Site': 'cross-site' }), 403);
  assert.equal(await status('x', { Origin: 'https://evil.example' }), 403);
  const names = (): readonly string[] => emulator.worlds().map(({ name }) => name);
  assert.deepEqual(names(), ['default']);
  for (const world of ['a', 'b', 'a', 'c']) assert.equal(await status(world, { Origin: 'http://localhost:1' }), 200);
  assert.deepEqual(names(), ['default', 'a', 'c']);
  assert.equal(await status('a', { 'Sec-Fetch-Site': 'cross-site' }), 200);
});

test('invalid names and times are typed errors', () => {
  const emulator = createEmulator({ maxWorlds: 1 });
  assert.throws(() => emulator.world('a b'), { code: 'WORLD_INVALID' });
  assert.throws(() => emulator.scenario('ofline' as never), {
    code: 'SCENARIO_UNKNOWN',
    message: /did you mean "offline"/,
  });
  const scenarios = { odd: { description: '', faults: [{ route: 'nope' }] } };
  assert.throws(() => createEmulator({ scenarios }), /scenarios\.odd\.faults\[0\]\.route: there is no route "nope"/);
  assert.throws(() => createEmulator({ now: 'soon' }), {
    code: 'TIME_INVALID',
    message: /^now: "soon" is not a valid time/,
  });
});

test('filters with an unknown route are refused', async () => {
  const emulator = strictEmulator();
  await as(emulator, 'ada')('GET', '/user/emails');
  for (const route of ['listEmails', 'GET /user/emails']) assert.equal(emulator.countRequests({ route }), 1);
  const failure = {
    code: 'FILTER_INVALID',
    message: /^route: there is no route "listEmials"; did you mean "listEmails"/,
  };
  assert.throws(() => emulator.countRequests({ route: 'listEmials' }), failure);
  assert.throws(() => emulator.nearMisses({ route: 'listEmials' }), failure);
  await assert.rejects(emulator.waitForRequest({ route: 'listEmials' }), failure);
  assert.throws(() => emulator.requests({ route: 'GET /user/clusters?all=true' }), /a filter has no query/);
  const counted = await as(emulator)('GET', control('/requests/count?route=listEmials'));
  assert.deepEqual([counted.status, /query\.route: there is no route/.test(counted.text)], [422, true]);
});

test('strings that start like an encoded exact number remain strings', async () => {
  const ada = as(strictEmulator(), 'ada');
  const aws = '{"a":"\uf8ff#12","b":"\\uf8ff#7","c":"\uf8ff#\uf8ff#1","d":1.0,"e":"x\uf8ff#12","f":"\\"\uf8ff#12\\""}';
  const body = `{"name":"marked","type":"Aws","aws":${aws}}`;
  assert.equal((await ada('POST', '/user/credentials', body)).status, 201);
  const { text } = await ada('GET', '/user/credentials/marked');
  assert.ok(text.includes('"d":1.0'), text);
  assert.deepEqual(JSON.parse(text).aws, JSON.parse(aws));
});

test('an invalid request is an error with a code', async () => {
  await assert.rejects(strictEmulator().answer({} as never), {
    code: 'ARGUMENT_INVALID',
    message: /^answer: incoming\.method: /,
  });
});

test('the log lists the faults that affected a call, as they were set', async () => {
  const emulator = strictEmulator();
  const fault: Fault = { route: 'GET /user/emails', status: 503 };
  const lift = emulator.fault(fault);
  emulator.fault({ route: 'GET /user/orgs', status: 500 });
  const ada = as(emulator, 'ada');
  await ada('GET', '/user/emails');
  lift();
  await ada('GET', '/user/emails');
  const logged = emulator.requests().map(({ status, faults }) => ({ status, faults }));
  assert.deepEqual(logged, [
    { status: 503, faults: [fault] },
    { status: 200, faults: [] },
  ]);
});
