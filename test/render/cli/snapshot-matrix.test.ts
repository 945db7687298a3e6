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

test('a template with a new version condition is shown in its cell only, with its line', async () => {
  const { run, write } = createMatrix();
  await run(...matrix, '--update');
  const parted = templates.replace(
    'spec:\n  replicas: {{ .Values.replicas }}',
    'spec:\n  replicas: {{ semverCompare ">=1.33" .Capabilities.KubeVersion.Version | ternary 3 1 }}',
  );
  write({ 'web/templates/all.yaml': parted });
  const { stdout } = await run(...matrix);
  assert.match(
    stdout,
    /^web differs from its snapshot: 1 object changed\n\nweb\/templates\/all\.yaml:5 {2}in default with Kubernetes 1\.33\n {2}~ Deployment default\/web\n +~ spec\.replicas: 1 -> 3\n/,
  );
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

test('a version that the chart rejects is reported and recorded', async () => {
  const { run, write, kept } = createMatrix({ 'web/Chart.yaml': chartYaml('web', 'kubeVersion: "<1.33-0"\n') });
  const recorded = await run(...matrix, '--update');
  assert.match(
    recorded.stdout,
    /warning: it does not render: .*incompatible with Kubernetes v1\.33 \(Kubernetes 1\.33\)/,
  );
  assert.match(kept('default.kube-1.33.txt'), /^Kubernetes 1\.33: .*incompatible/);
  assert.equal((await run(...matrix)).exitCode, 0);
  // Two names of one version are one cell.
  write({ 'web/Chart.yaml': chartYaml('web') });
  const { stdout } = await run('--kube-version', '1.29,v1.29.0', '--snapshots', 'others');
  assert.match(stdout, /others\/web\.snap\/default\.yaml is not recorded/);
});

const watched = `${templates}---
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
  const { run, write, kept, names } = createMatrix({ 'web/templates/all.yaml': watched });
  const apis = ['--with-api-versions', 'monitoring.coreos.com/v1', '--with-api-versions', 'b/v1,a/v1/Kind,b/v1'];
  await run(...apis, '--update');
  assert.deepEqual(names(), ['default.apis-monitoring.coreos.com_v1.yaml', 'default.yaml']);
  assert.equal(kept('.same.json'), '{\n  "default.apis-a_v1_Kind+b_v1.yaml": "default.yaml"\n}\n');
  assert.equal(
    kept('default.apis-monitoring.coreos.com_v1.yaml'),
    `# What is not the same as in default.yaml.
---
# Source: web/templates/all.yaml
apiVersion: monitoring.coreos.com/v1
kind: PodMonitor
metadata: {name: web}
spec: {image: a:1}
`,
  );
  for (const argv of [[], ['--no-cache'], ['--jobs', '2']]) {
    assert.equal((await run(...apis, ...argv)).exitCode, 0, argv.join(' '));
  }
  write({ 'web/values.yaml': 'replicas: 1\nimage: a:2\n' });
  const { stdout } = await run(...apis);
  assert.match(stdout, /\nweb\/values\.yaml:2 {2}image\n/);
  assert.match(stdout, /~ PodMonitor .*in default with API versions monitoring\.coreos\.com\/v1\n/);
  assert.match(stdout, /spec\.image: "a:1" -> "a:2"/);
  await run(...apis.slice(0, 2), '--kube-version', '1.29,1.33', '--update');
  assert.deepEqual(names(), [
    'default.apis-monitoring.coreos.com_v1.yaml',
    'default.kube-1.33.apis-monitoring.coreos.com_v1.yaml',
    'default.kube-1.33.yaml',
    'default.yaml',
  ]);
  const again = await run(...apis.slice(0, 2), '--kube-version', '1.29,1.33');
  assert.match(
    again.stdout,
    /no longer served as of Kubernetes 1\.32 \(Kubernetes 1\.33, 1\.33 with monitoring\.coreos\.com\/v1\)/,
  );
  write({ 'web/values.yaml': 'replicas: 1\nimage: a:3\n' });
  const both = await run(...apis.slice(0, 2), '--kube-version', '1.29,1.33');
  assert.match(both.stdout, /in default with .*Kubernetes 1\.33 and API versions monitoring\.coreos\.com\/v1/);
});

test('an additional values file is a cell with separate causes', async () => {
  const { run, write, kept, names } = createMatrix({
    'web/ci/a-values.yaml': 'replicas: 2\n',
    'web/ci/b-values.yaml': 'replicas: 3\n',
    'more/big.yaml': 'image: b:1\n',
    'more/high.yaml': 'replicas: 9\n',
  });
  const values = ['--with-values', 'more/big.yaml', '--with-values', 'more/big.yaml,more/high.yaml'];
  await run(...values, '--update');
  assert.deepEqual(names(), [
    'a-values.values-big+high.yaml',
    'a-values.values-big.yaml',
    'a-values.yaml',
    'b-values.values-big+high.yaml',
    'b-values.values-big.yaml',
    'b-values.yaml',
  ]);
  const big = kept('a-values.values-big.yaml');
  assert.match(big, /^# What is not the same as in a-values\.yaml\.\n---\n/);
  assert.match(big, /image: b:1/);
  // The FlowSchema is that of the first cell.
  assert.doesNotMatch(big, /FlowSchema/);
  for (const argv of [[], ['--no-cache'], ['--jobs', '2'], []]) {
    const { exitCode, stdout } = await run(...values, ...argv);
    assert.equal(exitCode, 0, stdout);
  }
  write({ 'more/high.yaml': 'replicas: 8\n' });
  const high = await run(...values);
  assert.match(
    high.stdout,
    /\nmore\/high\.yaml:1 {2}replicas {2}in a-values with values big, high, b-values with values big, high\n {2}~ Deployment .*\n +~ spec\.replicas: 9 -> 8\n/,
  );
  // Changes in a template are not applied to the values that the cell has in addition to the first.
  write({ 'more/high.yaml': 'replicas: 9\n' });
  write({
    'web/templates/all.yaml': templates.replace('image: {{ .Values.image }}}]', 'image: x/{{ .Values.image }}}]'),
  });
  const edited = await run(...values);
  assert.match(edited.stdout, /image: "?b:1"? -> "?x\/b:1"?/);
  assert.match(edited.stdout, /\nweb\/templates\/all\.yaml:\d+/);
  assert.doesNotMatch(edited.stdout, /yaml:\d+ {2}image/);
});

test('values that do not render fail the run', async () => {
  const { run } = createMatrix({ 'more/wrong.yaml': 'replicas: [\n' });
  const { exitCode, stdout } = await run('--with-values', 'more/wrong.yaml', '--update');
  assert.equal(exitCode, 1);
  assert.match(stdout, /error: it does not render: .*more\/wrong\.yaml/);
});

test('invalid versions and missing files are wrong usage', async () => {
  const { run } = createMatrix({ 'big.yaml': 'replicas: 2\n', 'more/big.yaml': 'replicas: 3\n' });
  const noVersion = /^Error: --kube-version[\s\S]*1\.31/;
  const noApi = /^Error: --with-api-versions: .*is not an API version[\s\S]*monitoring\.coreos\.com\/v1/;
  for (const [flag, words, message] of [
    ['--kube-version', ['1.29,foo'], noVersion],
    ['--kube-version', ['1.29,'], noVersion],
    ['--kube-version', ['foo'], noVersion],
    ['--with-api-versions', [''], noApi],
    ['--with-api-versions', ['a/v1,'], noApi],
    ['--with-api-versions', ['a b/v1'], noApi],
    ['--with-api-versions', ['a/b/c/d'], noApi],
    ['--with-values', ['more/none.yaml'], /there is no file more\/none\.yaml/],
    ['--with-values', ['big.yaml', 'more/big.yaml'], /two values files are called big: rename one/],
    ['--with-values', ['-'], /has no file name/],
    ['--with-values', ['big.yaml,'], /has no file name/],
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
    'order.json': JSON.stringify({
      apiVersion: 'releases.x-helm.dev/v1alpha1',
      kind: 'Order',
      spec: { packages: [{ chart }] },
    }),
    'drydock.config.json': JSON.stringify({ snapshot: { kubeVersion: ['1.29', '1.31'] } }),
  });
  await runAll(['snapshot', 'order.json', '--update']);
  assert.match(
    read('snapshots/order.snap/manifest.kube-1.31.yaml'),
    /name: later[\s\S]*drydock\.gone: "web\/templates\/all\.yaml ConfigMap early"/,
  );
  const more = ['--snapshots', 'apis', '--with-api-versions', 'monitoring.coreos.com/v1'];
  write({ 'web/templates/all.yaml': watched });
  await runAll(['snapshot', 'order.json', ...more, '--update']);
  assert.match(
    read('apis/order.snap/manifest.apis-monitoring.coreos.com_v1.yaml'),
    /^# What is not the same as in manifest\.yaml\.\n---\n# Source: .*\n.*\nkind: PodMonitor\n/,
  );
  write({ 'web/templates/all.yaml': templates });
  write({ 'web/values.yaml': 'replicas: 1\nimage: a:2\n' });
  const { exitCode, stdout } = await runAll(['snapshot', 'order.json']);
  assert.equal(exitCode, 1);
  assert.match(
    stdout,
    /: 2 objects changed[\s\S]*\nweb\/values\.yaml:2 {2}image\n {2}~ Deployment shop\/web [\s\S]*~ ConfigMap later .*in order with Kubernetes 1\.31\n/,
  );
});

test('--validate checks objects against the schemas of each version, and only errors fail', async () => {
  const { run, write } = createMatrix();
  const wrong = templates.replace('  selector:', '  replcas: 2\n  selector:');
  write({ 'web/templates/all.yaml': wrong });
  const recorded = await run('--validate', '--update', '--kube-version', '1.29,1.31');
  // A recorded error is still an error.
  assert.equal(recorded.exitCode, 1);
  assert.match(
    recorded.stdout,
    /error: Deployment\/web of web\/templates\/all\.yaml:6: unknown field "spec\.replcas" \(Kubernetes 1\.29, 1\.31\)\n +Did you mean "replicas"\?/,
  );
  const warned = await run('--validate=warn', '--kube-version', '1.29,1.31');
  assert.equal(warned.exitCode, 0);
  assert.match(warned.stdout, /warning: Deployment\/web/);
  const ignored = await run('--validate=ignore', '--kube-version', '1.29,1.31');
  assert.doesNotMatch(ignored.stdout, /replcas/);
  const report = await run('--validate', '--kube-version', '1.31', '--report', 'github');
  // The place names the template and its line, the message the field.
  assert.match(
    report.stdout,
    /::error file=web\/templates\/all\.yaml,line=6::Deployment\/web: unknown field "spec\.replcas" \(Kubernetes 1\.31\)/,
  );
  const old = await run('--validate', '--kube-version', '1.21,1.22,1.31', '--report', 'markdown');
  assert.match(old.stdout, /"spec\.replcas" \(Kubernetes 1\.21, 1\.22 by the data of 1\.\d\d; 1\.31\)/);
  assert.match(old.stdout, /^### drydock snapshot: (?:1 of 1 input changes, )?[1-9]\d* errors?(?:, \d+ warnings?)?\n/);
});

test('--validate rejects a kind that Kubernetes does not have, like check', async () => {
  const { run, write } = createMatrix();
  write({ 'web/templates/all.yaml': templates.replace('kind: Deployment', 'kind: Deploymnet') });
  const { exitCode, stdout } = await run('--validate', '--update', '--kube-version', '1.31');
  assert.equal(exitCode, 1);
  assert.match(stdout, /error: .*apps\/v1 Deploymnet is not a kind of Kubernetes/);
});

test('validation results are in the snapshot, and in the report of merged parts', async () => {
  const { run, runAll } = createMatrix({
    'web/ci/a-values.yaml': 'replicas: x\n',
    'web/ci/b-values.yaml': 'replicas: x\n',
  });
  const flags = ['--validate', '--kube-version', '1.29,1.31'];
  await run(...flags, '--update');
  const fresh = await run(...flags, '--no-cache');
  assert.equal((await run(...flags)).stdout, fresh.stdout);
  assert.match(fresh.stdout, /spec\.replicas.*in a-values, b-values\n/);
  for (const part of ['1', '2']) await run(...flags, '--shard', `${part}/2`, '--report', `json=${part}.json`);
  const merged = await runAll(['merge-reports', '1.json', '2.json']);
  assert.deepEqual([merged.exitCode, merged.stdout], [fresh.exitCode, fresh.stdout]);
});

test('a cell takes its own manifest with the first one, for any documents', () => {
  const document = (name: string, text: string): string =>
    `---\n# Source: a/t.yaml\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata: {t: ${text}}\n`;
  const pairs: readonly (readonly [string, string])[] = [
    ['', ''],
    ['', document('a', '1')],
    [document('a', '1'), ''],
    [document('a', '1'), document('a', '2')],
    [document('a', '1') + document('b', '1'), document('b', '1')],
    [document('a', '1') + document('a', '2'), document('a', '1') + document('a', '3')],
    [document('a', '1') + document('a', '2'), document('a', '1')],
    [document('a', '1'), document('a', '1') + document('a', '2')],
    ['---\n- a list\n---\ntext\n', '---\ntext\n---\nmore\n'],
  ];
  for (const [first, own] of pairs) {
    const sorted = (text: string): string[] =>
      text
        .split(/^---\n/m)
        .filter((part) => part !== '')
        .sort();
    assert.deepEqual(sorted(wholeText(first, entryText(first, own, 'a.yaml') || first)), sorted(own));
  }
  assert.equal(entryText('a: 1', 'a: 1', 'a.yaml'), '');
});

