// The dispatcher: paths, methods, headers, bodies, pages of other origins; through `fetch`, without a port.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { isAllowedHost, isAllowedOrigin } from '../../../emulator/app/security.ts';
import { createEmulator } from '../../../emulator/emulator.ts';
import { countValues } from '../../../emulator/store/json.ts';
import { as, strictEmulator } from '../../support/emulator.ts';

const slashes = ['/api/v1/user/emails/', '//api//v1///user/emails'];
for (const path of slashes) {
  test(`${path} is found`, async () => {
    const emulator = strictEmulator();
    const headers = { Authorization: `token ${emulator.users()[0]?.token}` };
    assert.equal((await emulator.fetch(`http://localhost${path}`, { headers })).status, 200);
  });
}

for (const path of ['/api/v1', '/api/v1/user/x/y', '/', '/api/v2/user', '/api/v1/__proto__']) {
  test(`${path} is not found, with only the message`, async () => {
    const answer = await strictEmulator().fetch(`http://localhost${path}`);
    assert.deepEqual([answer.status, await answer.text()], [404, '{"message":"Not Found"}\n']);
  });
}

test('escapes in a parameter are decoded, including a slash, and an invalid one is 400', async () => {
  const call = as(strictEmulator(), 'ada');
  assert.equal((await call('GET', '/user/following/%zz')).status, 400);
  await call('POST', '/user/credentials', { name: 'a/b c' });
  assert.equal((await call('GET', '/user/credentials/a%2Fb%20c')).at('name'), 'a/b c');
});

test('a wrong method is 405 with the allowed ones', async () => {
  const answer = await as(strictEmulator(), 'ada')('PUT', '/user/emails');
  assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'GET, POST, DELETE, HEAD, OPTIONS']);
  assert.equal(typeof answer.at('url'), 'string');
});

test('a path of hosted deployments does not exist elsewhere, for any method', async () => {
  const [plain, hosted] = [as(strictEmulator(), 'ada'), as(strictEmulator({ hosted: true }), 'ada')];
  assert.equal((await plain('POST', '/user/cloudmsg-token')).text, '{"message":"Not Found"}\n');
  assert.equal((await hosted('POST', '/user/cloudmsg-token')).status, 405);
  assert.ok(!(await plain('GET', '//api/swagger')).text.includes('cloudmsg-token'));
});

test('HEAD is GET without a body', async () => {
  const call = as(strictEmulator(), 'ada');
  const head = await call('HEAD', '/user');
  const get = await call('GET', '/user');
  assert.deepEqual([head.status, head.text], [200, '']);
  assert.equal(head.headers.get('content-length'), String(Buffer.byteLength(get.text)));
  assert.equal(head.headers.get('content-type'), get.headers.get('content-type'));
});

test('every response has the headers of the service, and the id of its request if that is valid', async () => {
  const call = as(strictEmulator(), 'ada');
  const { headers, text } = await call('GET', '/user', undefined, { 'X-Request-Id': 'trace-1' });
  assert.equal(headers.get('content-type'), 'application/json;charset=utf-8');
  assert.equal(headers.get('cache-control'), 'max-age=0, private, must-revalidate');
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.equal(headers.get('x-request-id'), 'trace-1');
  assert.ok(text.endsWith('}\n'));
  const other = await call('GET', '/user', undefined, { 'X-Request-Id': 'a b' });
  assert.match(other.headers.get('x-request-id') ?? '', /^drydock-/);
});

