import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../../../emulator/app/problem.ts';
import { createEmulator } from '../../../emulator/emulator.ts';
import { as, strictEmulator } from '../../support/emulator.ts';

const control = (path: string): string => `//__drydock${path}`;

test('the overview lists users with tokens, but no expired or revoked token', async () => {
  const { at, json } = await as(strictEmulator())('GET', control('/status'));
  const users = at('users') as { login: string; token: string }[];
  assert.deepEqual(
    users.map(({ login }) => login),
    ['ada', 'bob', 'cleo', 'dan', 'eve', 'finn', 'gus', 'hana', 'ivan'],
  );
  assert.deepEqual((json() as { worlds: unknown }).worlds, ['default']);
});

test('a reset restores rows and clock of the seed, and clears faults and log; snapshots stay', async () => {
  const emulator = strictEmulator();
  const call = as(emulator, 'ada');
  const before = (await call('GET', control('/state'))).text;
  await call('POST', '/user/emails', { emails: ['x@example.com'] });
  await call('PUT', '/user/following/eve');
  await call('POST', control('/snapshots/changed'));
  await call('PUT', control('/clock'), { now: '2030-01-01T00:00:00Z', frozen: true });
  await call('POST', control('/faults'), { status: 500 });
  assert.equal((await call('POST', control('/reset'))).status, 204);
  assert.equal((await call('GET', control('/state'))).text, before);
  assert.deepEqual((await call('GET', control('/requests'))).json(), []);
  assert.equal((await call('GET', '/user')).status, 200);
  assert.deepEqual((await call('GET', control('/snapshots'))).json(), { names: ['changed'] });
});

test('snapshots are saved, restored, listed, exported, imported and deleted', async () => {
  const emulator = strictEmulator();
  const call = as(emulator, 'ada');
  const count = async (): Promise<number> => ((await call('GET', '/user/emails')).json() as unknown[]).length;
  await call('POST', '/user/emails', { emails: ['one@example.com'] });
  assert.equal((await call('POST', control('/snapshots/one'))).status, 204);
  await call('POST', '/user/emails', { emails: ['two@example.com'] });
  assert.equal(await count(), 4);
  assert.equal((await call('POST', control('/snapshots/one/restore'))).status, 204);
  assert.equal(await count(), 3);
  const document = (await call('GET', control('/snapshots/one'))).json();
  assert.equal((await call('PUT', control('/snapshots/two'), document)).status, 204);
  assert.deepEqual((await call('GET', control('/snapshots'))).json(), { names: ['one', 'two'] });
  assert.equal((await call('DELETE', control('/snapshots/one'))).status, 204);
  assert.equal((await call('POST', control('/snapshots/one/restore'))).status, 404);
  // Another emulator at the same time.
  const other = as(strictEmulator(), 'ada');
  assert.equal((await other('PUT', control('/state'), document)).status, 204);
  assert.equal(((await other('GET', '/user/emails')).json() as unknown[]).length, 3);
  assert.deepEqual((await other('GET', control('/state'))).json(), document);
});

test('the same state continues with the same ids', async () => {
  const emulator = strictEmulator();
  const call = as(emulator, 'ada');
  const chart = { name: 'web', releaseName: 'r', namespace: 'n', sourceRef: { kind: 'Embed', name: 'web' } };
  const next = async (): Promise<unknown> =>
    (await call('POST', '/user/deploy/orders', { spec: { packages: [{ chart }] } })).at('metadata.uid');
  const first = await next();
  await call('POST', control('/snapshots/s'));
  const second = await next();
  await call('POST', control('/snapshots/s/restore'));
  assert.equal(await next(), second);
  await call('POST', control('/reset'));
  assert.equal(await next(), first);
});

const documents: readonly (readonly [unknown, RegExp])[] = [
  [{}, /format: expected/],
  [{ format: 'drydock-snapshot', version: 2 }, /this drydock reads version 1, not 2/],
  [{ format: 'drydock-snapshot', version: 1 }, /state: expected an object/],
  [
    { format: 'drydock-snapshot', version: 1, state: { serial: 0, last: {}, rows: {} } },
    /clock: expected frozenAt or offsetMs/,
  ],
];
for (const [document, message] of documents) {
  test(`an invalid document is refused, and nothing changes: ${message.source}`, async () => {
    const call = as(strictEmulator(), 'ada');
    const answer = await call('PUT', control('/state'), document);
    assert.equal(answer.status, 422);
    assert.match(answer.text, message);
    assert.equal((await call('GET', '/user')).status, 200);
  });
}

