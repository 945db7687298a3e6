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
