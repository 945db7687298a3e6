// A map over another that it shares and never writes to: what a world changed lies in the upper one.

/** Maps keys to values; a copy made by `share` costs what was changed, not what there is. */
export class Layered<Key, Value> {
  #base: ReadonlyMap<Key, Value> = new Map();
  // What is undefined here was taken out of the base.
  #changed = new Map<Key, Value | undefined>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(key: Key): Value | undefined {
    const changed = this.#changed.get(key);
    // While a store is seeded there is no base, and all keys are asked for.
    if (changed !== undefined || this.#base.size === 0) return changed;
    return this.#changed.has(key) ? undefined : this.#base.get(key);
  }

  set(key: Key, value: Value): void {
    if (this.get(key) === undefined) this.#size++;
    this.#changed.set(key, value);
  }

  delete(key: Key): void {
    if (this.get(key) === undefined) return;
    this.#size--;
    if (this.#base.has(key)) this.#changed.set(key, undefined);
    else this.#changed.delete(key);
  }

  /** Gives all keys: those of the base first, each layer in the order they came. */
  keys(): IterableIterator<Key> {
    // Without a base nothing is marked as taken out.
    return this.#base.size === 0 ? this.#changed.keys() : this.#allKeys();
  }

  *#allKeys(): Generator<Key> {
    for (const key of this.#base.keys()) if (this.get(key) !== undefined) yield key;
    for (const key of this.#changed.keys()) if (!this.#base.has(key) && this.get(key) !== undefined) yield key;
  }

  /** Gives a second map with the same content; from now on neither sees the other's writes. */
  share(): Layered<Key, Value> {
    // More changes than base: they become the base of both, so that no copy pays for them again.
    if (this.#changed.size > this.#base.size) {
      this.#base =
        this.#base.size === 0
          ? (this.#changed as ReadonlyMap<Key, Value>)
          : new Map(Array.from(this.keys(), (key) => [key, this.get(key) as Value]));
      this.#changed = new Map();
    }
    const twin = new Layered<Key, Value>();
    twin.#base = this.#base;
    twin.#changed = new Map(this.#changed);
    twin.#size = this.#size;
    return twin;
  }
}
