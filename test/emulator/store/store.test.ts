import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyRow, buildStore, dumpStore, loadStore } from '../../../emulator/store/dump.ts';
import { findToken, findUser, isSame } from '../../../emulator/store/people.ts';
import type { EmailRow, Id } from '../../../emulator/store/rows.ts';
import { createStore, type Store } from '../../../emulator/store/store.ts';
import { fc } from '../../support/fast-check.ts';

function storeOf(count: number): Store {
  const store = createStore();
  for (let i = 1; i <= count; i++) {
    store.user.insert({ login: `User${i}` });
    store.email.insert({ user: i, email: `user${i}@example.com` });
    store.token.insert({ user: i, token: `token-${String(i).padStart(12, '0')}` });
    store.cluster.insert({ uid: `uid-${i}`, name: `c${i}`, ownerName: `user${i}`, owner: i, status: [{}] });
  }
  store.organization.insert({ username: 'org' });
  return store;
}

function copyOf(store: Store): Store {
  return buildStore(dumpStore(store));
}

test('keys follow changes and removals, and ids are not reused', () => {
  const store = storeOf(3);
  store.email.change(2, { email: 'New@example.com' });
  assert.equal(store.email.first('address', 'user2@example.com'), undefined);
  assert.equal(store.email.first('address', 'new@example.com')?.id, 2);
  assert.deepEqual([store.email.remove(3), store.email.remove(3)], [true, false]);
  assert.equal(store.email.add({ user: 1, email: 'again@example.com' }).id, 4);
  assert.throws(() => store.email.change(99, { email: 'x' }), /no email 99/);
});

test('names are found case-insensitively, clusters by their owner and name, and tokens as they are', () => {
  const store = storeOf(9);
  assert.equal(findUser(store, 'uSER7')?.id, 7);
  assert.equal(findToken(store, 'token-000000000009')?.user, 9);
  assert.equal(findToken(store, 'taken-000000000009'), undefined);
  assert.equal(store.cluster.first('name', 'user4/c4')?.id, 4);
});

test('the contents of a row are frozen', () => {
  const store = storeOf(1);
  const spec = { name: 'a', aws: { key: 'x' } };
  const row = store.credential.add({ owner: 1, name: 'a', spec: [spec] });
  assert.throws(() => Object.assign(row.spec[0].aws as object, { key: 'y' }), TypeError);
  assert.throws(() => Object.assign(store.credential.change(1, { spec: [{}] }).spec[0], { type: '' }), TypeError);
});

test('a free-form object is replaced as a whole, including dots, nulls and unusual keys', () => {
  const store = storeOf(1);
  const first = JSON.parse('{"name":"a","a.b":null,"__proto__":{"x":1},"constructor":2,"old":{"deep":1}}');
  store.credential.add({ owner: 1, name: 'a', spec: [first] });
  assert.equal(JSON.stringify(store.credential.get(1)?.spec[0]), JSON.stringify(first));
  store.credential.change(1, { spec: [{ name: 'a', old: { other: true } }] });
  assert.deepEqual(store.credential.get(1)?.spec[0], { name: 'a', old: { other: true } });
  assert.equal(({} as { x?: unknown }).x, undefined);
});

test('a row cannot be added without its owner, nor change its id', () => {
  const store = storeOf(1);
  assert.throws(() => store.email.add({ user: 2, email: 'a@b' }), /email\.user: there is no user 2/);
  assert.equal(store.email.size, 1);
  assert.throws(() => store.user.add({ id: 1, login: 'again' }), /there is a user 1 already/);
});

test('references are relations: their targets must exist when a row is added or changed', () => {
  const store = storeOf(3);
  const team = store.team.add({ organization: 1, name: 'a', members: [1, 2] });
  assert.throws(() => store.team.add({ organization: 1, members: [1, 9] }), /team\.members: there is no user 9/);
  assert.throws(
    () => store.team.change(team.id, { organization: 2 }),
    /team\.organization: there is no organization 2/,
  );
  assert.throws(() => store.follow.add({ follower: 1, followee: 8 }), /follow\.followee: there is no user 8/);
  assert.deepEqual(store.team.change(team.id, { members: [3, 1] }).members, [3, 1]);
  assert.deepEqual(store.team.many('member', 2), []);
  store.user.change(1, { full_name: 'Another' });
  assert.equal(store.team.change(team.id, { name: 'b' }).organization, 1);
  assert.equal(store.team.size, 1);
});