test('reports use readable names for cells, and list each change once, also where the first cell does not show it', async () => {
  const { run, write } = createMatrix({ 'big.yaml': 'replicas: 5\n' });
  const flags = [...matrix, '--with-values', 'big.yaml'];
  await run(...flags, '--update');
  write({ 'big.yaml': 'replicas: 7\n' });
  const output = async (form: string): Promise<string> => (await run(...flags, '--report', form)).stdout;
  const cells = 'in default with values big, also with Kubernetes 1.31, 1.33';
  const github = (await output('github')).split('\n').filter((line) => line.includes('spec.replicas'));
  assert.equal(github.length, 1);
  assert.ok(github[0]!.startsWith('::error file=big.yaml,line=1::replicas: 1 Deployment'), github[0]);
  assert.equal((await output('junit')).split(cells).length, 3, 'as the message and as the text of one failure');
  for (const form of ['sarif', 'gitlab', 'markdown', 'html', 'text']) {
    assert.equal((await output(form)).split(cells).length, 2, form);
  }
  write({ 'web/values.yaml': 'replicas: 1\nimage: b:1\n' });
  const images = (await output('github')).split('\n').filter((line) => line.includes('[name=a].image: '));
  assert.equal(images.length, 1);
  assert.match(images[0]!, /Deployment default\/web%0A/);
});

