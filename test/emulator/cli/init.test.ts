// `drydock init`: `serve` accepts its files, and nothing is overwritten.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readFolder } from '../../../emulator/fixture-folder.node.ts';
import { defaultFixtures } from '../../../emulator/store/default-fixtures.ts';
import { runInProcess } from '../../support/cli.ts';

const root = await mkdtemp(join(tmpdir(), 'drydock-init-'));
after(() => rm(root, { recursive: true, force: true }));

async function project(): Promise<string> {
  return mkdtemp(join(root, 'project-'));
}

test('the starter folder contains the data of a fresh emulator', async () => {
  const folder = await project();
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

test("every file refers to an existing schema: beside it, or in the project's drydock", async () => {
  const folder = await project();
  await runInProcess(['init', 'fixtures', 'alone'], folder);
  const schemas = join(folder, 'node_modules/drydock/dist/schemas');
  await mkdir(join(schemas, 'fixtures'), { recursive: true });
  for (const name of await readdir(join(folder, 'alone/schemas'), { recursive: true })) {
    if (name.endsWith('.json')) await writeFile(join(schemas, name), '{}');
  }
  await runInProcess(['init', 'fixtures', 'test/fixtures'], folder);
  for (const place of ['alone', 'test/fixtures']) {
    const names = (await readdir(join(folder, place))).filter((name) => name.endsWith('.json'));
    assert.equal(names.length, 14);
    for (const name of names) {
      const { $schema } = JSON.parse(await readFile(join(folder, place, name), 'utf8')) as { readonly $schema: string };
      assert.equal($schema.includes('node_modules'), place !== 'alone');
      await readFile(join(folder, place, $schema));
    }
  }
  assert.ok(!(await readdir(join(folder, 'test/fixtures'))).includes('schemas'));
});

test('nothing is overwritten without --force', async () => {
  const folder = await project();
  await mkdir(join(folder, 'fixtures'));
  await writeFile(join(folder, 'fixtures/tokens.json'), '[]');
  const refused = await runInProcess(['init', 'fixtures/'], folder);
  assert.equal(refused.exitCode, 1);
  assert.match(refused.stderr, /^Error: tokens\.json is in .*fixtures already, and nothing was written: .*--force\n$/);
  assert.deepEqual(await readdir(join(folder, 'fixtures')), ['tokens.json']);
  assert.equal((await runInProcess(['init', 'fixtures', '--force'], folder)).exitCode, 0);
  assert.notEqual(await readFile(join(folder, 'fixtures/tokens.json'), 'utf8'), '[]');
});

test("the worker script is that of the project's msw", async () => {
  const folder = await project();
  await mkdir(join(folder, 'public'));
  const missing = await runInProcess(['init', 'public/'], folder);
  assert.equal(missing.exitCode, 1);
  assert.match(missing.stderr, /^Error: msw 2 is not installed in .*: run npm install --save-dev msw there\n$/);

  const msw = join(folder, 'node_modules/msw');
  await mkdir(msw, { recursive: true });
  const exports = { './mockServiceWorker.js': './worker.js' };
  await writeFile(join(msw, 'package.json'), JSON.stringify({ name: 'msw', version: '2.0.0', exports }));
  await writeFile(join(msw, 'worker.js'), '// the worker of 2.0.0\n');
  for (let round = 0; round < 2; round++) {
    const { exitCode, stdout } = await runInProcess(['init', 'public/'], folder);
    assert.equal(exitCode, 0);
    assert.match(stdout, /mockServiceWorker\.js/);
    assert.equal(await readFile(join(folder, 'public/mockServiceWorker.js'), 'utf8'), '// the worker of 2.0.0\n');
  }
  await writeFile(join(msw, 'worker.js'), '// a later one\n');
  assert.equal((await runInProcess(['init', 'public'], folder)).exitCode, 1);
  assert.equal((await runInProcess(['init', 'public', '--force'], folder)).exitCode, 0);
});

test('a missing folder causes a question, and invalid arguments are wrong usage', async () => {
  const folder = await project();
  await mkdir(join(folder, 'public'));
  const misspelt = await runInProcess(['init', 'publc'], folder);
  assert.equal(misspelt.exitCode, 1);
  assert.match(misspelt.stderr, /there is no such folder; did you mean ".*public"\?/);
  for (const argv of [[], ['fixtures', 'a', 'b'], ['public', 'b'], ['--forse']]) {
    assert.equal((await runInProcess(['init', ...argv], folder)).exitCode, 2, argv.join(' '));
  }
});

test("the seed of the package is used, and settings alone keep drydock's users", async () => {
  const seed = await readFolder('fixtures/seed');
  assert.deepEqual(seed.fixtures, defaultFixtures);
  const folder = await project();
  await writeFile(join(folder, 'settings.json'), '{"pageSize": 5}');
  const read = await readFolder(folder);
  assert.equal(read.fixtures, defaultFixtures);
  assert.deepEqual(read.settings, { pageSize: 5 });
});

test('a list with members beside its schema is refused with their names', async () => {
  const folder = await project();
  await writeFile(join(folder, 'users.json'), '{"$schema": "x", "users": [], "user": []}');
  await assert.rejects(readFolder(folder), /^FixtureError: users\.json: has an unknown field "user" beside "users"$/);
});
