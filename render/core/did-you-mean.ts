// Suggestions for misspelled words.

import { suggest } from './suggest.ts';

/** Returns a "did you mean" question to append to a message; empty if no word is similar. */
export function didYouMean(word: string, known: readonly string[]): string {
  const meant = suggest(word, known);
  return meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`;
}
