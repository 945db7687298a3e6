// The position within a YAML text, and completion there.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { yamlHelp } from '../../../render/language/yaml/help.ts';
import { knownValuesOfChart, knownValuesOfCharts } from '../../../render/language/yaml/known-values.ts';
import { placeAt } from '../../../render/language/yaml/place.ts';

/** The place at the bar, as `kind path word`. */
function place(text: string): string {
  const at = text.indexOf('|');
  const found = placeAt(text.slice(0, at) + text.slice(at + 1), at);
  return found ? `${found.kind} ${found.path.join('/')} ${found.word}`.trim() : 'none';
}

test('the place is determined by the text before it', () => {
  assert.equal(place('image:\n  ta|'), 'key image ta');
  assert.equal(place('image:\n  tag: v|1'), 'value image/tag v1');
  assert.equal(place('image:\n  tag: |'), 'value image/tag');
  assert.equal(place('image:\n  t|ag: v1'), 'key image tag');
  assert.equal(place('a:\n  b: 1\n# words\n\nc:\n  |'), 'key c');
  assert.equal(place('"a.b":\n  \'c\': x|'), 'value a.b/c x');
  assert.equal(place('tolerations:\n  - key: a\n    ef|'), 'key tolerations/0 ef');
  assert.equal(place('tolerations:\n- key: a\n- key: b\n  ef|'), 'key tolerations/1 ef');
  assert.equal(place('a:\n  - - x\n    - y|'), 'key a/0/1 y');
  assert.equal(place('a:\n  |- x'), 'none');
  assert.equal(place('- a: 1\n- b: 2\n  c|'), 'key 1 c');
  assert.equal(place('a: 1\n---\nb:\n  c: |'), 'value b/c');
  assert.equal(place('a: 1 # wor|ds'), 'none');
  assert.equal(place('a: >-\n  wor|ds'), 'none');
});

test('also within braces and brackets, over several lines', () => {
  assert.equal(place('a: [b, c|]'), 'value a/1 c');
  assert.equal(place('image: {ta|'), 'key image ta');
  assert.equal(place('image: {tag: "a, b: {c", pu|: x}'), 'key image pu');
  assert.equal(place('image: {"tag":"x", pull: |}'), 'value image/pull');
  assert.equal(place('- {op: re|}'), 'value 0/op re');
  assert.equal(place('a:\n  - {b: [x, {c: |}]}'), 'value a/0/b/1/c');
  assert.equal(place('image: {\n  tag: v1, # one, two: {\n  pu|\n}'), 'key image pu');
  assert.equal(place('url: http://a:80/{x|'), 'value url http://a:80/{x');
  assert.equal(place('a: {b: c}\nd:\n  e|'), 'key d e');
});

const values = `# -- Copies
replicas: 2
image:
  # Where it is from
  repository: nginx
  pullPolicy: IfNotPresent
hosts:
  - name: a
    path: /
`;
const schema = {
  $defs: { port: { type: 'object', required: ['port'], properties: { port: { type: 'integer' }, name: {} } } },
  properties: {
    image: { properties: { pullPolicy: { enum: ['Always', 'IfNotPresent'] }, tag: { type: ['string', 'null'] } } },
    ports: { type: 'array', items: { $ref: '#/$defs/port' } },
    extra: { additionalProperties: { properties: { size: { type: 'integer', description: 'In MiB' } } } },
    on: { type: 'boolean' },
  },
};
const help = yamlHelp((path) => ({ words: knownValuesOfChart(values, schema), path }));

function offered(text: string): string[] {
  const at = text.indexOf('|');
  const found = help.complete(text.slice(0, at) + text.slice(at + 1), at);
  return (found?.options ?? []).map(({ apply }) => apply);
}

test('values and schema members are completed, with their choices, each once', () => {
  assert.deepEqual(offered('|'), ['replicas: ', 'image:\n  ', 'hosts: ', 'ports: ', 'extra: ', '"on": ']);
  assert.deepEqual(offered('replicas: 3\nima|'), ['image:\n  ', 'hosts: ', 'ports: ', 'extra: ', '"on": ']);
  assert.deepEqual(offered('image:\n  tag: x\n  pu|'), ['repository: ', 'pullPolicy: ']);
  assert.deepEqual(offered('image:\n  pullPolicy: |'), ['Always', 'IfNotPresent']);
  assert.deepEqual(offered('"on": |'), ['true', 'false']);
  assert.deepEqual(offered('ports:\n  - |'), ['port: ', 'name: ']);
  assert.deepEqual(offered('extra:\n  any:\n    s|'), ['size: ']);
  assert.deepEqual(offered('image: {tag: x, pu|}'), ['repository: ', 'pullPolicy: ']);
  assert.deepEqual(offered('ports: [{port: 80}, {|}]'), ['port: ', 'name: ']);
});

test('values of subcharts are known below their names, unless the parent sets them', () => {
  const leaf = { name: 'cache', values: 'size: 1\n', schema: null, charts: [] };
  const db = {
    name: 'db',
    values: '# How many\nreplicas: 3\nglobal: {a: 1}\nuser: app\n',
    schema: null,
    charts: [leaf],
  };
  const words = knownValuesOfCharts({ name: 'app', values: 'own: 1\ndb:\n  user: root\n', schema: null, charts: [db] });
  const names = (path: readonly string[]): string[] => words.membersAt(path).map(({ name }) => name);
  assert.deepEqual(names([]), ['own', 'db']);
  assert.deepEqual(names(['db']), ['user', 'replicas', 'cache']);
  assert.deepEqual(names(['db', 'cache']), ['size']);
  assert.deepEqual([words.known(['db', 'user'])?.own, words.known(['db', 'replicas'])?.about], ['root', 'How many']);
});
