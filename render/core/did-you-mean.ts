// The question that asks whether another word was meant.

import { suggest } from './suggest.ts';

/** Returns the question that asks whether another word was meant, to be put behind a message; empty when none is near. */
export function didYouMean(word: string, known: readonly string[]): string {
  const meant = suggest(word, known);
  return meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`;
}
