// What drydock says about values and lines of the fixture charts is true; `npm run test:e2e -- claims DIR…` tests it for other charts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadChartPath } from '../../render/chart/directory.node.ts';
import { loadChart } from '../../render/chart/load.ts';
import { checkChanges } from '../support/claims/changes.ts';
import { checkCoverage } from '../support/claims/coverage.ts';
import { checkPlaces } from '../support/claims/places.ts';
import { Dice } from '../support/dice.ts';

for (const name of ['web', 'umbrella', 'library-user', 'crds-and-hooks', 'values-and-text', 'values-as-json']) {
  test(`what is reported about changes, places and coverage of ${name} is true`, async () => {
    const chart = await loadChartPath(`fixtures/charts/${name}`);
    const changes = checkChanges(chart, 16, new Dice(1));
    const places = checkPlaces(chart, 10, new Dice(1));
    const coverage = checkCoverage(chart, [{ name: 'default' }], 30);
    assert.deepEqual([changes.failures, places.failures, coverage.failures], [[], [], []]);
    assert.ok(changes.counts.found! > 0);
    assert.ok(places.counts.exact! + places.counts.decides! > 0);
  });
}

test('a value below many conditions is explained', () => {
  const nest = `${'{{ if .Values.on }}'.repeat(400)}{{ .Values.word }}${'{{ end }}'.repeat(400)}`;
  const deep = loadChart({
    'Chart.yaml': 'apiVersion: v2\nname: deep\nversion: 1.0.0\n',
    'values.yaml': '"on": true\nword: a\n',
    'templates/a.yaml': `kind: A\nmetadata: {name: a}\nword: ${nest}\n`,
  });
  const { counts, failures } = checkChanges(deep, 4, new Dice(1));
  assert.deepEqual([counts.lines, failures], [1, []]);
});
