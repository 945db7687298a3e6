import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspectOrder, renderOrder } from '../../../../render/api/order.ts';
import type { Chart } from '../../../../render/chart/chart.ts';
import { loadChart } from '../../../../render/chart/load.ts';
import { memoryRegistry } from '../../../../render/chart/registry.ts';
import type { Issue } from '../../../../render/core/errors.ts';
import { encodeUtf8 } from '../../../../render/go/utf8.ts';
import type { JsonObject } from '../../../../render/order/order.ts';

interface Package {
  /** By default that of its place: a, b. */
  readonly name?: string;
  /** The templates. */
  readonly objects?: string;
  readonly crds?: string;
  readonly meta?: string;
  readonly more?: JsonObject;
}

function chartOf({ name = '', objects = '', crds = '', meta = '' }: Package): Chart {
  const files = {
    'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n${meta}`,
    'templates/all.yaml': objects,
    ...(crds === '' ? {} : { 'crds/all.yaml': crds }),
  };
  return loadChart(new Map(Object.entries(files).map(([path, text]) => [path, encodeUtf8(text)])));
}

async function issuesOf(given: readonly Package[], spec: JsonObject = {}, helm?: 3 | 4): Promise<string[]> {
  const packages = given.map((one, index) => ({ name: 'ab'.charAt(index), ...one }));
  const charts = packages.map(({ name, more = {} }) => ({
    chart: { name, releaseName: name, namespace: 'here', sourceRef: { kind: 'Embed', name }, ...more },
  }));
  const order = { spec: { packages: charts, ...spec } };
  const options = { registry: memoryRegistry(packages.map(chartOf)), helm };
  const issues = await inspectOrder(order, options);
  // A caller that renders anyway gets the same result without another rendering.
  const watched = await renderOrder(order, { ...options, watch: true }).catch(() => undefined);
  assert.deepEqual(watched?.issues ?? issues, issues);
  return issues.map(({ severity, path, message, hint }: Issue) => {
    assert.ok(hint === undefined || hint.endsWith('.'), hint);
    return `${severity} ${path.replace('spec.packages', '')} ${message}`;
  });
}

