import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Chart } from '../../../render/chart/chart.ts';
import { loadChart } from '../../../render/chart/load.ts';
import { memoryRegistry } from '../../../render/chart/registry.ts';
import { encodeUtf8 } from '../../../render/go/utf8.ts';
import type { ResourceList } from '../../../render/output/resources.ts';
import { type RenderedOrder, renderOrder } from '../../../render/rendered-order.ts';
import { isMutating, runScript, testShellCheck } from '../../support/shells.ts';

function chartOf(files: Readonly<Record<string, string>>): Chart {
  const all = { 'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n', ...files };
  return loadChart(new Map(Object.entries(all).map(([path, text]) => [path, encodeUtf8(text)])));
}

function render(files: Readonly<Record<string, string>>): Promise<RenderedOrder> {
  const chart = { name: 'web', releaseName: 'web', namespace: 'shop', sourceRef: { kind: 'Embed', name: 'web' } };
  return renderOrder({ spec: { packages: [{ chart }] } }, { registry: memoryRegistry([chartOf(files)]) });
}

test('a repository that goes by a name must be known to Helm before anything is installed', async (context) => {
  const packages = ['stable', 'stable-2', 'https://charts.example.com'].map((name, index) => ({
    chart: { name: 'web', releaseName: `r${index}`, namespace: 'shop', sourceRef: { kind: 'HelmRepository', name } },
  }));
  const registry = memoryRegistry([chartOf({})]);
  const one = await renderOrder({ spec: { packages: packages.slice(0, 1) } }, { registry });
  await testShellCheck('a script with one repository', () => one.helmScript(), context);
  const rendered = await renderOrder({ spec: { packages } }, { registry });
  const script = rendered.helmScript();
  assert.match(script, /# Helm must know the repository stable-2: helm repo add stable-2 URL\n/);
  await testShellCheck('a script with two repositories', () => script, context);
  const run = (list: string): [number, number, string] => {
    const behaviour = `[ "$1 $2" != 'repo list' ] || printf '${list}'`;
    const { code, calls, stderr } = runScript(script, ['sh'], { behaviour });
    return [code, calls.filter(isMutating).length, stderr];
  };
  assert.deepEqual(run('NAME    \\tURL\\nstable  \\thttps://a\\nstable-2\\thttps://b\\n').slice(0, 2), [0, 3]);
  const [code, changes, stderr] = run('NAME  \\tURL\\nstable-2\\thttps://b\\n');
  assert.deepEqual([code, changes], [1, 0]);
  assert.match(stderr, /error: Helm does not know the repository stable: helm repo add stable URL\n/);
});

async function list(files: Readonly<Record<string, string>>): Promise<ResourceList> {
  return (await render(files)).resources()[0] as ResourceList;
}

const object = (apiVersion: string, kind: string, name: string, more = ''): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: ${name}\n${more}`;

test('namespaces are filled in where a kind has one, and nowhere else', async () => {
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

test('lists are taken apart, typed ones too, and CRD files may hold several documents', async () => {
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

test('a document without a kind is kept', async () => {
  const { resources } = await list({ 'templates/all.yaml': 'metadata: {name: web-x}\nspec: 1\n' });
  assert.deepEqual(
    resources.map(({ key, filename }) => [key, filename]),
    [['document_x', 'document.yaml']],
  );
});

test('what YAML writers refuse is written as JSON', async () => {
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

test('objects of several namespaces are applied in several calls, and nameless ones are created', async () => {
  const rendered = await render({
    'templates/all.yaml': [
      object('v1', 'ConfigMap', 'a'),
      object('v1', 'ConfigMap', 'b', '  namespace: other\n'),
      object('v1', 'ConfigMap', 'c', '  namespace: other\n'),
      'apiVersion: batch/v1\nkind: Job\nmetadata: {generateName: web-}\n',
    ].join('---\n'),
  });
  const script = rendered.yamlScript();
  const install = script.slice(script.indexOf('install_1() {'));
  assert.deepEqual(install.match(/^ {2}(apply|create)_document .*MANIFEST'$/gm), [
    "  apply_document MANIFEST --namespace shop -f - <<'MANIFEST'",
    "  apply_document MANIFEST --namespace other -f - <<'MANIFEST'",
    "  create_document MANIFEST --namespace shop -f - <<'MANIFEST'",
  ]);
});

test('an uninstallation with kubectl leaves claims and kept objects', async () => {
  const rendered = await render({
    'templates/all.yaml': [
      object('v1', 'PersistentVolumeClaim', 'data'),
      object('v1', 'Secret', 'kept', '  annotations: {helm.sh/resource-policy: keep}\n'),
      object('v1', 'Namespace', 'space'),
      object('v1', 'ConfigMap', 'web'),
      object('rbac.authorization.k8s.io/v1', 'ClusterRole', 'web:admin'),
    ].join('---\n'),
  });
  const script = rendered.yamlScript('linux', { action: 'uninstall' });
  const deletions = [...script.matchAll(/^( +)attempt (remove\S*) (.*)/gm)].map(
    ([, indent, verb, words]) => `${indent?.length} ${verb} ${words}`,
  );
  assert.deepEqual(deletions, [
    '2 remove - clusterrole.v1.rbac.authorization.k8s.io/web:admin',
    '2 remove shop configmap/web',
    '6 remove shop persistentvolumeclaim/data',
    '6 remove_claims shop app.kubernetes.io/instance=web',
    '4 remove_namespace space',
    '4 remove_namespace shop',
  ]);
  assert.match(script, /^ {2}left_over shop persistentvolumeclaim\/data secret\/kept$/m);
});

test('what is no CRD in a crds/ folder is applied, and neither awaited nor deleted as one', async () => {
  const rendered = await render({
    'crds/all.yaml': `${object('v1', 'ConfigMap', 'web')}---\n{}\n---\n${object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'a.x.io')}`,
  });
  const script = rendered.yamlScript();
  assert.equal(script.match(/^ {2}apply_document MANIFEST/gm)?.length, 1);
  assert.deepEqual(script.match(/^ {4}await_crds .*$/gm), ['    await_crds a.x.io']);
  const uninstall = rendered.helmScript('linux', { action: 'uninstall' });
  assert.match(uninstall, /attempt remove - crd\/a\.x\.io\n/);
});

test('what no server can hold is applied, for the server to refuse, and never named to kubectl', async () => {
  const hook = '  annotations: {helm.sh/hook: pre-install}\n';
  const rendered = await render({
    'templates/all.yaml': [
      object('v1', '"--raw=/api/v1/nodes"', 'web'),
      object('a/b/c', 'Thing', 'web'),
      object('apps/v1', 'Deployment', '"a\\nb"'),
      object('v1', 'ConfigMap', 'web', '  namespace: --all\n'),
      'apiVersion: apps/v1\nkind: Deployment\n',
      'apiVersion: batch/v1\nkind: Job\nmetadata:\n  annotations: {helm.sh/hook: post-install}\n',
      object('batch/v1', 'Job', '""', hook),
    ].join('---\n'),
  });
  const script = rendered.yamlScript();
  assert.equal(script.match(/^ +apply_document MANIFEST/gm)?.length, 4);
  assert.doesNotMatch(script.slice(script.indexOf('preflight() {')), /^ +(await_hook|await_rollout|delete_hook) /m);
  assert.doesNotMatch(rendered.yamlScript('linux', { action: 'uninstall' }), /attempt remove \S+ \S+\//);
});

test('what helm --wait waits for, the kubectl script waits for', async (context) => {
  const rendered = await render({
    'templates/all.yaml': [
      object('v1', 'Pod', 'a'),
      object('v1', 'PersistentVolumeClaim', 'b'),
      object('v1', 'Service', 'c', 'spec: {type: LoadBalancer}\n'),
      object('v1', 'Service', 'd', 'spec: {type: LoadBalancer, externalIPs: [10.0.0.1]}\n'),
      object('v1', 'Service', 'e', 'spec: {type: NodePort}\n'),
      object('apps/v1', 'ReplicaSet', 'f', 'spec: {replicas: 3}\n'),
      object('apps/v1', 'ReplicaSet', 'g', 'spec: {replicas: 0}\n'),
      object('v1', 'ReplicationController', 'h'),
      object('apps/v1', 'Deployment', 'i'),
      object('apps/v1', 'Deployment', 'j', 'spec: {paused: true}\n'),
      object('apps/v1', 'StatefulSet', 'k'),
      object('apps/v1', 'DaemonSet', 'l', 'spec: {updateStrategy: {type: OnDelete}}\n'),
      object('batch/v1', 'Job', 'm'),
      object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'n.x.io'),
      'apiVersion: v1\nkind: Pod\nmetadata: {generateName: o-}\n',
    ].join('---\n'),
  });
  const script = rendered.yamlScript();
  const waits = script
    .slice(script.indexOf('await_1() {'))
    .match(/^ {2}await_\w+ .*$/gm)
    ?.map((line) => line.trim());
  assert.deepEqual(waits, [
    'await_crds n.x.io',
    "await_object shop '--for=jsonpath={.status.phase}=Bound' persistentvolumeclaim/b",
    'await_address service/c shop',
    'await_object shop --for=condition=Ready pod/a',
    "await_object shop '--for=jsonpath={.status.readyReplicas}=1' replicationcontroller/h",
    "await_object shop '--for=jsonpath={.status.readyReplicas}=3' replicaset.v1.apps/f",
    'await_rollout deployment.v1.apps/i shop',
    'await_rollout statefulset.v1.apps/k shop',
  ]);
  await testShellCheck('a script that waits', () => script, context);
  const answers = `case "$*" in *loadBalancer*) [ "$(cat "$FAKE_HOME/count")" -lt 40 ] || echo 10.0.0.1 ;; esac`;
  const run = runScript(script, ['sh'], { behaviour: answers });
  assert.equal(run.code, 0, run.stderr);
  const never = runScript(script, ['sh'], { args: ['--timeout', '1'] });
  assert.equal(never.code, 1);
  assert.match(
    never.stderr,
    /error: service\/c has no address\n(?:[^\n]*\n)*error: package shop\/web failed with exit code 1\n$/,
  );
});

test('an install script tells what it was made from', async () => {
  const files = { 'templates/all.yaml': object('v1', 'ConfigMap', 'web') };
  const rendered = await render(files);
  for (const script of [rendered.helmScript(), rendered.yamlScript(), rendered.helmScript('windows')]) {
    assert.match(script, /The spec of the order has sha256:[0-9a-f]{64}\./);
    assert.match(script, /1\. shop\/web: chart web 1\.0\.0, sha256:[0-9a-f]{64}\n/);
  }
});

test('a script for Windows is PowerShell and has the same parts', async () => {
  const rendered = await render({ 'templates/all.yaml': object('v1', 'ConfigMap', 'web', "data: {it's: $HOME}\n") });
  const script = rendered.helmScript('windows');
  assert.match(script, /^<#\n/);
  assert.match(script, /\n {2}Install-Release @\('web', 'shop', /);
  assert.match(script, /\nexit \$script:ExitCode\n\}\n$/);
  assert.match(
    rendered.yamlScript('windows'),
    /Invoke-Apply @\('--namespace', 'shop', '-f', '-'\) @'\n---\n# Source: /,
  );
  // The mark by which Windows PowerShell knows UTF-8, only where it is needed.
  const accented = await render({ 'templates/all.yaml': object('v1', 'ConfigMap', 'web', 'data: {a: é}\n') });
  assert.match(accented.yamlScript('windows'), /^\ufeff<#\n/);
  assert.match(accented.yamlScript('linux'), /^#!/);
});
