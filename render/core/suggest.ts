// "Did you mean …": finds the word that was most likely meant. The only file of render/ that uses `leven`.

import leven from 'leven';

/** Returns the word of a list that is most similar to a misspelled one, ignoring case, or undefined. */
export function suggest(word: string, known: Iterable<string>): string | undefined {
  let nearest: string | undefined;
  // One edit in a short word, one per three letters in a long one.
  let distance = Math.max(1, Math.floor(Math.min(word.length, 60) / 3)) + 1;
  for (const candidate of known) {
    const found = leven(word.toLowerCase(), candidate.toLowerCase(), { maxDistance: distance });
    if (found < distance) [nearest, distance] = [candidate, found];
  }
  return nearest;
}

/** Returns a suggestion, or else the available words: `Did you mean "namespace"?` */
export function suggestion(word: string, known: readonly string[], what: string): string {
  const meant = suggest(word, known);
  if (meant !== undefined) return `Did you mean ${JSON.stringify(meant)}?`;
  return known.length === 0 ? `There are no ${what}.` : `The ${what} are ${known.join(', ')}.`;
}

/** Returns a "did you mean" question to append to a message; empty if no word is similar. */
export function didYouMean(word: string, known: readonly string[]): string {
  const meant = suggest(word, known);
  return meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`;
}
