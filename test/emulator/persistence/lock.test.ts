// The lock of a state file: one process at a time, and a lock of a process that ended does not block.

import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { lock } from '../../../emulator/persistence/lock.node.ts';
import { PersistError } from '../../../emulator/persistence/log-file.node.ts';
import { createProject } from '../../support/project.ts';

const { folder } = createProject();

const refusedFor =
  (what: RegExp) =>
  (error: Error): boolean =>
    error instanceof PersistError && what.test(error.message);

test('is held until it is released, in the same process too', async () => {
  const file = join(folder, 'own');
  const unlock = await lock(file);
  await assert.rejects(lock(file), refusedFor(new RegExp(`the process ${process.pid} keeps its state there`)));
  unlock();
  (await lock(file))();
  assert.ok(!(await readdir(folder)).some((name) => name.startsWith('own')));
});

test('is valid while its process runs', async () => {
  const file = join(folder, 'others');
  const holder = { pid: process.ppid, host: hostname() };
  await writeFile(`${file}.lock`, JSON.stringify(holder));
  await assert.rejects(lock(file), refusedFor(new RegExp(`process ${process.ppid} .* stop that one`)));
  // No process has this number.
  await writeFile(`${file}.lock`, JSON.stringify({ ...holder, pid: 2 ** 30 }));
  (await lock(file))();
  // A reused number: this process does not hold it.
  await writeFile(`${file}.lock`, JSON.stringify({ pid: process.pid, host: hostname() }));
  (await lock(file))();
});

test('a lock of another machine may be in use: it is reported with the hint', async () => {
  const file = join(folder, 'elsewhere');
  await writeFile(`${file}.lock`, JSON.stringify({ pid: 1, host: 'another-host' }));
  await assert.rejects(lock(file), refusedFor(/the process 1 on the machine another-host .* remove .*elsewhere\.lock/));
  assert.match(await readFile(`${file}.lock`, 'utf8'), /another-host/);
});

test('an invalid lock file does not block', async () => {
  const file = join(folder, 'nonsense');
  for (const text of ['', 'null', '{"pid":"x"}', '\0']) {
    await writeFile(`${file}.lock`, text);
    (await lock(file))();
  }
});

test('only one of many concurrent callers gets it', async () => {
  const file = join(folder, 'race');
  await writeFile(`${file}.lock`, JSON.stringify({ pid: 2 ** 30, host: hostname() }));
  const taken = await Promise.allSettled(Array.from({ length: 8 }, () => lock(file)));
  assert.equal(taken.filter(({ status }) => status === 'fulfilled').length, 1);
});
