// The log on disk: complete records count, a truncated end is dropped, foreign changes are refused, and no failure damages it.

import assert from 'node:assert/strict';
import { appendFile, mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { formatLogRecord, LogFile, PersistError, readLog } from '../../../emulator/persistence/log-file.node.ts';
import { createProject } from '../../support/project.ts';

const { folder } = createProject();

async function logOf(name: string, values: readonly unknown[]): Promise<{ file: string; log: LogFile }> {
  const file = join(folder, name);
  const log = new LogFile(file);
  await log.replace([]);
  for (const value of values) await log.append(formatLogRecord(JSON.stringify(value)));
  return { file, log };
}

test('appended records are read again, also after closing', async () => {
  const values = [1, 'zwei', { three: ['\n', '\u2028', 'é'] }];
  const { file, log } = await logOf('whole', values);
  assert.deepEqual(await readLog(file), { records: values, tornBytes: 0 });
  await log.close();
  await log.append(formatLogRecord('"four"'));
  await log.close();
  assert.deepEqual((await readLog(file))?.records, [...values, 'four']);
  assert.equal(log.size, (await readFile(file)).length);
  assert.equal(await readLog(join(folder, 'absent')), undefined);
});

test('a log cut anywhere in its last record equals the log before that record', async () => {
  const { file, log } = await logOf('cut', ['one', 'two']);
  await log.close();
  const whole = await readFile(file);
  const start = whole.lastIndexOf('\n', whole.length - 2) + 1;
  for (let length = start; length < whole.length; length++) {
    await truncate(file, length);
    assert.deepEqual(await readLog(file), { records: ['one'], tornBytes: length - start });
    await writeFile(file, whole);
  }
});

test('a full disk is reported with the hint', {
  skip: process.platform !== 'linux' && 'there is no /dev/full',
}, async () => {
  // A disk that is always full.
  const full = new LogFile('/dev/full');
  await assert.rejects(
    full.append(formatLogRecord('1')),
    (error: Error) =>
      error instanceof PersistError &&
      error.code === 'ENOSPC' &&
      /the disk is full, make room there/.test(error.message),
  );
  await full.close();
});

test('after a rewrite the previous log is beside it, and nothing else', async () => {
  const { file, log } = await logOf('anew', ['one']);
  await log.replace([formatLogRecord('"state"')]);
  await log.append(formatLogRecord('"two"'));
  await log.close();
  assert.deepEqual((await readLog(file))?.records, ['state', 'two']);
  assert.deepEqual((await readLog(`${file}.previous`))?.records, ['one']);
  assert.deepEqual((await readdir(folder)).filter((name) => name.startsWith('anew')).sort(), ['anew', 'anew.previous']);
});

test('a log that cannot be rewritten continues', async () => {
  const { file, log } = await logOf('kept', ['one']);
  // Blocks the new file.
  await mkdir(`${file}.writing`);
  await assert.rejects(log.replace([]), PersistError);
  await log.append(formatLogRecord('"two"'));
  await log.close();
  assert.deepEqual((await readLog(file))?.records, ['one', 'two']);
});

test('an end truncated by a crash is overwritten by the next record', async () => {
  const { file, log } = await logOf('torn', ['one']);
  await appendFile(file, '0badc0de [{"do":');
  assert.equal((await readLog(file))?.tornBytes, 16);
  await log.append(formatLogRecord('"a longer record than the half one was"'));
  await log.close();
  assert.equal((await readLog(file))?.records.length, 2);
});
