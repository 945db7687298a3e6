// Walks over values without JavaScript's stack: what a walk still has to do waits on a list of its own.

import { StackExceeded } from './steps.ts';
import type { GoMap, GoValue } from './value.ts';

/** How deep a walk over values may go: as deep as Go's stack of a gigabyte has room for. */
export const maxLevels = 1_250_000;

/** Throws `StackExceeded` for values that nest deeper than Go could walk, among them those that hold themselves. */
export function checkLevel(level: number): void {
  if (level > maxLevels) throw new StackExceeded('values nest too deep');
}

/**
 * What a walk is inside of. A walk over a value that holds itself ends early, though only one ancestor is remembered: that of
 * the last level which is a power of two. Mirrors: Brent's search for cycles.
 */
export class Ancestors {
  #ancestor: unknown;
  #beside: unknown;
  #level = 0;

  /**
   * Notes that the walk goes into a value, and `beside` it into another: the `level`th from the outside, from 1 on.
   * Throws `StackExceeded`.
   */
  enter(level: number, value: unknown, beside?: unknown): void {
    // Whatever stood at this level or below is left by now.
    if (level <= this.#level) this.#ancestor = undefined;
    if (value === this.#ancestor && beside === this.#beside) throw new StackExceeded('a value holds itself');
    checkLevel(level);
    if ((level & (level - 1)) !== 0) return;
    this.#ancestor = value;
    this.#beside = beside;
    this.#level = level;
  }
}

/** A walk whose parts may be done in any order, such as copying: each part adds those of the level below. */
export class Parts {
  readonly #parts: (() => void)[] = [];
  readonly #values: unknown[] = [];
  readonly #levels: number[] = [];
  readonly #ancestors = new Ancestors();
  #level = 0;

  /** Lets a part, the walk over `value`, wait until those that add parts now are done. */
  add(value: unknown, part: () => void): void {
    this.#parts.push(part);
    this.#values.push(value);
    this.#levels.push(this.#level + 1);
  }

  /** Does all parts, and gives `result`. Throws `StackExceeded`. */
  finish<T>(result: T): T {
    for (let part = this.#parts.pop(); part !== undefined; part = this.#parts.pop()) {
      this.#level = this.#levels.pop()!;
      this.#ancestors.enter(this.#level, this.#values.pop());
      part();
    }
    return result;
  }
}

/** Tells whether a map or a list holds no other: nothing of it has to wait, and it cannot hold itself. */
export function isFlat(value: GoMap | readonly GoValue[]): boolean {
  for (const item of value.values()) if (item instanceof Map || Array.isArray(item)) return false;
  return true;
}

/**
 * Gives a copy of a value: new maps and lists, without a type of their own; `convert` gives what stands for each of the others.
 * `onMap` hears of each map and its copy, still empty. Throws `StackExceeded` for a value that holds itself.
 */
export function copyTree(
  value: GoValue,
  convert: (scalar: GoValue) => GoValue,
  onMap?: (map: GoMap, copy: GoMap) => void,
): GoValue {
  const parts = new Parts();
  const copy = (item: GoValue): GoValue => {
    if (typeof item !== 'object') return convert(item);
    if (item instanceof Map) {
      const copied: GoMap = new Map();
      onMap?.(item, copied);
      const fill = (): void => {
        for (const [key, inner] of item) copied.set(key, copy(inner));
      };
      if (isFlat(item)) fill();
      else parts.add(item, fill);
      return copied;
    }
    if (!Array.isArray(item)) return convert(item);
    const copied: GoValue[] = [];
    parts.add(item, () => {
      for (const inner of item) copied.push(copy(inner));
    });
    return copied;
  };
  return parts.finish(copy(value));
}
