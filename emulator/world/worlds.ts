// The worlds of an emulator: created on first use, each a copy of the seed.

import { dumpStore, type StoreDump } from '../store/dump.ts';
import type { Mutation } from './mutations.ts';
import { World, type WorldOptions } from './world.ts';

/** One change of a world, or of the seed of all with `origin`. */
export type WorldEvent =
  /** `fixtures` identifies the fixtures of the rows; older logs have none. */
  | { readonly do: 'origin'; readonly rows: StoreDump; readonly fixtures?: string }
  | ((
      | Mutation
      /** The world was created from the current state of another, replacing one of the same name. */
      | { readonly do: 'fork'; readonly from: string }
      | { readonly do: 'remove' }
    ) & { readonly world: string });

/** The world of calls that name none. */
export const defaultWorld = 'default';

/** Reports whether a text is a valid name of a world. */
export function isWorldName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name);
}

/** The worlds of an emulator. */
export class Worlds {
  readonly #worlds = new Map<string, World>();
  readonly #limit: number;
  readonly #evict: boolean;
  /** Called with every change of a world except its creation, because an unchanged world equals the seed. */
  onEvent: ((event: WorldEvent) => void) | undefined;
  /** Stores changes beyond this process or page. */
  keeper: PersistenceAdapter | undefined;
  #options: Omit<WorldOptions, 'name'>;

  #fixturesId: () => string;

  /**
   * `limit` is the maximum number of worlds; with `evict` the least recently used one is dropped when it is reached. `fixturesId`
   * identifies the fixtures of the seed and is called when something is stored.
   */
  constructor(
    options: Omit<WorldOptions, 'name'>,
    {
      limit,
      evict,
      fixturesId = () => '',
    }: { readonly limit: number; readonly evict: boolean; readonly fixturesId?: () => string },
  ) {
    this.#options = options;
    this.#fixturesId = fixturesId;
    this.#limit = limit;
    this.#evict = evict;
  }

  /** Reports whether a world exists. */
  has(name: string): boolean {
    return this.#worlds.has(name);
  }

  /** Returns a world, created if needed; undefined if the limit is reached. */
  open(name: string = defaultWorld): World | undefined {
    const known = this.#worlds.get(name);
    if (known) return this.#used(known);
    if (name !== defaultWorld && !this.#hasRoom()) return undefined;
    return this.#make(name, this.#options);
  }

  /** Returns the world of calls that name none. */
  get default(): World {
    return this.open(defaultWorld)!;
  }

  /** Creates a world from the current state of another, replacing one of the same name; undefined if the limit is reached. */
  fork(from: World, name: string): World | undefined {
    if (!this.#worlds.has(name) && !this.#hasRoom()) return undefined;
    const world = this.#make(name, { ...this.#options, origin: dumpStore(from.store), clock: from.clock.state });
    this.onEvent?.({ do: 'fork', from: from.name, world: name });
    return world;
  }

  // Evicts a world if that is enabled.
  #hasRoom(): boolean {
    if (this.#worlds.size < this.#limit) return true;
    const oldest = this.#evict ? [...this.#worlds.keys()].find((name) => name !== defaultWorld) : undefined;
    return oldest !== undefined && this.remove(oldest);
  }

  // A map iterates in insertion order.
  #used(world: World): World {
    if (this.#evict && world.name !== defaultWorld) {
      this.#worlds.delete(world.name);
      this.#worlds.set(world.name, world);
    }
    return world;
  }

  /** Lists the existing worlds, oldest first; with eviction, least recently used first. */
  list(): readonly World[] {
    return [...this.#worlds.values()];
  }

  /** Deletes a world and reports whether it existed; the default world is reset instead. */
  remove(name: string): boolean {
    if (name === defaultWorld) this.default.reset();
    else if (!this.#worlds.delete(name)) return false;
    else this.onEvent?.({ do: 'remove', world: name });
    return true;
  }

  /** Returns the seed of ids, tokens and random numbers. */
  get seed(): string {
    return this.#options.seed;
  }

  /** Returns the rows of a fresh world. */
  get origin(): WorldOptions['origin'] {
    return this.#options.origin;
  }

  /** Identifies the fixtures of the seed. The same fixtures give different rows when they have relative times. */
  get fixturesId(): string {
    return this.#fixturesId();
  }

  /** Replaces the seed in every world with rows of other fixtures. */
  reseed(origin: WorldOptions['origin'], fixturesId: () => string): void {
    this.#options = { ...this.#options, origin };
    this.#fixturesId = fixturesId;
    this.onEvent?.({ do: 'origin', rows: origin, fixtures: fixturesId() });
    for (const world of this.#worlds.values()) world.reseed(origin);
  }

  /** Replaces the rows of the seed; the worlds named keep theirs until they are reset. */
  setOrigin(origin: WorldOptions['origin'], fixturesId: () => string, stay: ReadonlySet<string>): void {
    const before = this.#options.origin;
    this.#options = { ...this.#options, origin };
    this.#fixturesId = fixturesId;
    for (const world of this.#worlds.values()) {
      if (!stay.has(world.name)) world.reseed(origin);
      else if (world.origin === before) world.setOrigin(origin);
    }
  }

  #make(name: string, options: Omit<WorldOptions, 'name'>): World {
    const onMutation = (mutation: Mutation): void => this.onEvent?.({ ...mutation, world: name });
    const world = new World({ ...options, name, onMutation });
    this.#worlds.set(name, world);
    return world;
  }
}

/** Keeps the worlds; the dispatcher passes every call through it. */
export interface PersistenceAdapter {
  /** Applies the changes of others before a call is handled. */
  refresh?(): Promise<void> | undefined;
  /** Handles a call. The promise resolves when its changes are stored, and rejects with a `Problem` if they cannot be. */
  turn<Result>(writes: boolean, run: () => Promise<Result>): Promise<Result>;
}
