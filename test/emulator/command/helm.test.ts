// `--helm 4` on every command that renders: what Helm 4.2.3 gives where it differs.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
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

test('a snapshot of a chart is what template prints', async () => {
  for (const flags of ['', ' --helm 4']) {
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
    assert.match(await run(line), three);
    assert.match(await run(`${line} --helm=3`), three);
    assert.match(await run(`${line} --helm 4`), four);
  });
}

test('check and coverage render with it too', async () => {
  assert.match(await run('check order.json --helm 4'), /0 errors/);
  assert.match(await run('coverage charts/c --helm 4'), /100/);
});

test('another Helm is refused', async () => {
  for (const command of ['template charts/c', 'render order.json', 'snapshot charts/c', 'coverage charts/c']) {
    const { exitCode, stderr } = await runInProcess([...command.split(' '), '--helm', '5'], folder);
    assert.equal(exitCode, 2, command);
    assert.match(stderr, /--helm takes 3, 4(, any)?, not "5"/);
  }
});

test('a configuration names the Helm of all commands but template', async () => {
  writeFileSync(join(folder, 'drydock.config.json'), '{"helm": "4"}');
  try {
    assert.match(await run('render order.json'), /v4\.2\.3/);
    assert.match(await run('render order.json --helm 3'), /v3\.17\.3/);
    assert.match(await run('template charts/c'), /v3\.17\.3/);
  } finally {
    rmSync(join(folder, 'drydock.config.json'));
  }
});

test('a script may be for any Helm, and nothing else may', async () => {
  assert.match(await run('render order.json -o pkgmgr3 --helm any'), /check_helm any/);
  assert.match(await run('render order.json -o pkgmgr3 --helm 4'), /check_helm 4/);
  const { exitCode, stderr } = await runInProcess(['render', 'order.json', '--helm', 'any'], folder);
  assert.equal(exitCode, 2);
  assert.match(stderr, /--helm any goes with --output pkgmgr3/);
});
