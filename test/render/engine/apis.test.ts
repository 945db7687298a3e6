// A package sees the APIs of everything before it in the Order, and its own `crds/`, as Helm discovers them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspectOrder, type RenderedOrder, renderOrder } from '../../../render/api/order.ts';
import { loadChart } from '../../../render/chart/load.ts';
import { memoryRegistry } from '../../../render/chart/registry.ts';
import { chartIn, chartYaml } from '../../support/project.ts';

const crd = (plural: string, kind: string): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${plural}.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: ${kind}, plural: ${plural}}
  versions:
    - name: v1
      served: true
      schema:
        openAPIV3Schema:
          description: |
            kind: APIService
          type: object
      subresources: {scale: {}}
    - {name: v1alpha1, served: false}
`;

const asks = (...names: readonly string[]): string =>
  `kind: ConfigMap\napiVersion: v1\nmetadata: {name: {{ .Chart.Name }}}\ndata:\n${names
    .map((name) => `  ${name.replaceAll('/', '_')}: "{{ .Capabilities.APIVersions.Has "${name}" }}"\n`)
    .join('')}`;

const all = [
  'example.com/v1',
  'example.com/v1/Thing',
  'example.com/v1/Scale',
  'example.com/v1alpha1',
  'example.com/v2',
];

/** A chart: its name and its files. */
type Sample = readonly [name: string, files: Readonly<Record<string, string>>];

const input = (packages: readonly Sample[]) => ({
  spec: {
    packages: packages.map(([name]) => ({
      chart: { name, releaseName: name, namespace: 'here', sourceRef: { kind: 'Embed', name } },
    })),
  },
});

const registryOf = (packages: readonly Sample[]) =>
  memoryRegistry(packages.map(([name, files]) => loadChart({ 'Chart.yaml': chartYaml(name), ...files })));

function render(packages: readonly Sample[], apiVersions?: readonly string[]): Promise<RenderedOrder> {
  return renderOrder(input(packages), { registry: registryOf(packages), apiVersions });
}

async function found(name: string, ...packages: readonly Sample[]): Promise<string[]> {
  const { release } = (await render(packages)).packages.find(({ release }) => release.name === name)!;
  const { content = '' } = release.manifests.find(({ kind }) => kind === 'ConfigMap') ?? {};
  return [...content.matchAll(/^ {2}(\S+): "true"$/gm)].map(([, word = '']) => word.replaceAll('_', '/'));
}

const user: Sample = ['user', { 'templates/map.yaml': asks(...all) }];
const served = ['example.com/v1', 'example.com/v1/Thing', 'example.com/v1/Scale'];
const hook = (policy: string): string =>
  crd('things', 'Thing').replace(
    'metadata: {',
    `metadata: {annotations: {"helm.sh/hook": pre-install, "helm.sh/hook-delete-policy": "${policy}"}, `,
  );

// The files of the preceding package, and the result of the check.
const rows: readonly (readonly [string, Sample[1], readonly string[]])[] = [
  ['a chart with crds/', { 'crds/a.yaml': crd('things', 'Thing') }, served],
  ['a chart with definitions in templates', { 'templates/a.yaml': crd('things', 'Thing') }, served],
  ['a definition as a hook that stays', { 'templates/a.yaml': hook('before-hook-creation') }, served],
  ['a definition as a hook that goes', { 'templates/a.yaml': hook('hook-succeeded') }, []],
  [
    'an API service',
    {
      'templates/a.yaml':
        'apiVersion: apiregistration.k8s.io/v1\nkind: APIService\nmetadata: {name: v2.example.com}\nspec: {group: example.com, version: v2}\n',
    },
    ['example.com/v2'],
  ],
  [
    'a definition in the first form',
    {
      'crds/a.json':
        '{"apiVersion":"apiextensions.k8s.io/v1beta1","kind":"CustomResourceDefinition","metadata":{"name":"things.example.com"},"spec":{"group":"example.com","version":"v2","names":{"kind":"Other"}}}',
    },
    ['example.com/v2'],
  ],
];

for (const [title, files, expected] of rows) {
  test(`after ${title}`, async () => {
    assert.deepEqual(await found('user', ['crds', files], user), expected);
    assert.deepEqual(await found('user', user, ['crds', files]), []);
  });
}

test('a chart finds its own crds/ and those of its subcharts, but not definitions in its templates', async () => {
  const map = { 'templates/map.yaml': asks(...all) };
  const subchart = chartIn('charts/inner', { 'crds/a.yaml': crd('things', 'Thing') });
  assert.deepEqual(await found('own', ['own', { ...map, 'crds/a.yaml': crd('things', 'Thing') }]), served);
  assert.deepEqual(await found('own', ['own', { ...map, 'templates/a.yaml': crd('things', 'Thing') }]), []);
  assert.deepEqual(await found('own', ['own', { ...map, ...subchart }]), served);
});

test('check reports packages that render differently in an Order, and API versions that -a adds too early', async () => {
  const crds: Sample = ['crds', { 'crds/a.yaml': crd('things', 'Thing') }];
  const user: Sample = ['user', { 'templates/map.yaml': asks('example.com/v1/Thing') }];
  const issues = async (packages: readonly Sample[], apiVersions: readonly string[] = []) =>
    (await inspectOrder(input(packages), { registry: registryOf(packages), apiVersions })).map(
      ({ severity, path, message }) => `${severity} ${path} ${message}`,
    );
  assert.deepEqual(await issues([crds, user]), [
    'note spec.packages[1].chart its templates ask for example.com/v1/Thing and find it, because spec.packages[0] provides it',
  ]);
  assert.deepEqual(await issues([crds, user], ['example.com/v1/Thing']), []);
  assert.deepEqual(await issues([user, crds], ['example.com/v1/Thing']), [
    'warning spec.packages[0].chart its templates ask for example.com/v1/Thing, which -a declares, and spec.packages[1] provides it only after they are rendered',
  ]);
  assert.deepEqual((await render([crds, user])).warnings, []);
});
