// Objects compared with the schemas of Kubernetes and of custom resource definitions.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderRelease } from '../../../render/api/chart.ts';
import { type ValidationOptions, validateObjects } from '../../../render/api/validation.ts';
import { loadChart } from '../../../render/chart/load.ts';
import { expectOrder } from '../../../render/testing/expect.node.ts';
import { objectIssueText } from '../../../render/validation/objects/document-issues.ts';

async function problems(text: string, options: ValidationOptions = {}): Promise<string[]> {
  const issues = await validateObjects(text, { kubeVersion: '1.32', ...options });
  return issues.map(({ severity, object, message }) => `${severity} ${object} ${message}`);
}

const deployment = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop, creationTimestamp: null}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - name: web
          image: web
          ports: [{containerPort: 80}]
          resources: {limits: {cpu: 1, memory: 512Mi}}
          livenessProbe: {httpGet: {path: /, port: http}}
`;

test('valid objects have no issues', async () => {
  assert.deepEqual(await problems(deployment), []);
  assert.deepEqual(await problems('apiVersion: example.com/v1\nkind: Unknown\nspec: {a: 1}\n'), []);
  assert.deepEqual(await problems(''), []);
});

// The results are those of a real API server: `npm run test:e2e -- cluster-validation`.
test('names, labels and annotations that a server rejects are errors', async () => {
  const object = (metadata: string, kind = 'ConfigMap', apiVersion = 'v1'): string =>
    `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: ${metadata}\n`;
  const long = 'a'.repeat(64);
  for (const right of [
    object('{name: 1a, labels: {example.com/a: a_B.c, b: ""}, annotations: {Example.com/A: any text}}'),
    object('{name: "system:a"}', 'ClusterRole', 'rbac.authorization.k8s.io/v1'),
    object(`{name: ${long}}`),
  ])
    assert.deepEqual(await problems(right), [], right);
  for (const [wrong, message] of [
    [object('{name: a_b}'), 'invalid value for metadata.name: "a_b" is not a DNS subdomain'],
    [object('{name: a.b}', 'Namespace'), 'invalid value for metadata.name: "a.b" is not a DNS label'],
    [
      object('{name: a/b}', 'Role', 'rbac.authorization.k8s.io/v1'),
      'invalid value for metadata.name: "a/b" is not a path segment',
    ],
    [object('{name: a, labels: {a: b c}}'), 'invalid value for metadata.labels.a: "b c" is not a label value'],
    [object('{name: a, labels: {a/b/c: d}}'), 'invalid value for metadata.labels["a/b/c"]: "a/b/c" is not a valid key'],
    [
      object('{name: a, annotations: {a b: c}}'),
      'invalid value for metadata.annotations["a b"]: "a b" is not a valid key',
    ],
  ] as const) {
    const issues = await validateObjects(wrong, { kubeVersion: '1.32' });
    assert.deepEqual(
      issues.map((issue) => issue.message),
      [message],
    );
  }
  const templated = deployment.replace('metadata: {labels: {app: web}}', 'metadata: {labels: {app: web, "b ": c}}');
  const [issue] = await validateObjects(templated.replace('matchLabels: {app: web}', 'matchLabels: {app: "-"}'));
  assert.equal(issue?.path, 'spec.selector.matchLabels.app');
});

test('unknown, invalid and missing fields are reported in the words of kubectl', async () => {
  const faulty = deployment
    .replace('replicas: 2', 'replcas: 2\n  replicas: "3"')
    .replace('selector: {matchLabels: {app: web}}', 'paused: null')
    .replace('containerPort: 80', 'hostPort: 8080.5')
    .replace('512Mi', '512Mb')
    .replace('app: web}', 'app: 7}');
  const issues = await validateObjects(faulty, { kubeVersion: '1.31.4' });
  assert.deepEqual(
    issues.map(({ kind, path, message, hint }) => [kind, path, message, hint]),
    [
      ['missing', 'spec.selector', 'missing required field "spec.selector"', 'Give it.'],
      ['unknown', 'spec.replcas', 'unknown field "spec.replcas"', 'Did you mean "replicas"?'],
      [
        'invalid',
        'spec.replicas',
        'invalid type for spec.replicas: got "string", expected "integer"',
        'Give an integer.',
      ],
      [
        'invalid',
        'spec.template.metadata.labels.app',
        'invalid type for spec.template.metadata.labels.app: got "integer", expected "string"',
        'Write it in quotes: the template may pipe it to quote.',
      ],
      [
        'missing',
        'spec.template.spec.containers[0].ports[0].containerPort',
        'missing required field "spec.template.spec.containers[0].ports[0].containerPort"',
        'Give it.',
      ],
      [
        'invalid',
        'spec.template.spec.containers[0].ports[0].hostPort',
        'invalid type for spec.template.spec.containers[0].ports[0].hostPort: got "number", expected "integer"',
        'Give an integer.',
      ],
      [
        'invalid',
        'spec.template.spec.containers[0].resources.limits.memory',
        'invalid value for spec.template.spec.containers[0].resources.limits.memory: "512Mb" is not a quantity',
        'Use one such as 100m, 1.5 or 512Mi.',
      ],
    ],
  );
  assert.equal(issues[0]?.object, 'Deployment/shop/web');
  assert.equal(issues[0]?.kubeVersion, '1.31');
});

test('fields depend on the version, and only those required in every later version are required', async () => {
  const pod = 'apiVersion: v1\nkind: Pod\nspec: {resources: {limits: {cpu: 1}}, containers: [{name: a}]}\n';
  assert.deepEqual(await problems(pod, { kubeVersion: '1.31' }), ['error Pod unknown field "spec.resources"']);
  assert.deepEqual(await problems(pod, { kubeVersion: 'v1.32.0' }), []);
  const set = deployment.replace('kind: Deployment', 'kind: StatefulSet');
  assert.deepEqual(await problems(set, { kubeVersion: '1.29' }), []);
});

test('removed APIs are reported with their replacements', async () => {
  const budget = 'apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: a}\n';
  assert.deepEqual(await problems(budget, { kubeVersion: '1.24' }), [
    'warning PodDisruptionBudget/a policy/v1beta1 PodDisruptionBudget is deprecated since Kubernetes 1.21, and not served as of 1.25',
  ]);
  const [gone] = await validateObjects(budget, { kubeVersion: '1.25' });
  assert.equal(gone?.message, 'policy/v1beta1 PodDisruptionBudget is no longer served as of Kubernetes 1.25');
  assert.equal(gone?.hint, 'Use policy/v1 PodDisruptionBudget.');
  const policy = 'apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\n';
  assert.match((await problems(policy, { kubeVersion: '1.29' })).join(), /is there since Kubernetes 1.30 only/);
  const endpoints = 'apiVersion: v1\nkind: Endpoints\nmetadata: {name: a}\n';
  assert.deepEqual(await problems(endpoints, { kubeVersion: '1.32' }), []);
  const [deprecated] = await validateObjects(endpoints, { kubeVersion: '1.33' });
  assert.equal(deprecated?.message, 'v1 Endpoints is deprecated since Kubernetes 1.33');
  assert.equal(deprecated?.hint, 'Use discovery.k8s.io/v1 EndpointSlice.');
});

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Thing, plural: things}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          required: [spec]
          properties:
            spec:
              type: object
              required: [size, mode]
              properties:
                size: {type: integer, minimum: 1}
                mode: {type: string, enum: [fast, safe], default: safe}
                port: {x-kubernetes-int-or-string: true}
                free: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: string}}}
                names: {type: array, items: {type: string, pattern: '^[a-z]+$'}}
                labels: {type: object, additionalProperties: {type: string}}
                none: {type: string, nullable: true}
                pod: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
---
`;

