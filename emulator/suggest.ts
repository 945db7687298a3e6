// Finds the word that was probably meant.

import leven from 'leven';

/** Gives the known word nearest to a misspelt one; undefined when none is near. Case does not count. */
export function suggestWord(word: string, known: readonly string[]): string | undefined {
  const folded = word.toLowerCase();
  const farthest = Math.max(1, Math.floor(word.length / 3));
  const near = known
    .map((name) => ({ name, distance: leven(folded, name.toLowerCase(), { maxDistance: farthest + 1 }) }))
    .filter(({ distance }) => distance <= farthest)
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.name;
}

/** Gives the question that asks whether another word was meant; empty when none is near. */
export function askMeant(word: string, known: readonly string[]): string {
  const meant = suggestWord(word, known);
  return meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`;
}
