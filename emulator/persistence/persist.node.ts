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

/** Persists the state of an emulator. */
export interface Persistence {
  /** A notice about the given file, for the caller. */
  readonly notes: readonly string[];
  /** Writes pending changes. Throws a `PersistError` on failure. */
  flush(): Promise<void>;
  /** Writes pending changes and closes the file. Throws a `PersistError` on failure. */
  close(): Promise<void>;
}

/**
 * Restores all worlds and snapshots from a file, if it exists, and keeps the file up to date from then on. Throws a `PersistError` if the
 * file is locked by another process, cannot be written, or has another format; it is then left unchanged.
 */
export async function persist(emulator: Emulator, file: string): Promise<Persistence> {
  const { worlds } = internalsOf(emulator);
  const unlock = await lock(file);
  try {
    const notes = await restore(worlds, file);
    const keeper = new WriteAheadLog(worlds, file);
    // Written at once, so that an unwritable location is reported before anything can be lost.
    await keeper.compact();
    worlds.onEvent = (event) => keeper.record(event);
    worlds.keeper = keeper;
    return {
      notes,
      flush: () => keeper.commit(),
      close: async () => {
        worlds.onEvent = undefined;
        worlds.keeper = undefined;
        await keeper.close().finally(unlock);
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
  if (content.foreign !== undefined) return [restoreSnapshot(worlds, file, content.foreign)];
  const { origin: seed, fixturesId } = worlds;
  if (!content.records.some(isEnd))
    throw new PersistError(`${file}: the file is torn: it ends before its first state does. ${leftAlone(file)}`);
  const changed = new Set<string>();
  for (const [at, record] of content.records.entries()) {
    try {
      if (!isEnd(record)) for (const event of record as readonly WorldEvent[]) takeEvent(worlds, event, changed);
    } catch (failure) {
      throw new PersistError(`${file}: line ${at + 2}: ${messageOf(failure)}. ${leftAlone(file)}`);
    }
  }
  const notes: string[] = [];
  if (content.tornBytes > 0) {
    notes.push(`${file}: the last ${content.tornBytes} bytes are an incomplete write, which was never acknowledged`);
  }
  if (worlds.origin !== seed) {
    worlds.setOrigin(seed, () => fixturesId, changed);
    notes.push(
      `${file}: the fixtures differ from those it was created with; changes are kept, and a reset uses the new fixtures`,
    );
  }
  return notes;
}

// The output of `GET /__drydock/state` or `--export`: the state of one world.
function restoreSnapshot(worlds: Worlds, file: string, text: string): string {
  try {
    worlds.default.importSnapshot(JSON.parse(text));
  } catch (failure) {
    throw new PersistError(`${file}: this is not a state file of drydock: ${messageOf(failure)}. ${leftAlone(file)}`);
  }
  return `${file}: held the state of one world and is now a log of all worlds; the original is ${file}.previous`;
}

// A file starts with a complete state, written in one piece; the rest was appended record by record.
const end = '"end of state"';

function isEnd(record: unknown): boolean {
  return JSON.stringify(record) === end;
}

// The seed of the file is usually that of the emulator; then unchanged rows stay shared.
function takeEvent(worlds: Worlds, event: WorldEvent, changed: Set<string>): void {
  if (event.do === 'origin') {
    const isSame =
      event.fixtures === undefined
        ? JSON.stringify(event.rows) === JSON.stringify(worlds.origin)
        : event.fixtures === worlds.fixturesId;
    if (!isSame) applyEvent(worlds, event);
    return;
  }
  applyEvent(worlds, event);
  if (event.do === 'reset' && worlds.open(event.world)?.origin === worlds.origin) changed.delete(event.world);
  else changed.add(event.world);
}

// A log is rewritten if it is longer than this, and than four times its size after the last rewrite.
const longLog = 8 * 1024 * 1024;
const eventsPerRecord = 1000;
const retryMs = 1000;

/** Appends events; calls during a write share the next record. */
class WriteAheadLog {
  readonly #worlds: Worlds;
  readonly #log: LogFile;
  #pending: string[] = [];
  #queued: Promise<void> | undefined;
  #writing: Promise<void> | undefined;
  #failed = false;
  #limit = longLog;

  constructor(worlds: Worlds, file: string) {
    this.#worlds = worlds;
    this.#log = new LogFile(file);
  }

  record(event: WorldEvent): void {
    this.#pending.push(JSON.stringify(event));
    // Changes not made by a call are written soon as well.
    if (this.#pending.length === 1) {
      setImmediate(() => {
        this.commit().catch((error: Error) => console.error(`drydock: state not saved: ${error.message}`));
      });
    }
  }

  async turn<Result>(writes: boolean, run: () => Promise<Result>): Promise<Result> {
    if (!writes) return run();
    // While the disk cannot be written, changes that would have to be reverted are refused.
    if (this.#failed) await this.#commitOrRefuse('nothing was changed');
    const result = await run();
    if (this.#pending.length > 0 || this.#writing)
      await this.#commitOrRefuse('the change is kept as soon as it can be');
    return result;
  }

  async #commitOrRefuse(consequence: string): Promise<void> {
    try {
      await this.commit();
    } catch (failure) {
      throw new Problem(507, `The state cannot be written, ${consequence}: ${messageOf(failure)}`);
    }
  }

  /** Resolves when every change so far is on disk. */
  commit(): Promise<void> {
    if (this.#pending.length > 0) this.#queued ??= this.#writeNext();
    return this.#queued ?? this.#writing ?? Promise.resolve();
  }

  async #writeNext(): Promise<void> {
    // Whether the failure of the previous write was reported to its callers.
    await this.#writing?.catch(() => {});
    this.#queued = undefined;
    const batch = this.#pending;
    this.#pending = [];
    const writing = this.#write(batch);
    this.#writing = writing;
    try {
      await writing;
      this.#failed = false;
    } catch (failure) {
      this.#failed = true;
      this.#pending = [...batch, ...this.#pending];
      later(retryMs, () => void this.commit().catch(() => {}));
      throw failure;
    } finally {
      if (this.#writing === writing) this.#writing = undefined;
    }
  }

  #write(batch: readonly string[]): Promise<void> {
    // The state already contains the batch.
    if (this.#log.size > this.#limit) return this.compact();
    return this.#log.append(formatLogRecord(`[${batch.join(',')}]`));
  }

  /** Replaces all records with the current state. */
  async compact(): Promise<void> {
    const records: Buffer[] = [];
    let events: string[] = [];
    for (const event of replayEvents(this.#worlds)) {
      events.push(JSON.stringify(event));
      if (events.length < eventsPerRecord) continue;
      records.push(formatLogRecord(`[${events.join(',')}]`));
      events = [];
    }
    if (events.length > 0) records.push(formatLogRecord(`[${events.join(',')}]`));
    await this.#log.replace([...records, formatLogRecord(end)]);
    this.#limit = Math.max(longLog, this.#log.size * 4);
  }

  async close(): Promise<void> {
    try {
      await this.commit();
    } finally {
      await this.#log.close();
    }
  }
}
