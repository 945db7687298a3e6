// Differences between Go versions that templates can observe.

import type { ClassNames } from '../go/regexp/classes.ts';

/** How a version of Go executes templates. */
export interface GoRules {
  /** Whether `range` accepts an integer. */
  readonly rangesOverNumbers: boolean;
  /** Whether the error for an invalid comparison names both types. */
  readonly namesComparedTypes: boolean;
  /** Whether the parser counts lines inside comments, which affects the lines in its errors. */
  readonly countsCommentLines: boolean;
  /** How regular expressions name character classes. */
  readonly classNames: ClassNames;
}

export const go123: GoRules = {
  rangesOverNumbers: false,
  namesComparedTypes: false,
  countsCommentLines: false,
  classNames: 'exact',
};
