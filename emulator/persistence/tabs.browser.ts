// The state of a page's emulator in IndexedDB: it survives a reload and is shared by the browser's tabs.

import { messageOf } from '../../render/core/errors.ts';
import { Problem } from '../app/problem.ts';
import { type Emulator, internalsOf } from '../emulator.ts';
import { applyEvent, replayEvents } from '../world/events.ts';
import { defaultWorld, type WorldEvent, type Worlds } from '../world/worlds.ts';

/** The changes of one call, or the whole state with `whole`. */
interface TabRecord {
  readonly whole: boolean;
  readonly events: readonly WorldEvent[];
}

const records = 'records';
// After this many records, the whole state replaces them.
const longLog = 200;

/**
 * Loads the state stored under a name by an emulator with the same seed, and shares every later change. Does nothing if the browser has no
 * IndexedDB or locks.
 */
export async function shareState(emulator: Emulator, name: string): Promise<void> {
  const { worlds } = internalsOf(emulator);
  // Different fixtures are a different state.
  const label = `${name} ${worlds.fixturesId}`;
  const database = await openDatabase(`drydock ${label}`, records).catch(() => undefined);
  if (!database || !('locks' in navigator)) return;
  const store = createTabStore(worlds, database, `drydock ${label}`);
  await store.refresh();
  worlds.onEvent = store.record;
  worlds.keeper = store;
}

/** Stores the changes of this tab and applies those of the others. A call that writes holds the lock, and sees every earlier change. */
function createTabStore(worlds: Worlds, database: IDBDatabase, lock: string) {
  let pending: WorldEvent[] = [];
  // The key of the last record that this tab has.
  let known = 0;
  let count = 0;
  let isReplaying = false;
  let refreshing: Promise<void> | undefined;

  const takeNews = async (): Promise<void> => {
    const store = database.transaction(records).objectStore(records);
    const range = IDBKeyRange.lowerBound(known, true);
    const read = await Promise.all([settled(store.getAllKeys(range)), settled(store.getAll(range))]);
    const [keys, found] = read as [readonly number[], readonly TabRecord[]];
    // A call may have stored a record of this tab meanwhile.
    const news = found.filter((_, at) => keys[at]! > known);
    if (news.length === 0) return;
    const start = news.findLastIndex(({ whole }) => whole);
    isReplaying = true;
    try {
      if (start >= 0) empty(worlds);
      for (const { events } of news.slice(Math.max(start, 0))) for (const event of events) applyEvent(worlds, event);
    } finally {
      isReplaying = false;
    }
    known = keys.at(-1)!;
    count = start >= 0 ? news.length - start : count + news.length;
  };

  const refresh = (): Promise<void> => {
    refreshing ??= takeNews().finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  };

  const save = async (): Promise<void> => {
    if (pending.length === 0) return;
    const events = pending;
    pending = [];
    const whole = count >= longLog;
    // The seed is part of the name.
    const all = whole ? [...replayEvents(worlds)].filter((event) => event.do !== 'origin') : events;
    try {
      const transaction = database.transaction(records, 'readwrite');
      const store = transaction.objectStore(records);
      const key = (await settled(store.add({ whole, events: all } satisfies TabRecord))) as number;
      if (whole) store.delete(IDBKeyRange.upperBound(key, true));
      await committed(transaction);
      known = key;
      count = whole ? 1 : count + 1;
    } catch (failure) {
      pending = [...events, ...pending];
      throw new Problem(
        507,
        `The state cannot be written, the change is kept with the next one: ${messageOf(failure)}`,
      );
    }
  };

  const turn = async <Result>(writes: boolean, run: () => Promise<Result>): Promise<Result> => {
    if (!writes) return run();
    return navigator.locks.request(lock, async () => {
      // One that began before the lock was free may lack the last change of another tab.
      await refreshing;
      await refresh();
      const result = await run();
      await save();
      return result;
    }) as Promise<Result>;
  };

  const record = (event: WorldEvent): void => {
    if (isReplaying) return;
    pending.push(event);
    // Changes that no call made are shared soon after.
    if (pending.length === 1) queueMicrotask(() => void turn(true, async () => {}).catch(() => {}));
  };

  return { refresh, turn, record };
}

function empty(worlds: Worlds): void {
  for (const { name } of worlds.list()) if (name !== defaultWorld) worlds.remove(name);
  for (const name of worlds.default.snapshotNames()) worlds.default.deleteSnapshot(name);
  worlds.default.reset();
}

/** Opens a database with one object store, which is created if necessary. */
export function openDatabase(name: string, store: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => void request.result.createObjectStore(store, { autoIncrement: true });
  return settled(request);
}

/** Resolves to the result of a request. */
export function settled<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

// A full disk is only reported here, after the requests have succeeded.
function committed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}
