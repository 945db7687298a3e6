// Rows for render/manifest/kinds.ts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { helmOf } from '../../../render/helm/versions.ts';
import { compareKinds } from '../../../render/manifest/kinds.ts';

const compare = (a: string, b: string): number => compareKinds(a, b, helmOf().kindOrder);

test('sorts known kinds by rank, others by name after them, starting with the empty kind', () => {
  const kinds = ['Zebra', 'APIService', '', 'Deployment', 'Secret', 'Ant', 'Namespace', 'PriorityClass'];
  assert.deepEqual(kinds.sort(compare), [
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

test('treats equal kinds as equal, so that a stable sort keeps their order', () => {
  assert.equal(compare('Job', 'Job'), 0);
  assert.equal(compare('Unknown', 'Unknown'), 0);
});
