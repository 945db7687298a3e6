// Values of a chart, its dependencies and its schemas, apart from what fixtures/vectors/{coalesce,charts-dependencies,schema,schema-4}.json
// record.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emitJson } from '../../../render/codec/json.ts';
import { parseYamlMap } from '../../../render/codec/yaml/parse.ts';
import type { GoMap } from '../../../render/go/value.ts';
import { helmOf } from '../../../render/helm/versions.ts';
import { loadChart } from '../../../render/index.ts';
import { composeValues } from '../../../render/values/compose.ts';
import { chartIn, chartYaml } from '../../support/project.ts';
import { failureOf } from '../../support/render-error.ts';
import { recordedHelms } from '../../support/rows.ts';

const helm = helmOf(recordedHelms[3]);

/** Loads the chart `c` with its subchart `s`. */
const chartOf = (files: Readonly<Record<string, string>>, subchart: Readonly<Record<string, string>> = {}) =>
  loadChart({ 'Chart.yaml': chartYaml('c'), ...files, ...chartIn('charts/s', subchart) }, { helm: helm.name });

test('neither the chart nor the user values are changed, and the result belongs to the caller', () => {
  const chart = chartOf({ 'values.yaml': 'm: {l: [{k: 1}]}\nglobal: {g: {h: 1}}' }, { 'values.yaml': 'x: {k: [1]}' });
  const before = emitJson(chart.values);
  const user: GoMap = new Map([['u', new Map([['v', []]])]]);
  const first = composeValues(chart, user, { helm }).values;
  (first.get('m') as GoMap).set('new', 1);
  ((first.get('m') as GoMap).get('l') as GoMap[])[0]?.set('k', 2);
  ((first.get('s') as GoMap).get('x') as GoMap).clear();
  (first.get('u') as GoMap).clear();
  assert.equal(emitJson(chart.values), before);
  assert.equal(emitJson(user), '{"u":{"v":[]}}');
  assert.equal(
    emitJson(composeValues(chart, user, { helm }).values),
    '{"global":{"g":{"h":1}},"m":{"l":[{"k":1}]},"s":{"global":{"g":{"h":1}},"x":{"k":[1]}},"u":{"v":[]}}',
  );
});

test('an inner table of global is the same map in parent and child', () => {
  const { values } = composeValues(chartOf({ 'values.yaml': 'global: {g: {h: {}}}' }), new Map(), { helm });
  const inner = (top: GoMap): unknown => ((top.get('global') as GoMap).get('g') as GoMap).get('h');
  assert.equal(inner(values), inner(values.get('s') as GoMap));
  assert.notEqual(values.get('global'), (values.get('s') as GoMap).get('global'));
});

const header = "values don't meet the specifications of the schema(s) in the following chart(s):\n";
const a = (schema: string): string => `{"properties": {"a": ${schema}}}`;

test("root and subcharts are validated in turn; issues have paths within the parent's values", () => {
  const chart = chartOf(
    { 'values.schema.json': a('{"type": "string"}') },
    { 'values.schema.json': '{"additionalProperties": false}' },
  );
  const { code, message, issues } = failureOf(() => composeValues(chart, parseYamlMap('a: 1'), { helm }));
  assert.equal(code, 'VALUES_INVALID');
  assert.equal(
    message,
    `${header}c:\n- a: Invalid type. Expected: string, given: integer\ns:\n- (root): Additional property global is not allowed\n`,
  );
  assert.deepEqual(
    issues.map(({ path }) => path),
    ['a', 's'],
  );
  assert.doesNotThrow(() => composeValues(chart, parseYamlMap('a: 1'), { helm, skipSchemaValidation: true }));
});

for (const [schema, place] of [
  ['{"$ref": "#"}', '(root)'],
  [a('{"allOf": [{"$ref": "#/properties/a"}]}'), 'a'],
  [a('{"not": {"$ref": "#/properties/a"}}'), 'a'],
] as const) {
  test(`a cyclic schema is refused: ${schema}`, () => {
    const chart = chartOf({ 'values.schema.json': schema });
    const { message } = failureOf(() => composeValues(chart, parseYamlMap('a: 1'), { helm }));
    const reason = `the schema refers back to itself for the value at ${place}, which never ends`;
    assert.equal(message, `${header}c:\n${reason}`);
  });
}

test('issues have the dotted paths of values in Helm 4', () => {
  const chart = chartOf({ 'values.schema.json': a('{"anyOf":[{"type":"string"},{"required":["b"]}]}') });
  const { issues } = failureOf(() => composeValues(chart, parseYamlMap('a: {c: 1}'), { helm: helmOf('4.2.3') }));
  assert.deepEqual(
    issues.map(({ path, message }) => `${path}: ${message}`),
    ['a: got object, want string', "a: missing property 'b'"],
  );
});
