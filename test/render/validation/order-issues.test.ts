// `check --validate` of an Order: each problem once, with its line.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspectOrder, inspectWith } from '../../../render/api/order.ts';
import { validateObjects } from '../../../render/api/validation.ts';
import { loadChart } from '../../../render/chart/load.ts';
import { memoryRegistry } from '../../../render/chart/registry.ts';
import { orderIssues } from '../../../render/validation/objects/document-issues.ts';

const chartOf = (name: string, objects: string) =>
  loadChart({ 'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`, 'templates/all.yaml': objects });

const budget = 'apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: a}\n';
const registry = memoryRegistry([chartOf('old', budget)]);
const packages = ['old'].map((name) => ({
  chart: { name, releaseName: name, namespace: 'here', sourceRef: { kind: 'Embed', name } },
}));
const order = { spec: { packages, kubeVersion: 'v1.31.0' } };

test('a removed API is reported once, with its line if schemas are checked', async () => {
  const plain = await inspectOrder(order, { registry });
  assert.deepEqual(
    plain.map(({ severity, message, code }) => [severity, message, code]),
    [
      [
        'warning',
        'policy/v1beta1 PodDisruptionBudget of old/templates/all.yaml is no longer served as of Kubernetes 1.25',
        'API_DEPRECATED',
      ],
    ],
  );
  const validated = await inspectWith(order, { registry }, (plan) => orderIssues(plan, { registry }, 'strict'));
  assert.deepEqual(
    validated.map(({ severity, message, code }) => [severity, message, code]),
    [
      [
        'error',
        'PodDisruptionBudget/a of old/templates/all.yaml:1: policy/v1beta1 PodDisruptionBudget is no longer served as of Kubernetes 1.25 (Kubernetes 1.31)',
        'API_DEPRECATED',
      ],
    ],
  );
});

test('an unknown kind is rejected by every validation, and reported once', async () => {
  const texts = [
    ['apiVersion: apps/v1\nkind: Deploymnet\nmetadata: {name: a}\n', 'apps/v1 Deploymnet is not a kind of Kubernetes'],
    [
      'apiVersion: apps/v9\nkind: Deployment\nmetadata: {name: a}\n',
      'apps/v9 Deployment has a version that Kubernetes never had',
    ],
    ['kind: Pod\nmetadata: {name: a}\nspec: {containers: []}\n', 'missing required field "apiVersion"'],
  ] as const;
  for (const [text, expected] of texts) {
    const own = memoryRegistry([chartOf('old', text)]);
    const issues = await inspectWith(order, { registry: own }, (plan) => orderIssues(plan, { registry: own }, 'warn'));
    const errors = issues.filter(({ severity }) => severity === 'error').map(({ message }) => message);
    assert.deepEqual([errors.length, errors[0]?.includes(expected)], [1, true], errors.join('\n'));
    const plain = await validateObjects(text, { kubeVersion: '1.31', validate: 'warn' });
    assert.deepEqual(
      plain.map(({ severity, message }) => [severity, message]),
      [['error', expected]],
    );
  }
  // Other groups, and versions of Kubernetes newer than this drydock.
  assert.deepEqual(await validateObjects('apiVersion: example.com/v1\nkind: Deploymnet\n'), []);
  assert.deepEqual(await validateObjects('apiVersion: apps/v1\nkind: Future\n', { kubeVersion: '1.99' }), []);
});
