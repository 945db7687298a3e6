// The state in a file: one log for all worlds that stays short and groups writes; other files are refused.

import assert from 'node:assert/strict';
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { defineRoute } from '../../../emulator/define.ts';
import { createEmulator, type Emulator, type EmulatorOptions } from '../../../emulator/emulator.ts';
import { formatLogRecord, readLog } from '../../../emulator/persistence/log-file.node.ts';
import { PersistError, persist } from '../../../emulator/persistence/persist.node.ts';
import { addFixtures } from '../../../emulator/store/models/write.ts';
import type { World } from '../../../emulator/world/world.ts';
import { as } from '../../support/emulator.ts';
import { createProject } from '../../support/project.ts';

const { folder } = createProject();

const names = (emulator: Emulator): readonly string[] =>
  emulator
    .world()
    .store.credential.all()
    .map(({ name }) => name);

async function reopened<Result>(
  file: string,
  look: (emulator: Emulator, notes: readonly string[]) => Result,
  options: EmulatorOptions = {},
): Promise<Awaited<Result>> {
  const emulator = createEmulator(options);
  const persistence = await persist(emulator, file);
  try {
    return await look(emulator, persistence.notes);
  } finally {
    await persistence.close();
  }
}

test('a completed write is in the file, and concurrent writers share a record', async () => {
  const file = join(folder, 'grouped');
  const emulator = createEmulator();
  const persistence = await persist(emulator, file);
  const before = (await readLog(file))?.records.length ?? 0;
  const post = (name: string) => as(emulator, 'ada')('POST', '/user/credentials', { name, type: 'Aws', aws: {} });
  const answers = await Promise.all(Array.from({ length: 64 }, (_, i) => post(`n${i}`)));
  assert.ok(answers.every(({ status }) => status === 201));
  const records = ((await readLog(file))?.records.length ?? 0) - before;
  assert.ok(records > 0 && records <= 16, `64 writes made ${records} records`);
  const kept = await readFile(file);
  await persistence.close();
  // As left by a killed process.
  await writeFile(`${file}.copy`, kept);
  assert.equal(await reopened(`${file}.copy`, (again) => names(again).filter((name) => /^n\d/.test(name)).length), 64);
});

test('people can block each other, in any order of creation', async () => {
  const file = join(folder, 'blocks.json');
  const blocks = ({ db }: Pick<World, 'db'>): readonly unknown[] =>
    ['ada', 'yan', 'zoe'].map((login) => db.person.findFirst({ where: { login: { equals: login } } })?.blocks);
  const users = [
    { login: 'yan', blocks: ['zoe', 'ada'] },
    { login: 'zoe', blocks: ['yan'] },
  ];
  await reopened(file, (emulator) => {
    const world = emulator.world();
    addFixtures(world, { users }, 'add');
    world.db.person.update({ where: { login: { equals: 'ada' } }, data: { blocks: ['zoe'] } });
    world.db.person.update({ where: { login: { equals: 'yan' } }, data: { full_name: 'Yan' } });
  });
  for (let start = 0; start < 2; start++) {
    const found = await reopened(file, (again) => blocks(again.world()));
    assert.deepEqual(found, [['zoe'], ['zoe', 'ada'], ['yan']]);
  }
});

test('a restored order is in the file', async () => {
  const file = join(folder, 'restored.json');
  const uid = '00000000-0000-4000-8000-000000000001';
  await reopened(file, async (emulator) => {
    const body = JSON.stringify({ owner: 'ada', order: { metadata: { uid }, spec: { packages: [] } } });
    const headers = { 'Content-Type': 'application/json' };
    const answer = await emulator.fetch(`/__drydock/orders/${uid}`, { method: 'PUT', headers, body });
    assert.equal(answer.status, 204);
  });
  assert.ok(await reopened(file, (again) => again.orders('ada').some((order) => order.uid === uid)));
});

test('the changes of a call that then fails are in the file before its response', async () => {
  const file = join(folder, 'failing.json');
  const failing = defineRoute({
    name: 'addAndFail',
    method: 'POST',
    path: '/failing',
    access: 'public',
    run: ({ store }) => {
      store.bucket.add({ provider: 'half-done', names: [] });
      throw new Error('after the change');
    },
  });
  const emulator = createEmulator({ routes: [failing], onBug: () => {} });
  const persistence = await persist(emulator, file);
  const { status } = await emulator.fetch('/api/v1/failing', { method: 'POST' });
  const written = await readFile(file, 'utf8');
  await persistence.close();
  assert.equal(status, 500);
  assert.match(written, /half-done/);
});

