// Capabilities without a cluster; every expectation is Helm 3.17.3's.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCapabilities } from '../../../render/values/capabilities.ts';
import { checkChartDependencies, checkInstallable, checkKubeVersion } from '../../../render/values/compose.ts';
import { chartOf, helm } from './support.ts';

for (const [text, version, major, minor] of [
  ['', 'v1.32.0', '1', '32'],
  ['1.25', 'v1.25.0', '1', '25'],
  ['v1.25.3', 'v1.25.3', '1', '25'],
  ['1.25.3-gke.100', 'v1.25.3-gke.100', '1', '25'],
  ['1.25.3+k3s1', 'v1.25.3+k3s1', '1', '25'],
  ['01.2', 'v1.2.0', '1', '2'],
] as const) {
  test(`Kubernetes ${text || 'by default'}`, () => {
    assert.deepEqual(createCapabilities({ helm, kubeVersion: text }).kubeVersion, {
      version,
      normalized: version,
      major,
      minor,
    });
  });
}

for (const text of ['1.25.0.1', 'abc', '1.29+']) {
  test(`Kubernetes ${text} is refused`, () => {
    const message = `invalid kube version '${text}': Invalid Semantic Version`;
    assert.throws(() => createCapabilities({ helm, kubeVersion: text }), { code: 'VALUES_INVALID', message });
  });
}

test('56 API versions, followed by those given', () => {
  const { apiVersions } = createCapabilities({ helm, apiVersions: ['foo/v1'] });
  assert.equal(apiVersions.length, 57);
  assert.equal(new Set(apiVersions).size, 57);
  assert.deepEqual(
    [apiVersions[0], apiVersions[1], apiVersions[5], apiVersions[55], apiVersions[56]],
    ['v1', 'admissionregistration.k8s.io/v1', 'apps/v1', 'apiextensions.k8s.io/v1', 'foo/v1'],
  );
});

test('what a chart reads from capabilities, metadata and files', () => {
  const chart = chartOf({
    'Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\nkubeVersion: ">=1.99"\ntype: library\n',
  });
  assert.throws(() => checkKubeVersion(chart, createCapabilities({ helm }), helm), {
    message: 'chart requires kubeVersion: >=1.99 which is incompatible with Kubernetes v1.32.0',
  });
  assert.doesNotThrow(() => checkKubeVersion(chart, createCapabilities({ helm, kubeVersion: '1.99' }), helm));
  assert.throws(() => checkInstallable(chart), { message: 'library charts are not installable' });
  const lacking = chartOf({
    'Chart.yaml': 'dependencies: [{name: d1}, {name: s}, {name: d2}]\n',
    'charts/s/values.yaml': '',
  });
  assert.throws(() => checkChartDependencies(lacking, helm), {
    code: 'CHART_INVALID',
    message:
      'An error occurred while checking for chart dependencies. You may need to run `helm dependency build` to fetch missing dependencies: found in Chart.yaml, but missing in charts/ directory: d1, d2',
  });
});
