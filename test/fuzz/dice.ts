// Random numbers from a seed: the same on every machine.

/** A random source. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns a number from 0 up to 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  of<Value>(values: readonly Value[]): Value {
    return values[this.below(values.length)] as Value;
  }

  /** Returns one of the values, the first ones more often. */
  early<Value>(values: readonly Value[]): Value {
    return values[Math.floor(this.next() ** 2 * values.length)] as Value;
  }

  /** Returns `least` to `most` values drawn by `make`. */
  some<Value>(least: number, most: number, make: () => Value): Value[] {
    return Array.from({ length: least + this.below(most - least + 1) }, make);
  }
}
