// Repositories of Flux, helmfile and Argo CD: each release is imported as the tool would install it, or reported.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { substitute } from '../../render/gitops/import/envsubst.ts';
import { importRepository } from '../../render/gitops/import/import.ts';
import { treeOfFiles } from '../../render/gitops/import/tree.ts';

const treeOf = (files: Readonly<Record<string, string>>) => treeOfFiles(new Map(Object.entries(files)));

test('a Flux repository: kustomize, variables, values of generated ConfigMaps, and the order of Kustomizations', () => {
  const kustomization = (name: string, more: string): string =>
    `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: ${name}, namespace: flux-system}\nspec: {path: ./${name}, sourceRef: {kind: GitRepository, name: flux-system}, ${more}}\n`;
  const release = (name: string, spec: string): string =>
    `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: ${name}}\nspec: {chart: {spec: {chart: ${name}, sourceRef: {kind: HelmRepository, name: repo}}}, ${spec}}\n`;
  const tree = treeOf({
    'cluster/apps.yaml': kustomization(
      'apps',
      'targetNamespace: shop, dependsOn: [{name: infra}], postBuild: {substitute: {HOST: example.com, SIZE: "3"}}',
    ),
    'cluster/infra.yaml': kustomization('infra', 'targetNamespace: infra'),
    'infra/all.yaml': release('db', 'values: {switch: yes}'),
    'infra/repo.yaml':
      'apiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmRepository\nmetadata: {name: repo}\nspec: {url: https://charts.example.com}\n',
    'apps/kustomization.yaml':
      'resources: [web.yaml, repo.yaml]\nconfigMapGenerator: [{name: extra, files: [values.yaml]}]\npatches: [{target: {kind: HelmRelease}, patch: "[{op: add, path: /spec/values/patched, value: true}]"}]\n',
    'apps/repo.yaml':
      'apiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmRepository\nmetadata: {name: repo}\nspec: {url: https://charts.example.com}\n',
    'apps/values.yaml': 'a: 1\nb: {c: 2}\n',
    'apps/web.yaml': release(
      'web',
      'valuesFrom: [{kind: ConfigMap, name: extra}], values: {host: "${HOST}", size: "${SIZE:=1}", port: "${PORT:=80}", raw: "$${HOST}", b: {d: 3}}, postRenderers: [{}]',
    ),
  });
  const { order, releases, summary } = importRepository(tree, ['cluster']);
  assert.deepEqual(
    order.spec.packages?.map(({ chart }) => [chart.namespace, chart.releaseName, chart.values]),
    [
      ['infra', 'db', { switch: 'yes' }],
      [
        'shop',
        'web',
        { a: 1, b: { c: 2, d: 3 }, host: 'example.com', patched: true, port: 80, raw: '${HOST}', size: 3 },
      ],
    ],
  );
  assert.equal(summary, '2 releases: 1 imported, 1 imported with notes, 0 skipped');
  assert.deepEqual(
    releases[1]?.notes.map(({ path }) => path),
    ['spec.postRenderers'],
  );
});

test('variables are substituted as in Flux', () => {
  const values: Readonly<Record<string, string>> = { A: 'abcabc', B: '' };
  const run = (text: string): string => substitute(text, (name) => values[name] ?? '');
  assert.equal(
    run('${A} ${B:-x} ${C:=y} ${A^^} ${#A} ${A:1:2} ${A/b/X} ${A//b/X} ${A%c} $A $${A} ${B:-${A}}'),
    'abcabc x y ABCABC 6 bc aXcabc aXcaXc abcab $A ${A} abcabc',
  );
  assert.throws(() => run('${A'), { message: 'missing closing brace' });
});

test('a helmfile is rendered with its environment, and one that runs a command is refused with its place', () => {
  const tree = treeOf({
    'helmfile.yaml':
      'environments:\n  prod:\n    values: [prod.yaml]\n---\nreleases:\n{{ range $name, $size := .Values.apps }}\n  - name: {{ $name }}\n    chart: oci://r.example.com/c/{{ $name }}\n    namespace: {{ $.Environment.Name }}\n    values: ["values.yaml.gotmpl"]\n{{ end }}\n',
    'prod.yaml': 'apps: {web: 2}\n',
    'values.yaml.gotmpl': 'size: {{ index .Values.apps .Release.Name }}\n',
    'bad.yaml': 'releases:\n  - name: {{ exec "date" (list) }}\n',
  });
  const { order } = importRepository(tree, ['helmfile.yaml'], { environment: 'prod' });
  assert.deepEqual(
    order.spec.packages?.map(({ chart }) => [chart.name, chart.namespace, chart.values]),
    [['web', 'prod', { size: 2 }]],
  );
  assert.throws(() => importRepository(tree, ['bad.yaml']), {
    message: /bad\.yaml:2: helmfile: .*import runs no commands/,
  });
});
