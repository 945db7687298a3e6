// "Did you mean …": the word of a list that somebody most likely meant. The one file of render/ that knows `leven`.

import leven from 'leven';

/** Returns the word of a list that is nearest to a mistyped one, letters' case aside; undefined where none is near. */
export function suggest(word: string, known: Iterable<string>): string | undefined {
  let nearest: string | undefined;
  // One slip in a short word, one in three letters of a long one.
  let distance = Math.max(1, Math.floor(Math.min(word.length, 60) / 3)) + 1;
  for (const candidate of known) {
    const found = leven(word.toLowerCase(), candidate.toLowerCase(), { maxDistance: distance });
    if (found < distance) [nearest, distance] = [candidate, found];
  }
  return nearest;
}

/** Returns the sentence that says what was meant, or else what there is: `Did you mean "namespace"?` */
export function suggestion(word: string, known: readonly string[], what: string): string {
  const meant = suggest(word, known);
  if (meant !== undefined) return `Did you mean ${JSON.stringify(meant)}?`;
  return known.length === 0 ? `There are no ${what}.` : `The ${what} are ${known.join(', ')}.`;
}