const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec: {group: example.com, scope: Namespaced, names: {kind: Thing, plural: things, shortNames: [th]}}
`;
const resource = 'apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: t, labels: {app: x}}\n';
const claim = [{ group: 'example.com', version: 'v1', resource: 'things' }];
const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {template: {metadata: {labels: {app: web, tier: front}}}}
`;
const config = (name: string, namespace = ''): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}${namespace && `, namespace: ${namespace}`}}\n`;
const waits = (...waitFors: JsonObject[]): JsonObject => ({ waitFors });

const hook = (name: string, event: string, policy = ''): string =>
  `apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: ${name}\n  annotations: {"helm.sh/hook": ${event}${policy && `, "helm.sh/hook-delete-policy": ${policy}`}}\n`;
const role = 'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: r}\n';
const hookOf = (text: string, event: string): string =>
  text.replace('metadata: {', `metadata: {annotations: {"helm.sh/hook": ${event}}, `);
const pod = (spec: string): string => `apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: ${spec}\n`;
const tooLate = [
  'error [0].chart example.com/v1 Thing of a/templates/all.yaml is defined by a/templates/all.yaml of the same release: its first installation with Helm fails',
];

// The check, the packages, and the issues.
const rows: readonly (readonly [string, readonly Package[], readonly string[]])[] = [
  ['a kind with its CRD', [{ crds: crd, objects: resource }], []],
  [
    'a kind with a CRD after',
    [{ objects: resource }, { crds: crd }],
    ['error [0].chart example.com/v1 Thing of a/templates/all.yaml is defined by spec.packages[1], which comes later'],
  ],
  [
    'a kind without CRD',
    [{ objects: `${resource}---\n${resource.replace('name: t', 'name: u')}` }],
    ['warning [0].chart example.com/v1 Thing of a/templates/all.yaml is defined by no package of the Order'],
  ],
  [
    'a kind whose CRD is required',
    [{ objects: resource, more: { resources: { required: claim } } }],
    ['warning [0].chart.resources.required[0] things.example.com is not provided by any package'],
  ],
  ['a required CRD that is brought', [{ crds: crd }, { more: { resources: { required: claim } } }], []],
  [
    'a required CRD that comes later',
    [{ more: { resources: { required: claim } } }, { crds: crd }],
    ['error [0].chart.resources.required[0] things.example.com is provided by spec.packages[1], which comes later'],
  ],
  [
    'no such kind',
    [{ objects: deployment.replace('Deployment', 'Deploymint') }],
    ['error [0].chart apps/v1 Deploymint of a/templates/all.yaml is not a kind of Kubernetes'],
  ],
  [
    'one object of two packages',
    [{ objects: config('x') }, { objects: config('x') }],
    ['error [1].chart ConfigMap here/x is made by spec.packages[0] too'],
  ],
  [
    'another namespace',
    [{ objects: config('x', 'm') }],
    ['warning [0].chart objects live in namespace m, which no package makes'],
  ],
  ['CRDs in crds/ of two packages, which Helm shares', [{ crds: crd }, { crds: crd }], []],
  [
    'a CRD in crds/, then in a template',
    [{ crds: crd }, { objects: crd }],
    ['error [1].chart CustomResourceDefinition things.example.com is made by spec.packages[0] too'],
  ],
  [
    'a CRD file that is not valid YAML, and what else there is',
    [{ crds: 'kind: CustomResourceDefinition\na: [1\n' }, { objects: deployment.replace('Deployment', 'Deploymint') }],
    [
      "error [0].chart YAML parse error on a/crds/all.yaml: error converting YAML to JSON: yaml: line 2: did not find expected ',' or ']'",
      'error [1].chart apps/v1 Deploymint of b/templates/all.yaml is not a kind of Kubernetes',
    ],
  ],
  [
    'a chart for another Kubernetes',
    [{ meta: 'kubeVersion: "<1.20"\n' }, { objects: '{{ fail "no" }}' }],
    [
      'error [0].chart package here/a (chart a): chart requires kubeVersion: <1.20 which is incompatible with Kubernetes v1.37.0',
      'error [1].chart package here/b (chart b): execution error at (b/templates/all.yaml:1:3): no',
    ],
  ],
  [
    'waits that match',
    [
      {
        crds: crd,
        objects: `${deployment}---\n${resource}`,
        more: waits(
          { resource: { group: 'deployments.apps', resource: 'web' }, for: 'condition=Available' },
          { resource: { group: 'deploy' }, all: true, for: 'condition=Available' },
          { resource: { group: 'deployments.v1.apps' }, all: true, for: 'condition=Available' },
          { resource: { group: 'pods' }, labels: { matchLabels: { app: 'web' } }, for: 'condition=Ready' },
          { resource: { group: 'pod', resource: 'web-0' }, for: 'condition=Ready' },
          { resource: { group: 'things.example.com', resource: 't' }, for: 'condition=Ready' },
          {
            resource: { group: 'th' },
            labels: { matchExpressions: [{ key: 'app', operator: 'In', values: ['x'] }] },
            for: 'create',
          },
          { resource: { group: 'pods', resource: 'old' }, for: 'delete' },
          { resource: { group: 'crd', resource: 'things.example.com' }, for: 'condition=Established' },
        ),
      },
    ],
    [],
  ],
  [
    'a hook that deletes what another release has',
    [{ objects: role }, { objects: hook('r', 'pre-install') }],
    ['error [1].chart ClusterRole r, a hook, deletes the one that spec.packages[0] makes and takes its place'],
  ],
  [
    'a hook that stays, and an object of its name after it',
    [{ objects: hook('r', 'pre-install') }, { objects: role }],
    ['error [1].chart ClusterRole r is made by spec.packages[0] too'],
  ],
  [
    'a hook that does not delete what is there',
    [{ objects: hook('r', 'pre-install') }, { objects: hook('r', 'pre-install', 'hook-succeeded') }],
    ['error [1].chart ClusterRole r, a hook, is made by spec.packages[0] too, and nothing deletes that one'],
  ],
  ['a kind with its CRD in the templates', [{ objects: `${crd}---\n${resource}` }], tooLate],
  [
    'a hook of a kind with its CRD in the templates, before',
    [{ objects: `${crd}---\n${hookOf(resource, 'pre-install')}` }],
    tooLate,
  ],
  [
    'a hook of a kind with its CRD in the templates, after',
    [{ objects: `${crd}---\n${hookOf(resource, 'post-install')}` }],
    [],
  ],
  [
    'entries that stand twice',
    [
      {
        objects: pod(
          '{containers: [{name: c, env: [{name: A, value: "1"}, {name: B}, {name: A, value: "2"}], ports: [{containerPort: 80}, {containerPort: 80, protocol: TCP}, {containerPort: 80, protocol: UDP}]}]}',
        ),
      },
    ],
    [
      'error [0].chart Pod here/p of a/templates/all.yaml has two entries with name A in spec.containers[0].env: a server-side apply refuses it',
      'error [0].chart Pod here/p of a/templates/all.yaml has two entries with containerPort 80 and protocol TCP in spec.containers[0].ports: a server-side apply refuses it',
    ],
  ],
  [
    'entries that may stand twice',
    [
      {
        objects:
          'apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: s}\nimagePullSecrets: [{name: a}, {name: a}]\nsecrets: [{name: a}]\n',
      },
    ],
    [],
  ],
  [
    'waits that match nothing',
    [
      {
        objects: deployment,
        more: waits(
          { resource: { group: 'deployments.apps', resource: 'wep' }, for: 'condition=Available' },
          { resource: { group: 'deployments.extensions', resource: 'web' }, for: 'condition=Available' },
          { resource: { group: 'pods' }, labels: { matchLabels: { app: 'wep' } }, for: 'condition=Ready' },
          {
            resource: { group: 'pods' },
            labels: { matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['front'] }] },
            for: 'condition=Ready',
          },
          { resource: { group: 'statefulsets' }, all: true, for: 'create' },
        ),
      },
    ],
    ['deployments.apps/wep', 'deployments.extensions/web', 'pods', 'pods', 'statefulsets'].map(
      (target, index) =>
        `warning [0].chart.waitFors[${index}] ${target} matches nothing that the Order makes in namespace here`,
    ),
  ],
];

for (const [title, packages, want] of rows) {
  test(title, async () => assert.deepEqual(await issuesOf(packages), want));
}

test('generated names are not supported by Helm', async () => {
  const named = (annotations: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {generateName: g-, annotations: {${annotations}}}\n`;
  const refused = [
    'error [0].chart ConfigMap of a/templates/all.yaml has generateName g- and no name: its installation with Helm fails',
  ];
  // Recorded from Helm 3.17.3 and 4.2.3 with the API server of the end-to-end tests.
  for (const [annotations, by3, by4] of [
    ['', refused, refused],
    ['helm.sh/hook: post-install', refused, refused],
    ['helm.sh/hook: post-install, helm.sh/hook-delete-policy: hook-succeeded', refused, refused],
    ['helm.sh/hook: post-install, helm.sh/hook-delete-policy: hook-failed', [], refused],
  ] as const) {
    const packages = [{ objects: named(annotations) }];
    assert.deepEqual(await issuesOf(packages), by3, annotations);
    assert.deepEqual(await issuesOf(packages, {}, 4), by4, annotations);
  }
});

