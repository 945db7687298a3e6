// Paths to values, as people write them.

import { joinPath } from '../arguments.ts';

/** The names and indexes that lead to a value. */
export type Steps = readonly (string | number)[];

/** Gives a path as people write it: `hosts[0].name`. */
export function pathText(steps: Steps): string {
  return steps.reduce<string>((path, step) => joinPath(path, step), '');
}
