// `drydock cases` as a user runs it, and the use of its files in `coverage` and `snapshot`.

import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runInProcess } from '../../support/cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'drydock-cases-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const run = (...argv: string[]) => runInProcess(argv, folder);

const template = `a: {{ if .Values.enabled }}1{{ end }}
{{- if .Capabilities.APIVersions.Has "example.com/v1" }}
b: {{ .Capabilities.KubeVersion.Version }}
{{- end }}
{{- if .Release.IsUpgrade }}
c: 1
{{- end }}
`;

function writeChart(name: string): string {
  mkdirSync(join(folder, name, 'templates'), { recursive: true });
  writeFileSync(join(folder, name, 'Chart.yaml'), `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`);
  writeFileSync(join(folder, name, 'values.yaml'), 'enabled: false\n');
  writeFileSync(join(folder, name, 'templates/page.yaml'), template);
  return join(folder, name);
}

test('cases are printed, or written without overwriting files', async () => {
  const chart = writeChart('first');
  const printed = await run('cases', 'first');
  assert.equal(printed.exitCode, 0);
  assert.match(printed.stdout, /^first: the existing cases reach 3 of 6 branch outcomes\.\n/);
  assert.match(printed.stdout, /--- drydock-1-values\.yaml\n# drydock: api-versions example\.com\/v1\n/);
  mkdirSync(join(chart, 'ci'));
  writeFileSync(join(chart, 'ci/drydock-1-values.yaml'), '# mine\n');
  const { stdout } = await run('cases', 'first', '--write', 'ci');
  assert.match(stdout, /^first\/ci\/drydock-2-values\.yaml: reaches 3 more$/m);
  assert.deepEqual(readdirSync(join(chart, 'ci')), ['drydock-1-values.yaml', 'drydock-2-values.yaml']);
  assert.equal(readFileSync(join(chart, 'ci/drydock-1-values.yaml'), 'utf8'), '# mine\n');
});

test('the written files are complete: --check passes, coverage and snapshot follow the comments', async () => {
  const chart = writeChart('second');
  assert.equal((await run('cases', 'second', '--check')).exitCode, 1);
  await run('cases', 'second', '--write', 'ci');
  assert.deepEqual(readdirSync(join(chart, 'ci')), ['default-values.yaml', 'drydock-1-values.yaml']);
  assert.equal((await run('cases', 'second', '--check')).exitCode, 0);
  const { stdout } = await run('coverage', 'second', '--json');
  assert.deepEqual(JSON.parse(stdout).charts?.[0]?.totals?.branches ?? JSON.parse(stdout).totals.branches, {
    covered: 6,
    total: 6,
  });
  await run('snapshot', 'second', '--update');
  const snapshot = readFileSync(join(folder, 'snapshots/second.snap/drydock-1-values.yaml'), 'utf8');
  assert.match(snapshot, /^a: 1\nb: v1\.[\d.]+\nc: 1$/m);
});

test('the Kubernetes version in a values file applies to its case', async () => {
  const chart = writeChart('third');
  mkdirSync(join(chart, 'ci'));
  const words = '# drydock: kube-version 1.25\n# drydock: api-versions example.com/v1\n';
  writeFileSync(join(chart, 'ci/old-values.yaml'), `${words}enabled: true\n`);
  await run('snapshot', 'third', '--update');
  assert.match(readFileSync(join(folder, 'snapshots/third.snap/old-values.yaml'), 'utf8'), /^b: v1\.25$/m);
  writeFileSync(join(chart, 'ci/old-values.yaml'), '# drydock: kube-version\n');
  const { exitCode, stderr } = await run('coverage', 'third');
  assert.deepEqual(
    [exitCode, stderr.split('\n')[0]],
    [
      2,
      'Error: third/ci/old-values.yaml: "# drydock: kube-version" is incomplete: write "# drydock: kube-version VERSION"',
    ],
  );
});

test('--format json prints one JSON document', async () => {
  writeChart('fourth');
  const { stdout } = await run('cases', 'fourth', '--json');
  const { chart, before, after: reached, cases } = JSON.parse(stdout);
  assert.deepEqual([chart, before, reached], ['fourth', { covered: 3, total: 6 }, { covered: 6, total: 6 }]);
  assert.deepEqual(
    [cases[0].file, cases[0].values, cases[0].apiVersions, cases[0].isUpgrade],
    ['drydock-1-values.yaml', { enabled: true }, ['example.com/v1'], true],
  );
});

test('an invalid command line is refused', async () => {
  cpSync(writeChart('fifth'), join(folder, 'copy'), { recursive: true });
  for (const words of [[], ['fifth', 'copy'], ['fifth', '--max-time', '0']]) {
    assert.equal((await run('cases', ...words)).exitCode, 2, words.join(' '));
  }
});
