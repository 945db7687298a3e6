// `drydock cases` as a user runs it, and the use of its files in `coverage` and `snapshot`.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { chartIn, createProject } from '../../support/project.ts';

const project = createProject();
const { folder, read } = project;
const run = (...argv: string[]) => project.run(argv);

const template = `a: {{ if .Values.enabled }}1{{ end }}
{{- if .Capabilities.APIVersions.Has "example.com/v1" }}
b: {{ .Capabilities.KubeVersion.Version }}
{{- end }}
{{- if .Release.IsUpgrade }}
c: 1
{{- end }}
`;

function write(name: string, files: Readonly<Record<string, string>> = {}): void {
  project.write(chartIn(name, { 'values.yaml': 'enabled: false\n', 'templates/page.yaml': template, ...files }));
}

test('cases are printed, or written without overwriting files', async () => {
  write('first');
  const printed = await run('cases', 'first');
  assert.equal(printed.exitCode, 0);
  assert.match(printed.stdout, /^first: the existing cases reach 3 of 6 branch outcomes\.\n/);
  assert.match(printed.stdout, /--- drydock-1-values\.yaml\n# drydock: api-versions example\.com\/v1\n/);
  write('first', { 'ci/drydock-1-values.yaml': '# mine\n' });
  const { stdout } = await run('cases', 'first', '--write', 'ci');
  assert.match(stdout, /^first\/ci\/drydock-2-values\.yaml: reaches 3 more$/m);
  assert.deepEqual(readdirSync(join(folder, 'first/ci')), ['drydock-1-values.yaml', 'drydock-2-values.yaml']);
  assert.equal(read('first/ci/drydock-1-values.yaml'), '# mine\n');
});

test('cases are written again to a folder whose files are not cases of the chart', async () => {
  write('again');
  await run('cases', 'again', '--write', 'found');
  const { stdout, exitCode } = await run('cases', 'again', '--write', 'found');
  assert.match(stdout, /^again\/found\/drydock-\d-values\.yaml: reaches 3 more$/m);
  assert.equal(exitCode, 0);
});

test('the written files are complete: --check passes, coverage and snapshot follow the comments', async () => {
  write('second');
  assert.equal((await run('cases', 'second', '--check')).exitCode, 1);
  await run('cases', 'second', '--write', 'ci');
  assert.deepEqual(readdirSync(join(folder, 'second/ci')), ['default-values.yaml', 'drydock-1-values.yaml']);
  assert.equal((await run('cases', 'second', '--check')).exitCode, 0);
  const { stdout } = await run('coverage', 'second', '--json');
  assert.deepEqual(JSON.parse(stdout).charts?.[0]?.totals?.branches ?? JSON.parse(stdout).totals.branches, {
    covered: 6,
    total: 6,
  });
  await run('snapshot', 'second', '--update');
  assert.match(read('snapshots/second.snap/drydock-1-values.yaml'), /^a: 1\nb: v1\.[\d.]+\nc: 1$/m);
});

test('the Kubernetes version in a values file applies to its case', async () => {
  const words = '# drydock: kube-version 1.25\n# drydock: api-versions example.com/v1\n';
  write('third', { 'ci/old-values.yaml': `${words}enabled: true\n` });
  await run('snapshot', 'third', '--update');
  assert.match(read('snapshots/third.snap/old-values.yaml'), /^b: v1\.25$/m);
  // Windows editors begin a file with a byte order mark.
  write('third', { 'ci/old-values.yaml': `\ufeff${words}enabled: true\n` });
  assert.equal((await run('snapshot', 'third')).exitCode, 0);
  write('third', { 'ci/old-values.yaml': '# drydock: kube-version\n' });
  const { exitCode, stderr } = await run('coverage', 'third');
  assert.deepEqual(
    [exitCode, stderr.split('\n')[0]],
    [
      2,
      'Error: third/ci/old-values.yaml: "# drydock: kube-version" is incomplete: write "# drydock: kube-version VERSION"',
    ],
  );
});
