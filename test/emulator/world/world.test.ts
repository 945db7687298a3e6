import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEmulator, internalsOf } from '../../../emulator/emulator.ts';
import { Clock, parseTime, readClockState } from '../../../emulator/world/clock.ts';
import { applyEvent, replayEvents } from '../../../emulator/world/events.ts';
import { canMatchRoute, type Fault, Faults } from '../../../emulator/world/faults.ts';
import { RequestLog } from '../../../emulator/world/log.ts';
import { maskSecrets } from '../../../emulator/world/secrets.ts';
import { as } from '../../support/emulator.ts';

test('a clock runs, is frozen, set, advanced and released', () => {
  const clock = new Clock();
  assert.ok(Math.abs(clock.now() - Date.now()) < 1000);
  clock.set(1000);
  assert.ok(clock.now() >= 1000 && clock.now() < 2000);
  clock.freeze(5000);
  clock.advance(60_000);
  assert.equal(clock.now(), 65_000);
  assert.equal(clock.iso(), '1970-01-01T00:01:05Z');
  clock.resume();
  assert.ok(!clock.frozen && clock.now() >= 65_000);
  const { state } = clock;
  clock.set(0);
  clock.restore(state);
  assert.ok(clock.now() >= 65_000);
});

test('times are parsed from ISO text and milliseconds', () => {
  assert.equal(parseTime('2025-01-01T00:00:00Z'), Date.UTC(2025, 0, 1));
  assert.equal(parseTime(12), 12);
  const never = ['2024-02-30T00:00:00Z', '2024-13', '5', 'Mon, 06 May 2024 10:00:00 GMT', '2024-05-06 10:00'];
  for (const none of ['soon', null, Number.NaN, 8.64e15, '-000001-01-01T00:00:00Z', ...never])
    assert.equal(parseTime(none), undefined, String(none));
  assert.equal(parseTime('2024-02-29T23:30:00+01:00'), Date.UTC(2024, 1, 29, 22, 30));
  assert.equal(parseTime('2024-05'), Date.UTC(2024, 4));
});

test('a clock stays within the supported years', () => {
  const clock = new Clock();
  clock.freeze(Date.parse('9999-12-31T23:59:59Z'));
  assert.throws(() => clock.advance(1000), { code: 'TIME_INVALID' });
  assert.throws(() => clock.freeze('soon'), {
    code: 'TIME_INVALID',
    message: /^"soon" is not a valid time: give ISO 8601/,
  });
  assert.throws(() => clock.set(Number.NaN), { code: 'TIME_INVALID' });
  assert.equal(clock.iso(), '9999-12-31T23:59:59Z');
  const states = [null, {}, { frozenAt: 'x' }, { frozenAt: 9e15 }, { offsetMs: 1e300 }];
  for (const none of states) assert.equal(readClockState(none), undefined);
  assert.deepEqual(readClockState({ frozenAt: 5, more: 1 }), { frozenAt: 5 });
});

test('a fault names a route by its name or by method and path, without a query', () => {
  const own = { name: 'getCredential', method: 'GET', path: '/user/credentials/{credName}' };
  const matches = (route: string): boolean => canMatchRoute(route, own);
  assert.ok(['getCredential', 'GET /user/credentials/aws-lab/'].every(matches));
  assert.ok(!['GET /user/credentials?x=1', 'PUT /user/credentials/aws-lab', 'nothing'].some(matches));
});

