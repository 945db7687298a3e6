// A part that a schema contains at many places, and an edit of it: reported once, with the other places.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffObjects } from '../../../render/diff/difference.ts';
import { alikeEntries, differenceText, elsewhereText } from '../../../render/diff/text.ts';

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
    '      and 3 times more, in place of discord.http.url: slack.http.url, sns.http.url, url',
    `  - ${spec}.discord.items.properties.http.properties.url.minLength: 1`,
    '      and 3 times more, in place of discord.http.url: slack.http.url, sns.http.url, url',
    // The same member elsewhere is separate if it has another change.
    `  + ${spec}.alone.minLength: 1`,
  ]);
  // In data, each is included.
  assert.equal(difference.objects[0]?.entries.length, 9);
});

test('only the differences between the places are reported, up to a readable number', () => {
  const change = (names: readonly string[]): string => {
    const [object] = diffObjects(
      definition('CustomResourceDefinition', { type: 'string' }, { names: [...names] }),
      definition('CustomResourceDefinition', { type: 'number' }, { names: [...names] }),
    ).objects;
    assert.ok(object);
    const [alike, ...more] = alikeEntries({ ...object, entries: object.entries.slice(0, -1) });
    assert.ok(alike !== undefined && more.length === 0);
    return elsewhereText(alike);
  };
  assert.equal(change(['a', 'b']), 'and once more, in place of a: b');
  assert.match(change(Array.from({ length: 30 }, (_, at) => `n${at}`)), /^and 29 times more, .*, n20, and 9 more$/);
});

test('other objects have each of their entries reported', () => {
  const difference = diffObjects(definition('Thing', { minLength: 1 }), definition('Thing', { minLength: 2 }));
  assert.equal(output(difference).length, 4);
});
