// What is wrong with a YAML text: go-yaml's words, whose line numbers are not always those of the fault, beside its place.

import { GoError } from '../../go/value.ts';

/** The place of a token; both count from 0. */
export interface TokenPlace {
  readonly line: number;
  readonly column: number;
}

/** Throws the parser's error for a token. Go takes its line, which counts from 0, for one from 1, and leaves out a 0. */
export function failAt({ line, column }: TokenPlace, problem: string): never {
  const message = line > 0 ? `yaml: line ${line}: ${problem}` : `yaml: ${problem}`;
  throw new GoError(message, { place: placeFromOne({ line, column }), problem });
}

/** Returns the place of a token with both counts from 1. */
export function placeFromOne({ line, column }: TokenPlace): { readonly line: number; readonly column: number } {
  return { line: line + 1, column: column + 1 };
}

/** What is wrong with a `<<` that names no mapping. */
export const mergeProblem = 'yaml: map merge requires map or sequence of maps as the value';

/** Returns the same error with the place of a token. */
export function located({ message, kind }: GoError, at: TokenPlace): GoError {
  return new GoError(message, { place: placeFromOne(at), kind });
}
