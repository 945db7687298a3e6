// JSON texts of values that nest deeper than JavaScript's stack.

import { isNested } from '../arguments.ts';
import { isStackOverflow } from '../go/steps.ts';

/** Gives what is written in the place of a scalar, as the second argument of `JSON.stringify` does. */
export type ReplaceScalar = (key: string, scalar: unknown) => unknown;

/**
 * Writes a JSON value as `JSON.stringify` does, however deep it nests; it may not hold itself. A value of a class is
 * written by `JSON.stringify` alone.
 */
export function writeJson(value: unknown, replace?: ReplaceScalar): string {
  try {
    return JSON.stringify(value, replace);
  } catch (error) {
    if (!isStackOverflow(error)) throw error;
    return writeDeep(value, replace);
  }
}

/** A list or an object that is being written. */
interface OpenText {
  readonly value: Readonly<Record<string, unknown>>;
  readonly keys: readonly string[];
  readonly isList: boolean;
  next: number;
  isEmpty: boolean;
}

function writeDeep(value: unknown, replace: ReplaceScalar = (_, scalar) => scalar): string {
  const parts: string[] = [];
  const open: OpenText[] = [];
  const write = (inner: unknown, key: string): void => {
    if (typeof inner !== 'object' || inner === null) parts.push(JSON.stringify(replace(key, inner)) ?? 'null');
    else if (!isNested<unknown>(inner)) parts.push(JSON.stringify(inner));
    else {
      const isList = Array.isArray(inner);
      parts.push(isList ? '[' : '{');
      open.push({ value: inner, keys: Object.keys(isList ? [...inner] : inner), isList, next: 0, isEmpty: true });
    }
  };
  write(value, '');
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    const key = last.keys[last.next++];
    if (key === undefined) {
      parts.push(last.isList ? ']' : '}');
      open.pop();
      continue;
    }
    const item = last.value[key];
    if (item === undefined && !last.isList) continue;
    if (!last.isEmpty) parts.push(',');
    last.isEmpty = false;
    if (!last.isList) parts.push(`${JSON.stringify(key)}:`);
    write(item, key);
  }
  return parts.join('');
}
