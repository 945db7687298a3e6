// Which objects of two sides are the same object.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffManifests } from '../../../render/index.ts';

const map = (path: string, name: string, data: string) => ({
  path,
  content: `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {${data}}\n`,
});
const few = 'enabled: "true"';
const many = 'a: "1", b: "2", c: "3", d: "4", e: "5"';

// [what, the old object, the new one, the statuses]
const rows: readonly (readonly [string, ReturnType<typeof map>, ReturnType<typeof map>, readonly string[]])[] = [
  [
    'few members of one template',
    map('web/templates/a.yaml', 'first', few),
    map('web/templates/a.yaml', 'second', few),
    ['renamed'],
  ],
  [
    'the same few members of two templates',
    map('web/templates/a.yaml', 'first', few),
    map('web/templates/b.yaml', 'second', few),
    ['renamed'],
  ],
  [
    'few members of two charts',
    map('web/templates/a.yaml', 'first', few),
    map('redis/templates/a.yaml', 'second', few),
    ['added', 'removed'],
  ],
  [
    'other few members',
    map('web/templates/a.yaml', 'first', 'a: "1", b: "2"'),
    map('web/templates/b.yaml', 'second', 'a: "1", b: "3"'),
    ['added', 'removed'],
  ],
  [
    'many members of two charts',
    map('web/templates/a.yaml', 'first', many),
    map('redis/templates/a.yaml', 'second', many),
    ['renamed'],
  ],
  ['few members, of no template', map('', 'first', few), map('', 'second', few), ['renamed']],
];

for (const [what, before, after, statuses] of rows) {
  test(`${what}: ${statuses.join(', ')}`, () => {
    const { objects } = diffManifests({ documents: [before] }, { documents: [after] });
    assert.deepEqual(objects.map(({ status }) => status).sort(), statuses);
  });
}
