// Repositories of Flux, helmfile and Argo CD: each release is imported as the tool would install it, or reported.

import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { diskTree } from '../../render/gitops/disk-tree.node.ts';
import { substitute } from '../../render/gitops/import/envsubst.ts';
import { importRepository } from '../../render/gitops/import/import.ts';
import { treeOfFiles } from '../../render/gitops/import/tree.ts';
import { createProject } from '../support/project.ts';

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

test('a repository of several clusters is refused, and one cluster is imported', () => {
  const cluster = (name: string): string =>
    `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps, namespace: flux-system}\nspec: {path: ./apps/${name}, sourceRef: {kind: GitRepository, name: flux-system}}\n`;
  const release =
    'apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web, namespace: shop}\nspec: {chart: {spec: {chart: web, sourceRef: {kind: HelmRepository, name: https://charts.example.com}}}}\n';
  const tree = treeOf({
    'clusters/prod/apps.yaml': cluster('prod'),
    'clusters/test/apps.yaml': cluster('test'),
    'apps/prod/web.yaml': release,
    'apps/test/web.yaml': release,
  });
  assert.throws(() => importRepository(tree, ['']), {
    message: 'several clusters are set up below this folder: clusters/prod, clusters/test',
  });
  const { releases } = importRepository(tree, ['clusters/test']);
  assert.deepEqual(
    releases.map(({ file }) => file),
    ['apps/test/web.yaml'],
  );
});

test('a Kustomization of an artifact made from other sources is reported, not built', () => {
  const tree = treeOf({
    'cluster/apps.yaml':
      'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps, namespace: flux-system}\nspec: {path: ./apps, sourceRef: {kind: ExternalArtifact, name: mix}}\n',
    'apps/web.yaml': 'apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web}\n',
  });
  assert.throws(() => importRepository(tree, ['cluster']), {
    message: /: it reads ExternalArtifact mix, which is made from other sources: what it installs is not known$/,
  });
});

test('variables are substituted as in Flux', () => {
  const values: Readonly<Record<string, string>> = { A: 'abcabc', B: '' };
  const run = (text: string): string => substitute(text, (name) => values[name] ?? '');
  assert.equal(run('${A} ${B:-x} ${C:=y} $A $${A} ${B:-${A} $5}'), 'abcabc x y $A ${A} abcabc $5');
  assert.throws(() => run('${A'), { message: 'missing closing brace' });
  assert.throws(() => run('${A^^}'), { message: 'the operator after A is not supported' });
});

test('variables nested deeper than the stack are refused with the file', () => {
  const deep = `${'${A:='.repeat(50_000)}1${'}'.repeat(50_000)}`;
  const tree = treeOf({
    'cluster/apps.yaml':
      'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps}\nspec: {path: ./apps, postBuild: {substitute: {B: "1"}}}\n',
    'apps/web.yaml': `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web}\nspec: {values: {deep: "${deep}"}}\n`,
  });
  assert.throws(() => importRepository(tree, ['cluster']), { code: 'LIMIT_REACHED', place: { file: 'apps/web.yaml' } });
});

test('a helmfile is rendered with its environment, and one that runs a command is refused with its place', () => {
  const tree = treeOf({
    'helmfile.yaml':
      'environments:\n  prod:\n    values: [prod.yaml]\n---\nreleases:\n{{ range $name, $size := .Values.apps }}\n  - name: {{ $name }}\n    chart: oci://r.example.com/c/{{ $name }}\n    namespace: {{ $.Environment.Name }}\n    values: ["values.yaml.gotmpl"]\n{{ end }}\n',
    'prod.yaml': 'apps: {web: 2}\n',
    'values.yaml.gotmpl': 'size: {{ index .Values.apps .Release.Name }}\n',
    'bad.yaml': 'releases:\n  - name: {{ exec "date" (list) }}\n',
    'other.yaml':
      'templates: {base: {}}\nreleases:\n  - {name: d, chart: oci://r.example.com/d, version: 1.10}\n  - {name: a, chart: oci://r.example.com/a, installedTemplate: "false"}\n  - {name: b, chart: oci://r.example.com/b, inherit: [{template: base, except: [values]}]}\n  - {name: c, chart: oci://r.example.com/c}\n',
  });
  const { order } = importRepository(tree, ['helmfile.yaml'], { environment: 'prod' });
  assert.deepEqual(
    order.spec.packages?.map(({ chart }) => [chart.name, chart.namespace, chart.values]),
    [['web', 'prod', { size: 2 }]],
  );
  assert.throws(() => importRepository(tree, ['bad.yaml']), {
    message: /bad\.yaml:2: helmfile: .*import runs no commands/,
  });
  assert.deepEqual(
    importRepository(tree, ['other.yaml']).releases.map(({ status, reason }) => [status, reason]),
    [
      ['skipped', 'releases[0]: version is a number: write it in quotes'],
      ['skipped', 'installedTemplate is not supported'],
      ['skipped', 'releases[2]: except of the inherited template base is not supported'],
      ['imported', undefined],
    ],
  );
});

