import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dumpStore, loadStore } from '../../../emulator/store/dump.ts';
import { findUser } from '../../../emulator/store/people.ts';
import { Store } from '../../../emulator/store/store.ts';

test('a dump can be loaded, including counters', () => {
  const store = new Store();
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

const wrong: readonly (readonly [string, unknown, RegExp])[] = [
  ['no object', [], /^StateError: state: expected an object/],
  ['no counters', {}, /serial: expected a whole number/],
  ['a kind that is not a list', { serial: 0, last: {}, rows: { user: {} } }, /rows\.user: expected a list/],
  [
    'a wrong field',
    { serial: 0, last: {}, rows: { user: [{ id: 1, nick: 'x' }] } },
    /rows\.user\[0\]: has an unknown field "nick"/,
  ],
  [
    'a wrong type',
    { serial: 0, last: {}, rows: { user: [{ id: 1, login: 7 }] } },
    /rows\.user\[0\]\.login: must be a string/,
  ],
  [
    'a double',
    { serial: 0, last: {}, rows: { user: [{ id: 1 }, { id: 1 }] } },
    /rows\.user\[1\]\.id: 1 is there twice/,
  ],
  [
    'a member of no organization',
    { serial: 0, last: {}, rows: { user: [{ id: 1 }], membership: [{ id: 1, user: 1, organization: 77 }] } },
    /rows\.membership\[0\]\.organization: there is no organization 77/,
  ],
  [
    'a cluster of nobody',
    { serial: 0, last: {}, rows: { cluster: [{ id: 1, owner: 5, status: [{}] }] } },
    /rows\.cluster\[0\]\.owner: there is no user or organization 5/,
  ],
  [
    'an order without an order',
    { serial: 0, last: {}, rows: { user: [{ id: 1 }], order: [{ id: 'u', owner: 1, order: [] }] } },
    /rows\.order\[0\]\.order: must be a string/,
  ],
  [
    'an order that is not valid JSON',
    { serial: 0, last: {}, rows: { user: [{ id: 1 }], order: [{ id: 'u', owner: 1, order: '[1]' }] } },
    /rows\.order\[0\]\.order: is not the JSON of an object/,
  ],
];
for (const [name, dump, message] of wrong) {
  test(`refuses a dump with ${name}`, () => {
    assert.throws(() => loadStore(dump), message);
  });
}
