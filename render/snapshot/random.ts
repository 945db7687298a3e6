// What two renderings with other dice give differently, with `<random>` in its place.

import { deepEqual } from '../go/deep-equal.ts';
import type { GoMap, GoValue } from '../go/value.ts';

/** What stands in a snapshot for what is drawn at random. */
export const randomMark = '<random>';

/** The way to a member: names and indices. */
export type Steps = readonly (string | number)[];

/** Hears of a member that is drawn at random, with the way to it. */
export type OnRandom = (steps: Steps) => void;

/** Gives a value with a mark wherever its twin, of a rendering with other dice, has something else. */
export function markRandom(value: GoValue, twin: GoValue, onRandom: OnRandom, steps: Steps = []): GoValue {
  if (value instanceof Map && twin instanceof Map) return markMembers(value, twin, { onRandom, steps });
  if (Array.isArray(value) && Array.isArray(twin) && value.length === twin.length) {
    return value.map((item, at) => markRandom(item, twin[at] as GoValue, onRandom, [...steps, at]));
  }
  if (deepEqual(value, twin)) return value;
  onRandom(steps);
  return typeof value === 'string' && typeof twin === 'string' ? markText(value, twin) : randomMark;
}

interface Place {
  readonly onRandom: OnRandom;
  readonly steps: Steps;
}

// Names that are drawn themselves stand for each other in their order.
function markMembers(value: GoMap, twin: GoMap, { onRandom, steps }: Place): GoMap {
  const own = [...value.keys()].filter((key) => !twin.has(key));
  const others = [...twin.keys()].filter((key) => !value.has(key));
  const isPaired = own.length === others.length;
  const marked = new Map<string, GoValue>();
  for (const [key, item] of value) {
    const at = own.indexOf(key);
    if (at < 0) marked.set(key, markRandom(item, twin.get(key) as GoValue, onRandom, [...steps, key]));
    else if (!isPaired) marked.set(key, item);
    else {
      const name = own.length === 1 ? randomMark : `<random ${at + 1}>`;
      onRandom([...steps, key]);
      marked.set(name, markRandom(item, twin.get(others[at]!) as GoValue, onRandom, [...steps, key]));
    }
  }
  return marked;
}

/** Gives a text with a mark for what of each line differs in its twin; the mark alone where they have other lines. */
export function markText(text: string, twin: string): string {
  const [lines, others] = [text.split('\n'), twin.split('\n')];
  if (lines.length !== others.length) return randomMark;
  return lines.map((line, at) => markLine(line, others[at]!)).join('\n');
}

const wordChar = /[\w+=-]/;

// What two random words happen to share at their ends is random, too.
function markLine(line: string, twin: string): string {
  if (line === twin) return line;
  let start = 0;
  while (start < line.length && line[start] === twin[start]) start++;
  let end = 0;
  const most = Math.min(line.length, twin.length) - start;
  while (end < most && line.at(-1 - end) === twin.at(-1 - end)) end++;
  while (start > 0 && wordChar.test(line.charAt(start - 1))) start--;
  while (end > 0 && wordChar.test(line.charAt(line.length - end))) end--;
  return `${line.slice(0, start)}${randomMark}${line.slice(line.length - end)}`;
}
