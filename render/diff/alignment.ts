// Which items of two lists are the same by what they hold, in their order: the longest way there is, in bounded time.

import { diffArrays } from 'diff';

/** A place (from 0) in each of two lists where the same item is. */
export type AlignedPair = readonly [before: number, after: number];

// Within this many edits the shortest way is looked for; where more differs, items that stand once in each list lead.
const maxEdits = 500;

/** Returns the places at which two lists hold the same item, in the order of both. */
export function alignItems(before: readonly string[], after: readonly string[]): readonly AlignedPair[] {
  const shortest = Math.min(before.length, after.length);
  let start = 0;
  while (start < shortest && before[start] === after[start]) start++;
  let end = 0;
  while (end < shortest - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  // Of equal items the changed one is then the one that changed, not one beside it.
  const inner = alignInner(before.slice(start, before.length - end), after.slice(start, after.length - end));
  const found = inner.map(([at, to]): AlignedPair => [at + start, to + start]);
  const head = Array.from({ length: start }, (_, at): AlignedPair => [at, at]);
  const tail = Array.from({ length: end }, (_, at): AlignedPair => [before.length - end + at, after.length - end + at]);
  return [...head, ...found, ...tail];
}

function alignInner(before: readonly string[], after: readonly string[]): readonly AlignedPair[] {
  const whole = shortestWay(before, after);
  if (whole !== undefined) return whole;
  const found: AlignedPair[] = [];
  let [from, to] = [0, 0];
  // What occurs once in each list, in the same order: between these the lists are short again.
  for (const [at, other] of [...anchorsOf(before, after), [before.length, after.length] as const]) {
    const gap = shortestWay(before.slice(from, at), after.slice(to, other)) ?? [];
    for (const [i, j] of gap) found.push([from + i, to + j]);
    if (at < before.length) found.push([at, other]);
    [from, to] = [at + 1, other + 1];
  }
  return found;
}

function shortestWay(before: readonly string[], after: readonly string[]): AlignedPair[] | undefined {
  if (before.length === 0 || after.length === 0) return [];
  const parts = diffArrays([...before], [...after], { maxEditLength: maxEdits });
  if (parts === undefined) return undefined;
  const found: AlignedPair[] = [];
  let [at, to] = [0, 0];
  for (const { removed, added, count } of parts) {
    if (!removed && !added) for (let i = 0; i < count; i++) found.push([at + i, to + i]);
    if (!added) at += count;
    if (!removed) to += count;
  }
  return found;
}

// The longest run of them that is in the same order in both lists.
function anchorsOf(before: readonly string[], after: readonly string[]): readonly AlignedPair[] {
  const places = placesOfSingle(after);
  const single = placesOfSingle(before);
  // Of each length the run that ends earliest: by its last match, which knows the one before it.
  const ends: { readonly match: AlignedPair; readonly previous: (typeof ends)[number] | undefined }[] = [];
  for (const [item, at] of single) {
    const to = places.get(item);
    if (to === undefined) continue;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle]!.match[1] < to) low = middle + 1;
      else high = middle;
    }
    ends[low] = { match: [at, to], previous: ends[low - 1] };
  }
  const found: AlignedPair[] = [];
  for (let end = ends.at(-1); end !== undefined; end = end.previous) found.push(end.match);
  return found.reverse();
}

function placesOfSingle(items: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  const several = new Set<string>();
  items.forEach((item, at) => {
    if (places.has(item)) several.add(item);
    places.set(item, at);
  });
  for (const item of several) places.delete(item);
  return places;
}
