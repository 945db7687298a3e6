// The Order in two tabs of a browser: changes of one are taken over by the other.

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';

type Listener = (event: { readonly key: string; readonly newValue: string | null }) => void;

const written: string[] = [];
const listeners = new Map<string, Listener>();
const initial = 'metadata: {name: initial}\n';

Object.assign(globalThis, {
  document: { documentElement: { dataset: {}, style: {} } },
  location: { href: 'http://127.0.0.1/', hash: '', pathname: '/' },
  localStorage: {
    getItem: () => null,
    setItem: (_: string, text: string) => void written.push(text),
    removeItem: () => undefined,
  },
  addEventListener: (name: string, listener: Listener) => listeners.set(name, listener),
  [Symbol.for('drydock.console.order')]: initial,
});
mock.timers.enable({ apis: ['setTimeout'] });
const { orderDraft } = await import('../../../emulator/console/order/draft.ts');

function change(newValue: string | null): void {
  listeners.get('storage')?.({ key: 'drydock.order /', newValue });
}

test('changes of another tab that follow each other quickly are taken over, and not stored again', () => {
  mock.timers.tick(1000);
  written.length = 0;
  change('metadata: {name: one}\n');
  change('metadata: {name: two}\n');
  assert.equal(orderDraft.value, 'metadata: {name: two}\n');
  mock.timers.tick(1000);
  assert.deepEqual(written, []);
});

test('a return to the initial Order in another tab is taken over', () => {
  change(null);
  assert.equal(orderDraft.value, initial);
});
