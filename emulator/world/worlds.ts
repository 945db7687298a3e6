// The worlds of an emulator: made when first needed, each a copy of the seed.

import { dumpStore, type StoreDump } from '../store/dump.ts';
import type { Mutation } from './mutations.ts';
import type { PersistenceAdapter } from './persistence-adapter.ts';
import { World, type WorldOptions } from './world.ts';

/** One thing that happened to a world, or with `origin` to the seed of all. */
export type WorldEvent =
  /** `fixtures` identifies the fixtures of the rows; older logs have none. */
  | { readonly do: 'origin'; readonly rows: StoreDump; readonly fixtures?: string }
  | ((
      | Mutation
      /** It was made from the present state of another, in place of one of its name. */
      | { readonly do: 'fork'; readonly from: string }
      | { readonly do: 'remove' }
    ) & { readonly world: string });

/** The name of the world that calls are in when they name none. */
export const defaultWorld = 'default';

/** Reports whether a text can name a world. */
export function isWorldName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name);
}

/** Keeps the worlds. */
export class Worlds {
  readonly #worlds = new Map<string, World>();
  readonly #limit: number;
  readonly #evict: boolean;
  /** Called with everything that happens to a world but that it is made: until something happens it is as the seed is. */
  onEvent: ((event: WorldEvent) => void) | undefined;
  /** Keeps what happens beyond this process, or page. */
  keeper: PersistenceAdapter | undefined;
  #options: Omit<WorldOptions, 'name'>;

  #fixturesId: () => string;

  /**
   * `limit` is how many worlds there may be at a time; `evict` forgets the one used longest ago when there are too many;
   * `fixturesId` identifies the fixtures of the seed, and is called when something is kept beyond this process.
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

  /** Reports whether there is a world of this name. */
  has(name: string): boolean {
    return this.#worlds.has(name);
  }

  /** Returns a world, made if need be; undefined when there are as many as may be. */
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

  /** Creates a world from the present state of another, in place of one of that name; undefined when there are too many. */
  fork(from: World, name: string): World | undefined {
    if (!this.#worlds.has(name) && !this.#hasRoom()) return undefined;
    const world = this.#make(name, { ...this.#options, origin: dumpStore(from.store), clock: from.clock.state });
    this.onEvent?.({ do: 'fork', from: from.name, world: name });
    return world;
  }

  // Makes room, if that is wanted.
  #hasRoom(): boolean {
    if (this.#worlds.size < this.#limit) return true;
    const oldest = this.#evict ? [...this.#worlds.keys()].find((name) => name !== defaultWorld) : undefined;
    return oldest !== undefined && this.remove(oldest);
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

  /** Forgets a world and reports whether there was one; the default world is reset instead. */
  remove(name: string): boolean {
    if (name === defaultWorld) this.default.reset();
    else if (!this.#worlds.delete(name)) return false;
    else this.onEvent?.({ do: 'remove', world: name });
    return true;
  }

  /** Returns the text from which ids, tokens and draws follow. */
  get seed(): string {
    return this.#options.seed;
  }

  /** Returns the rows that a fresh world has. */
  get origin(): WorldOptions['origin'] {
    return this.#options.origin;
  }

  /** Identifies the fixtures of the seed. Relative times make other rows of the same fixtures. */
  get fixturesId(): string {
    return this.#fixturesId();
  }

  /** Puts other rows, made of other fixtures, in the place of the seed, in every world. */
  reseed(origin: WorldOptions['origin'], fixturesId: () => string): void {
    this.#options = { ...this.#options, origin };
    this.#fixturesId = fixturesId;
    this.onEvent?.({ do: 'origin', rows: origin, fixtures: fixturesId() });
    for (const world of this.#worlds.values()) world.reseed(origin);
  }

  /** Puts other rows in the place of the seed; of the worlds, those named stay as they are until they are reset. */
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