const list = {
  name: 'listEmails',
  method: 'GET',
  paths: ['/user/emails', '/user//emails/'],
  search: new URLSearchParams('all=true&x=1'),
  login: 'ada',
};
const cases: readonly (readonly [string, Fault, readonly boolean[]])[] = [
  ['by name', { route: 'listEmails' }, [true, true, true]],
  ['by address with a slash at the end', { route: 'get /user/emails/' }, [true, true, true]],
  ['by a part of the query', { route: 'GET /user/emails?all=true' }, [true, true, true]],
  ['by another query', { route: 'GET /user/emails?all=false' }, [false, false, false]],
  ['of another route', { route: 'getCurrentUser' }, [false, false, false]],
  ['of the caller, case aside', { user: 'ADA' }, [true, true, true]],
  ['of another caller', { user: 'bob' }, [false, false, false]],
  ['that lets one pass and strikes once', { skip: 1, times: 1 }, [false, true, false]],
  ['that never happens', { probability: 0 }, [false, false, false]],
];
for (const [name, fault, want] of cases) {
  test(`a fault ${name}`, () => {
    const faults = new Faults(() => 0.5);
    faults.add(fault);
    for (const strikes of want) assert.equal(faults.match(list).length > 0, strikes);
  });
}

test('random numbers are derived from the seed', () => {
  const run = (): readonly boolean[] => {
    const { faults } = createEmulator().world();
    faults.add({ probability: 0.5 });
    return Array.from({ length: 40 }, () => faults.match(list).length > 0);
  };
  const first = run();
  assert.deepEqual(run(), first);
  assert.ok(first.includes(true) && first.includes(false));
});

test('uids and tokens that fixtures copied from an earlier run are not issued again', () => {
  const [first, again] = [createEmulator().world(), createEmulator().world()];
  const [uid, token] = [first.nextUuid(), first.nextToken()];
  again.db.order.create({ owner: 'ada', order: { metadata: { uid }, spec: { packages: [] } } });
  again.db.token.create({ user: 'bob', token });
  assert.notEqual(again.nextUuid(), uid);
  assert.notEqual(again.nextToken(), token);
});

test('a log keeps recent calls, filters them and waits for the next', async () => {
  const log = new RequestLog(3);
  const call = {
    ...{ time: 0, method: 'GET', path: '/', route: 'a', user: undefined, status: 200, durationMs: 0 },
    ...{ aborted: false, violations: [], faults: [], meant: undefined, nested: false },
    request: { headers: [], body: undefined, cut: false },
    response: { headers: {}, body: '', cut: false },
  };
  for (const status of [200, 201, 202, 203, 204]) log.add({ ...call, status });
  const idsOf = (filter?: object): unknown => log.list(filter).map(({ id }) => id);
  assert.deepEqual([idsOf(), idsOf({ status: 203 })], [[3, 4, 5], [4]]);
  const next = log.wait({ after: 5, route: 'b' }, 1000);
  log.add(call);
  log.add({ ...call, route: 'b' });
  assert.equal((await next)?.id, 7);
  assert.equal((await log.wait({ route: 'b' }, 0))?.id, 7);
  assert.equal(await log.wait({ route: 'none' }, 1), undefined);
});

test('tokens in queries are masked everywhere', () => {
  assert.equal(maskSecrets('/a?token=s3cret&page=1'), '/a?token=***&page=1');
  assert.equal(maskSecrets('/a?page=1&access_token=x&TOKEN=y'), '/a?page=1&access_token=***&TOKEN=***');
});

test('the mutations of all worlds reproduce the worlds', () => {
  const { worlds } = internalsOf(createEmulator());
  const { store } = worlds.default;
  const [first] = store.email.all();
  store.email.add({ user: 1, email: 'new@example.com' });
  store.email.change(first!.id, { verified: false });
  worlds.default.saveSnapshot('before');
  worlds.default.clock.freeze('2025-01-01T00:00:00Z');
  store.email.remove(first!.id);
  const other = worlds.open('other')!;
  other.importSnapshot(worlds.default.exportSnapshot());
  other.store.nextSerial();
  other.store.user.change(1, { full_name: 'Another' });
  const events = [...replayEvents(worlds)];
  const { worlds: copy } = internalsOf(createEmulator());
  for (const event of events) applyEvent(copy, JSON.parse(JSON.stringify(event)));
  const stateOf = (name: string, all: typeof worlds) => {
    const world = all.open(name)!;
    return [world.exportSnapshot(), world.snapshotNames(), world.exportSnapshot('before')];
  };
  for (const name of ['default', 'other']) assert.deepEqual(stateOf(name, copy), stateOf(name, worlds));
  other.reset();
  copy.open('other')!.reset();
  assert.deepEqual(stateOf('other', copy), stateOf('other', worlds));
});

