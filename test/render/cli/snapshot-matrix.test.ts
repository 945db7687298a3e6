// `drydock snapshot --kube-version A,B` and `--validate`: a cell only stores its differences from the first, and reports removed APIs.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { entryText, wholeText } from '../../../render/snapshot/matrix.node.ts';
import { chartIn, chartYaml, createProject } from '../../support/project.ts';

const templates = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}}
    spec: {containers: [{name: a, image: {{ .Values.image }}}]}
---
{{- if semverCompare ">=1.30" .Capabilities.KubeVersion.Version }}
apiVersion: v1
kind: ConfigMap
metadata: {name: later}
data: {image: {{ .Values.image }}}
{{- else }}
apiVersion: v1
kind: ConfigMap
metadata: {name: early}
{{- end }}
---
apiVersion: flowcontrol.apiserver.k8s.io/v1beta3
kind: FlowSchema
metadata: {name: flow}
`;

/** Writes the chart `web` and other files into a new folder, where `run` compares the chart. */
function createMatrix(more: Readonly<Record<string, string>> = {}) {
  const { folder, read, run, write } = createProject({
    ...chartIn('web', { 'values.yaml': 'replicas: 1\nimage: a:1\n', 'templates/all.yaml': templates }),
    ...more,
  });
  return {
    write,
    read,
    runAll: run,
    run: (...argv: string[]) => run(['snapshot', 'web', ...argv]),
    kept: (name: string) => read(`snapshots/web.snap/${name}`),
    names: () => readdirSync(join(folder, 'snapshots/web.snap')).filter((name) => !name.startsWith('.')),
  };
}

const matrix = ['--kube-version', '1.29,1.31,1.33'];

test('a cell only stores its differences from the first', async () => {
  const { run, kept, names } = createMatrix();
  await run(...matrix, '--update');
  assert.deepEqual(names(), ['default.kube-1.31.yaml', 'default.yaml']);
  assert.equal(kept('.same.json'), '{\n  "default.kube-1.33.yaml": "default.kube-1.31.yaml"\n}\n');
  assert.equal(
    kept('default.kube-1.31.yaml'),
    `# What is not the same as in default.yaml.
