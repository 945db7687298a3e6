// What two sequences have in common at their ends.

/** Returns the number of equal items at the start of two sequences, and of those at the end of the rest. */
export function commonEnds(
  one: ArrayLike<unknown>,
  other: ArrayLike<unknown>,
): { readonly start: number; readonly end: number } {
  const most = Math.min(one.length, other.length);
  let start = 0;
  while (start < most && one[start] === other[start]) start++;
  let end = 0;
  while (end < most - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end++;
  return { start, end };
}
