// YAML errors: go-yaml's message, whose line number is sometimes wrong, and the correct place.

import { GoError } from '../../go/value.ts';

/** The place of a token, from 0. */
export interface TokenPlace {
  readonly line: number;
  readonly column: number;
}

/** Throws the parser's error for a token. Go uses its line number from 0 as one from 1, and omits a 0. */
export function failAt({ line, column }: TokenPlace, problem: string): never {
  const message = line > 0 ? `yaml: line ${line}: ${problem}` : `yaml: ${problem}`;
  throw new GoError(message, { place: placeFromOne({ line, column }), problem });
}

/** Returns the place of a token, from 1. */
export function placeFromOne({ line, column }: TokenPlace): { readonly line: number; readonly column: number } {
  return { line: line + 1, column: column + 1 };
}

/** The message for a `<<` whose value is not a mapping. */
export const mergeProblem = 'yaml: map merge requires map or sequence of maps as the value';

/** Returns the same error with the place of a token. */
export function located({ message, kind }: GoError, at: TokenPlace): GoError {
  return new GoError(message, { place: placeFromOne(at), kind });
}
