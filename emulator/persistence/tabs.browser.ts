// The state of a page's emulator in IndexedDB: it survives a reload and is shared by the browser's tabs.

import { type Emulator, internalsOf } from '../emulator.ts';
import { applyEvent, replayEvents } from '../world/events.ts';
import type { PersistenceAdapter } from '../world/worlds.ts';
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
  const keeper = new TabStore(worlds, database, label);
  await keeper.refresh();
  worlds.onEvent = (event) => keeper.record(event);
  worlds.keeper = keeper;
}

class TabStore implements PersistenceAdapter {
  readonly #worlds: Worlds;
  readonly #database: IDBDatabase;
  readonly #lock: string;
  #pending: WorldEvent[] = [];
  #known = 0;
  #count = 0;
  #isReplaying = false;
  #refreshing: Promise<void> | undefined;

  constructor(worlds: Worlds, database: IDBDatabase, label: string) {
    this.#worlds = worlds;
    this.#database = database;
    this.#lock = `drydock ${label}`;
  }

  record(event: WorldEvent): void {
    if (this.#isReplaying) return;
    this.#pending.push(event);
    // Changes that no call made are shared soon after.
    if (this.#pending.length === 1) queueMicrotask(() => void this.turn(true, async () => {}).catch(() => {}));
  }

  refresh(): Promise<void> {
    this.#refreshing ??= this.#takeNews().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async turn<Result>(writes: boolean, run: () => Promise<Result>): Promise<Result> {
    if (!writes) return run();
    return navigator.locks.request(this.#lock, async () => {
      await this.refresh();
      const result = await run();
      await this.#save();
      return result;
    }) as Promise<Result>;
  }

  async #takeNews(): Promise<void> {
    const store = this.#database.transaction(records).objectStore(records);
    const range = IDBKeyRange.lowerBound(this.#known, true);
    const [keys, found] = await Promise.all([settled(store.getAllKeys(range)), settled(store.getAll(range))]);
    const news = found as readonly TabRecord[];
    if (news.length === 0) return;
    const start = news.findLastIndex(({ whole }) => whole);
    this.#isReplaying = true;
    try {
      if (start >= 0) empty(this.#worlds);
      for (const { events } of news.slice(Math.max(start, 0)))
        for (const event of events) applyEvent(this.#worlds, event);
    } finally {
      this.#isReplaying = false;
    }
    this.#known = keys.at(-1) as number;
    this.#count = start >= 0 ? news.length - start : this.#count + news.length;
  }

  async #save(): Promise<void> {
    if (this.#pending.length === 0) return;
    const events = this.#pending;
    this.#pending = [];
    const whole = this.#count >= longLog;
    // The seed is part of the name.
    const all = whole ? [...replayEvents(this.#worlds)].filter((event) => event.do !== 'origin') : events;
    const store = this.#database.transaction(records, 'readwrite').objectStore(records);
    const key = (await settled(store.add({ whole, events: all } satisfies TabRecord))) as number;
    if (whole) await settled(store.delete(IDBKeyRange.upperBound(key, true)));
    this.#known = key;
    this.#count = whole ? 1 : this.#count + 1;
  }
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