test('every write is reported with the resulting row, except inserts of initial data and applied changes', () => {
  const store = storeOf(2);
  const writes: unknown[] = [];
  store.onWrite = (kind, id, row) => writes.push([kind, id, row && 'name' in row ? row.name : row]);
  const { id } = store.credential.add({ owner: 1, name: 'a', spec: [{}] });
  store.credential.change(id, { name: 'b' });
  store.credential.remove(id);
  applyRow(store, 'user', 3, { id: 3, login: 'quiet' });
  copyOf(store).user.add({ login: 'elsewhere' });
  assert.deepEqual(writes, [
    ['credential', 1, 'a'],
    ['credential', 1, 'b'],
    ['credential', 1, undefined],
  ]);
  assert.ok(store.onWrite);
});

// The store compared with plain lists.
type Step = readonly ['add' | 'change' | 'remove' | 'copy', number, number];
const step: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom('add', 'add', 'change', 'remove', 'copy'),
  fc.nat(40),
  fc.nat(5),
);

test('any writes to a store and its copies match plain lists, and the reported changes reproduce the store', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const stores = [storeOf(40)];
      const wanted: EmailRow[][] = [[...(stores[0]?.email.all() ?? [])]];
      const logs: [string, Id, unknown][][] = [[]];
      const origins = [storeOf(40)];
      let written = 0;
      for (const [what, at, which] of steps) {
        const world = which % stores.length;
        const [store, rows] = [stores[world] as Store, wanted[world] as EmailRow[]];
        store.onWrite = (kind, id, row) => logs[world]?.push([kind, id, row && JSON.parse(JSON.stringify(row))]);
        const row = rows[at % Math.max(rows.length, 1)];
        const email = `e${++written}@x`;
        if (what === 'add') rows.push(store.email.add({ user: (at % 40) + 1, email }));
        if (what === 'change' && row) rows[rows.indexOf(row)] = store.email.change(row.id, { email, verified: true });
        if (what === 'remove' && row) {
          store.email.remove(row.id);
          rows.splice(rows.indexOf(row), 1);
        }
        if (what === 'copy' && stores.length < 4) {
          stores.push(copyOf(store));
          wanted.push([...rows]);
          origins.push(loadStore(JSON.parse(JSON.stringify(dumpStore(store)))));
          logs.push([]);
        }
      }
      for (const [world, store] of stores.entries()) {
        const rows = wanted[world] as EmailRow[];
        assert.deepEqual(store.email.all(), rows);
        for (let user = 1; user <= 40; user++) {
          const own = (list: readonly EmailRow[]): unknown => list.map(({ id }) => id).sort();
          assert.deepEqual(own(store.email.many('user', user)), own(rows.filter((row) => row.user === user)));
        }
        const replayed = origins[world] as Store;
        for (const [kind, id, row] of logs[world] ?? []) applyRow(replayed, kind, id, row);
        assert.deepEqual(dumpStore(replayed), dumpStore(store));
      }
    }),
    { numRuns: 15 },
  );
});

test('secrets of any length are compared', () => {
  assert.equal(isSame('abc', 'abc'), true);
  for (const other of ['abd', 'ab', 'abcd', '', '\0\0\0']) assert.equal(isSame('abc', other), false);
  assert.equal(isSame('', ''), true);
});

test('in a window, no channel to other tabs is opened', () => {
  const opened: string[] = [];
  class Channel {
    constructor(name: string) {
      opened.push(name);
    }
    addEventListener(): void {}
    postMessage(): void {}
  }
  const before = Object.getOwnPropertyDescriptor(globalThis, 'BroadcastChannel');
  Object.defineProperty(globalThis, 'BroadcastChannel', { value: Channel, configurable: true, writable: true });
  Object.defineProperty(globalThis, 'window', { value: {}, configurable: true });
  try {
    storeOf(1).user.add({ login: 'ada' });
    assert.deepEqual(opened, []);
    assert.equal(globalThis.BroadcastChannel, Channel as unknown);
  } finally {
    Reflect.deleteProperty(globalThis, 'window');
    if (before) Object.defineProperty(globalThis, 'BroadcastChannel', before);
  }
});
