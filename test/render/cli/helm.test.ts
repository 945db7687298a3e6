// `--helm` on every command that renders, and the comparison of several versions.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultHelm } from '../../../render/core/helm-version.ts';
import { chartIn, createProject } from '../../support/project.ts';

const configMap = (name: string, data: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {${data}}\n`;
const chart = { name: 'c', sourceRef: { kind: 'Local', name: 'charts/c' }, releaseName: 'c', namespace: 'default' };
const { write, read, remove, run } = createProject({
  ...chartIn('charts/c', {
    'values.yaml': 'a: 1\n---\nb: 2\n',
    'templates/a.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  helm: {{ .Capabilities.HelmVersion.Version }}\n  b: {{ .Values.b | quote }}\n',
  }),
  'order.json': JSON.stringify({ spec: { packages: [{ chart }] } }),
});
const answerOf = (line: string) => run(line.split(' '));

async function outputOf(line: string): Promise<string> {
  const { exitCode, stdout, stderr } = await answerOf(line);
  assert.equal(exitCode, 0, stderr);
  return stdout;
}

for (const [line, three, four] of [
  ['template charts/c', /helm: v3.17.3\n {2}b:\n/, /helm: v4.2.3\n {2}b: "2"\n\n?$/],
  ['render order.json', /helm: v3.17.3\n {2}b:\n/, /helm: v4.2.3\n {2}b: "2"/],
  ['explain charts/c ConfigMap/c data', /v3\.17\.3/, /v4\.2\.3/],
] as const) {
  test(`${line} with either Helm`, async () => {
    assert.match(await outputOf(`${line} --helm=3.17`), three);
    assert.match(await outputOf(`${line} --helm 4.2.3`), four);
  });
}

test('an unknown Helm version is refused', async () => {
  for (const command of ['template charts/c', 'render order.json', 'snapshot charts/c', 'coverage charts/c']) {
    const { exitCode, stderr } = await answerOf(`${command} --helm 5`);
    assert.equal(exitCode, 2, command);
    assert.match(stderr, /--helm takes (any, )?3, 4, 3\.17, .*4\.3, or one of 3\.17\.3, .*4\.3\.1, not "5"/);
  }
});

test('a configuration sets the Helm of all commands except template', async () => {
  write({ 'drydock.config.json': '{"helm": "4.2.3"}' });
  try {
    assert.match(await outputOf('render order.json'), /v4\.2\.3/);
    assert.match(await outputOf('render order.json --helm 3.17'), /v3\.17\.3/);
    assert.match(await outputOf('template charts/c'), new RegExp(`v${defaultHelm}`));
  } finally {
    remove('drydock.config.json');
  }
});

test('two Helms: differences in meaning are reported, not those in bytes only', async () => {
  write(
    chartIn('charts/plain', {
      'templates/a.yaml': configMap('c', 'at: {{ now | quote }}, word: {{ randAlpha 9 }}'),
      'templates/b.yaml': 'kind: B\n',
    }),
  );
  const same = await answerOf('template charts/plain --helm 3.17,4.2.3');
  assert.equal(same.exitCode, 0);
  assert.equal(
    same.stderr,
    'Helm 3.17.3 to Helm 4.2.3: other bytes, the same meaning\n' +
      'since 4.2.0: white space after a document stays (helm/helm#31952): 1 document, formatting only\n',
  );
  const other = await answerOf('template charts/c --helm 3.17,4.2.3');
  assert.equal(other.exitCode, 1);
  assert.match(other.stdout, /helm: v3\.17\.3/);
  assert.match(other.stderr, /^Helm 3\.17\.3 to Helm 4\.2\.3: 1 changed\n/);
  assert.match(other.stderr, /data\.helm: .*v3\.17\.3.*v4\.2\.3/);
  const back = await answerOf('template charts/c --helm=4.2.3,3.17');
  assert.match(back.stderr, /^Helm 4\.2\.3 to Helm 3\.17\.3: 1 changed\n/);
});

test('two Helms, of which one fails', async () => {
  write(chartIn('charts/odd', { 'templates/a.yaml': '{{ if .Chart.Foo }}{{ end }}a: {{ mustToYaml 1 }}\n' }));
  const first = await answerOf('template charts/odd --helm 3.17,4.2.3');
  assert.equal(first.exitCode, 1);
  assert.match(first.stderr, /^Error: parse error at .*function "mustToYaml" not defined/);
  const second = await answerOf('template charts/odd --helm 4.2.3,3.17');
  assert.equal(second.exitCode, 1);
  assert.match(second.stdout, /^a: 1$/m);
  assert.match(second.stderr, /^Helm 4\.2\.3 renders it, Helm 3\.17\.3 refuses it:\n {2}Error: parse error/);
  const { stderr } = await answerOf('template charts/c --helm 3.17,4.2.3 --force-conflicts');
  assert.match(stderr, /unknown flag: --force-conflicts/);
});

test('a snapshot of two Helms stores differences in meaning', async () => {
  const line = 'snapshot charts/c order.json --helm 3.17.3,4.2.3 --snapshots both';
  await outputOf(`${line} --update`);
  for (const [name, report] of [
    ['c.snap/default.yaml', 'c.snap/default.helm-4.2.3.txt'],
    ['order.snap/manifest.yaml', 'order.snap/manifest.helm-4.2.3.txt'],
  ] as const) {
    assert.match(read(`both/${name}`), /helm: v3/);
    assert.match(read(`both/${report}`), /^Helm 3\.17\.3 to Helm 4\.2\.3: 1 changed\n/);
  }
  await outputOf(line);
});

test('each difference names the change in Helm that causes it', async () => {
  write(
    chartIn('charts/causes', {
      'values.yaml': 'port: null\n',
      'templates/a.yaml': configMap('a', 'known: "{{ hasKey .Values "port" }}"'),
      'templates/b.yaml': configMap('b', 'is: "{{ semverCompare ">=1.19-0, <1.22.0" "1.21.3-eks" }}"'),
    }),
  );
  const { exitCode, stderr } = await answerOf('template charts/causes --helm 3.17,3.22,4.2');
  assert.equal(exitCode, 1);
  const [toNewest = '', toFour = ''] = stderr.split(/(?=^Helm 3\.17\.3 to )/m);
  assert.match(toNewest, /^Helm 3\.17\.3 to Helm 3\.22\.0: 1 changed, 1 the same\n/);
  assert.match(toNewest, /^since 3\.19\.0: in semverCompare, .* \(Masterminds\/semver v3\.4\.0\)\n\n.*ConfigMap b /m);
  assert.match(toFour, /^Helm 3\.17\.3 to Helm 4\.2\.4: 2 changed\n/);
  assert.match(toFour, /^since 4\.0\.0: in semverCompare, /m);
  assert.match(
    toFour,
    /^since 4\.2\.0: null defaults in values\.yaml are dropped \(helm\/helm#31979\)\n\n.*ConfigMap a /m,
  );
});