---
# Source: web/templates/all.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: later}
data: {image: a:1}
---
drydock.gone: "web/templates/all.yaml ConfigMap early"
`,
  );
  for (const argv of [[], ['--no-cache']]) {
    const again = await run(...matrix, ...argv);
    assert.equal(again.exitCode, 0);
    assert.match(again.stdout, /^snapshots\/web\.snap: same \(3 files\)\n/m);
  }
});

test('a change is reported once, with the cells that show it', async () => {
  const { run, write } = createMatrix();
  await run(...matrix, '--update');
  write({ 'web/values.yaml': 'replicas: 1\nimage: a:2\n' });
  const { stdout } = await run(...matrix);
  // The Deployment is the same in all cells: it is stored and reported with the first.
  assert.match(stdout, /\nweb\/values\.yaml:2 {2}image\n {2}~ Deployment default\/web\n/);
  assert.match(stdout, /~ ConfigMap default\/later {2}in default with Kubernetes 1\.31, 1\.33\n/);
  assert.match(stdout, /data\.image: "a:1" -> "a:2"/);
});

test('each cell lists removed APIs with their replacements, and does not fail for them alone', async () => {
  const { run } = createMatrix();
  await run(...matrix, '--update');
  const { exitCode, stdout } = await run('--kube-version', '1.29,1.31,1.33');
  assert.equal(exitCode, 0);
  assert.match(
    stdout,
    /warning: FlowSchema\/flow of web\/templates\/all\.yaml:22: .* deprecated since Kubernetes 1\.29, and not served as of 1\.32 \(Kubernetes 1\.29, 1\.31\)\n +Use flowcontrol\.apiserver\.k8s\.io\/v1 FlowSchema\.\n/,
  );
  assert.match(stdout, /warning: .* is no longer served as of Kubernetes 1\.32 \(Kubernetes 1\.33\)/);
  const { stdout: json } = await run(...matrix, '--json');
  const [{ findings }] = JSON.parse(json).inputs;
  assert.deepEqual(
    findings.map(({ cell, severity, line }: Record<string, unknown>) => [cell, severity, line]),
    [
      ['1.29', 'warning', 22],
      ['1.31', 'warning', 22],
      ['1.33', 'warning', 22],
    ],
  );
});

test('versions that the chart rejects are reported and recorded, and the first one that it accepts is the base', async () => {
  const { run, kept } = createMatrix({ 'web/Chart.yaml': chartYaml('web', 'kubeVersion: ">=1.30.0-0"\n') });
  const { exitCode, stdout } = await run(...matrix, '--update');
  assert.equal(exitCode, 0, stdout);
  assert.match(stdout, /warning: it does not render: .*incompatible with Kubernetes v1\.29 \(Kubernetes 1\.29\)/);
  assert.match(kept('default.yaml'), /name: later/);
  assert.match(kept('default.kube-1.29.txt'), /incompatible with Kubernetes v1\.29$/m);
  assert.equal((await run(...matrix)).exitCode, 0);
});

test('a chart that rejects the default version is rendered for the nearest one that it accepts', async () => {
  const { run, runAll, kept } = createMatrix({ 'web/Chart.yaml': chartYaml('web', 'kubeVersion: "<1.30.0-0"\n') });
  assert.equal((await run('--update')).exitCode, 0);
  assert.match(kept('default.yaml'), /name: early/);
  assert.equal((await runAll(['template', 'web'])).exitCode, 1);
});

const monitored = `---
apiVersion: v1
kind: ConfigMap
metadata: {name: plain}
{{- if .Capabilities.APIVersions.Has "monitoring.coreos.com/v1" }}
---
apiVersion: monitoring.coreos.com/v1
kind: PodMonitor
metadata: {name: web}
spec: {image: {{ .Values.image }}}
{{- end }}
`;

test('API versions are cells too, alone and for each version of Kubernetes', async () => {
  const { run, write, kept, names } = createMatrix({ 'web/templates/all.yaml': monitored });
  const api = ['--with-api-versions', 'monitoring.coreos.com/v1'];
  const apis = [...api, '--with-api-versions', 'b/v1,a/v1/Kind,b/v1'];
  await run(...apis, '--update');
  assert.deepEqual(names(), ['default.apis-monitoring.coreos.com_v1.yaml', 'default.yaml']);
  assert.equal(kept('.same.json'), '{\n  "default.apis-a_v1_Kind+b_v1.yaml": "default.yaml"\n}\n');
  assert.match(kept('default.apis-monitoring.coreos.com_v1.yaml'), /kind: PodMonitor/);
  assert.equal((await run(...apis, '--jobs', '2', '--no-cache')).exitCode, 0);
  const both = [...api, '--kube-version', '1.29,1.33'];
  write({ 'web/templates/all.yaml': templates + monitored });
  await run(...both, '--update');
  assert.ok(names().includes('default.kube-1.33.apis-monitoring.coreos.com_v1.yaml'));
  write({ 'web/values.yaml': 'replicas: 1\nimage: a:3\n' });
  const { stdout } = await run(...both);
  assert.match(stdout, /in default with .*Kubernetes 1\.33 and API versions monitoring\.coreos\.com\/v1/);
});

test('an additional values file is a cell with separate causes, under its own name in every report', async () => {
  const { run, write, kept, names } = createMatrix({
    'web/ci/a-values.yaml': 'replicas: 2\n',
    'web/ci/b-values.yaml': 'replicas: 3\n',
    'more/big.yaml': 'image: b:1\n',
    'more/high.yaml': 'replicas: 9\n',
  });
  const values = ['--with-values', 'more/big.yaml', '--with-values', 'more/big.yaml,more/high.yaml'];
  await run(...values, '--update');
  assert.deepEqual(
    names().filter((name) => name.startsWith('a-')),
    ['a-values.values-big+high.yaml', 'a-values.values-big.yaml', 'a-values.yaml'],
  );
  // The FlowSchema is that of the first cell.
  assert.doesNotMatch(kept('a-values.values-big.yaml'), /FlowSchema/);
  for (const argv of [['--no-cache'], ['--jobs', '2'], []]) assert.equal((await run(...values, ...argv)).exitCode, 0);
  write({ 'more/high.yaml': 'replicas: 8\n' });
  const cells = 'in a-values with values big, high, b-values with values big, high';
  const output = async (form: string): Promise<string> => (await run(...values, '--report', form)).stdout;
  assert.match(await output('text'), new RegExp(`\nmore/high\\.yaml:1 {2}replicas {2}${cells}\n {2}~ Deployment`));
  const github = (await output('github')).split('\n').filter((line) => line.includes('spec.replicas'));
  assert.equal(github.length, 1);
  assert.match(github[0] ?? '', /^::error file=more\/high\.yaml,line=1::replicas: 1 Deployment/);
  for (const form of ['sarif', 'gitlab', 'markdown', 'html']) {
    assert.equal((await output(form)).split(cells).length, 2, form);
  }
  // With versions too, the words of a cell are not repeated.
  const both = [...matrix, '--with-values', 'more/high.yaml'];
  await run(...both, '--update');
  write({ 'more/high.yaml': 'replicas: 9\n' });
  assert.match(
    (await run(...both)).stdout,
    /in a-values with values high, also with Kubernetes 1\.31, 1\.33, b-values/,
  );
  write({ 'more/high.yaml': 'replicas: 8\n' });
  await run(...values, '--update');
  // Changes in a template are not applied to the values that the cell has in addition to the first.
  write({
    'more/high.yaml': 'replicas: 9\n',
    'web/templates/all.yaml': templates.replace('image: {{ .Values.image }}}]', 'image: x/{{ .Values.image }}}]'),
  });
  const edited = await run(...values);
  assert.match(edited.stdout, /\nweb\/templates\/all\.yaml:\d+/);
  assert.doesNotMatch(edited.stdout, /yaml:\d+ {2}image/);
});

test('another version of Helm is compared with the first cell', async () => {
  const { run, names } = createMatrix();
  await run(...matrix, '--helm', '3,4', '--update');
  assert.deepEqual(names(), ['default.helm-4.txt', 'default.kube-1.31.yaml', 'default.yaml']);
});

test('values that do not render fail the run, and invalid flags are wrong usage', async () => {
  const { run } = createMatrix({ 'big.yaml': 'replicas: [\n', 'more/big.yaml': 'replicas: 3\n' });
  const failed = await run('--with-values', 'big.yaml', '--update');
  assert.equal(failed.exitCode, 1);
  assert.match(failed.stdout, /error: it does not render: .*big\.yaml/);
  for (const [flag, words, message] of [
    ['--kube-version', ['1.29,foo'], /^Error: --kube-version[\s\S]*1\.31/],
    ['--with-api-versions', ['a/v1,'], /^Error: --with-api-versions: .*is not an API version/],
    ['--with-values', ['more/none.yaml'], /there is no file more\/none\.yaml/],
    ['--with-values', ['big.yaml', 'more/big.yaml'], /two values files are called big: rename one/],
    ['--validate', ['never'], /--validate takes strict, warn, ignore/],
  ] as const) {
    const { exitCode, stderr } = await run(...words.map((word) => `${flag}=${word}`));
    assert.equal(exitCode, 2, `${flag} ${words}`);
    assert.match(stderr, message);
  }
});

test('an Order and a configuration accept versions too', async () => {
  const chart = { name: 'web', sourceRef: { kind: 'Local', name: 'web' }, releaseName: 'web', namespace: 'shop' };
  const { runAll, write, read } = createMatrix({
    'order.json': JSON.stringify({ kind: 'Order', spec: { packages: [{ chart }] } }),
    'drydock.config.json': JSON.stringify({ snapshot: { kubeVersion: ['1.29', '1.31'] } }),
  });
  await runAll(['snapshot', 'order.json', '--update']);
  assert.match(
    read('snapshots/order.snap/manifest.kube-1.31.yaml'),
    /name: later[\s\S]*drydock\.gone: "web\/templates\/all\.yaml ConfigMap early"/,
  );
  write({ 'web/values.yaml': 'replicas: 1\nimage: a:2\n' });
  const { exitCode, stdout } = await runAll(['snapshot', 'order.json']);
  assert.equal(exitCode, 1);
  assert.match(stdout, /~ Deployment shop\/web [\s\S]*~ ConfigMap later .*in order with Kubernetes 1\.31\n/);
});

test('--validate checks objects against the schemas of each version, and only errors fail', async () => {
  const { run, runAll } = createMatrix({
    'web/templates/all.yaml': templates.replace('  selector:', '  replcas: 2\n  selector:'),
    'web/ci/a-values.yaml': 'replicas: 1\n',
    'web/ci/b-values.yaml': 'replicas: 2\n',
  });
  const kube = ['--kube-version', '1.29,1.31'];
  const flags = ['--validate', ...kube];
  // A recorded error is still an error.
  const recorded = await run(...flags, '--update');
  assert.equal(recorded.exitCode, 1);
  const line = /error: Deployment\/web of web\/templates\/all\.yaml:6: .*spec\.replcas.*in a-values, b-values\n/;
  assert.match(recorded.stdout, line);
  const warned = await run('--validate=warn', ...kube);
  assert.equal(warned.exitCode, 0);
  assert.match(warned.stdout, /warning: Deployment\/web/);
  assert.doesNotMatch((await run('--validate=ignore', ...kube)).stdout, /replcas/);
  const report = await run(...flags, '--report', 'github');
  assert.match(
    report.stdout,
    /::error file=web\/templates\/all\.yaml,line=6::Deployment\/web: .*\(Kubernetes 1\.29, 1\.31\)/,
  );
  // Versions that are checked with the same data are listed together.
  const old = await run('--validate', '--kube-version', '1.21,1.22,1.31', '--report', 'github');
  assert.match(old.stdout, /\(Kubernetes 1\.21, 1\.22 by the data of 1\.\d\d; 1\.31\)/);
  // The cache and merged parts have the same results.
  const fresh = await run(...flags, '--no-cache');
  assert.equal((await run(...flags)).stdout, fresh.stdout);
  for (const part of ['1', '2']) await run(...flags, '--shard', `${part}/2`, '--report', `json=${part}.json`);
  const merged = await runAll(['merge-reports', '1.json', '2.json']);
  assert.deepEqual([merged.exitCode, merged.stdout], [fresh.exitCode, fresh.stdout]);
});

test('a cell takes its own manifest with the first one, for any documents', () => {
  const document = (name: string, text: number): string =>
    `---\n# Source: a/t.yaml\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata: {t: ${text}}\n`;
  const a1 = document('a', 1);
  const a2 = document('a', 2);
  const pairs: readonly (readonly [string, string])[] = [
    ['', ''],
    ['', a1],
    [a1, ''],
    [a1, a2],
    [a1 + document('b', 1), document('b', 1)],
    [a1 + a2, a1 + document('a', 3)],
    [a1 + a2, a1],
    [a1, a1 + a2],
    ['---\n- a list\n---\ntext\n', '---\ntext\n---\nmore\n'],
  ];
  const sorted = (text: string): string[] =>
    text
      .split(/^---\n/m)
      .filter((part) => part !== '')
      .sort();
  for (const [first, own] of pairs) {
    assert.deepEqual(sorted(wholeText(first, entryText(first, own, 'a.yaml') || first)), sorted(own));
  }
  assert.equal(entryText('a: 1', 'a: 1', 'a.yaml'), '');
  // As after a checkout on Windows.
  const converted = (text: string): string => text.replaceAll('\n', '\r\n');
  const [first, own] = [a1 + document('b', 1), a1 + document('b', 2)];
  const whole = wholeText(converted(first), converted(entryText(first, own, 'a.yaml')));
  assert.deepEqual(sorted(whole), sorted(own));
});
