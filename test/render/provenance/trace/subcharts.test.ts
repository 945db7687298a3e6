// Subcharts with a condition or tags: what is enabled by them, and what is not.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderRelease } from '../../../../render/api/chart.ts';
import { explain, impact } from '../../../../render/api/explain.ts';
import { loadChart } from '../../../../render/chart/load.ts';

const map = (name: string): string => `kind: ConfigMap\nmetadata: {name: ${name}}\n`;
const chart = loadChart({
  'Chart.yaml': `apiVersion: v2
name: web
version: 1.0.0
dependencies:
  - name: cache
    alias: fast
    version: 1.x
    condition: missing, fast.enabled
  - {name: store, version: 1.x, tags: [data, other]}
  - {name: queue, version: 1.x}
`,
  'values.yaml': 'fast: {enabled: true}\ntags: {data: false}\n',
  'templates/web.yaml': map('web'),
  'charts/cache/Chart.yaml': `apiVersion: v2
name: cache
version: 1.0.0
dependencies:
  - {name: disk, version: 1.x, condition: disk.used}
`,
  'charts/cache/values.yaml': 'disk: {used: true}\n',
  'charts/cache/templates/cache.yaml': map('cache'),
  'charts/cache/charts/disk/Chart.yaml': 'apiVersion: v2\nname: disk\nversion: 1.0.0\n',
  'charts/cache/charts/disk/templates/disk.yaml': map('disk'),
  'charts/store/Chart.yaml': 'apiVersion: v2\nname: store\nversion: 1.0.0\n',
  'charts/store/templates/store.yaml': map('store'),
  'charts/queue/Chart.yaml': 'apiVersion: v2\nname: queue\nversion: 1.0.0\n',
  'charts/queue/templates/queue.yaml': map('queue'),
});

test('an object of a subchart depends on the condition of each enclosing dependency', () => {
  const release = renderRelease(chart, { trace: true });
  const conditionsOf = (object: string): unknown[] =>
    explain(release, { object, path: 'kind' }).lines.flatMap(({ parts }) =>
      parts.flatMap(({ conditions }) =>
        conditions.map(({ file, line, column, source, text, values }) => {
          return [`${file}:${line}:${column}`, source.trim(), text, values.map(({ path }) => path).join()];
        }),
      ),
    );
  const fast = [
    'web/Chart.yaml:8:5',
    'condition: missing, fast.enabled',
    'the subchart fast, by its condition',
    'fast.enabled',
  ];
  assert.deepEqual(conditionsOf('ConfigMap/cache'), [fast]);
  assert.deepEqual(conditionsOf('ConfigMap/disk'), [
    fast,
    [
      'web/charts/cache/Chart.yaml:5:32',
      '- {name: disk, version: 1.x, condition: disk.used}',
      'the subchart disk, by its condition',
      'fast.disk.used',
    ],
  ]);
  assert.deepEqual(conditionsOf('ConfigMap/queue'), []);
  assert.deepEqual(conditionsOf('ConfigMap/web'), []);
});

test('a value that enables a subchart affects all of its objects, or leaves them out', () => {
  const release = renderRelease(chart, { trace: true });
  const { objects } = impact(release, 'fast.enabled');
  assert.deepEqual(
    objects.map(({ object, fields }) => [object, ...fields.map(({ how, path }) => `${how} ${path}`)]),
    [
      ['ConfigMap/default/disk', 'decides '],
      ['ConfigMap/default/cache', 'decides '],
    ],
  );
  const { objects: none, leftOut } = impact(release, 'tags.data');
  assert.deepEqual(none, []);
  assert.deepEqual(
    leftOut.map(({ place, values }) => [`${place.file}:${place.line}`, place.text, ...values]),
    [['web/Chart.yaml:9', 'the subchart store, by its tags', 'tags.data']],
  );
});
