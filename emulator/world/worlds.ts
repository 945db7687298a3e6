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
  #options: Omit<WorldOptions, 'name'>;

  /** `limit` is how many worlds there may be at a time. */
  constructor(options: Omit<WorldOptions, 'name'>, limit: number) {
    this.#options = options;
    this.#limit = limit;
  }

  /** Gives a world, made if need be; undefined when there are as many as may be. */
  open(name: string = defaultWorld): World | undefined {
    const known = this.#worlds.get(name);
    if (known) return known;
    if (name !== defaultWorld && this.#worlds.size >= this.#limit) return undefined;
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
    if (!this.#worlds.has(name) && this.#worlds.size >= this.#limit) return undefined;
    const world = new World({ ...this.#options, name, origin: from.store.copy(), clock: from.clock.state });
    this.#worlds.set(name, world);
    return world;
  }

  /** Lists the worlds that were made, oldest first. */
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
