// What is wrong with a YAML text, with its place beside Go's words.

import { GoError } from '../../go/value.ts';

/** A place in a YAML text as an editor counts: line and column from 1, the column in UTF-16 units. */
export interface YamlPosition {
  readonly line: number;
  readonly column: number;
}

/** A text that is no YAML. The message is go-yaml's, whose line numbers are not always those of the fault. */
export class YamlError extends GoError {
  readonly at: YamlPosition;

  constructor(message: string, at: YamlPosition) {
    super(message);
    this.at = at;
  }
}

/** The place of a token; both count from 0. */
export interface TokenPlace {
  readonly line: number;
  readonly column: number;
}

/** Throws the parser's error for a token. Go takes its line, which counts from 0, for one from 1, and leaves out a 0. */
export function failAt({ line, column }: TokenPlace, problem: string): never {
  const message = line > 0 ? `yaml: line ${line}: ${problem}` : `yaml: ${problem}`;
  throw new YamlError(message, { line: line + 1, column: column + 1 });
}
