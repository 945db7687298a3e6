// The values of a chart as fields of a form, and as a patch.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  findFields,
  nearestField,
  parseFields,
  patchOf,
  type ValueField,
  valueAtPath,
} from '../../../emulator/console/order/fields.ts';
import type { ChartValues } from '../../../render/language/yaml/known-values.ts';

const values = `# -- Copies of the web server
replicas: 2
image:
  # Where it is from
  repository: nginx
  tag: "" # the chart's by default
# Free labels
labels: {}
ports: [80]
# - containerPort: 81
#   protocol: UDP
debug: false
# - name: registry
# Seconds to wait
timeout: 5
base: &base {cpu: 1}
again: *base
`;

function fieldsOf(
  values: string,
  schema: unknown,
  charts: readonly ChartValues[] = [],
): Promise<readonly ValueField[]> {
  return parseFields({ name: 'top', values, schema, charts }, async () => undefined);
}

function named(fields: readonly ValueField[], path: string): ValueField | undefined {
  for (const field of fields) {
    const found = field.path.join('.') === path ? field : named(field.members, path);
    if (found) return found;
  }
  return undefined;
}

test('fields come from values.yaml, with its comments', async () => {
  const fields = await fieldsOf(values, null);
  const reported = (path: string): unknown => {
    const { kind, about, own } = named(fields, path) as ValueField;
    return [kind, about, own];
  };
  assert.deepEqual(reported('replicas'), ['number', 'Copies of the web server', 2]);
  assert.deepEqual(reported('image.tag'), ['text', "the chart's by default", '']);
  assert.deepEqual(reported('labels'), ['yaml', 'Free labels', {}]);
  assert.deepEqual(reported('debug'), ['boolean', '', false]);
  assert.deepEqual(reported('timeout'), ['number', 'Seconds to wait', 5]);
  assert.deepEqual(reported('again.cpu'), ['number', '', 1]);
  const found = findFields(fields, 'image', 9).map(({ path }) => path.join('.'));
  assert.deepEqual(found, ['image.repository', 'image.tag']);
  assert.deepEqual([findFields(fields, 'image free', 9).length, findFields(fields, '', 2).length], [0, 2]);
});

test('a schema adds choices, types, descriptions, and members that values.yaml lacks', async () => {
  const schema = {
    $defs: { level: { enum: ['info', 'debug'], description: 'How much is said' }, loop: { $ref: '#/$defs/loop' } },
    properties: {
      log: { $ref: '#/$defs/level' },
      extra: { properties: { size: { type: 'integer', default: 3 } } },
      odd: { $ref: '#/$defs/loop' },
    },
  };
  const fields = await fieldsOf('log: info\n', schema);
  assert.deepEqual(named(fields, 'log')?.choices, ['info', 'debug']);
  assert.equal(named(fields, 'log')?.about, 'How much is said');
  assert.deepEqual([named(fields, 'extra.size')?.kind, named(fields, 'extra.size')?.own], ['number', 3]);
  assert.equal(named(fields, 'odd')?.kind, 'yaml');
  const self = { properties: { again: { $ref: '#' } } };
  assert.ok((await fieldsOf('', self)).length === 1, 'a schema that holds itself ends');
});

test('the patch of values has the same effect as the values', () => {
  const own = { a: 1, b: { c: 2, 'd/e': 3 }, f: [1] };
  assert.deepEqual(patchOf(own, { a: 1, b: { c: 5, 'd/e': null, '~x': { y: null, z: 1 } }, f: [2], g: null }), [
    { op: 'replace', path: '/b/c', value: 5 },
    { op: 'remove', path: '/b/d~1e' },
    { op: 'add', path: '/b/~0x', value: { z: 1 } },
    { op: 'replace', path: '/f', value: [2] },
  ]);
  assert.deepEqual(patchOf(own, null), []);
  assert.equal(valueAtPath(own, ['b', 'c']), 2);
  assert.equal(valueAtPath(own, ['a', 'c', 'd']), undefined);
  for (const name of ['constructor', '__proto__']) assert.equal(valueAtPath(own, [name]), undefined);
});