test('what could not be written when the emulator was closed is not written later', async () => {
  const file = join(folder, 'unwritable');
  const emulator = createEmulator();
  const persistence = await persist(emulator, file);
  const whole = await readFile(file, 'utf8');
  await rename(file, `${file}.away`);
  const { status, text } = await as(emulator, 'ada')('PUT', '/user/following/hana');
  await assert.rejects(persistence.close(), PersistError);
  await rename(`${file}.away`, file);
  // Longer than the time to the next attempt.
  await setTimeout(1100);
  assert.equal(status, 507, text);
  assert.equal(await readFile(file, 'utf8'), whole);
});

test('the log is rewritten before it grows without limit', async () => {
  const file = join(folder, 'bounded');
  const emulator = createEmulator();
  const persistence = await persist(emulator, file);
  const { credential } = emulator.world().store;
  const { id } = credential.add({ owner: 1, name: 'big', spec: [{ text: '' }] });
  for (let round = 0; round < 40; round++) {
    credential.change(id, { spec: [{ text: `${round}`.repeat(200_000) }] });
    await persistence.flush();
    assert.ok((await stat(file)).size < 10 * 1024 * 1024, `${round}`);
  }
  await persistence.close();
  const spec = await reopened(file, (again) => again.world().store.credential.get(id)?.spec[0].text);
  assert.equal(spec, '39'.repeat(200_000));
});

test('an invalid state is refused with the hint and not modified, and the previous one is complete', async () => {
  const file = join(folder, 'refused');
  await reopened(file, (emulator) => void emulator.world().db.person.create({ login: 'zoe' }));
  await reopened(file, () => {});
  const whole = await readFile(file, 'utf8');
  const state = JSON.stringify(createEmulator().world().exportSnapshot());
  for (const [text, message] of [
    ['', /this is not a state file of drydock/],
    [state, /this is not a state file of drydock/],
    [whole.slice(0, -200), /the file is torn/],
    [whole.replace('"ada"', '"eda"'), /line 2 is damaged/],
    [`${whole}${formatLogRecord('[{"do":"fork","from":"default","world":"a"}]')}`, /unknown change .*fork/],
  ] as const) {
    await writeFile(file, text);
    await assert.rejects(persist(createEmulator(), file), (error: Error) => {
      assert.match(error.message, message);
      return error instanceof PersistError && error.message.includes(`${file}.previous, where there is one`);
    });
    assert.equal(await readFile(file, 'utf8'), text);
  }
  await reopened(`${file}.previous`, ({ world }) => assert.equal(world().db.person.getAll().at(-1)?.login, 'zoe'));
});

test('fixtures with relative times are the same at every start: changed rows stay, others follow the clock', async () => {
  const file = join(folder, 'relative');
  const users = [
    { login: 'ada', created: 'now-3d' },
    { login: 'bob', created: 'now-3d' },
  ];
  const people = ({ db }: ReturnType<Emulator['world']>) =>
    db.person.getAll().map(({ login, full_name, created }) => `${login} ${full_name} ${created}`);
  const rename = ({ world }: Emulator): void => {
    world().db.person.update({ where: { login: { equals: 'ada' } }, data: { full_name: 'Ada' } });
  };
  await reopened(file, rename, { fixtures: { users }, now: '2025-05-02T09:00:00Z' });
  const later = '2025-06-02T09:00:00Z';
  const kept = await reopened(file, ({ world }, notes) => [...notes, ...people(world())], {
    fixtures: { users },
    now: later,
  });
  assert.deepEqual(kept, ['ada Ada 2025-04-29T09:00:00Z', 'bob bob 2025-05-30T09:00:00Z']);
  const other = { users: [{ login: 'ada', created: 'now-4d' }] };
  const [note = ''] = await reopened(file, (_, notes) => notes, { fixtures: other, now: later });
  assert.match(note, /keeps the fixtures that it was created with/);
});
