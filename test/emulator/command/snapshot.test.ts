// `drydock snapshot` over many charts and cases: what each snapshot is called, and what is told of a case that fails.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runInProcess } from '../../support/cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'drydock-snapshots-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const run = (...argv: string[]) => runInProcess(['snapshot', ...argv], folder);

function writeChart(path: string, files: Readonly<Record<string, string>> = {}): void {
  const all = {
    'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'templates/a.yaml': 'kind: A\nmetadata: {name: a}\nspec: {{ required "size is missing" .Values.size }}\n',
    'values.yaml': 'size: 1\n',
    ...files,
  };
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(join(folder, path, name, '..'), { recursive: true });
    writeFileSync(join(folder, path, name), text);
  }
}

test('a folder of charts is its charts, and what no input is called any more is told', async () => {
  writeChart('all/one');
  writeChart('all/two');
  mkdirSync(join(folder, 'all/notes'));
  assert.equal((await run('all', '--update')).exitCode, 0);
  assert.deepEqual(readdirSync(join(folder, 'snapshots')), ['one.snap', 'two.snap']);
  rmSync(join(folder, 'all/two'), { recursive: true });
  const { exitCode, stdout, stderr } = await run('all/');
  assert.deepEqual([exitCode, stdout], [0, 'snapshots/one.snap: same (1 file)\n']);
  assert.match(stderr, /^Note: snapshots\/two\.snap belongs to no input of this run/);
  assert.equal((await run('all/one')).stderr, '');
});

test('charts of one name are called by their paths', async () => {
  writeChart('a/same');
  writeChart('b/same');
  await run('a/same', 'b/same', '--update', '--snapshots', 'by-path');
  assert.ok(existsSync(join(folder, 'by-path/a/same.snap/default.yaml')));
  assert.ok(existsSync(join(folder, 'by-path/b/same.snap/default.yaml')));
  assert.equal((await run('a/same', 'b/same', '--snapshots', 'by-path')).exitCode, 0);
  assert.equal((await run('a/same', join(folder, 'a/same'))).exitCode, 2);
});

test('a case that fails is told with its values files, and its neighbours are compared', async () => {
  writeChart('cases', { 'ci/bad-values.yaml': 'size: 2\n', 'ci/good-values.yaml': 'size: 3\n' });
  await run('cases', '--update');
  writeFileSync(join(folder, 'cases/ci/bad-values.yaml'), 'size: null\n');
  writeFileSync(join(folder, 'cases/ci/good-values.yaml'), 'size: 4\n');
  const { exitCode, stdout, stderr } = await run('cases');
  assert.equal(exitCode, 1);
  assert.match(
    stderr,
    /^cases, case bad-values \(cases\/ci\/bad-values\.yaml\) does not render:\nError: .*size is missing/,
  );
  assert.match(stdout, /^snapshots\/cases\.snap\/good-values\.yaml is different\n/);
  assert.ok(!stdout.includes('bad-values'));
  const { inputs } = JSON.parse((await run('cases', '--json')).stdout);
  assert.deepEqual([inputs[0].status, inputs[0].faults[0].case], ['fault', 'bad-values']);
  // An update keeps what is recorded of the case that fails.
  assert.equal((await run('cases', '--update')).exitCode, 1);
  assert.equal(readFileSync(join(folder, 'snapshots/cases.snap/bad-values.yaml'), 'utf8').includes('spec: 2'), true);
  assert.equal(readFileSync(join(folder, 'snapshots/cases.snap/good-values.yaml'), 'utf8').includes('spec: 4'), true);
});
