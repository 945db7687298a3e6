// The places of the members of a text of which many are requested: each is found by one look, where findMember goes through the text.

import { listMembers } from './members.ts';
import { type FoundPlace, findMember } from './places.ts';

/** Returns the place of a member as findMember does. */
export type PlaceFinder = (steps: readonly string[]) => FoundPlace;

/** Returns what finds the places of a text that was already read as YAML. */
export function placeFinder(text: string): PlaceFinder {
  let isSecond = false;
  let places: ReadonlyMap<string, FoundPlace> | undefined;
  return (steps) => {
    // One question alone is not worth the list.
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
