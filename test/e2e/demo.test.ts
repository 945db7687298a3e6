// The `demo` command keeps other files and reports its errors; own-demo.spec.ts shows what it writes.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { temporaryFolder } from '../../scripts/dev/tools/tools.ts';
import { writeFiles } from '../../scripts/dev/tools/write-files.ts';
import { runInProcess } from '../support/cli.ts';

let folder: string;
const files = {
  'missing-chart.yaml': `apiVersion: releases.x-helm.dev/v1alpha1
kind: Order
metadata: {name: o}
spec:
  packages:
    - chart: {name: none, version: 1.2.3, sourceRef: {kind: Local, name: charts/none}, releaseName: r, namespace: ns}
`,
  'other/index.html': 'mine',
  'fixtures/users.json': '[{"login": 7}]',
};

before(async () => {
  folder = temporaryFolder('drydock-demo-');
  await writeFiles(folder, files);
});

const run = (...argv: readonly string[]) => runInProcess(argv, folder, {});

test('a demo overwrites another demo, but no other files', async () => {
  const { exitCode, stdout } = await run('demo', 'again', '--json');
  assert.equal(exitCode, 0);
  assert.deepEqual(
    { ...(JSON.parse(stdout) as object), files: 0, bytes: 0 },
    { folder: 'again', files: 0, bytes: 0, charts: 0, orders: 0 },
  );
  assert.equal((await run('demo', 'again', '--quiet')).exitCode, 0);
  const rejected = await run('demo', 'other');
  assert.equal(rejected.exitCode, 1);
  assert.match(
    rejected.stderr,
    /^Error: .*other holds something else: name a folder that is new, empty or holds a demo\n$/,
  );
  assert.equal(await readFile(join(folder, 'other/index.html'), 'utf8'), 'mine');
});

test('invalid input of a demo is reported before any file is written', async () => {
  const invalid: readonly (readonly [readonly string[], number, RegExp])[] = [
    [['demo', 'out', 'missing-chart.yaml'], 1, /charts\/none/],
    [['demo', 'out', '--fixtures', 'fixtures'], 1, /users/],
    // Nothing can be created below /proc, and Node's recursive mkdir never ends there. Other systems have no /proc.
    [['demo', existsSync('/proc') ? '/proc/x/y' : 'missing-chart.yaml/x'], 1, /mkdir|missing-chart\.yaml/],
  ];
  for (const [words, expected, message] of invalid) {
    const { exitCode, stdout, stderr } = await run(...words);
    assert.deepEqual([exitCode, stdout], [expected, ''], `${words.join(' ')}: ${stderr}`);
    assert.match(stderr, message);
    assert.doesNotMatch(stderr, /\n {4}at /);
  }
  assert.ok(!(await readdir(folder)).includes('out'));
});