test('lines of an env file keep their quotes, and literals do not', () => {
  const from = ['A', 'B', 'C']
    .map((key) => `{kind: ConfigMap, name: v, valuesKey: ${key}, targetPath: ${key}}`)
    .join(', ');
  const tree = treeOf({
    'kustomization.yaml': `resources: [web.yaml]\nconfigMapGenerator: [{name: v, envs: [.env], literals: ['C="3"']}]\n`,
    '.env': '\ufeff  A="1"\r\n\r\n  # none\r\nB=2\r\n',
    'web.yaml': `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web}\nspec: {chart: {spec: {chart: web, sourceRef: {name: repo}}}, valuesFrom: [${from}]}\n`,
  });
  const { order } = importRepository(tree, ['']);
  assert.deepEqual(order.spec.packages?.[0]?.chart.values, { A: '1', B: 2, C: 3 });
});

test('a helmfile may start with a byte order mark', () => {
  const tree = treeOf({ 'all.yaml': '\ufeffreleases: [{name: web, chart: oci://r.example.com/web}]\n' });
  assert.equal(importRepository(tree, ['all.yaml']).order.spec.packages?.length, 1);
});

test('helmfiles that include each other are reported once', () => {
  const tree = treeOf({
    'helmfile.yaml': 'helmfiles: [b.yaml]\nreleases: [{name: web, chart: oci://r.example.com/web}]\n',
    'b.yaml': 'helmfiles: [helmfile.yaml]\n',
  });
  assert.deepEqual(
    importRepository(tree, ['helmfile.yaml']).releases.map(({ file, reason }) => [file, reason]),
    [
      ['b.yaml', 'helmfiles[0]: helmfile.yaml includes this helmfile'],
      ['helmfile.yaml', undefined],
    ],
  );
});

test('a symbolic link to a folder on its own path is not followed', () => {
  const { folder } = createProject({
    'apps/a/web.yaml':
      'apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: web}\nspec: {source: {repoURL: https://charts.example.com, chart: web}}\n',
    'apps/b/note.txt': '',
  });
  for (const [path, target] of [
    ['apps/self', '..'],
    ['apps/a/b', '../b'],
    ['apps/b/a', '../a'],
  ] as const)
    symlinkSync(target, join(folder, path));
  const { order } = importRepository(diskTree(folder), ['apps']);
  assert.deepEqual(
    order.spec.packages?.map(({ chart }) => chart.releaseName),
    ['web'],
  );
});

test('an ApplicationSet generates Applications from lists and folders', () => {
  const tree = treeOf({
    'set.yaml':
      'apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: all}\nspec:\n  generators:\n    - matrix:\n        generators:\n          - git: {repoURL: https://git.example.com/a.git, directories: [{path: charts/*}]}\n          - list: {elements: [{env: dev}, {env: prod}]}\n    - pullRequest: {}\n  template:\n    metadata: {name: "{{path.basename}}-{{env}}"}\n    spec: {destination: {namespace: "{{env}}"}, source: {repoURL: https://git.example.com/a.git, path: "{{path}}", helm: {parameters: [{name: env, value: "{{env}}"}]}}}\n',
    'charts/web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  });
  const { order, releases } = importRepository(tree, ['set.yaml']);
  assert.deepEqual(
    order.spec.packages?.map(({ chart }) => [chart.releaseName, chart.sourceRef?.name, chart.values]),
    [
      ['web-dev', 'charts/web', { env: 'dev' }],
      ['web-prod', 'charts/web', { env: 'prod' }],
    ],
  );
  assert.match(
    releases.find(({ status }) => status === 'skipped')?.reason ?? '',
    /spec\.generators\[1\]: the generator pullRequest asks a server, or is not supported/,
  );
});

test('an Application of Applications that are also named is not reported', () => {
  const application = (name: string, source: string): string =>
    `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: ${name}, namespace: argocd}\nspec: {destination: {namespace: shop}, source: {repoURL: https://example.com, ${source}}}\n`;
  const tree = treeOf({
    'apps/all.yaml': application('all', 'path: apps'),
    'apps/web.yaml': application('web', 'chart: web'),
  });
  assert.equal(importRepository(tree, ['apps']).summary, '1 release: 1 imported, 0 imported with notes, 0 skipped');
});

test('a chart inside a folder of manifests is ignored, and a folder that is a chart is refused', () => {
  const tree = treeOf({
    'apps/web.yaml':
      'apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: web}\nspec: {destination: {namespace: shop}, source: {repoURL: https://charts.example.com, chart: web, targetRevision: 1.0.0}}\n',
    'apps/own/Chart.yaml': 'apiVersion: v2\nname: own\nversion: 1.0.0\n',
    'apps/own/templates/a.yaml': '{{ if .Values.a }}\n',
  });
  assert.equal(importRepository(tree, ['apps']).summary, '1 release: 1 imported, 0 imported with notes, 0 skipped');
  assert.throws(() => importRepository(tree, ['apps/own']), /apps\/own is a Helm chart/);
});
