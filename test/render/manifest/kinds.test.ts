// Rows for render/manifest/kinds.ts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareKinds } from '../../../render/manifest/kinds.ts';

test('sorts known kinds by rank, others by name after them, the empty kind first of those', () => {
  const kinds = ['Zebra', 'APIService', '', 'Deployment', 'Secret', 'Ant', 'Namespace', 'PriorityClass'];
  assert.deepEqual(kinds.sort(compareKinds), [
    'PriorityClass',
    'Namespace',
    'Secret',
    'Deployment',
    'APIService',
    '',
    'Ant',
    'Zebra',
  ]);
});

test('takes equal kinds for equal, so that a stable sort keeps their order', () => {
  assert.equal(compareKinds('Job', 'Job'), 0);
  assert.equal(compareKinds('Unknown', 'Unknown'), 0);
});
