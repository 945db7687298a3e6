// The effect of an upgrade on values: what moved, what is no longer read, and the remaining changes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkOrderUpgrade, checkUpgrade, patchOrder, type UpgradeReport } from '../../../render/api/upgrade.ts';
import { formatDocument } from '../../../render/api/yaml.ts';
import { loadChart } from '../../../render/chart/load.ts';
import { memoryRegistry } from '../../../render/chart/registry.ts';
import type { JsonObject } from '../../../render/order/order.ts';
import { readOrder } from '../../../render/order/read.ts';
import { chartIn, chartYaml, createProject } from '../../support/project.ts';

/** A version of a chart: its values.yaml and its template. */
type Version = readonly [values: string, template: string];

const filesOf = ([values, template]: Version, version: string): Record<string, string> => ({
  'Chart.yaml': chartYaml('web', '', version),
  'values.yaml': values,
  'templates/page.yaml': `kind: A\nmetadata: {name: a}\n${template}`,
});

function check(before: Version, after: Version, values: JsonObject): UpgradeReport {
  return checkUpgrade(loadChart(filesOf(before, '1.0.0')), loadChart(filesOf(after, '2.0.0')), { values });
}

function changesIn({ values }: UpgradeReport): string[] {
  return values.map(({ path, kind, to }) => `${path} ${kind}${to === undefined ? '' : ` ${to}`}`);
}

// [what, old version, new version, the user's values, its changes, the values for the new version]
const moves: readonly (readonly [string, Version, Version, JsonObject, readonly string[], JsonObject])[] = [
  [
    'a text under another name',
    ['image: {name: x}', 'spec: {image: "{{ .Values.image.name }}:1"}'],
    ['image: {repository: x}', 'spec: {image: "{{ .Values.image.repository }}:2"}'],
    { image: { name: 'mine' } },
    ['image.name moved image.repository'],
    { image: { repository: 'mine' } },
  ],
  [
    'a switch that became the presence of a table',
    ['pdb: {enabled: false}', 'spec: {{ if .Values.pdb.enabled }}{pdb: yes}{{ end }}'],
    ['pdb: {}', '{{ with .Values.pdb }}spec: {{ toJson . }}{{ end }}'],
    { pdb: { enabled: true } },
    ['pdb.enabled unread'],
    {},
  ],
  [
    'a tag and a repository in one field',
    ['imageName: x\nimageTag: "1"', 'spec: {image: "{{ .Values.imageName }}:{{ .Values.imageTag }}"}'],
    [
      'image: {repository: x, tag: "2"}',
      'spec: {image: "q.io/{{ .Values.image.repository }}:{{ .Values.image.tag }}"}',
    ],
    { imageName: 'mine', imageTag: '7' },
    ['imageName unread', 'imageTag moved image.tag'],
    { image: { tag: '7' } },
  ],
  [
    'a value under a name that has nothing in common with the old one',
    ['replicaCount: 1', 'spec: {replicas: {{ .Values.replicaCount }} }'],
    ['scale: {copies: 1}\nport: 1', 'spec: {replicas: {{ .Values.scale.copies }}, port: {{ .Values.port }} }'],
    { replicaCount: 3 },
    ['replicaCount moved scale.copies'],
    { scale: { copies: 3 } },
  ],
  [
    'a switch',
    ['rbac: {create: true}', '{{ if .Values.rbac.create }}spec: {rules: 1}{{ end }}'],
    ['rbacEnabled: true', '{{ if .Values.rbacEnabled }}spec: {rules: 1}{{ end }}'],
    { rbac: { create: false } },
    ['rbac.create moved rbacEnabled'],
    { rbacEnabled: false },
  ],
  [
    'a table of the user’s own keys',
    ['podLabels: {}', 'spec: {labels: {{ toJson .Values.podLabels }} }'],
    ['pod: {labels: {}}', 'spec: {labels: {{ toJson .Values.pod.labels }} }'],
    { podLabels: { team: 'web' } },
    ['podLabels moved pod.labels'],
    { pod: { labels: { team: 'web' } } },
  ],
  [
    'a name that is alike, with another effect',
    ['replicaCount: 1', 'spec: {replicas: {{ .Values.replicaCount }} }'],
    ['cache: {replicaCount: 1}', 'spec: {cacheReplicas: {{ .Values.cache.replicaCount }} }'],
    { replicaCount: 3 },
    ['replicaCount unread'],
    {},
  ],
  [
    'a value that neither version reads',
    ['a: 1', 'spec: {a: {{ .Values.a }} }'],
    ['a: 1', 'spec: {a: {{ .Values.a }} }'],
    { a: 2, b: { c: 1 } },
    ['b unused'],
    { a: 2, b: { c: 1 } },
  ],
];

for (const [what, before, after_, values, want, patched] of moves) {
  test(`an upgrade: ${what}`, () => {
    const report = check(before, after_, values);
    assert.deepEqual([changesIn(report), report.patched], [want, patched]);
  });
}

