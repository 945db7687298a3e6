// Causes of differences in charts that move values, and what stays hidden in them.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { runInProcess } from '../../../support/cli.ts';

const root = mkdtempSync(join(tmpdir(), 'drydock-attribution-'));
after(() => rmSync(root, { recursive: true, force: true }));

function write(name: string, files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name, file)), { recursive: true });
    writeFileSync(join(root, name, file), text);
  }
}

async function causes(...argv: string[]): Promise<readonly string[]> {
  const { stdout } = await runInProcess(argv, root);
  return [...stdout.matchAll(/because of (.*)/g)].map(([, cause = '']) => cause);
}

const object = (body: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n${body}`;

// The way the charts of Istio store their defaults.
write('moved', {
  'Chart.yaml': 'apiVersion: v2\nname: moved\nversion: 1.0.0\n',
  'values.yaml': '_defaults:\n  hub: public\n  pilot: {replicas: 1}\n',
  'templates/zzz.yaml': `{{- $defaults := $.Values._defaults }}
{{- $_ := unset $.Values "_defaults" }}
{{- $_ := set $ "Values" (mustMergeOverwrite $defaults $.Values) }}
`,
  'templates/a.yaml': object('  hub: {{ .Values.hub }}\n  replicas: "{{ .Values.pilot.replicas }}"\n'),
});

test('values that templates merge into .Values are reported where users set them', async () => {
  assert.deepEqual(await causes('diff', 'moved', '--new-set', 'hub=mine'), ['hub, set by --set hub=mine']);
  assert.deepEqual(await causes('diff', 'moved', '--new-set', 'pilot.replicas=3'), [
    'pilot.replicas, set by --set pilot.replicas=3',
  ]);
  const { stdout } = await runInProcess(['explain', 'moved', 'ConfigMap/a', 'data.hub'], root);
  assert.match(stdout, /^ {2}hub = "public": used here\n {4}set by moved\/values\.yaml:2:3/m);
  assert.doesNotMatch(stdout, /_defaults/);
});

test('a snapshot knows the defaults that templates removed', async () => {
  await runInProcess(['snapshot', 'moved', '--update', '--no-cache'], root);
  write('moved', { 'values.yaml': '_defaults:\n  hub: private\n  pilot: {replicas: 1}\n' });
  const { stdout } = await runInProcess(['snapshot', 'moved', '--no-cache'], root);
  assert.match(stdout, /^moved\/values\.yaml:2 {2}hub\n {2}~ ConfigMap/m);
});

// The way argo-events stores its CRDs.
write('emptied', {
  'Chart.yaml': 'apiVersion: v2\nname: emptied\nversion: 1.0.0\n',
  'values.yaml': 'keep: true\nhosts: [a]\n',
  'templates/a.yaml': `apiVersion: v1
kind: ConfigMap
metadata:
  name: a
  annotations:
    {{- if .Values.keep }}
    helm.sh/resource-policy: keep
    {{- end }}
  finalizers:
    {{- range .Values.hosts }}
    - example.com/{{ . }}
    {{- end }}
`,
});

test('a cause for an emptied map or list is the value that emptied it', async () => {
  assert.deepEqual(await causes('diff', 'emptied', '--new-set', 'keep=false'), ['keep, set by --set keep=false']);
  assert.deepEqual(await causes('diff', 'emptied', '--new-set-json', 'hosts=[]'), [
    'hosts, set by --set-json hosts=[]',
  ]);
});

write('global', {
  'Chart.yaml':
    'apiVersion: v2\nname: global\nversion: 1.0.0\ndependencies: [{name: inner, version: 1.0.0, alias: own}]\n',
  'values.yaml': 'global: {tag: one}\n',
  'charts/inner/Chart.yaml': 'apiVersion: v2\nname: inner\nversion: 1.0.0\n',
  'charts/inner/templates/a.yaml': object('  tag: {{ .Values.global.tag }}\n'),
});

test('a global value is a cause for what subcharts derive from it', async () => {
  const { stdout } = await runInProcess(['impact', 'global', 'global.tag'], root);
  assert.match(stdout, /^global\.tag reaches 1 object$/m);
  assert.match(stdout, /appears in data\.tag/);
  assert.deepEqual(await causes('diff', 'global', '--new-set', 'global.tag=two'), [
    'global.tag, set by --set global.tag=two',
  ]);
});

write('import', {
  'Chart.yaml':
    'apiVersion: v2\nname: import\nversion: 1.0.0\ndependencies:\n- {name: inner, version: 1.0.0, condition: inner.enabled, import-values: [{child: data, parent: own}]}\n',
  'values.yaml': 'own: {}\n',
  'charts/inner/Chart.yaml': 'apiVersion: v2\nname: inner\nversion: 1.0.0\n',
  'charts/inner/values.yaml': 'enabled: true\ndata: {size: small}\n',
  'templates/a.yaml': object('  size: {{ .Values.own.size | default "none" }}\n'),
});

test('an imported value is attributed to its subchart', async () => {
  assert.deepEqual(await causes('diff', 'import', '--new-set', 'inner.enabled=false'), [
    'inner.enabled, set by --set inner.enabled=false',
  ]);
});

write('secret', {
  'Chart.yaml': 'apiVersion: v2\nname: secret\nversion: 1.0.0\n',
  'values.yaml': 'enabled: true\npassword: p\nsize: small\n',
  'templates/a.yaml': `${object('  size: {{ .Values.size }}\n  sum: {{ sha256sum .Values.password }}\n')}{{- if .Values.enabled }}
---
apiVersion: v1
kind: Secret
metadata: {name: b}
stringData:
  password: {{ .Values.password }}
{{- end }}
`,
});

test('only the contents of Secrets are hidden, everywhere', async () => {
  assert.deepEqual(await causes('diff', 'secret', '--new-set', 'enabled=false'), [
    'enabled, set by --set enabled=false',
  ]);
  assert.deepEqual(await causes('diff', 'secret', '--new-set', 'size=big,password=swordfish'), [
    'password, set by --set password=<hidden>',
    'size, set by --set size=big',
    'password, set by --set password=<hidden>',
  ]);
  const whole = await causes('diff', 'secret', '--new-set-json', 'size="big",password="swordfish"');
  assert.deepEqual([...new Set(whole)].sort(), [
    'password, set by --set-json size=<hidden>',
    'size, set by --set-json size=<hidden>',
  ]);
});

const parent = (dependencies: string): string =>
  `apiVersion: v2\nname: parent\nversion: 1.0.0\ndependencies: ${dependencies}\n`;
const inner = (version: string, word: string): Readonly<Record<string, string>> => ({
  'charts/inner/Chart.yaml': `apiVersion: v2\nname: inner\nversion: ${version}\n`,
  'charts/inner/values.yaml': `word: ${word}\n`,
  'charts/inner/templates/a.yaml': object(`  # ${word}\n  ${word}: a\n  word: {{ .Values.word }}\n`),
});

