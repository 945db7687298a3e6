// An index of the places of members, for many lookups in the same text; findMember scans the text each time.

import { listMembers } from './members.ts';
import { type FoundPlace, findMember } from './places.ts';

/** Returns the place of a member like findMember. */
export type PlaceFinder = (steps: readonly string[]) => FoundPlace;

/** Returns a lookup of places in a text that was already parsed as YAML. */
export function placeFinder(text: string): PlaceFinder {
  let isSecond = false;
  let places: ReadonlyMap<string, FoundPlace> | undefined;
  return (steps) => {
    // A single lookup does not need the index.
    if (isSecond) places ??= placesOf(text);
    isSecond = true;
    return places?.get(keyOf(steps)) ?? findMember(text, steps);
  };
}

function placesOf(text: string): ReadonlyMap<string, FoundPlace> {
  const places = new Map<string, FoundPlace>();
  for (const { steps, line, column, content } of listMembers(text)) {
    if (content === undefined) places.set(keyOf(steps), { line, column, isWhole: true });
    else if (content !== 'pair') places.set(keyOf(steps), { ...content, isWhole: true });
  }
  return places;
}

function keyOf(steps: readonly (string | number)[]): string {
  return steps.join('\0');
}
