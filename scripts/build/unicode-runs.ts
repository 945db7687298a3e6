// Unicode's categories and scripts as one run of characters after the other, which takes a third of what a table for each of
// them does. It goes into the bundles in the place of the tables of the package of regular expressions.

/** Characters of one kind: its number, 0 for none, and the first and the last of them. */
export type Run = readonly [kind: number, first: number, last: number];

/** Returns the runs of all characters: pairs of a kind and how many characters beyond the first have it. */
export function runsOf(pairs: readonly number[]): Run[] {
  const runs: Run[] = [];
  let first = 0;
  for (let i = 0; i < pairs.length; i += 2) {
    const last = first + (pairs[i + 1] as number);
    runs.push([pairs[i] as number, first, last]);
    first = last + 1;
  }
  return runs;
}

/** Returns the runs of scripts, which are written down for the characters alone that have a category. */
export function runsWithin(categories: readonly Run[], pairs: readonly number[]): Run[] {
  const runs: Run[] = [];
  let at = -2;
  let left = 0;
  for (const [category, from, last] of categories) {
    for (let first = from; category !== 0 && first <= last; ) {
      if (left === 0) {
        at += 2;
        left = (pairs[at + 1] as number) + 1;
      }
      const count = Math.min(left, last - first + 1);
      runs.push([pairs[at] as number, first, first + count - 1]);
      first += count;
      left -= count;
    }
  }
  return runs;
}

/** Returns the first and the last character of each range whose kinds are wanted, and 1, the step between its characters. */
export function rangesOf(runs: readonly Run[], isWanted: (kind: number) => boolean): number[] {
  const ranges: number[] = [];
  for (const [kind, first, last] of runs) {
    if (!isWanted(kind)) continue;
    if (ranges.at(-2) === first - 1) ranges[ranges.length - 2] = last;
    else ranges.push(first, last, 1);
  }
  return ranges;
}

/** Returns the ranges of the characters that are no members themselves, but another case of one. */
export function foldsOf(
  candidates: Iterable<number>,
  isMember: (char: number) => boolean,
  otherCase: (char: number) => number,
): number[] {
  const found: number[] = [];
  for (const char of candidates) {
    if (isMember(char)) continue;
    let other = otherCase(char);
    while (other !== char && !isMember(other)) other = otherCase(other);
    if (other !== char) found.push(char);
  }
  return found.sort((a, b) => a - b).flatMap((char) => [char, char, 1]);
}