test('values are parsed in pieces, with the same fields as at once', async () => {
  const part = (at: number): string =>
    `# -- Part ${at}\npart${at}:\n  # In it\n  one: 1\n\n# Free ${at}\nfree${at}: {}\ntext${at}: |\n  # no\n\n \n`;
  const long = Array.from({ length: 100 }, (_, at) => part(at)).join('');
  const schema = { properties: { part7: { properties: { two: { type: 'integer' } } }, last: { type: 'string' } } };
  let pauses = 0;
  const chart: ChartValues = { name: 'top', values: `# Above\n\n${long}`, schema, charts: [] };
  const fields = await parseFields(chart, async () => void pauses++);
  // For each piece, and each of its fields.
  assert.equal(pauses, 601);
  // An anchor can be used in other pieces.
  const [anchored, ...whole] = await fieldsOf(`anchored: &anchor 1\n${chart.values}`, schema);
  assert.equal(anchored?.own, 1);
  assert.deepEqual(fields, whole);
});

test('nested aliases do not take exponential time', async () => {
  const lines = ['a0: &a0 {x: 1, y: 2}'];
  for (let at = 1; at < 30; at++) lines.push(`a${at}: &a${at} {l: *a${at - 1}, r: *a${at - 1}}`);
  const started = process.cpuUsage();
  assert.equal((await fieldsOf(lines.join('\n'), null)).length, 30);
  assert.ok(process.cpuUsage(started).user < 5_000_000);
});

test('a subchart adds the fields that its parent does not set', async () => {
  const db: ChartValues = {
    name: 'db',
    values:
      '# How many\nreplicas: 3\nuser: app\nglobal: {a: 1}\ntls:\n  use: false\n  days: 9 # @param\n# @param tls.days Of a certificate\n',
    schema: null,
    charts: [],
  };
  const fields = await fieldsOf('own: 1\ndb:\n  user: root\n  tls:\n    use: true\n', null, [db]);
  const reported = (path: string): unknown => named(fields, path)?.own;
  assert.deepEqual(['db.user', 'db.replicas', 'db.tls.use', 'db.tls.days'].map(reported), ['root', 3, true, 9]);
  assert.equal(named(fields, 'db.replicas')?.about, 'How many');
  assert.equal(named(fields, 'db.tls.days')?.about, 'Of a certificate');
  assert.equal(named(fields, 'db.global'), undefined);
  const nearest = (...path: string[]): string | undefined => nearestField(fields, path)?.join('.');
  assert.deepEqual(
    [nearest('db', 'replicas'), nearest('own', '0'), nearest('nobody')],
    ['db.replicas', 'own', undefined],
  );
  // If the parent chart sets nothing, or only braces, all of them are of the subchart.
  for (const text of ['own: 1\n', 'own: 1\ndb: {}\n']) {
    const all = await fieldsOf(text, null, [db]);
    assert.deepEqual([named(all, 'db')?.kind, named(all, 'db.user')?.own], ['group', 'app']);
  }
  // A value that is not a map is unchanged.
  assert.equal(named(await fieldsOf('db: off\n', null, [db]), 'db')?.kind, 'boolean');
});

test("Bitnami's comments describe values by their path, and sections head them", async () => {
  const values = `## @section Global parameters
## @param global.registry Registry of all images
## @param global.secrets [array] Pull secrets
##
global:
  registry: ""
  secrets: []
## @param sentinel.port Port of the sentinel
sentinel:
  ## @param sentinel.service.ports.sentinel Port of the service
  service:
    ports:
      sentinel: 26379
  port: 26379
  # How many agree
  quorum: 2
`;
  const fields = await fieldsOf(values, undefined);
  const about = new Map(findFields(fields, '', 20).map((field) => [field.path.join('.'), field.about]));
  const sections = fields.map(({ path, section }) => `${path.join('.')}: ${section}`);
  assert.deepEqual(sections, ['global: Global parameters', 'sentinel: undefined']);
  const paths = ['global.secrets', 'sentinel.service.ports.sentinel', 'sentinel.port', 'sentinel.quorum'];
  assert.deepEqual(
    paths.map((path) => about.get(path)),
    ['Pull secrets', 'Port of the service', 'Port of the sentinel', 'How many agree'],
  );
});
