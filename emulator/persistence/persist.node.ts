// Persists the state of all worlds in a file: every change is on disk before its call is answered.

import { messageOf } from '../../render/core/errors.ts';
import { Problem } from '../app/problem.ts';
import { type Emulator, internalsOf } from '../emulator.ts';
import { later } from '../world/clock.ts';
import { applyEvent, replayEvents } from '../world/events.ts';
import type { WorldEvent, Worlds } from '../world/worlds.ts';
import { lock } from './lock.node.ts';
import { formatLogRecord, LogFile, leftAlone, PersistError, readLog } from './log-file.node.ts';

export { PersistError } from './log-file.node.ts';

/** Restores worlds and snapshots from a file, if it exists, and keeps it up to date. Throws a `PersistError`. */
export async function persist(emulator: Emulator, file: string) {
  const { worlds } = internalsOf(emulator);
  const unlock = await lock(file);
  try {
    const notes = await restore(worlds, file);
    const log = createWriteAheadLog(worlds, file);
    // Written at once, so that an unwritable location is reported before anything can be lost.
    await log.compact();
    worlds.onEvent = log.record;
    worlds.keeper = log;
    return {
      notes,
      /** Writes pending changes. Throws a `PersistError` on failure, like `close`. */
      flush: log.commit,
      close: async (): Promise<void> => {
        worlds.onEvent = undefined;
        worlds.keeper = undefined;
        await log.close().finally(unlock);
      },
    };
  } catch (failure) {
    unlock();
    throw failure;
  }
}

async function restore(worlds: Worlds, file: string): Promise<readonly string[]> {
  const content = await readLog(file);
  if (!content) return [];
  if (!content.records.some(isEnd))
    throw new PersistError(`${file}: the file is torn: it ends before its first state does. ${leftAlone(file)}`);
  const { fixturesId } = worlds;
  for (const [at, record] of content.records.entries()) {
    try {
      for (const event of isEnd(record) ? [] : (record as readonly WorldEvent[])) {
        // Unchanged rows of the same fixtures follow the clock.
        if (event.do !== 'origin' || event.fixtures !== worlds.fixturesId) applyEvent(worlds, event);
      }
    } catch (failure) {
      throw new PersistError(`${file}: line ${at + 2}: ${messageOf(failure)}. ${leftAlone(file)}`);
    }
  }
  const notes: string[] = [];
  if (content.tornBytes > 0) {
    notes.push(`${file}: the last ${content.tornBytes} bytes are an incomplete write, which was never acknowledged`);
  }
  if (worlds.fixturesId !== fixturesId) {
    notes.push(
      `${file}: keeps the fixtures that it was created with, not the current ones; remove the file to use those`,
    );
  }
  return notes;
}

// A file starts with a complete state, written in one piece; the rest was appended record by record.
const end = '"end of state"';

function isEnd(record: unknown): boolean {
  return JSON.stringify(record) === end;
}

// A log is rewritten if it is longer than this, and than four times its size after the last rewrite.
const longLog = 8 * 1024 * 1024;
const eventsPerRecord = 1000;
const retryMs = 1000;

/** Appends events to the log; calls during a write share the next record. */
function createWriteAheadLog(worlds: Worlds, file: string) {
  const log = new LogFile(file);
  let pending: string[] = [];
  let queued: Promise<void> | undefined;
  let writing: Promise<void> | undefined;
  let hasFailed = false;
  let limit = longLog;

  /** Replaces all records with the current state. */
  const compact = async (): Promise<void> => {
    const records: Buffer[] = [];
    let events: string[] = [];
    for (const event of replayEvents(worlds)) {
      events.push(JSON.stringify(event));
      if (events.length < eventsPerRecord) continue;
      records.push(formatLogRecord(`[${events.join(',')}]`));
      events = [];
    }
    if (events.length > 0) records.push(formatLogRecord(`[${events.join(',')}]`));
    await log.replace([...records, formatLogRecord(end)]);
    limit = Math.max(longLog, log.size * 4);
  };

  const writeNext = async (): Promise<void> => {
    // Whether the failure of the previous write was reported to its callers.
    await writing?.catch(() => {});
    queued = undefined;
    const batch = pending;
    pending = [];
    // The state already contains the batch.
    const own = log.size > limit ? compact() : log.append(formatLogRecord(`[${batch.join(',')}]`));
    writing = own;
    try {
      await own;
      hasFailed = false;
    } catch (failure) {
      hasFailed = true;
      pending = [...batch, ...pending];
      later(retryMs, () => void commit().catch(() => {}));
      throw failure;
    } finally {
      if (writing === own) writing = undefined;
    }
  };

  /** Resolves when every change so far is on disk. */
  const commit = (): Promise<void> => {
    if (pending.length > 0) queued ??= writeNext();
    return queued ?? writing ?? Promise.resolve();
  };

  const commitOrRefuse = async (consequence: string): Promise<void> => {
    try {
      await commit();
    } catch (failure) {
      throw new Problem(507, `The state cannot be written, ${consequence}: ${messageOf(failure)}`);
    }
  };

  const record = (event: WorldEvent): void => {
    pending.push(JSON.stringify(event));
    // Changes not made by a call are written soon as well.
    if (pending.length === 1) {
      setImmediate(() => {
        commit().catch((error: Error) => console.error(`drydock: state not saved: ${error.message}`));
      });
    }
  };

  const turn = async <Result>(writes: boolean, run: () => Promise<Result>): Promise<Result> => {
    if (!writes) return run();
    // While the disk cannot be written, changes that would have to be reverted are refused.
    if (hasFailed) await commitOrRefuse('nothing was changed');
    const result = await run();
    if (pending.length > 0 || writing) await commitOrRefuse('the change is kept as soon as it can be');
    return result;
  };

  const close = async (): Promise<void> => {
    try {
      await commit();
    } finally {
      // The file may belong to another process from now on: what could not be written is not tried again.
      pending = [];
      await log.close();
    }
  };

  return { record, turn, commit, compact, close };
}