test('a dependency is reported with its versions, or as added or removed', async () => {
  write('one/parent', { 'Chart.yaml': parent('[{name: inner, version: "*"}]'), ...inner('1.0.0', 'one') });
  write('two/parent', { 'Chart.yaml': parent('[{name: inner, version: "*"}]'), ...inner('2.0.0', 'two') });
  write('none/parent', { 'Chart.yaml': parent('[]') });
  const bumped = await causes('diff', 'one/parent', 'two/parent');
  assert.deepEqual([...new Set(bumped)], ['dependency inner 1.0.0 → 2.0.0']);
  assert.deepEqual(await causes('diff', 'none/parent', 'one/parent'), ['dependency inner, added']);
  assert.deepEqual(await causes('diff', 'one/parent', 'none/parent'), ['dependency inner, removed']);
});

test('reports group the effects of a new dependency version at its line in Chart.yaml', async () => {
  const chart = (version: string): string => parent(`\n  - name: inner\n    version: ${version}`);
  write('bump/parent', { 'Chart.yaml': chart('1.0.0'), ...inner('1.0.0', 'one') });
  await runInProcess(['snapshot', 'bump/parent', '--update', '--no-cache', '--snapshots', 'bump/snapshots'], root);
  write('bump/parent', { 'Chart.yaml': chart('2.0.0'), ...inner('2.0.0', 'two') });
  const compare = ['snapshot', 'bump/parent', '--no-cache', '--snapshots', 'bump/snapshots'];
  const { stdout } = await runInProcess(compare, root);
  assert.match(stdout, /^inner 1\.0\.0 → 2\.0\.0 {2}\(bump\/parent\/Chart\.yaml:6\)$/m);
  const { stdout: json } = await runInProcess([...compare, '--json'], root);
  const [cause] = JSON.parse(json).inputs[0].difference.objects[0].entries[0].causes;
  assert.deepEqual(cause.version, { chart: 'parent/charts/inner', from: '1.0.0', to: '2.0.0' });
});

test('a value of a chart is one cause for the chart and for an Order that uses it', async () => {
  const chart = (size: string) => ({
    'charts/own/Chart.yaml': 'apiVersion: v2\nname: own\nversion: 1.0.0\n',
    'charts/own/values.yaml': `size: ${size}\n`,
    'charts/own/templates/a.yaml': object('  size: {{ .Values.size }}\n'),
  });
  const order =
    'spec: {packages: [{chart: {name: own, sourceRef: {kind: Local, name: own}, releaseName: a, namespace: a}}]}\n';
  write('.', { ...chart('small'), 'orders/a.yaml': order });
  const inputs = ['snapshot', 'charts/own', 'orders/a.yaml', '--charts', 'charts', '--no-cache', '--snapshots', 'two'];
  await runInProcess([...inputs, '--update'], root);
  write('.', chart('big'));
  const { stdout } = await runInProcess(inputs, root);
  assert.match(
    stdout,
    /^charts\/own\/values\.yaml:1 {2}size\n {2}~ ConfigMap default\/a {2}\(charts\/own\)\n {2}~ ConfigMap a\/a {2}\(orders\/a\.yaml\)\n/m,
  );
});
