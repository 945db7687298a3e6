// Finds the place of a member of a YAML text by its path.

import { readMembers } from './members.ts';

/** A place in a text, from 1. `isWhole`: it is the place of the member itself, not of a parent. */
export interface FoundPlace {
  readonly line: number;
  readonly column: number;
  readonly isWhole: boolean;
}

/** Returns the place of a member like findMember. */
export type PlaceFinder = (steps: readonly string[]) => FoundPlace;

/** A member with those inside it. */
interface PlacedMember {
  readonly line: number;
  readonly column: number;
  readonly inner: Map<string, PlacedMember>;
}

/**
 * Returns the place of a member of a text that was already parsed as YAML, or of its nearest existing parent: that of its key, if it has
 * one. Of duplicate keys the last one is used, as in the value.
 */
export function findMember(text: string, steps: readonly string[]): FoundPlace {
  return placeFinder(text)(steps);
}

/** Returns a lookup of places in a text that was already parsed as YAML. */
export function placeFinder(text: string): PlaceFinder {
  let root: PlacedMember | undefined;
  return (steps) => {
    root ??= membersOf(text);
    let found = root;
    for (const step of steps) {
      const inner = found.inner.get(step);
      if (inner === undefined) return { line: found.line, column: found.column, isWhole: false };
      found = inner;
    }
    return { line: found.line, column: found.column, isWhole: true };
  };
}

function membersOf(text: string): PlacedMember {
  const { start, members } = readMembers(text);
  const root: PlacedMember = { ...start, inner: new Map() };
  for (const { steps, line, column, content } of members) {
    let parent = root;
    for (const step of steps.slice(0, -1)) parent = parent.inner.get(String(step))!;
    const place = typeof content === 'object' ? content : { line, column };
    parent.inner.set(String(steps.at(-1)), { ...place, inner: new Map() });
  }
  return root;
}
