// A chart rendered by another Helm than the one it was loaded for; every expectation is from that Helm.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadChart, memoryRegistry, renderOrder, template } from '../../../render/index.ts';

const files = {
  'Chart.yaml': 'apiVersion: v2\nname: c\nversion: 0.1.0\n',
  'values.yaml': 'a: 1\n---\na: 2\n',
  'charts/d/Chart.yaml': 'apiVersion: v2\nname: d\nversion: 0.1.0\n',
  'charts/d/values.yaml': 'a: 3\n---\na: 4\n',
  'templates/a.yaml': 'a: {{ .Values.a }}{{ .Values.d.a }}\n',
};

for (const loaded of [3, 4] as const) {
  test(`loaded for Helm ${loaded}`, () => {
    const chart = loadChart(files, { helm: loaded });
    assert.match(template(chart), /^a: 13$/m);
    assert.match(template(chart, { helm: '4.2.3' }), /^a: 24$/m);
  });
}

test('reloads charts of an Order that the registry loaded for another version', async () => {
  const sourceRef = { name: 'https://charts.example.com' };
  const order = { spec: { packages: [{ chart: { name: 'c', sourceRef, releaseName: 'r', namespace: 'n' } }] } };
  const registry = memoryRegistry([loadChart(files)]);
  for (const [helm, want] of [
    ['3.17.3', /^a: 13$/m],
    ['4.2.3', /^a: 24$/m],
  ] as const) {
    const rendered = await renderOrder(order, { registry, helm });
    assert.equal(rendered.helm, helm);
    assert.match(rendered.manifest(), want);
    assert.equal(rendered.kubeVersion, helm === '3.17.3' ? 'v1.32.0' : 'v1.36.0');
  }
});

test('values that are not from a file are kept', () => {
  const { valuesData: _, ...chart } = loadChart(files);
  assert.match(template({ ...chart, values: new Map([['a', 9]]) }, { helm: '4.2.3' }), /^a: 94$/m);
});

for (const [change, message] of [
  [{ 'Chart.yaml': 'apiVersion: v9\nname: c\nversion: 0.1.0\n' }, 'unsupported chart version'],
  [
    { 'values.yaml': 'a: 1\n--- b\n' },
    'cannot load values.yaml: error reading yaml document: invalid Yaml document separator: b',
  ],
] as const) {
  test(`rejected by Helm 4: ${message}`, () => {
    const chart = loadChart({ ...files, ...change }, { helm: '3.17.3' });
    template(chart, { helm: '3.17.3' });
    assert.throws(() => template(chart, { helm: '4.2.3' }), { code: 'CHART_INVALID', message });
  });
}
