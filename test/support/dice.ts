// Random numbers from a seed, the same on every machine, and lists of words to pick from.

/** A seeded source of random numbers (mulberry32). */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns a number from 0 up to, but not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns an integer from 0 up to, but not including, `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  /** Returns true with a probability. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** Returns one of the values. */
  pick<Value>(values: readonly Value[]): Value {
    return values[this.below(values.length)] as Value;
  }

  /** Returns one of the values, the first ones more often. */
  pickEarly<Value>(values: readonly Value[]): Value {
    return values[Math.floor(this.next() ** 2 * values.length)] as Value;
  }

  /** Returns a list of `min` to `max` values made by `make`. */
  list<Value>(min: number, max: number, make: () => Value): Value[] {
    return Array.from({ length: min + this.below(max - min + 1) }, make);
  }
}

/** Returns the words of a text, which are separated by white space. Backslashes are not escapes. */
export function wordList({ raw: [text = ''] }: TemplateStringsArray): string[] {
  return text.trim().split(/\s+/);
}
