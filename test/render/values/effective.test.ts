import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Chart } from '../../../render/chart/chart.ts';
import { loadChart } from '../../../render/chart/load.ts';
import { emitJson, parseJson } from '../../../render/codec/json.ts';
import type { GoMap, GoValue } from '../../../render/go/value.ts';
import type { JsonObject } from '../../../render/order/order.ts';
import { validateOrder } from '../../../render/order/validate.ts';
import { formatValuesJson } from '../../../render/output/documents.ts';
import { composeValues } from '../../../render/values/compose.ts';
import { type EffectiveValues, effectiveValues } from '../../../render/values/effective.ts';
import { chartYaml } from '../../support/project.ts';
import { failureOf } from '../../support/render-error.ts';

function chartOf(values: string, more: Readonly<Record<string, string>> = {}): Chart {
  return loadChart({ 'Chart.yaml': chartYaml('c'), 'values.yaml': values, ...more });
}

function effective(chart: Chart, more: JsonObject): EffectiveValues {
  const selection = { name: 'c', releaseName: 'c', namespace: 'c', sourceRef: { kind: 'Local', name: 'c' }, ...more };
  const { order } = validateOrder({ spec: { packages: [{ chart: selection }] } });
  return effectiveValues(chart, order.spec.packages[0]?.chart as never);
}

const json = (value: GoValue): string => emitJson(value);
const patch = (op: string, path: string, value?: unknown): JsonObject =>
  ({ valuesPatch: [{ op, path, ...(value === undefined ? {} : { value }) }] }) as JsonObject;

// The test, the defaults, the selection, the effective values, and the values passed to Helm.
const rows: readonly (readonly [string, string, JsonObject, string, string])[] = [
  ['nothing: one default is restated', '{b: {c: 1}, a: [1]}', {}, '{"a":[1],"b":{"c":1}}', '{"a":[1]}'],
  [
    'an overlay',
    '{a: 1, b: {c: 1, d: 2}}',
    { values: { b: { c: 3 }, e: 4 } },
    '{"a":1,"b":{"c":3,"d":2},"e":4}',
    '{"b":{"c":3},"e":4}',
  ],
  ['a list is replaced whole', '{a: [1, 2]}', { values: { a: [1] } }, '{"a":[1]}', '{"a":[1]}'],
  ['a null removes', '{a: 1, b: 2}', { values: { a: null } }, '{"a":null,"b":2}', '{"a":null}'],
  ['remove', '{a: 1, b: {c: 1, d: 2}}', patch('remove', '/b/c'), '{"a":1,"b":{"d":2}}', '{"b":{"c":null}}'],
  [
    'replace of a table',
    '{b: {c: 1, d: {e: 1}}}',
    patch('replace', '/b', { c: 2 }),
    '{"b":{"c":2}}',
    '{"b":{"c":2,"d":null}}',
  ],
  ['a scalar for a table', '{b: {c: 1}}', patch('replace', '/b', 'x'), '{"b":"x"}', '{"b":"x"}'],
  ['add to a list', '{b: [1]}', patch('add', '/b/-', 'x'), '{"b":[1,"x"]}', '{"b":[1,"x"]}'],
  ['odd keys', '{"a.b": 1, "c/d": 2, "e~f": 3}', patch('remove', '/c~1d'), '{"a.b":1,"e~f":3}', '{"c/d":null}'],
  [
    'numbers',
    '{}',
    { values: { a: 0.1, b: 1e21, c: 12345678901, d: -0 } },
    '{"a":0.1,"b":1e+21,"c":12345678901,"d":0}',
    '{"a":0.1,"b":1e+21,"c":12345678901,"d":0}',
  ],
];

for (const [title, defaults, selection, values, overlay] of rows) {
  test(title, () => {
    const chart = chartOf(defaults);
    const before = json(chart.values);
    const result = effective(chart, selection);
    assert.deepEqual([json(result.values), json(result.overlay)], [values, overlay]);
    assert.equal(json(chart.values), before);
    // Merged with the chart again, as Helm does, the passed values give the effective values without their nulls.
    const composed = composeValues(chart, parseJson(formatValuesJson(result.overlay)) as GoMap, {}).values;
    assert.equal(json(prune(composed)), json(prune(result.values)));
  });
}

function prune(value: GoValue): GoValue {
  if (!(value instanceof Map)) return value;
  return new Map([...value].filter(([, item]) => item !== null).map(([key, item]) => [key, prune(item)]));
}

test('the layers come in order: defaults, file, values, patch', () => {
  const chart = chartOf('{a: 1, b: 1, c: 1, d: {x: 1}}', { 'values-more.yaml': '{b: 2, c: 2, d: {z: 2}}' });
  const result = effective(chart, {
    valuesFile: 'values-more.yaml',
    values: { c: 3 },
    valuesPatch: [
      { op: 'test', path: '/c', value: 3 },
      { op: 'copy', from: '/c', path: '/e' },
    ],
  });
  assert.equal(json(result.values), '{"a":1,"b":2,"c":3,"d":{"x":1,"z":2},"e":3}');
});

test('a missing or invalid values file is an error that lists the others', () => {
  const chart = chartOf('', { 'values-a.yaml': 'a: [', 'values-b.yaml': '' });
  const fault = (name: string) => failureOf(() => effective(chart, { valuesFile: name }));
  assert.equal(fault('values-c.yaml').hint, 'It has values-a.yaml, values-b.yaml.');
  assert.match(fault('values-a.yaml').message, /^chart c 1\.0\.0: failed to parse values-a\.yaml: /);
});

test('values are written as JSON that YAML parsers accept', () => {
  const nasty = '\u007f\u0085\u009f\u2028\u2029\ufeff\ufffe\uffff';
  const text = formatValuesJson(new Map([[nasty, `${nasty}🚢`]]));
  assert.doesNotMatch(text, /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/);
  assert.equal(json(parseJson(text)), json(new Map([[nasty, `${nasty}🚢`]])));
});

test('a chart that imports values does not repeat any', () => {
  const dependency = 'dependencies:\n- name: sub\n  version: "1"\n  import-values: [data]\n';
  const chart = chartOf('{a: 1}', { 'Chart.yaml': chartYaml('c', dependency) });
  assert.equal(json(effective(chart, {}).overlay), '{}');
});
