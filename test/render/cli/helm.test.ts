// `--helm` on every command that renders, and the comparison of several versions.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { defaultHelm } from '../../../render/core/helm-version.ts';
import { runInProcess } from '../../support/cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'drydock-helm-'));
after(() => rmSync(folder, { recursive: true }));

const chart = join(folder, 'charts/c');
const values = 'a: 1\n---\nb: 2\n';
const files = {
  'Chart.yaml': 'apiVersion: v2\nname: c\nversion: 0.1.0\n',
  'values.yaml': values,
  'templates/a.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  helm: {{ .Capabilities.HelmVersion.Version }}\n  b: {{ .Values.b | quote }}\n',
};
const order = JSON.stringify({
  spec: {
    packages: [
      { chart: { name: 'c', sourceRef: { kind: 'Local', name: 'charts/c' }, releaseName: 'c', namespace: 'default' } },
    ],
  },
});

mkdirSync(join(chart, 'templates'), { recursive: true });
for (const [name, text] of Object.entries(files)) writeFileSync(join(chart, name), text);
writeFileSync(join(folder, 'order.json'), order);

async function run(line: string, cwd = folder): Promise<string> {
  const { exitCode, stdout, stderr } = await runInProcess(line.split(' '), cwd);
  assert.equal(exitCode, 0, stderr);
  return stdout;
}

test('a snapshot of a chart equals the output of template', async () => {
  for (const flags of ['', ' --helm 4', ' --helm v3.19']) {
    await run(`snapshot charts/c${flags} --update`);
    assert.equal(
      readFileSync(join(folder, 'snapshots/c.snap/default.yaml'), 'utf8'),
      await run(`template charts/c${flags}`),
    );
  }
});

for (const [line, three, four] of [
  ['template charts/c', /helm: v3.17.3\n {2}b:\n/, /helm: v4.2.3\n {2}b: "2"\n\n?$/],
  ['render order.json', /helm: v3.17.3\n {2}b:\n/, /helm: v4.2.3\n {2}b: "2"/],
  ['explain charts/c ConfigMap/c data', /v3\.17\.3/, /v4\.2\.3/],
] as const) {
  test(`${line} with either Helm`, async () => {
    assert.match(await run(`${line} --helm=3.17`), three);
    assert.match(await run(`${line} --helm 4.2.3`), four);
  });
}

test('check and coverage render with it too', async () => {
  assert.match(await run('check order.json --helm 4'), /0 errors/);
  assert.match(await run('coverage charts/c --helm 4'), /100/);
});

test('an unknown Helm version is refused', async () => {
  for (const command of ['template charts/c', 'render order.json', 'snapshot charts/c', 'coverage charts/c']) {
    const { exitCode, stderr } = await runInProcess([...command.split(' '), '--helm', '5'], folder);
    assert.equal(exitCode, 2, command);
    assert.match(stderr, /--helm takes (any, )?3, 4, 3\.17, .*4\.3, or one of 3\.17\.3, .*4\.3\.1, not "5"/);
  }
});

test('a configuration sets the Helm of all commands except template', async () => {
  writeFileSync(join(folder, 'drydock.config.json'), '{"helm": "4.2.3"}');
  try {
    assert.match(await run('render order.json'), /v4\.2\.3/);
    assert.match(await run('render order.json --helm 3.17'), /v3\.17\.3/);
    assert.match(await run('template charts/c'), new RegExp(`v${defaultHelm}`));
  } finally {
    rmSync(join(folder, 'drydock.config.json'));
  }
});

