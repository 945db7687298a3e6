// What was made of texts, kept for renderings that meet the same texts again. Below all rooms: it knows no text by name.

/** Describes how much is kept. */
export interface LruLimits {
  /** How many characters all texts may have together; when they have more, those are forgotten that were not met for longest. */
  readonly total: number;
  /** How long a text may be to be kept at all. */
  readonly each: number;
}

/** Keeps a value for each of many texts. The values are shared by all who ask, so they must be immutable. */
export class LruCache<Value> {
  readonly #limits: LruLimits;
  // What was met of late, and what was met before that: half of the characters each.
  #recent = new Map<string, Value>();
  #before = new Map<string, Value>();
  #size = 0;

  constructor(limits: LruLimits) {
    this.#limits = limits;
  }

  /** Returns what was made of a text, and makes it if it is not there. What `make` throws is not kept. */
  get(text: string, make: (text: string) => Value): Value {
    const known = this.find(text);
    if (known !== undefined) return known;
    const value = make(text);
    this.keep(text, value);
    return value;
  }

  /** Returns what is kept of a text. */
  find(text: string): Value | undefined {
    const known = this.#recent.get(text);
    if (known !== undefined) return known;
    const value = this.#before.get(text);
    if (value !== undefined) this.keep(text, value);
    return value;
  }

  /** Keeps what was made of a text. */
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
