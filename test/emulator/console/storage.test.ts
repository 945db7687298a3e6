// A browser that denies its storage, or whose storage is full.

import './page.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';

function denied(): never {
  throw new Error('Access is denied for this document.');
}

Object.defineProperty(globalThis, 'localStorage', { get: denied });

test('the console starts without storage, and choices apply', async () => {
  const { helm, orderDraft, showHelm } = await import('../../../emulator/console/order/draft.ts');
  const { signInAs } = await import('../../../emulator/console/session.ts');
  assert.match(orderDraft.value, /kind: Order/);
  showHelm('4.1');
  signInAs('bob');
  assert.equal(helm.value, '4.1');
});