test('two Helms: differences in meaning are reported, not those in bytes only', async () => {
  const plain = join(folder, 'charts/plain');
  mkdirSync(join(plain, 'templates'), { recursive: true });
  writeFileSync(join(plain, 'Chart.yaml'), files['Chart.yaml']);
  writeFileSync(
    join(plain, 'templates/a.yaml'),
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {at: {{ now | quote }}, word: {{ randAlpha 9 }}}\n',
  );
  writeFileSync(join(plain, 'templates/b.yaml'), 'kind: B\n');
  const same = await runInProcess(['template', 'charts/plain', '--helm', '3.17,4.2.3'], folder);
  assert.equal(same.exitCode, 0);
  assert.equal(
    same.stderr,
    'Helm 3.17.3 to Helm 4.2.3: other bytes, the same meaning\n' +
      'since 4.2.0: white space after a document stays (helm/helm#31952): 1 document, formatting only\n',
  );
  const other = await runInProcess(['template', 'charts/c', '--helm', '3.17,4.2.3'], folder);
  assert.equal(other.exitCode, 1);
  assert.match(other.stdout, /helm: v3\.17\.3/);
  assert.match(other.stderr, /^Helm 3\.17\.3 to Helm 4\.2\.3: 1 changed\n/);
  assert.match(other.stderr, /data\.helm: .*v3\.17\.3.*v4\.2\.3/);
  const back = await runInProcess(['template', 'charts/c', '--helm=4.2.3,3.17'], folder);
  assert.match(back.stderr, /^Helm 4\.2\.3 to Helm 3\.17\.3: 1 changed\n/);
});

test('two Helms, of which one fails', async () => {
  const odd = join(folder, 'charts/odd');
  mkdirSync(join(odd, 'templates'), { recursive: true });
  writeFileSync(join(odd, 'Chart.yaml'), files['Chart.yaml']);
  writeFileSync(join(odd, 'templates/a.yaml'), '{{ if .Chart.Foo }}{{ end }}a: {{ mustToYaml 1 }}\n');
  const first = await runInProcess(['template', 'charts/odd', '--helm', '3.17,4.2.3'], folder);
  assert.equal(first.exitCode, 1);
  assert.match(first.stderr, /^Error: parse error at .*function "mustToYaml" not defined/);
  const second = await runInProcess(['template', 'charts/odd', '--helm', '4.2.3,3.17'], folder);
  assert.equal(second.exitCode, 1);
  assert.match(second.stdout, /^a: 1$/m);
  assert.match(second.stderr, /^Helm 4\.2\.3 renders it, Helm 3\.17\.3 refuses it:\n {2}Error: parse error/);
  const { stderr } = await runInProcess(['template', 'charts/c', '--helm', '3.17,4.2.3', '--force-conflicts'], folder);
  assert.match(stderr, /unknown flag: --force-conflicts/);
});

test('a snapshot of two Helms stores differences in meaning', async () => {
  const line = 'snapshot charts/c order.json --helm 3.17.3,4.2.3 --snapshots both';
  await run(`${line} --update`);
  for (const [name, report] of [
    ['c.snap/default.yaml', 'c.snap/default.helm-4.2.3.txt'],
    ['order.snap/manifest.yaml', 'order.snap/manifest.helm-4.2.3.txt'],
  ] as const) {
    assert.match(readFileSync(join(folder, 'both', name), 'utf8'), /helm: v3/);
    assert.match(readFileSync(join(folder, 'both', report), 'utf8'), /^Helm 3\.17\.3 to Helm 4\.2\.3: 1 changed\n/);
  }
  await run(line);
});

test('each difference names the change in Helm that causes it', async () => {
  const causes = join(folder, 'charts/causes');
  mkdirSync(join(causes, 'templates'), { recursive: true });
  writeFileSync(join(causes, 'Chart.yaml'), files['Chart.yaml']);
  writeFileSync(join(causes, 'values.yaml'), 'port: null\n');
  const head = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;
  writeFileSync(join(causes, 'templates/a.yaml'), `${head('a')}data: {known: "{{ hasKey .Values "port" }}"}\n`);
  const range = '{{ semverCompare ">=1.19-0, <1.22.0" "1.21.3-eks" }}';
  writeFileSync(join(causes, 'templates/b.yaml'), `${head('b')}data: {is: "${range}"}\n`);
  const { exitCode, stderr } = await runInProcess(['template', 'charts/causes', '--helm', '3.17,3.22,4.2'], folder);
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
