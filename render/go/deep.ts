// Walks over values without JavaScript's stack: what a walk still has to do waits on a list of its own.

import { StackExceeded } from './steps.ts';
import type { GoMap, GoValue } from './value.ts';

/** How deep a walk over values may go: as deep as Go's stack of a gigabyte has room for. */
export const maxLevels = 1_250_000;

/** Throws `StackExceeded` for values that nest deeper than Go could walk, among them those that hold themselves. */
export function checkLevel(level: number): void {
  if (level > maxLevels) throw new StackExceeded('values nest too deep');
}

/** A walk whose parts may be done in any order, such as copying: each part adds those of the level below. */
export class Parts {
  readonly #parts: (() => void)[] = [];
  readonly #levels: number[] = [];
  #level = 0;

  /** Lets a part wait until those that add parts now are done. */
  add(part: () => void): void {
    this.#parts.push(part);
    this.#levels.push(this.#level + 1);
  }

  /** Does all parts, and gives `result`. Throws `StackExceeded`. */
  finish<T>(result: T): T {
    for (let part = this.#parts.pop(); part !== undefined; part = this.#parts.pop()) {
      this.#level = this.#levels.pop() as number;
      checkLevel(this.#level);
      part();
    }
    return result;
  }
}

/**
 * Gives a copy of a value: new maps and lists, without a type of their own; `convert` gives what stands for each of the others.
 * Throws `StackExceeded` for a value that holds itself.
 */
export function copyTree(value: GoValue, convert: (scalar: GoValue) => GoValue): GoValue {
  const parts = new Parts();
  const copy = (item: GoValue): GoValue => {
    if (typeof item !== 'object') return convert(item);
    if (item instanceof Map) {
      const copied: GoMap = new Map();
      parts.add(() => {
        for (const [key, inner] of item) copied.set(key, copy(inner));
      });
      return copied;
    }
    if (!Array.isArray(item)) return convert(item);
    const copied: GoValue[] = [];
    parts.add(() => {
      for (const inner of item) copied.push(copy(inner));
    });
    return copied;
  };
  return parts.finish(copy(value));
}