test('a world is created from the state of another, listed and deleted', async () => {
  const emulator = strictEmulator();
  const call = as(emulator, 'hana');
  await call('POST', '/user/emails', { emails: ['x@example.com'] });
  const count = async (world: string): Promise<number> =>
    ((await call('GET', `//@${world}/api/v1/user/emails`)).json() as unknown[]).length;
  assert.equal((await call('PUT', control('/worlds/copy'))).status, 204);
  assert.deepEqual([await count('copy'), await count('fresh')], [2, 1]);
  assert.deepEqual((await call('GET', control('/worlds'))).json(), { names: ['default', 'copy', 'fresh'] });
  assert.equal((await call('DELETE', control('/worlds/copy'))).status, 204);
  assert.equal(await count('copy'), 1);
  assert.equal((await call('DELETE', control('/worlds/none'))).status, 404);
  assert.equal((await call('PUT', control('/worlds/bad%20name'))).status, 422);
});

test('faults are set, applied, listed and removed', async () => {
  const call = as(strictEmulator(), 'ada');
  const made = await call('POST', control('/faults'), { route: 'GET /user', times: 1, status: 418, message: 'tea' });
  assert.equal(made.status, 201);
  const struck = await call('GET', '/user');
  assert.deepEqual([struck.status, struck.at('message')], [418, 'tea']);
  assert.equal((await call('GET', '/user')).status, 200);
  assert.deepEqual((await call('GET', control('/faults'))).json(), [
    { id: 1, fault: { route: 'GET /user', times: 1, status: 418, message: 'tea' }, seen: 2, struck: 1 },
  ]);
  assert.equal((await call('DELETE', control('/faults/1'))).status, 204);
  assert.equal((await call('DELETE', control('/faults/1'))).status, 404);
  await call('POST', control('/faults'), { expiredToken: true, user: 'ada' });
  assert.equal((await call('GET', '/user')).status, 401);
  assert.equal((await call('GET', '/version')).status, 200);
  await call('DELETE', control('/faults'));
  assert.equal((await call('GET', '/user')).status, 200);
});

test('faults: a redirect, a delay, a truncated body, a dropped connection, a literal path', async () => {
  const emulator = strictEmulator();
  const call = as(emulator, 'ada');
  emulator.fault({ route: 'listEmails', status: 302 });
  assert.equal((await call('GET', '/user/emails')).headers.get('location'), '/500');
  emulator.fault({ route: 'listTeams', status: 307, location: 'https://elsewhere.example' });
  assert.equal((await call('GET', '/user/teams')).headers.get('location'), 'https://elsewhere.example');
  emulator.fault({ route: 'getCurrentUser', latencyMs: { min: 30, max: 40 }, malformed: true });
  const started = performance.now();
  const garbled = await call('GET', '/user');
  assert.ok(performance.now() - started >= 29);
  assert.throws(() => garbled.json(), SyntaxError);
  const lift = emulator.fault({ route: 'GET /user/following/bob', drop: true });
  await assert.rejects(call('GET', '/user/following/bob'), TypeError);
  assert.equal((await call('GET', '/user/following/cleo')).status, 204);
  lift();
  assert.equal((await call('GET', '/user/following/bob')).status, 204);
});

test('a scenario is created while the emulator runs, turned off and on, replaced, and deleted', async () => {
  const emulator = strictEmulator();
  const call = as(emulator, 'bob');
  const tea = { description: 'Only tea', faults: [{ route: 'GET /user', status: 418 }] };
  const listed = async (): Promise<unknown> =>
    ((await call('GET', control('/scenarios'))).json() as { name: string }[]).find(({ name }) => name === 'tea');
  assert.equal((await call('PUT', control('/scenarios/tea'), tea)).status, 204);
  assert.deepEqual(await listed(), { name: 'tea', on: true, written: true, ...tea });
  assert.equal((await call('GET', '/user')).status, 418);
  assert.equal((await call('DELETE', control('/scenarios/tea'))).status, 204);
  assert.equal((await call('GET', '/user')).status, 200);
  assert.equal((await call('PUT', control('/scenarios/tea'))).status, 204);
  assert.equal((await call('GET', '/user')).status, 418);
  const coffee = { description: '', faults: [{ route: 'GET /user', status: 420 }] };
  assert.equal((await call('PUT', control('/scenarios/tea'), coffee)).status, 204);
  assert.equal((await call('GET', '/user')).status, 420);
  emulator.scenario('tea')();
  assert.equal((await call('GET', '/user')).status, 200);
  assert.equal((await call('DELETE', control('/scenarios/slow?forget=true'))).status, 404);
  assert.equal((await call('DELETE', control('/scenarios/tea?forget=true'))).status, 204);
  assert.equal((await call('PUT', control('/scenarios/tea'))).status, 404);
  await call('PUT', control('/scenarios/tea'), tea);
  await call('POST', control('/reset'));
  assert.equal(await listed(), undefined);
});

