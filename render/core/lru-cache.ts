// A cache of values derived from texts, limited by the size of the texts.

/** Options of a cache. */
export interface LruLimits {
  /** Maximum number of characters of all texts together. The least recently used ones are dropped. */
  readonly total: number;
  /** Maximum length of a cached text. */
  readonly each: number;
}

/** Caches a value for each of many texts. The values are shared, so they must be immutable. */
export class LruCache<Value> {
  readonly #limits: LruLimits;
  // Recently used entries, and those used before: at most half of the characters each.
  #recent = new Map<string, Value>();
  #before = new Map<string, Value>();
  #size = 0;

  constructor(limits: LruLimits) {
    this.#limits = limits;
  }

  /** Returns the value of a text and creates it if necessary. An exception of `make` is not cached. */
  get(text: string, make: (text: string) => Value): Value {
    const known = this.find(text);
    if (known !== undefined) return known;
    const value = make(text);
    this.keep(text, value);
    return value;
  }

  /** Returns the cached value of a text. */
  find(text: string): Value | undefined {
    const known = this.#recent.get(text);
    if (known !== undefined) return known;
    const value = this.#before.get(text);
    if (value !== undefined) this.keep(text, value);
    return value;
  }

  /** Caches the value of a text. */
  keep(text: string, value: Value): void {
    if (text.length > this.#limits.each) return;
    this.#size += text.length;
    if (this.#size > this.#limits.total / 2) {
      this.#before = this.#recent;
      this.#recent = new Map();
      this.#size = text.length;
    }
    this.#recent.set(text, value);
  }
}
