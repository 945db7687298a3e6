// The state of a page's emulator in IndexedDB: it survives a reload and is shared by the browser's tabs.

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
  const { record, ...keeper } = createKeeper(worlds, database, `drydock ${label}`);
  await keeper.refresh();
  worlds.onEvent = record;
  worlds.keeper = keeper;
}

function createKeeper(worlds: Worlds, database: IDBDatabase, lock: string) {
  let pending: WorldEvent[] = [];
  let known = 0;
  let count = 0;
  let isReplaying = false;
  let refreshing: Promise<void> | undefined;
  const takeNews = async (): Promise<void> => {
    const store = database.transaction(records).objectStore(records);
    const range = IDBKeyRange.lowerBound(known, true);
    const [keys, found] = await Promise.all([settled(store.getAllKeys(range)), settled(store.getAll(range))]);
    const news = found as readonly TabRecord[];
    if (news.length === 0) return;
    const start = news.findLastIndex(({ whole }) => whole);
    isReplaying = true;
    try {
      if (start >= 0) empty(worlds);
      for (const { events } of news.slice(Math.max(start, 0))) for (const event of events) applyEvent(worlds, event);
    } finally {
      isReplaying = false;
    }
    known = keys.at(-1) as number;
    count = start >= 0 ? news.length - start : count + news.length;
  };
  const save = async (): Promise<void> => {
    if (pending.length === 0) return;
    const events = pending;
    pending = [];
    const whole = count >= longLog;
    // The seed is part of the name.
    const all = whole ? [...replayEvents(worlds)].filter((event) => event.do !== 'origin') : events;
    const store = database.transaction(records, 'readwrite').objectStore(records);
    const key = (await settled(store.add({ whole, events: all } satisfies TabRecord))) as number;
    if (whole) await settled(store.delete(IDBKeyRange.upperBound(key, true)));
    known = key;
    count = whole ? 1 : count + 1;
  };
  const refresh = (): Promise<void> => {
    refreshing ??= takeNews().finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  };
  const turn = async <Result>(writes: boolean, run: () => Promise<Result>): Promise<Result> => {
    if (!writes) return run();
    return navigator.locks.request(lock, async () => {
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
