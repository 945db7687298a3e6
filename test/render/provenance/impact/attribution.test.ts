// Causes of differences in charts that move values, and what stays hidden in them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chartIn, chartYaml, createProject } from '../../../support/project.ts';

const object = (body: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n${body}`;

const { run, write } = createProject({
  // The way the charts of Istio store their defaults.
  ...chartIn('moved', {
    'values.yaml': '_defaults:\n  hub: public\n  pilot: {replicas: 1}\n',
    'templates/zzz.yaml': `{{- $defaults := $.Values._defaults }}
{{- $_ := unset $.Values "_defaults" }}
{{- $_ := set $ "Values" (mustMergeOverwrite $defaults $.Values) }}
`,
    'templates/a.yaml': object('  hub: {{ .Values.hub }}\n  replicas: "{{ .Values.pilot.replicas }}"\n'),
  }),
  // The way argo-events stores its CRDs.
  ...chartIn('emptied', {
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
  }),
  ...chartIn('global', {
    'Chart.yaml': chartYaml('global', 'dependencies: [{name: inner, version: 1.0.0, alias: own}]\n'),
    'values.yaml': 'global: {tag: one}\n',
    ...chartIn('charts/inner', { 'templates/a.yaml': object('  tag: {{ .Values.global.tag }}\n') }),
  }),
  ...chartIn('import', {
    'Chart.yaml': chartYaml(
      'import',
      'dependencies:\n- {name: inner, version: 1.0.0, condition: inner.enabled, import-values: [{child: data, parent: own}]}\n',
    ),
    'values.yaml': 'own: {}\n',
    ...chartIn('charts/inner', { 'values.yaml': 'enabled: true\ndata: {size: small}\n' }),
    'templates/a.yaml': object('  size: {{ .Values.own.size | default "none" }}\n'),
  }),
  ...chartIn('secret', {
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
  }),
});

/** Returns the causes that `drydock diff` reports. */
async function causes(line: string): Promise<readonly string[]> {
  const { stdout } = await run(['diff', ...line.split(' ')]);
  return [...stdout.matchAll(/because of (.*)/g)].map(([, cause = '']) => cause);
}

// What is a cause, the arguments of `diff`, and the causes.
const rows: readonly (readonly [what: string, line: string, expected: readonly string[]])[] = [
  ['a value merged into .Values', 'moved --new-set hub=mine', ['hub, set by --set hub=mine']],
  ['one in a table', 'moved --new-set pilot.replicas=3', ['pilot.replicas, set by --set pilot.replicas=3']],
  ['the value that empties a map', 'emptied --new-set keep=false', ['keep, set by --set keep=false']],
  ['the value that empties a list', 'emptied --new-set-json hosts=[]', ['hosts, set by --set-json hosts=[]']],
  ['a global value', 'global --new-set global.tag=two', ['global.tag, set by --set global.tag=two']],
  ['an imported value', 'import --new-set inner.enabled=false', ['inner.enabled, set by --set inner.enabled=false']],
  ['the condition of a Secret', 'secret --new-set enabled=false', ['enabled, set by --set enabled=false']],
  [
    'only the contents of Secrets, hidden',
    'secret --new-set size=big,password=swordfish',
    ['password=<hidden>', 'size=big', 'password=<hidden>'].map((set) => `${set.split('=')[0]}, set by --set ${set}`),
  ],
  [
    'all values of a flag with the contents of a Secret, hidden',
    'secret --new-set-json size="big",password="swordfish"',
    ['password', 'size', 'password'].map((path) => `${path}, set by --set-json size=<hidden>`),
  ],
];

for (const [what, line, expected] of rows) {
  test(`the cause is ${what}: diff ${line}`, async () => assert.deepEqual(await causes(line), expected));
}

test('values that templates merge into .Values are explained and recorded where users set them', async () => {
  const { stdout } = await run(['explain', 'moved', 'ConfigMap/a', 'data.hub']);
  assert.match(stdout, /^ {2}hub = "public": used here\n {4}set by moved\/values\.yaml:2:3/m);
  assert.doesNotMatch(stdout, /_defaults/);
  await run(['snapshot', 'moved', '--update', '--no-cache']);
  write({ 'moved/values.yaml': '_defaults:\n  hub: private\n  pilot: {replicas: 1}\n' });
  const changed = await run(['snapshot', 'moved', '--no-cache']);
  assert.match(changed.stdout, /^moved\/values\.yaml:2 {2}hub\n {2}~ ConfigMap/m);
});

/** Returns a chart `parent`, and its dependency in a version. */
const parentIn = (folder: string, dependencies: string, version = '', word = ''): Record<string, string> => ({
  [`${folder}/parent/Chart.yaml`]: chartYaml('parent', `dependencies: ${dependencies}\n`),
  ...(version !== '' &&
    chartIn(`${folder}/parent/charts/inner`, {
      'Chart.yaml': chartYaml('inner', '', version),
      'values.yaml': `word: ${word}\n`,
      'templates/a.yaml': object(`  # ${word}\n  ${word}: a\n  word: {{ .Values.word }}\n`),
    })),
});

test('a dependency is reported with its versions, or as added or removed', async () => {
  const any = '[{name: inner, version: "*"}]';
  write({ ...parentIn('one', any, '1.0.0', 'one'), ...parentIn('two', any, '2.0.0', 'two'), ...parentIn('no', '[]') });
  assert.deepEqual([...new Set(await causes('one/parent two/parent'))], ['dependency inner 1.0.0 → 2.0.0']);
  assert.deepEqual(await causes('no/parent one/parent'), ['dependency inner, added']);
  assert.deepEqual(await causes('one/parent no/parent'), ['dependency inner, removed']);
});

test('reports group the effects of a new dependency version at its line in Chart.yaml', async () => {
  const bump = (version: string, word: string): void =>
    write(parentIn('bump', `\n  - name: inner\n    version: ${version}`, version, word));
  const compare = ['snapshot', 'bump/parent', '--no-cache', '--snapshots', 'bump/snapshots'];
  bump('1.0.0', 'one');
  await run([...compare, '--update']);
  bump('2.0.0', 'two');
  assert.match((await run(compare)).stdout, /^inner 1\.0\.0 → 2\.0\.0 {2}\(bump\/parent\/Chart\.yaml:6\)$/m);
  const [cause] = JSON.parse((await run([...compare, '--json'])).stdout).inputs[0].difference.objects[0].entries[0]
    .causes;
  assert.deepEqual(cause.version, { chart: 'parent/charts/inner', from: '1.0.0', to: '2.0.0' });
});
