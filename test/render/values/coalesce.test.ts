// What layering values leaves alone; its results are recorded in fixtures/vectors/coalesce.json.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emitJson } from '../../../render/codec/json.ts';
import type { GoMap } from '../../../render/go/value.ts';
import { composeValues } from '../../../render/values/compose.ts';
import { chartOf, helm } from './support.ts';

test('neither the chart nor the user values are changed, and the result belongs to the caller', () => {
  const chart = chartOf({
    'values.yaml': 'm: {l: [{k: 1}]}\nglobal: {g: {h: 1}}',
    'charts/s/values.yaml': 'x: {k: [1]}',
  });
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
  const { values } = composeValues(
    chartOf({ 'values.yaml': 'global: {g: {h: {}}}', 'charts/s/values.yaml': '' }),
    new Map(),
    { helm },
  );
  const inner = (top: GoMap): unknown => ((top.get('global') as GoMap).get('g') as GoMap).get('h');
  assert.equal(inner(values), inner(values.get('s') as GoMap));
  assert.notEqual(values.get('global'), (values.get('s') as GoMap).get('global'));
});
