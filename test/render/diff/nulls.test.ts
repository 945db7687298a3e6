// A member with the value null, in a definition and in its schemas.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffObjects } from '../../../render/diff/difference.ts';

test('a null outside the schemas of a definition is a missing member', () => {
  const crd = (metadata: object, property: unknown): string =>
    JSON.stringify({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'as.example.com', ...metadata },
      spec: { versions: [{ name: 'v1', schema: { openAPIV3Schema: { properties: { a: { default: property } } } } }] },
    });
  const changes = (before: string, after: string): number =>
    diffObjects({ documents: before }, { documents: after }).objects.length;
  assert.equal(changes(crd({ creationTimestamp: null }, 1), crd({}, 1)), 0);
  assert.equal(changes(crd({}, null), crd({}, 1)), 1);
});