const type = { 'Content-Type': 'application/json' };
const bodies: readonly (readonly [string, string, Record<string, string>, number, RegExp])[] = [
  ['no JSON', '{', type, 422, /is not valid JSON/],
  ['nothing', '', type, 422, /is empty/],
  ['another content type', '{}', { 'Content-Type': 'text/plain' }, 422, /text\/plain/],
  ['a charset', '{"emails":["a@b.example"]}', { 'Content-Type': 'Application/JSON; charset=UTF-8' }, 201, /a@b/],
  ['a suffixed type', '{"emails":["a@b.example"]}', { 'Content-Type': 'application/merge-patch+json' }, 201, /a@b/],
  ['a wrong type inside', '{"emails":[1]}', type, 422, /emails\[0\]: must be a string/],
  ['null', 'null', type, 422, /must be an object/],
  ['a deep nest', '['.repeat(5000) + ']'.repeat(5000), type, 422, /nested more than 200/],
  ['too much', `{"emails":["${'a'.repeat(2000)}"]}`, type, 413, /larger than 1000 bytes/],
  [
    'odd keys',
    '{"__proto__":{"emails":[]},"constructor":{"prototype":{"polluted":1}},"emails":["a@b.example"]}',
    type,
    201,
    /a@b/,
  ],
];
for (const [name, body, headers, status, message] of bodies) {
  test(`a body with ${name}: ${status}`, async () => {
    const limit = status === 413 ? { bodyLimit: 1000 } : {};
    const answer = await as(strictEmulator(limit), 'hana')('POST', '/user/emails', body, headers);
    assert.equal(answer.status, status, answer.text);
    assert.match(answer.text, message);
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  });
}

test('a body has up to 10,000 values of any length', async () => {
  const call = as(strictEmulator(), 'hana');
  const send = async (body: string): Promise<string> => (await call('POST', '/user/emails', body, type)).text;
  assert.match(await send(`[${Array(10_000).fill('{}')}]`), /body: holds more than 10000 values/);
  assert.doesNotMatch(await send(`["${'\\",[{'.repeat(600_000)}"]`), /holds more/);
});

test('a body that fails rejects like fetch', async () => {
  const emulator = strictEmulator();
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error('lost')) });
  const headers = { Authorization: `token ${emulator.users()[0]?.token}` };
  await assert.rejects(emulator.fetch('/api/v1/user/emails', { method: 'POST', headers, body }), TypeError);
});

test('a state may contain more values than another body, and has the same maximum length', async () => {
  const put = (length: number) => {
    const body = `[${Array(length).fill(1)}]`;
    return strictEmulator().fetch('/__drydock/state', { method: 'PUT', headers: type, body });
  };
  const answer = await put(100_000);
  assert.deepEqual([answer.status, (await answer.text()).includes('body: must be an object')], [422, true]);
  assert.equal((await put(3_000_000)).status, 413);
});

test('a body with very many problems gets the first hundred reported', async () => {
  const emails = `{"emails":[${Array(9_000).fill(1)}]}`;
  const { status, text } = await as(strictEmulator(), 'hana')('POST', '/user/emails', emails, type);
  assert.equal(status, 422);
  assert.match(text, /emails\[98\]: must be a string; body: 8901 more faults/);
  assert.ok(text.length < 4000, `${text.length}`);
});

const origins: readonly (readonly [string, readonly string[], boolean])[] = [
  ['http://localhost:3000', ['loopback'], true],
  ['https://app.localhost', ['loopback'], true],
  ['http://[::1]:5173', ['loopback'], true],
  ['https://localhost.evil.example', ['loopback'], false],
  ['https://evil-localhost', ['loopback'], false],
  ['null', ['loopback'], false],
  ['https://app.example', ['https://app.example'], true],
  ['https://app.example:444', ['https://app.example'], false],
  ['https://evil.example', ['*'], true],
  ['http://self', [], true],
];
for (const [origin, allowed, want] of origins) {
  test(`a page of ${origin} ${want ? 'may' : 'may not'} call with ${allowed.join(' ') || 'nothing'} allowed`, async () => {
    assert.equal(isAllowedOrigin(origin, allowed, 'http://self'), want);
    const emulator = createEmulator({ origins: allowed });
    const answer = await emulator.fetch('http://self/api/v1/version', { headers: { Origin: origin } });
    assert.equal(answer.headers.get('access-control-allow-origin'), want ? origin : null);
    assert.equal(answer.headers.get('vary'), 'Origin');
    const control = await emulator.fetch('http://self/__drydock/reset', {
      method: 'POST',
      headers: { Origin: origin },
    });
    assert.equal(control.status, want ? 204 : 403);
  });
}

