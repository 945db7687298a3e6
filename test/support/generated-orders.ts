// Generates Orders of the fixture charts: every kind of source, unusual names, resources and waits, values and patches.

import type { JsonObject } from '../../render/order/order.ts';
import { fc } from './fast-check.ts';
import { valueTree } from './value-trees.ts';

const release = fc.oneof(
  fc.constantFrom('a', 'x'.repeat(53), 'if', 'esac', 'done', '1', '0.0', 'a-b.c', 'default'),
  fc.stringMatching(/^[a-z0-9]{1,8}(-[a-z0-9]{1,8})?$/),
);
const anySource = fc.constantFrom(
  { kind: 'Embed', name: 'web' },
  { kind: 'Local', name: "/srv/it's a chart $HOME/web" },
  { kind: 'Local', name: 'charts/web' },
  { kind: 'HelmRepository', name: 'stable', namespace: 'flux' },
  { kind: 'HelmRepository', name: 'https://charts.example.com/a?b=c&d=%20' },
  { kind: 'Legacy', name: 'http://localhost:8080' },
  { kind: 'OCIRepository', name: 'oci://registry.example.com:5000/charts' },
);
const wait = fc.record({
  resource: fc.constantFrom({ group: 'pods' }, { group: 'deployments.apps' }),
  labels: fc.constantFrom(
    { matchLabels: { app: 'a', 'example.com/tier': '' } },
    {
      matchExpressions: [
        { key: 'a', operator: 'NotIn', values: ['b', 'c'] },
        { key: 'd', operator: 'DoesNotExist' },
      ],
    },
    { matchExpressions: [{ key: 'a', operator: 'Exists' }] },
  ),
  timeout: fc.constantFrom('', '0s', '-1s', '1m30s'),
  for: fc.constantFrom(
    'delete',
    'condition=Ready',
    'condition=Ready=false',
    `jsonpath={.status.conditions[?(@.type=="It's")]}=a b`,
  ),
});
const claims = fc.subarray([
  { group: 'example.com', version: 'v1', resource: 'things' },
  { group: 'cert-manager.io', version: 'v1', resource: 'certificates' },
]);

const some = (values: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> =>
  fc.record(values, { requiredKeys: [] });
const values: Readonly<Record<string, fc.Arbitrary<object>>> = {
  web: some({
    tree: valueTree,
    replicaCount: fc.integer({ min: 0, max: 9 }),
    ingress: fc.record({ enabled: fc.boolean() }),
    autoscaling: fc.record({ enabled: fc.boolean() }),
    serviceAccount: fc.record({ create: fc.boolean() }),
    env: fc.dictionary(fc.stringMatching(/^[A-Z]{1,4}$/), fc.oneof(fc.integer(), fc.string(), fc.constant(null))),
  }),
  // The chart prints all of its values as YAML, which Helm cannot do with every string.
  umbrella: some({
    tags: fc.record({ caching: fc.boolean() }),
    database: fc.record({ enabled: fc.boolean() }),
    metrics: fc.record({ enabled: fc.boolean() }),
  }),
  'crds-and-hooks': some({ tree: valueTree, migrate: fc.boolean() }),
  'library-user': some({ tree: valueTree }),
  'values-as-json': some({ tree: valueTree }),
};
const patches: Readonly<Record<string, readonly JsonObject[]>> = {
  web: [
    { op: 'remove', path: '/env/LOG_LEVEL' },
    { op: 'replace', path: '/config/upstreams', value: [] },
    { op: 'remove', path: '/livenessProbe' },
    { op: 'copy', from: '/service/port', path: '/autoscaling/maxReplicas' },
    { op: 'add', path: '/extraEnv/-', value: { name: 'X', value: '1e6' } },
    { op: 'test', path: '/password', value: '' },
  ],
  umbrella: [{ op: 'remove', path: '/global/labels' }],
  'library-user': [{ op: 'remove', path: '/overrides/spec' }],
  'crds-and-hooks': [{ op: 'remove', path: '/schedule' }],
};

const selectionOf = (name: string, source: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> =>
  fc.record({
    name: fc.constant(name),
    sourceRef: source,
    releaseName: release,
    namespace: fc.constantFrom('default', 'kube-system', 'shop', 'a', 'n'.repeat(63), 'if'),
    values: values[name] as fc.Arbitrary<JsonObject>,
    valuesPatch: fc.subarray([...(patches[name] ?? [])]),
    resources: fc.record({ owned: claims, required: claims }),
    waitFors: fc.array(wait, { maxLength: 2 }) as fc.Arbitrary<JsonObject[]>,
  });

/** Returns an arbitrary Order of one to four packages, whose charts have any kind of source, or the given one. */
export function generatedOrder(source: fc.Arbitrary<JsonObject> = anySource): fc.Arbitrary<JsonObject> {
  const chart = fc.oneof(...Object.keys(values).map((name) => selectionOf(name, source)));
  return fc
    .uniqueArray(chart, { minLength: 1, maxLength: 4, selector: (item) => `${item.namespace}/${item.releaseName}` })
    .map((charts) => ({
      metadata: { name: 'generated' },
      spec: { packages: charts.map((item) => ({ chart: item })) },
    }));
}
