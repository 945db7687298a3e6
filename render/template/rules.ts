// In what the versions of Go differ, as templates see them.

import type { ClassNames } from '../go/regexp/classes.ts';

/** How a version of Go runs templates. */
export interface GoRules {
  /** Whether `range` counts up to a whole number. */
  readonly rangesOverNumbers: boolean;
  /** Whether a comparison that cannot be made names both types. */
  readonly namesComparedTypes: boolean;
  /** Whether the parser counts the lines inside comments, which decides the lines of its errors. */
  readonly countsCommentLines: boolean;
  /** How patterns name classes of characters. */
  readonly classNames: ClassNames;
}

/** Go 1.23. */
export const go123: GoRules = {
  rangesOverNumbers: false,
  namesComparedTypes: false,
  countsCommentLines: false,
  classNames: 'exact',
};