test('a CORS preflight gets what is allowed', async () => {
  const emulator = strictEmulator();
  const answer = await emulator.fetch('/api/v1/user/emails', {
    method: 'OPTIONS',
    headers: {
      Origin: 'http://localhost:3000',
      'Access-Control-Request-Method': 'DELETE',
      'Access-Control-Request-Headers': 'authorization,x-drydock-world',
      'Access-Control-Request-Private-Network': 'true',
    },
  });
  assert.equal(answer.status, 204);
  assert.equal(answer.headers.get('access-control-allow-methods'), 'GET, POST, DELETE, HEAD, OPTIONS');
  assert.equal(answer.headers.get('access-control-allow-headers'), 'authorization,x-drydock-world');
  assert.equal(answer.headers.get('access-control-allow-private-network'), 'true');
  assert.match(answer.headers.get('access-control-expose-headers') ?? '', /X-Total-Count, Link/);
});

const hosts: readonly (readonly [string | undefined, readonly string[], boolean])[] = [
  ['localhost', [], true],
  ['[::1]:4010', [], true],
  ['app.localhost:4010', [], true],
  ['evil.example:4010', ['good.example'], false],
  ['Good.example:4010', ['good.example'], true],
  ['127.0.0.1.evil.example', [], false],
  [undefined, [], false],
  ['evil.example', ['*'], true],
];
for (const [host, allowed, want] of hosts) {
  test(`the host ${host} is ${want ? 'served' : 'refused'} with ${allowed.join(' ') || 'nothing'} allowed`, () => {
    assert.equal(isAllowedHost(host, { names: allowed, everywhere: false }), want);
  });
}

test('the documents describe every route, and their references resolve', async () => {
  for (const [path, least] of [
    ['//swagger.v1.json', 50],
    ['/swagger.v1.json', 50],
    ['//__drydock/openapi.json', 25],
  ] as const) {
    const emulator = strictEmulator();
    const { json, text, at } = await as(emulator)('GET', path);
    const { paths, components } = json() as {
      paths: Record<string, object>;
      components: { schemas: Record<string, unknown> };
    };
    const operations = Object.values(paths).flatMap((item) => Object.keys(item));
    assert.ok(operations.length >= least, `${path}: ${operations.length}`);
    assert.equal(at('openapi'), '3.1.0');
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g))
      assert.ok(name in components.schemas, name);
  }
});

test('the page, the pictures and the version are served', async () => {
  const call = as(strictEmulator({ version: '9.9' }));
  const page = await call('GET', '//api/swagger');
  assert.match(page.text, /<h2>Deployment orders<\/h2>/);
  assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  assert.equal((await call('GET', '/version')).at('version'), '9.9');
  for (const name of ['ada', 'HARBOR']) assert.match((await call('GET', `//avatars/${name}`)).text, /^<svg/);
  assert.equal((await call('GET', '//avatars/nobody')).status, 404);
});

for (const text of [
  '1',
  '[ ]',
  '{}',
  '[{},{}]',
  '{"a":[1,2],"b":{"c":"[,{\\"\\\\"}}',
  '[[[],[]],"]"]',
  ' [ 1 , { } ] ',
]) {
  test(`the values of ${text} are counted`, () => {
    let values = 0;
    JSON.parse(text, () => values++);
    assert.equal(countValues(new TextEncoder().encode(text)), values);
  });
}

test('responses share one hidden class; separate ones would outlive their response and slow a server down', async () => {
  setFlagsFromString('--allow-natives-syntax');
  const haveSameClass = new Function('a', 'b', 'return %HaveSameMap(a, b)') as (a: object, b: object) => boolean;
  const emulator = createEmulator();
  const ask = async (): Promise<object> => {
    const token = `token ${emulator.users()[0]?.token}`;
    const outgoing = await emulator.answer({
      method: 'GET',
      origin: 'http://localhost',
      target: '/api/v1/user',
      header: (name) => (name === 'authorization' ? token : undefined),
      headers: () => ['authorization', token],
      body: async () => new Uint8Array(),
    });
    assert.equal(outgoing.status, 200);
    return outgoing.headers;
  };
  for (let warm = 0; warm < 3000; warm++) await ask();
  assert.ok(haveSameClass(await ask(), await ask()));
});