test('the first version that the chart accepts is recorded, and one that it rejects does not fail it', async () => {
  const { run, kept } = createMatrix({
    'web/Chart.yaml': chartYaml('web', 'kubeVersion: ">=1.30.0-0"\n'),
  });
  const kube = ['--kube-version', '1.29,1.31,1.33'];
  const { exitCode, stdout } = await run(...kube, '--update');
  assert.equal(exitCode, 0, stdout);
  assert.match(kept('default.yaml'), /name: later/);
  assert.match(kept('default.kube-1.29.txt'), /incompatible with Kubernetes v1\.29$/m);
  assert.equal((await run(...kube)).exitCode, 0);
});

test('a chart that rejects the default version is rendered for the nearest one that it accepts', async () => {
  for (const [range, name, helm] of [
    ['>=1.33.0-0', 'later', '3.17.3'],
    ['<1.30.0-0', 'early', '3.22.0'],
  ] as const) {
    const { run, runAll, kept } = createMatrix({
      'web/Chart.yaml': chartYaml('web', `kubeVersion: "${range}"\n`),
    });
    assert.equal((await run('--update', '--helm', helm)).exitCode, 0, range);
    assert.match(kept('default.yaml'), new RegExp(`name: ${name}`));
    assert.equal((await runAll(['template', 'web', '--helm', helm])).exitCode, 1, range);
  }
});
