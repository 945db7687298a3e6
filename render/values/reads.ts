// Records which values a rendering reads, with maps that track access. It reports too many reads rather than too few: iterating over a map
// counts as reading all of it, and so does accessing a list, except for maps in it.

import type { Steps } from '../core/paths.ts';
import { type GoMap, type GoValue, NamedMap } from '../go/value.ts';
import type { JsonObject, JsonValue } from '../order/order.ts';

/** Maximum number of tracked values of a package. Tracking more takes longer than rendering them. */
export const mostWatched = 100_000;

/** Reports whether an Order has more values than can be tracked. */
export function holdsTooMany(values: JsonObject): boolean {
  const left: (JsonObject | JsonValue[])[] = [values];
  let count = 0;
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    for (const item of Object.values(next)) if (typeof item === 'object' && item !== null) left.push(item);
    count += Object.keys(next).length;
    if (count > mostWatched) return true;
  }
  return false;
}

/** Tracks access to the values of one rendering. */
export class Reads {
  /** Whether reads are recorded. Turned off before the values are inspected afterwards. */
  isOn = true;
  readonly #onWatch: (values: GoMap) => void;

  /** `onWatch` is called with the tracking maps. */
  constructor(onWatch: (values: GoMap) => void = () => {}) {
    this.#onWatch = onWatch;
  }

  /** Returns the values as tracking maps. Shared values stay shared. */
  watch(values: GoMap): GoMap {
    const known = new Map<GoValue, GoValue>();
    const copy = (value: GoValue): GoValue => {
      const found = known.get(value);
      if (found !== undefined) return found;
      if (value instanceof Map) {
        const map = new WatchedMap(this);
        known.set(value, map);
        for (const [key, item] of value) map.set(key, copy(item));
        return map;
      }
      if (!Array.isArray(value)) return value;
      const list: GoValue[] = [];
      known.set(value, list);
      for (const item of value) list.push(copy(item));
      return list;
    };
    const watched = copy(values) as GoMap;
    this.#onWatch(watched);
    return watched;
  }
}

const none: ReadonlySet<string> = new Set();

/** A map that tracks access to its keys. */
export class WatchedMap extends Map<string, GoValue> {
  // Most maps are never accessed.
  #lookups: Set<string> | undefined;
  /** Whether all entries were iterated. */
  isWalked = false;
  readonly #watch: Reads;

  constructor(watch: Reads) {
    super();
    this.#watch = watch;
  }

  /** The accessed keys, whether they exist or not. */
  get lookups(): ReadonlySet<string> {
    return this.#lookups ?? none;
  }

  #ask(key: string): void {
    if (!this.#watch.isOn) return;
    this.#lookups ??= new Set();
    this.#lookups.add(key);
  }

  #walk(): void {
    if (this.#watch.isOn) this.isWalked = true;
  }

  override get(key: string): GoValue | undefined {
    this.#ask(key);
    return super.get(key);
  }
  override has(key: string): boolean {
    this.#ask(key);
    return super.has(key);
  }
  override keys(): MapIterator<string> {
    this.#walk();
    return super.keys();
  }
  override values(): MapIterator<GoValue> {
    this.#walk();
    return super.values();
  }
  override entries(): MapIterator<[string, GoValue]> {
    this.#walk();
    return super.entries();
  }
  override forEach(callback: (value: GoValue, key: string, map: Map<string, GoValue>) => void): void {
    this.#walk();
    super.forEach(callback);
  }
  override [Symbol.iterator](): MapIterator<[string, GoValue]> {
    this.#walk();
    return super[Symbol.iterator]();
  }

  /** Reports whether the value of a key may have been read. */
  isRead(key: string): boolean {
    return this.isWalked || this.lookups.has(key);
  }
}

/** A value that was set and never read. */
export interface UnreadValue {
  readonly steps: Steps;
  /** Names that were accessed beside it and are not set. */
  readonly lookups: readonly string[];
}

/**
 * Returns the unread values among those in `given`. An entirely unread table is listed once. `places` are the tracking maps of the given
 * values; a global value has several.
 */
