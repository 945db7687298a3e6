import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findToken, findUser, isSame } from '../../../emulator/store/people.ts';
import { Store } from '../../../emulator/store/store.ts';

function storeOf(count: number): Store {
  const store = new Store();
  for (let i = 1; i <= count; i++) {
    store.user.add({ login: `User${i}` });
    store.email.add({ user: i, email: `user${i}@example.com` });
    store.token.add({ user: i, token: `token-${String(i).padStart(12, '0')}` });
    store.cluster.add({ uid: `uid-${i}`, name: `c${i}`, ownerName: `user${i}`, owner: i, status: [null] });
  }
  return store;
}

test('finds by every index, case aside where names are meant', () => {
  const store = storeOf(20);
  assert.equal(findUser(store, 'uSER7')?.id, 7);
  assert.equal(findToken(store, 'token-000000000009')?.user, 9);
  assert.equal(findToken(store, 'taken-000000000009'), undefined);
  assert.equal(store.cluster.first('uid', 'uid-3')?.id, 3);
  assert.equal(store.cluster.first('name', 'user4/c4')?.id, 4);
  assert.equal(store.email.first('address', 'user5@example.com')?.user, 5);
  assert.equal(findUser(store, 'nobody'), undefined);
});

test('indexes follow changes and removals, and ids are not given out again', () => {
  const store = storeOf(3);
  store.email.change(2, { email: 'New@example.com' });
  assert.equal(store.email.first('address', 'user2@example.com'), undefined);
  assert.equal(store.email.first('address', 'new@example.com')?.id, 2);
  assert.equal(store.email.remove(3), true);
  assert.equal(store.email.remove(3), false);
  assert.deepEqual(store.email.many('user', 3), []);
  assert.equal(store.email.add({ user: 1, email: 'again@example.com' }).id, 4);
  assert.throws(() => store.email.change(99, { email: 'x' }), /no email 99/);
});

test('a list index has a row under each of its keys, in the order they came', () => {
  const store = new Store();
  for (const members of [[1, 2], [2], [3, 2, 1]]) store.team.add({ organization: 1, members });
  assert.deepEqual(store.team.ids('member', 2), [1, 2, 3]);
  store.team.change(2, { members: [1] });
  assert.deepEqual(store.team.ids('member', 1), [1, 3, 2]);
});

test('rows are frozen through and through', () => {
  const store = new Store();
  const spec = { name: 'a', aws: { key: 'x' } };
  const row = store.credential.add({ owner: 1, name: 'a', spec: [spec] });
  assert.throws(() => Object.assign(row, { name: 'b' }), TypeError);
  assert.throws(() => Object.assign(row.spec[0].aws as object, { key: 'y' }), TypeError);
  assert.throws(() => Object.assign(store.credential.change(1, { type: 'Aws' }), { type: '' }), TypeError);
});

test('a free-form object is replaced whole, dots, nulls and odd keys and all', () => {
  const store = new Store();
  const first = JSON.parse('{"name":"a","a.b":null,"__proto__":{"x":1},"constructor":2,"old":{"deep":1}}');
  store.credential.add({ owner: 1, name: 'a', spec: [first] });
  assert.equal(JSON.stringify(store.credential.get(1)?.spec[0]), JSON.stringify(first));
  store.credential.change(1, { spec: [{ name: 'a', old: { other: true } }] });
  assert.deepEqual(store.credential.get(1)?.spec[0], { name: 'a', old: { other: true } });
  assert.equal(({} as { x?: unknown }).x, undefined);
});

test('a copy and its origin do not see each other', () => {
  const origin = storeOf(3);
  const copy = origin.copy();
  copy.user.add({ login: 'copied' });
  origin.user.add({ login: 'original' });
  copy.email.change(1, { email: 'copied@example.com' });
  origin.email.remove(2);
  copy.team.add({ organization: 1, members: [1] });
  assert.equal(findUser(origin, 'copied'), undefined);
  assert.equal(findUser(copy, 'original'), undefined);
  assert.equal(origin.email.get(1)?.email, 'user1@example.com');
  assert.equal(copy.email.get(2)?.email, 'user2@example.com');
  assert.deepEqual([origin.team.size, copy.team.size], [0, 1]);
  assert.equal(copy.copy().email.first('address', 'copied@example.com')?.id, 1);
});

test('a grown list of an index is not shared with a copy', () => {
  const origin = new Store();
  for (let followee = 2; followee < 6; followee++) origin.follow.add({ follower: 1, followee });
  const copy = origin.copy();
  copy.follow.add({ follower: 1, followee: 7 });
  origin.follow.add({ follower: 1, followee: 8 });
  assert.deepEqual(
    origin.follow.many('follower', 1).map((row) => row.followee),
    [2, 3, 4, 5, 8],
  );
  assert.deepEqual(
    copy.follow.many('follower', 1).map((row) => row.followee),
    [2, 3, 4, 5, 7],
  );
});

test('looks up by token, login, uid and name in no time among 100,000', () => {
  const times = [1000, 100_000].map((count) => {
    const store = storeOf(count);
    const lookUp = (i: number): void => {
      assert.ok(findToken(store, `token-${String(i).padStart(12, '0')}`));
      assert.ok(findUser(store, `USER${i}`));
      assert.ok(store.cluster.first('uid', `uid-${i}`));
      assert.ok(store.cluster.first('name', `user${i}/c${i}`));
    };
    const rounds = 2000;
    let best = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 5; round++) {
      const started = performance.now();
      for (let i = 0; i < rounds; i++) lookUp(1 + ((i * 7919) % count));
      best = Math.min(best, performance.now() - started);
    }
    return best / rounds;
  });
  const [few = 0, many = 0] = times;
  // The data library alone takes some 300 ms for these four among 100,000; memory caches account for the little there is.
  assert.ok(many < 0.5, `${few} ms among 1,000, ${many} ms among 100,000`);
});

test('secrets are the same or not, whatever their length', () => {
  assert.equal(isSame('abc', 'abc'), true);
  for (const other of ['abd', 'ab', 'abcd', '', '\0\0\0']) assert.equal(isSame('abc', other), false);
  assert.equal(isSame('', ''), true);
});

test('where there is a window, no channel to other tabs is opened', () => {
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
    new Store().user.add({ login: 'ada' });
    assert.deepEqual(opened, []);
    assert.equal(globalThis.BroadcastChannel, Channel as unknown);
  } finally {
    Reflect.deleteProperty(globalThis, 'window');
    if (before) Object.defineProperty(globalThis, 'BroadcastChannel', before);
  }
});
