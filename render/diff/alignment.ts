// Aligns two lists by the content of their items: the longest common subsequence in bounded time.

import { diffArrays } from 'diff';

/** The indexes (from 0) of an item that both lists contain. */
export type AlignedPair = readonly [before: number, after: number];

// Up to this many edits the shortest edit is searched for; beyond that, items unique in each list are used as anchors.
const maxEdits = 500;

/** Returns the indexes of common items, in the order of both lists. */
export function alignItems(before: readonly string[], after: readonly string[]): readonly AlignedPair[] {
  const shortest = Math.min(before.length, after.length);
  let start = 0;
  while (start < shortest && before[start] === after[start]) start++;
  let end = 0;
  while (end < shortest - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  // Of equal items the changed one is then the one that changed, not its neighbor.
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
  // Items unique in each list, in the same order; the lists between them are short again.
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

// Their longest subsequence in the same order in both lists.
function anchorsOf(before: readonly string[], after: readonly string[]): readonly AlignedPair[] {
  const places = placesOfSingle(after);
  const single = placesOfSingle(before);
  // For each length the subsequence that ends earliest: by its last match, which refers to the previous one.
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