test('changed defaults are reported if the user does not set them and the new version reads them', () => {
  const template = 'spec: {a: {{ .Values.a }}, b: {{ .Values.b }} }';
  const { defaults } = check(['a: 1\nb: 1\nc: 1', template], ['a: 2\nb: 2\nc: 2', template], { a: 5 });
  assert.deepEqual(defaults, [{ path: 'b', before: 1, after: 2 }]);
});

test('the remaining changes of objects are a difference, and a version that fails is reported', () => {
  const moved = check(
    ['size: 1', 'spec: {size: {{ .Values.size }} }'],
    ['volumeSize: 1', 'spec: {size: {{ .Values.volumeSize }} }'],
    { size: 9 },
  );
  assert.deepEqual([moved.difference?.objects, moved.failureAfter], [[], undefined]);
  const failed = check(['', 'spec: 1'], ['', 'spec: {{ required "set name" .Values.name }}'], {});
  assert.match(failed.failureAfter?.message ?? '', /set name/);
  assert.equal(failed.difference, undefined);
});

/** Two versions of a chart, in which the name of the image moves. */
const versions = {
  ...chartIn('old', filesOf(['image: {name: x}\n', 'spec: {image: "{{ .Values.image.name }}"}'], '1.0.0')),
  ...chartIn('new', filesOf(['image: {repository: x}\n', 'spec: {image: "{{ .Values.image.repository }}"}'], '2.0.0')),
};

test('two versions of an Order are compared package by package', async () => {
  const order = (...packages: string[]) =>
    `apiVersion: releases.x-helm.dev/v1alpha1\nkind: Order\nmetadata: {name: a}\nspec:\n  packages:\n${packages.join('')}`;
  const item = (chart: string, release: string, more = '') =>
    `    - chart:\n        name: web\n        sourceRef: {kind: Local, name: ${chart}}\n        version: ${chart === 'old' ? 1 : 2}.0.0\n        releaseName: ${release}\n        namespace: shop\n${more}`;
  const values = '        # Ours\n        values: {image: {name: mine}}\n';
  const project = createProject({
    ...versions,
    'a.yaml': order(item('old', 'web', values), item('old', 'gone')),
    'b.yaml': order(item('new', 'web', values), item('new', 'more')),
  });
  const run = (...argv: string[]) => project.run(['upgrade-check', ...argv]);
  const { exitCode, stdout, stderr } = await run('a.yaml', 'b.yaml', '--write', 'c.yaml');
  assert.equal(exitCode, 1, stderr);
  assert.match(stdout, /^shop\/web: web 1\.0\.0 to web 2\.0\.0\n\nMoved:\n {2}image\.name to image\.repository\n/);
  assert.match(stdout, /\nOnly in the new Order: shop\/more\n\nOnly in the old Order: shop\/gone\n$/);
  const written = project.read('c.yaml');
  assert.match(written, /# Ours\n {8}values:\n {10}image:\n {12}repository: mine\n/);
  assert.equal((await run('a.yaml', 'c.yaml')).exitCode, 1);
  assert.match((await run('a.yaml', 'b.yaml', '--set', 'a=1')).stderr, /--set is for charts/);
  assert.match((await run('a.yaml', 'new')).stderr, /compare two versions of a chart, or two of an Order/);
  assert.match((await run('old', 'neww')).stderr, /got: neww\n.* did you mean "new"\?/);
  assert.equal((await run('a.yaml', 'absent.yaml')).exitCode, 1);
  assert.equal((await run('old', 'old')).exitCode, 0);
});

test('a written Order keeps its long lines, and remains JSON', async () => {
  const order = (version: string, values: object): object => {
    const chart = { name: 'web', sourceRef: { kind: 'Local', name: version }, releaseName: 'web', values };
    return { metadata: { name: 'a', note: 'word '.repeat(40).trim() }, spec: { packages: [{ chart }] } };
  };
  const [before, after] = [order('old', { image: { name: 'mine' } }), order('new', { image: { name: 'mine' } })];
  const patched = order('new', { image: { repository: 'mine' } });
  for (const format of [formatDocument, (value: object) => `${JSON.stringify(value, undefined, 2)}\n`]) {
    const project = createProject({ ...versions, a: format(before), b: format(after) });
    await project.run(['upgrade-check', 'a', 'b', '--write', 'b']);
    assert.equal(project.read('b'), format(patched));
  }
});

test('an Order loses the values of a package if nothing reads any of them', async () => {
  const registry = memoryRegistry([
    loadChart(filesOf(['size: 1\n', 'spec: {size: {{ .Values.size }} }'], '1.0.0')),
    loadChart(filesOf(['', 'spec: 1'], '2.0.0')),
  ]);
  const order = (version: string) =>
    `spec:\n  packages:\n  - chart:\n      name: web\n      version: ${version}\n      sourceRef: {name: x}\n      releaseName: a\n      namespace: b\n      values: {size: 9}\n`;
  const after = order('2.0.0');
  const upgrade = await checkOrderUpgrade(readOrder(order('1.0.0'), 'old').value, readOrder(after, 'new').value, {
    registry,
  });
  assert.doesNotMatch(patchOrder(after, upgrade), /values/);
});