export function unreadValues(given: GoValue, places: readonly GoValue[]): UnreadValue[] {
  const unread: UnreadValue[] = [];
  const visit = (value: GoValue, watched: readonly GoValue[], steps: Steps): void => {
    // Outer unread values are listed before inner ones.
    const further: (() => void)[] = [];
    if (Array.isArray(value)) {
      const lists = watched.filter((item) => Array.isArray(item));
      value.forEach((item, at) => {
        const inner = lists.map((list) => list[at]).filter((found) => found !== undefined);
        further.push(() => visit(item, inner, [...steps, at]));
      });
    }
    const maps = watched.filter((item) => item instanceof WatchedMap);
    if (value instanceof Map && maps.length > 0) {
      let lookups: readonly string[] | undefined;
      for (const [key, item] of value) {
        const there = maps.filter((map) => Map.prototype.has.call(map, key));
        if (item === null || there.length === 0) continue;
        const inner = there.map((map) => Map.prototype.get.call(map, key) as GoValue);
        if (there.some((map) => map.isRead(key))) further.push(() => visit(item, inner, [...steps, key]));
        else {
          lookups ??= lookupsBeside(maps, value);
          unread.push({ steps: [...steps, key], lookups });
        }
      }
    }
    for (const visitNext of further) visitNext();
  };
  visit(given, places, []);
  return unread;
}

function lookupsBeside(maps: readonly WatchedMap[], given: GoMap): string[] {
  return [...new Set(maps.flatMap((map) => [...map.lookups]))].filter((name) => !given.has(name));
}

/** Returns where each accessed name was accessed, as dotted paths: `image.tag` for `tag`; at most two. Call once for many names. */
export function lookupPlaces(values: GoValue): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, string[]>();
  const seen = new Set<GoValue>();
  const ahead: [map: GoValue, path: string][] = [[values, '']];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const [map, path] = next;
    if (!(map instanceof WatchedMap) || seen.has(map)) continue;
    seen.add(map);
    for (const name of map.lookups) {
      const known = places.get(name);
      if (known === undefined) places.set(name, [`${path}${name}`]);
      else if (known.length < 2) known.push(`${path}${name}`);
    }
    Map.prototype.forEach.call(map, (value: GoValue, key: string) => {
      if (value instanceof WatchedMap) ahead.push([value, `${path}${key}.`]);
    });
  }
  return places;
}

/** Functions that return a copy of their map arguments. */
const copiers: ReadonlySet<string> = new Set(
  'deepCopy mustDeepCopy merge mustMerge mergeOverwrite mustMergeOverwrite omit pick'.split(' '),
);

/**
 * Tracks the paths of one rendering's tables and lists, so that an observer can name what a template reads. The rendering takes `reads` as an
 * option.
 */
export class ValuePaths {
  readonly reads: Reads;
  /** The merged values of the whole chart. */
  values: GoMap = new Map();
  readonly #paths = new Map<GoValue, Steps>();

  constructor() {
    this.reads = new Reads((values) => {
      this.values = values;
      this.#index(values, []);
    });
  }

  #index(value: GoValue, path: Steps): void {
    if (!(value instanceof Map) && !Array.isArray(value)) return;
    if (this.#paths.has(value)) return;
    this.#paths.set(value, path);
    if (Array.isArray(value)) for (const [at, item] of value.entries()) this.#index(item, [...path, at]);
    else Map.prototype.forEach.call(value, (item: GoValue, key: string) => this.#index(item, [...path, key]));
  }

  /** Returns the path of a table or list; undefined if it is not part of the values. */
  of(value: GoValue): Steps | undefined {
    return this.#paths.get(targetOf(value));
  }

  /** Records the result of a function: reading a copy counts as reading its original, the first argument that is a value. */
  functionEnded(name: string, copy: GoValue, args: readonly GoValue[]): void {
    if (!copiers.has(name)) return;
    const path = args.map((one) => this.of(one)).find((known) => known !== undefined);
    if (path !== undefined) this.#index(targetOf(copy), path);
  }

  /** Records a field: `.Values` may be a copy, such as one parsed from a text. */
  fieldEnded(name: string, value: GoValue | undefined): void {
    if (name === 'Values' && value instanceof Map) this.#index(targetOf(value), []);
  }
}

// A map viewed as another type shares its entries.
function targetOf(value: GoValue): GoValue {
  return value instanceof NamedMap ? value.target : value;
}