test("kinds have the versions of the Order's Kubernetes version", async () => {
  const budget = 'apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: x}\n';
  const claim = 'apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: x}\n';
  const name = (kind: string): string => `warning [0].chart ${kind} of a/templates/all.yaml`;
  for (const [objects, kubeVersion, wanted] of [
    [budget, 'v1.24.0', []],
    [budget, 'v1.25.0', [`${name('policy/v1beta1 PodDisruptionBudget')} is no longer served as of Kubernetes 1.25`]],
    [claim, 'v1.33.0', [`${name('resource.k8s.io/v1 ResourceClaim')} is there since Kubernetes 1.34 only`]],
    [claim, 'v1.34.0', []],
    [deployment, 'v1.16.0', []],
    [config('x'), 'v1.99.0', []],
    [
      claim.replace('v1', 'v1alpha2'),
      'v1.31.0',
      [`${name('resource.k8s.io/v1alpha2 ResourceClaim')} is no longer served as of Kubernetes 1.31`],
    ],
  ] as const) {
    assert.deepEqual(await issuesOf([{ objects }], { kubeVersion }), wanted, kubeVersion);
  }
});

test('the Kubernetes version may be a constraint that the default satisfies', async () => {
  assert.deepEqual(await issuesOf([{}], { kubeVersion: '>=1.25' }), []);
  assert.deepEqual(await issuesOf([{ meta: 'kubeVersion: "<1.20"\n' }], { kubeVersion: 'v1.19.3' }), []);
  await assert.rejects(
    issuesOf([{}], { kubeVersion: '<1.20' }),
    /^RenderError: spec\.kubeVersion "<1\.20" is no Kubernetes version/,
  );
});

test('the time of checks is proportional to the number of packages', async () => {
  const packages = Array.from({ length: 300 }, (_, index): Package => {
    const more = waits({ resource: { group: 'pods' }, all: true, for: 'condition=Ready' });
    return { name: `a${index}`, objects: deployment.replace('name: web', `name: web-${index}`), more };
  });
  const started = performance.now();
  assert.deepEqual(await issuesOf(packages), []);
  // A machine under load takes its time; the problem that this test looks for takes minutes.
  assert.ok(performance.now() - started < 30_000);
});
