// The worlds of an emulator: made when first asked for, each a copy of the seed.

import { World, type WorldOptions } from './world.ts';

/** The name of the world that calls are in when they name none. */
export const defaultWorld = 'default';

/** Tells whether a text can name a world. */
export function isWorldName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name);
}

/** Keeps the worlds. */
export class Worlds {
  readonly #worlds = new Map<string, World>();
  readonly #limit: number;
  readonly #evict: boolean;
  #options: Omit<WorldOptions, 'name'>;

  /** `limit` is how many worlds there may be at a time; `evict` forgets the one used longest ago when there are too many. */
  constructor(
    options: Omit<WorldOptions, 'name'>,
    { limit, evict }: { readonly limit: number; readonly evict: boolean },
  ) {
    this.#options = options;
    this.#limit = limit;
    this.#evict = evict;
  }

  /** Tells whether there is a world of this name. */
  has(name: string): boolean {
    return this.#worlds.has(name);
  }

  /** Gives a world, made if need be; undefined when there are as many as may be. */
  open(name: string = defaultWorld): World | undefined {
    const known = this.#worlds.get(name);
    if (known) return this.#used(known);
    if (name !== defaultWorld && !this.#hasRoom()) return undefined;
    const world = new World({ ...this.#options, name });
    this.#worlds.set(name, world);
    return world;
  }

  /** Gives the world of calls that name none. */
  get default(): World {
    return this.open(defaultWorld) as World;
  }

  /** Makes a world from the present state of another, in place of one of that name; undefined when there are too many. */
  fork(from: World, name: string): World | undefined {
    if (!this.#worlds.has(name) && !this.#hasRoom()) return undefined;
    const world = new World({ ...this.#options, name, origin: from.store.copy(), clock: from.clock.state });
    this.#worlds.set(name, world);
    return world;
  }

  // Makes room, if that is wanted.
  #hasRoom(): boolean {
    if (this.#worlds.size < this.#limit) return true;
    const oldest = this.#evict ? [...this.#worlds.keys()].find((name) => name !== defaultWorld) : undefined;
    return oldest !== undefined && this.#worlds.delete(oldest);
  }

  // A map gives its entries in the order in which they were set.
  #used(world: World): World {
    if (this.#evict && world.name !== defaultWorld) {
      this.#worlds.delete(world.name);
      this.#worlds.set(world.name, world);
    }
    return world;
  }

  /** Lists the worlds that were made, oldest first; with eviction, the one used last is last. */
  list(): readonly World[] {
    return [...this.#worlds.values()];
  }

  /** Forgets a world and tells whether there was one; the default world is reset instead. */
  remove(name: string): boolean {
    if (name !== defaultWorld) return this.#worlds.delete(name);
    this.default.reset();
    return true;
  }

  /** Puts other rows in the place of the seed, in every world. */
  reseed(origin: WorldOptions['origin']): void {
    this.#options = { ...this.#options, origin };
    for (const world of this.#worlds.values()) world.reseed(origin);
  }
}
