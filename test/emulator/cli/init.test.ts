// `drydock init`: `serve` accepts its files, and nothing is overwritten.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { readFolder } from '../../../emulator/fixture-folder.node.ts';
import { defaultFixtures } from '../../../emulator/store/default-fixtures.ts';
import { runInProcess } from '../../support/cli.ts';
import { createProject } from '../../support/project.ts';

test('the starter folder contains the data of a fresh emulator', async () => {
  const { folder } = createProject();
  const { exitCode, stdout } = await runInProcess(['init', 'fixtures'], folder);
  assert.equal(exitCode, 0);
  assert.match(
    stdout,
    /^written into fixtures:\n {2}users\.json\n[\s\S]*next: drydock serve --fixtures fixtures --watch\n$/,
  );
  const read = await readFolder(join(folder, 'fixtures'));
  assert.deepEqual(read.fixtures, defaultFixtures);
  assert.deepEqual(Object.keys(read.scenarios), ['address-book-down']);
});

test('every file refers to an existing schema', async () => {
  const { folder } = createProject();
  await runInProcess(['init', 'fixtures', 'alone'], folder);
  const names = (await readdir(join(folder, 'alone'))).filter((name) => name.endsWith('.json'));
  assert.equal(names.length, 14);
  for (const name of names) {
    const { $schema } = JSON.parse(await readFile(join(folder, 'alone', name), 'utf8')) as { readonly $schema: string };
    await readFile(join(folder, 'alone', $schema));
  }
});

test('a file in place of the folder is reported', async () => {
  const { folder } = createProject({ plain: '' });
  const { exitCode, stderr } = await runInProcess(['init', 'fixtures', 'plain'], folder);
  assert.equal(exitCode, 1);
  assert.match(stderr, /^Error: .*plain: it is not a folder\n$/);
});

test('nothing is overwritten without --force', async () => {
  const { folder } = createProject({ 'fixtures/tokens.json': '[]' });
  const refused = await runInProcess(['init', 'fixtures/'], folder);
  assert.equal(refused.exitCode, 1);
  assert.match(refused.stderr, /^Error: tokens\.json is in .*fixtures already, and nothing was written: .*--force\n$/);
  assert.deepEqual(await readdir(join(folder, 'fixtures')), ['tokens.json']);
  assert.equal((await runInProcess(['init', 'fixtures', '--force'], folder)).exitCode, 0);
  assert.notEqual(await readFile(join(folder, 'fixtures/tokens.json'), 'utf8'), '[]');
});

test("the worker script is that of the project's msw", async () => {
  const { folder, write } = createProject({ 'public/index.html': '' });
  const missing = await runInProcess(['init', 'public/'], folder);
  assert.equal(missing.exitCode, 1);
  assert.match(missing.stderr, /^Error: msw 2 is not installed in .*: run npm install --save-dev msw there\n$/);

  const exports = { './mockServiceWorker.js': './worker.js' };
  write({
    'node_modules/msw/package.json': JSON.stringify({ name: 'msw', version: '2.0.0', exports }),
    'node_modules/msw/worker.js': '// the worker of 2.0.0\n',
  });
  for (let round = 0; round < 2; round++) {
    const { exitCode, stdout } = await runInProcess(['init', 'public/'], folder);
    assert.equal(exitCode, 0);
    assert.match(stdout, /mockServiceWorker\.js/);
    assert.equal(await readFile(join(folder, 'public/mockServiceWorker.js'), 'utf8'), '// the worker of 2.0.0\n');
  }
  write({ 'node_modules/msw/worker.js': '// a later one\n' });
  assert.equal((await runInProcess(['init', 'public'], folder)).exitCode, 1);
});

test('a missing folder causes a question, and invalid arguments are wrong usage', async () => {
  const { folder } = createProject({ 'public/index.html': '' });
  const misspelt = await runInProcess(['init', 'publc'], folder);
  assert.equal(misspelt.exitCode, 1);
  assert.match(misspelt.stderr, /there is no such folder; did you mean ".*public"\?/);
  assert.equal((await runInProcess(['init', 'public', 'b'], folder)).exitCode, 2);
});

test("the seed of the package is used, and settings alone keep drydock's users", async () => {
  const seed = await readFolder('fixtures/seed');
  assert.deepEqual(seed.fixtures, defaultFixtures);
  const { folder } = createProject({ 'settings.json': '{"pageSize": 5}' });
  const read = await readFolder(folder);
  assert.equal(read.fixtures, defaultFixtures);
  assert.deepEqual(read.settings, { pageSize: 5 });
});
