// The steps of a release in Helm's order, and its data beside the manifests.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReleaseError, runInstall } from '../../../render/engine/release.ts';
import { type Chart, loadChart, template } from '../../../render/index.ts';
import { chartYaml } from '../../support/project.ts';
import { failureOf } from '../../support/render-error.ts';

function chartOf(files: Readonly<Record<string, string>>, more = ''): Chart {
  return loadChart({ 'Chart.yaml': chartYaml('c', more), ...files });
}

// Each chart also has the errors of all later rows: the earliest step is reported.
const faults = {
  library: 'type: library\n',
  dependency: 'dependencies: [{name: zz, version: "1"}]\n',
  kube: 'kubeVersion: ">=99"\n',
};
const broken = { 'values.schema.json': '{"required": ["x"]}', 'templates/a.yaml': '{{ foo' };

test('the order of the steps decides which error is reported', () => {
  const options = { name: 'Bad' };
  const rows: [Chart, object, string, RegExp][] = [
    [chartOf(broken, faults.library + faults.dependency + faults.kube), options, 'CHART_INVALID', /^library charts/],
    [chartOf(broken, faults.dependency + faults.kube), options, 'CHART_INVALID', /missing in charts\/ directory: zz$/],
    [chartOf(broken, faults.kube), options, 'VALUES_INVALID', /^release name "Bad"/],
    [chartOf(broken, faults.kube), {}, 'VALUES_INVALID', /^values don't meet/],
    [
      chartOf(broken, faults.kube),
      { skipSchemaValidation: true },
      'CHART_INVALID',
      /^chart requires kubeVersion: >=99/,
    ],
    [chartOf(broken), { skipSchemaValidation: true }, 'TEMPLATE_PARSE', /^parse error at \(c\/templates\/a\.yaml:1\)/],
    [chartOf({ 'templates/a.yaml': '- a', 'templates/b.yaml': '{{ fail "x" }}' }), {}, 'TEMPLATE_EXEC', /: x$/],
    [chartOf({ 'templates/a.yaml': '- a' }), {}, 'MANIFEST_INVALID', /^YAML parse error/],
  ];
  for (const [chart, how, code, message] of rows) {
    const error = failureOf(() => runInstall(chart, how));
    assert.equal(error.code, code);
    assert.match(error.message, message);
  }
});

test('failures after values were merged include the partial rendering', () => {
  const error = failureOf(() => runInstall(chartOf({ 'templates/a.yaml': '- a', 'templates/b.yaml': 'b: 1' })));
  assert.ok(error instanceof ReleaseError);
  assert.match(error.partial, /# Source: c\/templates\/a\.yaml\n- a\n/);
  assert.match(error.partial, /# Source: c\/templates\/b\.yaml\nb: 1\n/);
  assert.ok(!(failureOf(() => runInstall(chartOf({}), { name: 'Bad' })) instanceof ReleaseError));
});

const tree = {
  'templates/NOTES.txt': 'own notes of {{ .Release.Name }}',
  'templates/myNOTES.txt': 'gone',
  'templates/a.yaml': 'kind: A\n',
  'crds/b.yaml': 'b',
  'crds/sub/a.YML': 'a',
  'crds/README.md': 'x',
  'charts/s/Chart.yaml': 'apiVersion: v2\nname: s\nversion: 1.0.0\n',
  'charts/s/templates/NOTES.txt': 'notes of s',
  'charts/s/crds/s.json': '{}',
};

test("notes are the root chart's own, unless those of subcharts are requested", () => {
  assert.equal(runInstall(chartOf(tree), { name: 'r' }).notes, 'own notes of r');
  const all = runInstall(chartOf(tree), { name: 'r', subchartNotes: true }).notes.split('\n');
  assert.deepEqual(all.sort(), ['gone', 'notes of s', 'own notes of r']);
});

test('CRDs are ordered by chart, root first, then by path, and only read from manifest files', () => {
  const { crds, manifests } = runInstall(chartOf(tree));
  assert.deepEqual(
    crds.map(({ path, content }) => [path, content]),
    [
      ['c/crds/b.yaml', 'b'],
      ['c/crds/sub/a.YML', 'a'],
      ['c/charts/s/crds/s.json', '{}'],
    ],
  );
  assert.deepEqual(
    manifests.map(({ kind }) => kind),
    ['A'],
  );
});

test('rendering is reproducible although templates modify their values', () => {
  const chart = chartOf({
    'values.yaml': 'm: {}\nl: [1]\n',
    'templates/a.yaml': '# {{ set .Values.m "k" (len .Values.m) | toJson }} {{ .Values.l }}',
    'charts/s/Chart.yaml': 'apiVersion: v2\nname: s\nversion: 1.0.0\n',
    'charts/s/values.yaml': 'o: {}\n',
    'charts/s/templates/a.yaml': '# {{ set .Values.o "k" (len .Values.o) | toJson }}',
  });
  const first = template(chart);
  assert.match(first, /# \{"k":0\}/);
  assert.equal(template(chart), first);
  assert.equal(template(chart, { set: ['m.x=1'] }), first.replace('{"k":0} [1]', '{"k":1,"x":1} [1]'));
});