const resource = (spec: string, more = ''): string =>
  `${definition}apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a${more}}\nspec: ${spec}\n`;

test('custom resources are checked by the definitions in the manifest', async () => {
  const right =
    '{size: 2, port: http, free: {a: b, b: {c: 1}}, names: [a], labels: {x: z}, none: null, pod: {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {x: 1}}}';
  assert.deepEqual(await problems(resource(right)), []);
  assert.deepEqual(await problems(resource('{mode: slow, sise: 1}')), [
    'error Thing/a missing required field "spec.size"',
    'error Thing/a unknown field "spec.sise"',
    'error Thing/a invalid value for spec.mode: "slow" is none of "fast", "safe"',
  ]);
  assert.deepEqual(await problems(resource('{size: 0, port: 1.5, free: {a: 1}, names: [a, B]}', ', labls: {}')), [
    'error Thing/a unknown field "metadata.labls"',
    'error Thing/a invalid value for spec.size: 0 is less than 1',
    'error Thing/a invalid type for spec.port: got "number", expected "integer or string"',
    'error Thing/a invalid type for spec.free.a: got "integer", expected "string"',
    'error Thing/a invalid value for spec.names[1]: "B" does not match ^[a-z]+$',
  ]);
  assert.deepEqual(await problems(resource('{size: 1, pod: {kind: Pod, metadata: {nam: p}}}')), [
    'error Thing/a unknown field "spec.pod.metadata.nam"',
  ]);
});

test('in a custom resource, a null member counts as missing, a null item does not', async () => {
  assert.deepEqual(await problems(resource('{size: 1, port: null, mode: null, labels: {x: null}}')), []);
  assert.deepEqual(await problems(resource('{size: null, names: [null]}')), [
    'error Thing/a missing required field "spec.size"',
    'error Thing/a invalid type for spec.names[0]: got "null", expected "string"',
  ]);
});

const chart = loadChart({
  'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'values.yaml': 'data: 7\n',
  'templates/a.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n{{- if true }}\ndata:\n  a: {{ .Values.data }}\n{{- end }}\n',
});

test('issues of a traced rendering have the line of the template', async () => {
  const [issue] = await validateObjects(renderRelease(chart, { trace: true }));
  assert.ok(issue);
  const text = objectIssueText(issue);
  assert.equal(
    text,
    'ConfigMap/a of web/templates/a.yaml:7: invalid type for data.a: got "integer", expected "string" (Kubernetes 1.37)',
  );
});

test('deeply nested objects are checked completely', async () => {
  const depth = 400;
  const deep = `${'{"not":'.repeat(depth)}{"typ":"a"}${'}'.repeat(depth)}`;
  const text = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","spec":{"group":"a","names":{"kind":"A","plural":"a"},"scope":"Cluster","versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":${deep}}}]}}`;
  const issues = await validateObjects(text);
  assert.equal(issues.length, 1);
  assert.match(issues[0]?.message ?? '', /unknown field ".*\.typ"$/);
});

test('toBeValid reports invalid objects', async () => {
  await expectOrder(renderRelease(chart, { values: { data: '"7"' } })).toBeValid({ kube: '1.33' });
  await assert.rejects(expectOrder(renderRelease(chart)).toBeValid({ kube: '1.33' }), {
    name: 'AssertionError',
    message:
      /^the rendered manifest is not valid\n\n {2}ConfigMap\/a of web\/templates\/a\.yaml: invalid type for data\.a: .* \(Kubernetes 1\.33\)\. Write it in quotes/,
  });
});