test('an invalid scenario is refused with the place of each error', async () => {
  const call = as(strictEmulator(), 'bob');
  const refusals: readonly (readonly [name: string, body: object, path: string, message: RegExp])[] = [
    ['slow', { description: '', faults: [{ drop: true }] }, 'name', /is there already/],
    ['a b', { description: '', faults: [{ drop: true }] }, 'name', /must be up to 64/],
    ['tea', { description: '', faults: [] }, 'faults', /at least one/],
    ['tea', { faults: [{ drop: true }] }, 'body', /description/],
    ['tea', { description: '', faults: [{ drop: true }, { status: 99 }] }, 'faults[1].status', /at least 200/],
  ];
  for (const [name, body, path, message] of refusals) {
    const answer = await call('PUT', control(`/scenarios/${encodeURIComponent(name)}`), body);
    assert.equal(answer.status, 422, answer.text);
    const { issues } = answer.json() as { issues: { path: string; message: string }[] };
    assert.deepEqual(
      issues.map((issue) => issue.path),
      [path],
    );
    assert.match(issues[0]!.message, message);
  }
  const { length } = (await call('GET', control('/scenarios'))).json() as unknown[];
  assert.equal(length, 8);
});

test('the clock is read, set, frozen, advanced and released', async () => {
  const emulator = strictEmulator({ now: '2025-05-02T09:00:00Z' });
  const call = as(emulator, 'cleo');
  assert.deepEqual((await call('PUT', control('/clock'), { now: '2025-05-02T09:30:00Z', frozen: true })).json(), {
    now: '2025-05-02T09:30:00Z',
    frozen: true,
  });
  assert.equal((await call('GET', '/user/clusters')).at('0.age'), '2d');
  assert.equal((await call('POST', control('/clock/advance'), { seconds: 86400 })).at('now'), '2025-05-03T09:30:00Z');
  assert.equal((await call('PUT', control('/clock'), { frozen: false })).at('frozen'), false);
  assert.equal((await call('PUT', control('/clock'), { now: 'soon' })).status, 422);
  await call('PUT', control('/clock'), { now: '9999-12-31T23:59:59Z', frozen: true });
  assert.equal((await call('POST', control('/clock/advance'), { seconds: 1 })).status, 422);
});

test('a running clock reports the time to which it was set, not its current time', async () => {
  const emulator = strictEmulator();
  const { clock } = emulator.world();
  clock.onChange = () => {
    for (const from = Date.now(); Date.now() < from + 3; );
  };
  const now = '2030-01-01T00:00:00Z';
  const put = async (body: object): Promise<unknown> => (await as(emulator)('PUT', control('/clock'), body)).json();
  assert.deepEqual(await put({ now }), { now, frozen: false });
  assert.deepEqual(await put({ now, frozen: true }), { now, frozen: true });
  assert.deepEqual(await put({ frozen: false }), { now, frozen: false });
});

test('the log contains route, user, status and violations, and no secret', async () => {
  const emulator = createEmulator();
  const [ada] = emulator.users();
  const call = as(emulator, 'ada');
  await call('GET', '/user');
  await as(emulator)('GET', `/user/emails?token=${ada?.token}`);
  await call('POST', '/user/credentials', { name: 'x', aws: { secretAccessKey: 's3cret' } });
  await call('GET', '/nowhere');
  await call('POST', '/user/emails', { emails: 'x' });
  const { text, json } = await call('GET', control('/requests'));
  const rows = json() as { route?: string; user?: string; status: number; violations: string[] }[];
  assert.deepEqual(
    rows.map(({ route, user, status, violations }) => [route, user, status, ...violations].join(' ')),
    [
      'getCurrentUser ada 200',
      'listEmails ada 200',
      'createCredential ada 201',
      '  404',
      'addEmails ada 422 emails: must be a list',
    ],
  );
  assert.ok(!text.includes(String(ada?.token)) && !text.includes('s3cret'));
  await call('DELETE', control('/requests'));
  assert.deepEqual((await call('GET', control('/requests'))).json(), []);
});

test('strict: a response that violates its schema is a 500 with the reason, and is logged', async () => {
  const emulator = strictEmulator();
  const { store } = emulator.world();
  store.cluster.change(1, { status: [{ phase: 'Odd', reason: '', message: '' }] });
  const answer = await as(emulator, 'ada')('GET', '/user/clusters');
  assert.equal(answer.status, 500);
  assert.match(String(answer.at('message')), /\[0\]\.status\.phase: must be one of Active/);
  assert.equal(emulator.world().log.list()[0]?.violations.length, 1);
});