test('200 worlds under concurrent reads and writes are independent', async () => {
  const emulator = createEmulator();
  const call = as(emulator, 'ada');
  const addresses = async (world: string): Promise<readonly string[]> => {
    const { json } = await call('GET', `//@${world}/api/v1/user/emails`);
    return (json() as { email: string }[]).map(({ email }) => email);
  };
  const live = async (at: number): Promise<void> => {
    const world = `w${at}`;
    for (let i = 0; i < 5; i++) {
      await call('POST', `//@${world}/api/v1/user/emails`, { emails: [`${world}-${i}@example.com`] });
      const mine = (await addresses(world)).slice(2);
      assert.equal(mine.join(), Array.from({ length: i + 1 }, (_, n) => `${world}-${n}@example.com`).join());
    }
    assert.equal(emulator.world(world).log.list().length, 10);
  };
  await Promise.all(Array.from({ length: 200 }, (_, at) => live(at)));
  assert.equal((await addresses('default')).length, 2);
  assert.equal(emulator.worlds().length, 201);
});

test('a world is selected by header, by path and by the suffix of a token', async () => {
  const emulator = createEmulator();
  const [ada] = emulator.users();
  emulator.world('blue').store.email.add({ user: 1, email: 'blue@example.com' });
  const count = async (path: string, headers: Record<string, string>): Promise<number> =>
    ((await (await emulator.fetch(path, { headers })).json()) as unknown[]).length;
  const token = `token ${ada?.token}`;
  assert.equal(await count('/api/v1/user/emails', { Authorization: token }), 2);
  assert.equal(await count('/api/v1/user/emails', { Authorization: token, 'X-Drydock-World': 'blue' }), 3);
  assert.equal(await count('/@blue/api/v1/user/emails', { Authorization: token }), 3);
  assert.equal(await count('/api/v1/user/emails', { Authorization: `${token}@blue` }), 3);
  assert.equal(await count(`/api/v1/user/emails?token=${ada?.token}@blue`, {}), 3);
  assert.equal((await emulator.fetch('/@-/api/v1/version')).status, 400);
});

test('the number of worlds is limited', async () => {
  const emulator = createEmulator({ maxWorlds: 2 });
  assert.equal((await emulator.fetch('/@one/api/v1/version')).status, 200);
  assert.equal((await emulator.fetch('/@two/api/v1/version')).status, 200);
  assert.equal((await emulator.fetch('/@three/api/v1/version')).status, 503);
  assert.throws(() => emulator.world('three'), /too many worlds/);
});

test('a world takes no more snapshots than maxSnapshots', async () => {
  const emulator = createEmulator({ maxSnapshots: 2 });
  const call = (method: string, name: string, body?: unknown) =>
    as(emulator)(method, `//__drydock/snapshots/${name}`, body);
  const document = emulator.world().exportSnapshot();
  assert.equal((await call('POST', 'one')).status, 204);
  assert.equal((await call('PUT', 'two', document)).status, 204);
  for (const full of [await call('POST', 'three'), await call('PUT', 'three', document)]) {
    assert.equal(full.status, 503);
    const message = 'World default has 2 snapshots already: delete some, or raise maxSnapshots.';
    assert.ok(full.text.includes(message));
  }
  assert.equal((await call('DELETE', 'one')).status, 204);
  assert.equal((await call('POST', 'three')).status, 204);
  assert.equal((await emulator.fetch('/@other/__drydock/snapshots/one', { method: 'POST' })).status, 204);
});
