// Which values a rendering reads: maps that remember what was asked of them. They report more reads than there are rather
// than of fewer: a map that is walked counts as read as a whole, and so does a list that is requested, but for maps in it.

import type { GoMap, GoValue } from '../go/value.ts';
import type { JsonObject, JsonValue } from '../order/order.ts';

/** The most values, of one package of an Order, that are watched: a watch over more takes longer than their rendering. */
export const mostWatched = 100_000;

/** Reports whether an Order gives more values than are watched. */
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

/** A watch over the values of one rendering. */
export class Reads {
  /** Whether reads count. Turned off before the values are inspected afterwards. */
  isOn = true;

  /** Returns the values as maps that remember. What the values share, the result shares too. */
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
    return copy(values) as GoMap;
  }
}

const none: ReadonlySet<string> = new Set();

/** A map that remembers what was asked of it. */
export class WatchedMap extends Map<string, GoValue> {
  // Of most maps nothing is asked.
  #lookups: Set<string> | undefined;
  /** Whether all entries were walked. */
  isWalked = false;
  readonly #watch: Reads;

  constructor(watch: Reads) {
    super();
    this.#watch = watch;
  }

  /** The keys that were requested, whether they are there or not. */
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

/** What somebody gives: values as Go reads them, or as they stand in an Order, whose values may be too many to read them once more. */
export type Given = GoValue | JsonValue;

/** Reports whether something given is a table. */
export function isGivenTable(value: Given | undefined): value is GoMap | JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return value instanceof Map || Object.getPrototypeOf(value) === Object.prototype;
}

/** Returns the names of a table. */
export function keysOf(table: GoMap | JsonObject): Iterable<string> {
  return table instanceof Map ? table.keys() : Object.keys(table);
}

/** Returns a member of a table; undefined where it has none of that name. */
export function givenMember(table: GoMap | JsonObject, name: string): Given | undefined {
  if (table instanceof Map) return table.get(name);
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** A value that somebody gave and nobody read. */
export interface UnreadValue {
  readonly steps: readonly (string | number)[];
  /** The names that were requested beside it and that nobody gave. */
  readonly lookups: readonly string[];
}

/**
 * Returns the values that nothing read, of those that stand in `given`. A table of which nothing was read is listed once.
 * `places` are the maps that stand for what was given, watched; of a global value there are several.
 */
export function unreadValues(given: Given, places: readonly GoValue[]): UnreadValue[] {
  const unread: UnreadValue[] = [];
  const visit = (value: Given, watched: readonly GoValue[], steps: readonly (string | number)[]): void => {
    // What is unread here is listed before what is unread further in.
    const further: (() => void)[] = [];
    if (Array.isArray(value)) {
      const lists = watched.filter((item) => Array.isArray(item));
      value.forEach((item: Given, at) => {
        const inner = lists.map((list) => list[at]).filter((found) => found !== undefined);
        further.push(() => visit(item, inner, [...steps, at]));
      });
    }
    const maps = watched.filter((item) => item instanceof WatchedMap);
    if (isGivenTable(value) && maps.length > 0) {
      let lookups: readonly string[] | undefined;
      for (const key of keysOf(value)) {
        const item = givenMember(value, key);
        const there = maps.filter((map) => Map.prototype.has.call(map, key));
        if (item === null || item === undefined || there.length === 0) continue;
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

function lookupsBeside(maps: readonly WatchedMap[], given: GoMap | JsonObject): string[] {
  return [...new Set(maps.flatMap((map) => [...map.lookups]))].filter((name) => givenMember(given, name) === undefined);
}

/**
 * Returns, for each name that was requested, where: as dotted paths, `image.tag` for `tag`, two at most. Who has many names to look
 * up asks once.
 */
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