test('an unexpected error becomes a 500 without details, and is passed to the owner', async () => {
  const events: unknown[] = [];
  const renderer = () => Promise.reject(new Error('inner detail'));
  const emulator = createEmulator({ renderer, onBug: (failure) => events.push(failure) });
  const { status, text } = await as(emulator, 'ada')('POST', '/user/deploy/orders', { spec: { packages: [{}] } });
  assert.deepEqual([status, text.includes('inner detail'), events.length], [500, false, 1]);
});

test('strict: an undeclared error status is a 500 too', async () => {
  const renderer = () => Promise.reject(new Problem(418, 'short and stout'));
  const order = { spec: { packages: [{}] } };
  const answer = await as(strictEmulator({ renderer }), 'ada')('POST', '/user/deploy/orders', order);
  assert.deepEqual([answer.status, answer.at('message')], [500, 'answer: the route declares no 418']);
  assert.equal((await as(createEmulator({ renderer }), 'ada')('POST', '/user/deploy/orders', order)).status, 418);
});

test('other fixtures replace the seed in every world; invalid ones change nothing', async () => {
  const emulator = strictEmulator();
  emulator.world('blue');
  assert.throws(() => emulator.reseed({ users: [{ login: 'zoe' }, { login: 'zoe' }] }), /"zoe" is taken/);
  assert.equal(emulator.users().length, 9);
  emulator.reseed({ users: [{ login: 'zoe' }], tokens: [{ user: 'zoe', name: 't', token: 'zoe-token' }] });
  assert.deepEqual(emulator.users(), [{ login: 'zoe', token: 'zoe-token', is_admin: false }]);
  const answer = await emulator.fetch('/@blue/api/v1/user', { headers: { Authorization: 'token zoe-token' } });
  assert.equal(answer.status, 200);
});

test('relative times of other fixtures count from the clock after the reset', () => {
  const emulator = createEmulator({ now: '2025-01-10T00:00:00Z' });
  emulator.world().clock.advance(30 * 86_400_000);
  emulator.reseed({ users: [{ login: 'zoe', created: 'now-3d' }] });
  assert.equal(emulator.world().clock.iso(), '2025-01-10T00:00:00Z');
  assert.equal(emulator.world().db.person.getAll()[0]?.created, '2025-01-07T00:00:00Z');
});

test('a stored order is renamed and deleted by control routes, and the API reflects it', async () => {
  const call = as(strictEmulator(), 'ada');
  const chart = { name: 'web', releaseName: 'w', namespace: 'n', sourceRef: { kind: 'Embed', name: 'web' } };
  const uid = (await call('POST', '/user/deploy/orders', { spec: { packages: [{ chart }] } })).at('metadata.uid');
  const renamed = await call('PATCH', control(`/orders/${uid}`), { name: 'shop-2' });
  assert.deepEqual([renamed.status, renamed.at('metadata.name'), renamed.at('metadata.uid')], [200, 'shop-2', uid]);
  const names = async () =>
    ((await call('GET', control('/orders'))).json() as { order: { metadata: { name: string } } }[]).map(
      ({ order }) => order.metadata.name,
    );
  assert.equal((await names()).at(-1), 'shop-2');
  assert.equal((await call('GET', `/user/deploy/orders/${uid}/render/manifest`)).status, 200);
  for (const name of ['', 'shop 2', 'Über'])
    assert.equal((await call('PATCH', control(`/orders/${uid}`), { name })).status, 422);
  assert.equal((await call('DELETE', control(`/orders/${uid}`))).status, 204);
  assert.equal((await call('GET', `/user/deploy/orders/${uid}/render/manifest`)).status, 404);
  assert.equal((await call('DELETE', control(`/orders/${uid}`))).status, 404);
  assert.equal((await call('PATCH', control(`/orders/${uid}`), { name: 'x' })).status, 404);
});

test('a deleted order is restored with its UID and its owner', async () => {
  const call = as(strictEmulator(), 'ada');
  type Stored = { uid: string; owner: string; order: { metadata: object } };
  const list = async () => (await call('GET', control('/orders'))).json() as Stored[];
  const [{ uid, ...stored }] = (await list()) as [Stored];
  const path = control(`/orders/${uid}`);
  assert.equal((await call('DELETE', path)).status, 204);
  assert.equal((await call('PUT', path, stored)).status, 204);
  assert.deepEqual(
    (await list()).find((one) => one.uid === uid),
    { uid, ...stored },
  );
  assert.equal((await call('GET', `/user/deploy/orders/${uid}/render/manifest`)).status, 200);
  for (const [body, message] of [
    [{ ...stored, owner: 'nobody' }, /body\/owner: there is no user .+nobody/],
    [{ ...stored, order: { metadata: { uid: 'other' } } }, /body\/order\/metadata\/uid: must be /],
    [{ owner: 'ada' }, /order/],
  ] as const) {
    const answer = await call('PUT', path, body);
    assert.equal(answer.status, 422);
    assert.match(answer.text, message);
  }
});
