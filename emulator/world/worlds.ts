// The worlds of an emulator: created on first use, each a copy of the seed.

import type { StoreDump } from '../store/dump.ts';
import type { Mutation } from './mutations.ts';
import { World, type WorldOptions } from './world.ts';

/** One change of a world, or of the seed of all with `origin`; `fixtures` identifies the fixtures of the rows. */
export type WorldEvent =
  | { readonly do: 'origin'; readonly rows: StoreDump; readonly fixtures: string }
  | ((Mutation | { readonly do: 'remove' }) & { readonly world: string });

/** The world of calls that name none. */
export const defaultWorld = 'default';

/** Reports whether a text is a valid name of a world. */
export function isWorldName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name);
}

interface WorldsOptions extends Omit<WorldOptions, 'name' | 'onMutation'> {
  /** The maximum number of worlds. */
  readonly limit: number;
  /** Whether the least recently used world is dropped when there are too many. */
  readonly evict: boolean;
  /** Identifies the fixtures of the seed; called when something is stored. */
  readonly fixturesId: () => string;
}

export class Worlds {
  readonly #worlds = new Map<string, World>();
  /** Called with every change of a world except its creation, because an unchanged world equals the seed. */
  onEvent: ((event: WorldEvent) => void) | undefined;
  /** Stores changes beyond this process or page. */
  keeper: PersistenceAdapter | undefined;
  #options: WorldsOptions;

  constructor(options: WorldsOptions) {
    this.#options = options;
  }

  has(name: string): boolean {
    return this.#worlds.has(name);
  }

  /** Returns a world, created if needed; undefined if the limit is reached. */
  open(name: string = defaultWorld): World | undefined {
    const known = this.#worlds.get(name);
    if (known) return this.#used(known);
    if (name !== defaultWorld && !this.#hasRoom()) return undefined;
    const onMutation = (mutation: Mutation): void => this.onEvent?.({ ...mutation, world: name });
    const world = new World({ ...this.#options, name, onMutation });
    this.#worlds.set(name, world);
    return world;
  }

  get default(): World {
    return this.open(defaultWorld)!;
  }

  // Evicts a world if that is enabled.
  #hasRoom(): boolean {
    const { limit, evict } = this.#options;
    if (this.#worlds.size < limit) return true;
    const oldest = evict ? [...this.#worlds.keys()].find((name) => name !== defaultWorld) : undefined;
    return oldest !== undefined && this.remove(oldest);
  }

  // A map iterates in insertion order.
  #used(world: World): World {
    if (this.#options.evict && world.name !== defaultWorld) {
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

  get seed(): string {
    return this.#options.seed;
  }

  get origin(): WorldOptions['origin'] {
    return this.#options.origin;
  }

  /** Identifies the fixtures of the seed. The same fixtures give different rows when they have relative times. */
  get fixturesId(): string {
    return this.#options.fixturesId();
  }

  /** Replaces the seed in every world with rows of other fixtures. */
  reseed(origin: WorldOptions['origin'], fixturesId: () => string): void {
    this.#options = { ...this.#options, origin, fixturesId };
    this.onEvent?.({ do: 'origin', rows: origin, fixtures: fixturesId() });
    for (const world of this.#worlds.values()) world.reseed(origin);
  }
}

/** Keeps the worlds; the dispatcher passes every call through it. */
interface PersistenceAdapter {
  /** Applies the changes of others before a call is handled. */
  refresh?(): Promise<void> | undefined;
  /** Handles a call. The promise resolves when its changes are stored, and rejects with a `Problem` if they cannot be. */
  turn<Result>(writes: boolean, run: () => Promise<Result>): Promise<Result>;
}
