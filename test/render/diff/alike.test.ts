// A part that a schema contains at many places, and an edit of it: reported once, with the other places.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffObjects } from '../../../render/diff/difference.ts';
import { differenceText } from '../../../render/diff/text.ts';

const receivers = ['discord', 'slack', 'sns'];

/** Returns a definition in which each receiver has the same part. */
function definition(kind: string, url: object, { alone = {} as object, names = receivers } = {}) {
  const properties = Object.fromEntries(
    names.map((name) => [name, { items: { properties: { http: { properties: { url } } } } }]),
  );
  const schema = { openAPIV3Schema: { properties: { spec: { properties: { ...properties, url, alone } } } } };
  const spec = { group: 'example.com', versions: [{ name: 'v1', schema }] };
  const object = { apiVersion: 'apiextensions.k8s.io/v1', kind, metadata: { name: 'things.example.com' }, spec };
  return { documents: JSON.stringify(object), name: '' };
}

const spec = 'spec.versions[name=v1].schema.openAPIV3Schema.properties.spec.properties';
const output = (difference: ReturnType<typeof diffObjects>): readonly string[] =>
  differenceText(difference).trimEnd().split('\n').slice(3);

test('an edit of a part that a schema uses often is reported once', () => {
  const before = definition('CustomResourceDefinition', { type: 'string', minLength: 1 });
  const after = definition(
    'CustomResourceDefinition',
    { type: 'string', pattern: '^http' },
    { alone: { minLength: 1 } },
  );
  const difference = diffObjects(before, after);
  assert.deepEqual(output(difference), [
    `  + ${spec}.discord.items.properties.http.properties.url.pattern: "^http"`,
    `      and at ${spec}.slack.items.properties.http.properties.url.pattern and 2 more places`,
    `  - ${spec}.discord.items.properties.http.properties.url.minLength: 1`,
    `      and at ${spec}.slack.items.properties.http.properties.url.minLength and 2 more places`,
    // The same member elsewhere is separate if it has another change.
    `  + ${spec}.alone.minLength: 1`,
  ]);
  // In data, each is included.
  assert.equal(difference.objects[0]?.entries.length, 9);
});

test('other objects have each of their entries reported', () => {
  const difference = diffObjects(definition('Thing', { minLength: 1 }), definition('Thing', { minLength: 2 }));
  assert.equal(output(difference).length, 4);
});
