import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RenderedOrder, renderOrder } from '../../../render/api/order.ts';
import { loadChart } from '../../../render/chart/load.ts';
import { memoryRegistry } from '../../../render/chart/registry.ts';
import type { ResourceList } from '../../../render/output/resources.ts';
import { chartYaml } from '../../support/project.ts';

function render(files: Readonly<Record<string, string>>): Promise<RenderedOrder> {
  const chart = { name: 'web', releaseName: 'web', namespace: 'shop', sourceRef: { kind: 'Embed', name: 'web' } };
  const registry = memoryRegistry([loadChart({ 'Chart.yaml': chartYaml('web'), ...files })]);
  return renderOrder({ spec: { packages: [{ chart }] } }, { registry });
}

async function list(files: Readonly<Record<string, string>>): Promise<ResourceList> {
  return (await render(files)).resources()[0] as ResourceList;
}

const object = (apiVersion: string, kind: string, name: string, more = ''): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: ${name}\n${more}`;

test('namespaces are set exactly for namespaced kinds', async () => {
  const crd = 'spec: {group: example.com, scope: Cluster, names: {kind: Wide, plural: wides}}\n';
  const { resources } = await list({
    'templates/all.yaml': [
      object('v1', 'ConfigMap', 'web'),
      object('v1', 'Secret', 'web', '  namespace: other\n'),
      object('rbac.authorization.k8s.io/v1', 'ClusterRole', 'web'),
      object('example.com/v1', 'Wide', 'web'),
      object('unknown.io/v1', 'ClusterIssuer', 'web'),
      object('unknown.io/v1', 'Issuer', 'web'),
    ].join('---\n'),
    'crds/wide.yaml': object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'wides.example.com', crd),
  });
  const namespaces = Object.fromEntries(
    resources.map(({ filename, data }) => [filename, /namespace: (\S+)/.exec(data)?.[1]]),
  );
  assert.deepEqual(namespaces, {
    'secret.yaml': 'other',
    'config_map.yaml': 'shop',
    'cluster_role.yaml': undefined,
    'cluster_issuer.yaml': undefined,
    'issuer.yaml': 'shop',
    'wide.yaml': undefined,
  });
});

test('lists are split, typed ones too, and CRD files may contain several documents', async () => {
  const crd = (name: string): string => object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', name);
  const { resources, crds } = await list({
    'templates/all.yaml':
      'apiVersion: v1\nkind: ConfigMapList\nitems:\n- metadata: {name: web-a}\n- metadata: {name: web-b}\n',
    'templates/more.yaml': `apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pod, metadata: {name: web}}\n`,
    'crds/two.yaml': `# a comment alone\n---\n${crd('a.x.io')}---\n${crd('b.x.io')}`,
  });
  assert.deepEqual(
    resources.map(({ filename }) => filename),
    ['config_map_a.yaml', 'config_map_b.yaml', 'pod.yaml'],
  );
  assert.match(resources[0]?.data ?? '', /^apiVersion: v1\nkind: ConfigMap\n/);
  assert.deepEqual(
    crds.map(({ key }) => key),
    ['apiextensionsCustomResourceDefinition_axio', 'apiextensionsCustomResourceDefinition_bxio'],
  );
});

test('objects that YAML cannot express are written as JSON', async () => {
  const { resources } = await list({
    'templates/all.yaml': object('v1', 'ConfigMap', 'web', 'data: {a: "\\x9f", b: c}\n'),
  });
  assert.deepEqual(JSON.parse(resources[0]?.data ?? ''), {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'web', namespace: 'shop' },
    data: { a: '\u009f', b: 'c' },
  });
});
