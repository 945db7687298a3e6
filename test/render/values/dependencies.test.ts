// Dependencies, apart from what fixtures/vectors/charts-dependencies.json records.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { composeValues } from '../../../render/values/compose.ts';
import { chartOf, helm } from './support.ts';

test('a path that is not a string causes a panic in Helm', () => {
  const chart = chartOf({
    'Chart.yaml': 'dependencies: [{name: s, version: "*", import-values: [{child: 5, parent: x}]}]\n',
    'charts/s/values.yaml': '',
  });
  assert.throws(() => composeValues(chart, new Map(), { helm }), {
    message: 'interface conversion: interface {} is float64, not string',
  });
});

test('charts with the same enabled dependencies are shared', () => {
  const chart = chartOf({
    'Chart.yaml': 'dependencies: [{name: s, version: "*", condition: s.up}]\n',
    'charts/s/values.yaml': '',
  });
  const off = new Map([['s', new Map([['up', false]])]]);
  const first = composeValues(chart, new Map(), { helm }).chart;
  assert.equal(composeValues(chart, new Map([['x', 1]]), { helm }).chart, first);
  assert.notEqual(composeValues(chart, off, { helm }).chart, first);
  assert.equal(composeValues(chart, new Map(), { helm }).chart, first);
});
