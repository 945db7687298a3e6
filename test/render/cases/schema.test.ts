// The schema of a chart's values: accepted and rejected values, and the table.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatValuesTable, generateCases, type ValuesSchemaOptions, valuesSchema } from '../../../render/api/cases.ts';
import { template } from '../../../render/api/chart.ts';
import { loadChart } from '../../../render/chart/load.ts';
import type { JsonObject, JsonValue } from '../../../render/order/order.ts';

const files = {
  'Chart.yaml': 'apiVersion: v2\nname: a\nversion: 1.0.0\n',
  'values.yaml': `# -- The image
image:
  # -- Its tag
  tag: "1"
port: 80
enabled: true
hosts: []
labels: {}
extra: null
`,
  'templates/page.yaml': `kind: A
metadata: {name: a, labels: {{ toJson .Values.labels }} }
spec:
  image: x:{{ .Values.image.tag | trunc 5 }}
  port: {{ .Values.port }}
  {{- if .Values.enabled }}
  hosts: {{ range .Values.hosts }}{{ .name }}{{ end }}
  {{- end }}
  size: {{ .Values.size | default 1 }}
  {{- with .Values.extra }}
  extra: {{ .name }}
  {{- end }}
`,
};
const chart = loadChart(files);

function accepts(values: JsonObject, options: ValuesSchemaOptions = {}): boolean {
  const checked = loadChart({ ...files, 'values.schema.json': JSON.stringify(valuesSchema(chart, options)) });
  try {
    template(checked, { values });
    return true;
  } catch {
    return false;
  }
}

function typeAt(schema: JsonValue | undefined, ...path: readonly string[]): unknown {
  let node = schema as JsonObject;
  for (const step of path) node = (node.properties as JsonObject)[step] as JsonObject;
  return node.type;
}

test('types are those of the defaults, or else those that the templates accept', () => {
  const schema = valuesSchema(chart);
  assert.deepEqual(
    [['image'], ['image', 'tag'], ['port'], ['enabled'], ['hosts'], ['labels'], ['extra'], ['size']].map((path) =>
      typeAt(schema, ...path),
    ),
    ['object', 'string', ['integer', 'string'], 'boolean', 'array', 'object', ['null', 'object'], undefined],
  );
});

test('the schema accepts every case, and rejects what the templates fail on', () => {
  for (const { values } of generateCases(chart).cases) assert.ok(accepts(values), JSON.stringify(values));
  assert.ok(accepts({ port: '8080', image: { tag: '2' }, size: 3, unknown: 1 }));
  for (const values of [
    { image: 'x' },
    { image: { tag: 1.1 } },
    { enabled: 'false' },
    { hosts: 'x' },
    { extra: 'x' },
  ]) {
    assert.ok(!accepts(values as JsonObject), JSON.stringify(values));
  }
});

test("types in the chart's own cases are accepted", () => {
  const cases = [{ name: 'a', values: { image: { tag: 5 } } }];
  const loose = loadChart({ ...files, 'templates/page.yaml': 'a: {{ .Values.image.tag }}\n' });
  assert.deepEqual(typeAt(valuesSchema(loose, { cases }), 'image', 'tag'), ['integer', 'string']);
});

test('a strict schema knows the keys that templates look up, and rejects others', () => {
  assert.ok(accepts({ size: 3, global: { x: 1 } }, { strict: true }));
  assert.ok(!accepts({ unknown: 1 }, { strict: true }));
  assert.ok(!accepts({ image: { tagg: '1' } }, { strict: true }));
});

test('the table has key, type, default and description', () => {
  assert.equal(
    formatValuesTable(chart).split('\n').slice(0, 4).join('\n'),
    '| Key | Type | Default | Description |\n|---|---|---|---|\n| `image.tag` | string | `"1"` | Its tag |\n| `port` | integer | `80` |  |',
  );
});

test('a chart without values has an empty table, and a strict schema that rejects every key but global', () => {
  const bare = loadChart({ 'Chart.yaml': files['Chart.yaml'], 'templates/page.yaml': 'a: {{ .Values.size }}\n' });
  assert.equal(formatValuesTable(bare), '| Key | Type | Default | Description |\n|---|---|---|---|\n');
  const { properties, additionalProperties } = valuesSchema(bare, { strict: true });
  assert.deepEqual(properties, { size: {}, global: { type: 'object' } });
  assert.equal(additionalProperties, false);
});

test('types are tried with values that render, or all accepted if none do', () => {
  const required = loadChart({
    'Chart.yaml': files['Chart.yaml'],
    'values.yaml': 'host: null\nport: null\nsize: null\n',
    'templates/page.yaml':
      'a: {{ required "set host" .Values.host }}\nb: {{ .Values.port }}\nc: {{ .Values.size | trunc 5 }}\n',
  });
  const schema = valuesSchema(required);
  assert.deepEqual(typeAt(schema, 'port'), ['array', 'boolean', 'null', 'number', 'object', 'string']);
  const broken = loadChart({ ...files, 'templates/fail.yaml': '{{ fail "no" }}' });
  assert.deepEqual(typeAt(valuesSchema(broken), 'port'), ['integer', 'string']);
});
