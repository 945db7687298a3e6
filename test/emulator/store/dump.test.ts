import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dumpStore, loadStore } from '../../../emulator/store/dump.ts';
import { findUser } from '../../../emulator/store/people.ts';
import { createStore } from '../../../emulator/store/store.ts';

test('a dump can be loaded, including counters', () => {
  const store = createStore();
  for (const login of ['User1', 'User2', 'User3']) store.user.add({ login });
  store.nextSerial();
  store.order.add({ id: 'u-1', owner: 1, order: JSON.stringify({ spec: { packages: [] } }) });
  store.user.remove(3);
  const loaded = loadStore(JSON.parse(JSON.stringify(dumpStore(store))));
  assert.deepEqual(dumpStore(loaded), dumpStore(store));
  assert.equal(loaded.nextSerial(), 2);
  assert.equal(loaded.user.add({ login: 'next' }).id, 4);
  assert.equal(findUser(loaded, 'user1')?.id, 1);
});

const wrong: readonly (readonly [rows: object, message: RegExp])[] = [
  [{ user: {} }, /rows\.user: expected a list/],
  [{ user: [{ id: 1, nick: 'x' }] }, /rows\.user\[0\]: has an unknown field "nick"/],
  [{ user: [{ id: 1 }, { id: 1 }] }, /rows\.user\[1\]\.id: 1 is there twice/],
  [{ cluster: [{ id: 1, owner: 5, status: [{}] }] }, /rows\.cluster\[0\]\.owner: there is no user or organization 5/],
  [
    { user: [{ id: 1 }], order: [{ id: 'u', owner: 1, order: '[1]' }] },
    /rows\.order\[0\]\.order: is not the JSON of an object/,
  ],
];
for (const [rows, message] of wrong) {
  test(`refuses a dump: ${message.source}`, () =>
    assert.throws(() => loadStore({ serial: 0, last: {}, rows }), message));
}

test('rejects a dump that is not an object or has no counters', () => {
  assert.throws(() => loadStore([]), /^StateError: state: expected an object/);
  assert.throws(() => loadStore({}), /serial: expected a whole number/);
});
