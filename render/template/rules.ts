// In what the versions of Go's text/template differ.

/** How a version of Go runs templates. */
export interface GoRules {
  /** Whether `range` counts up to a whole number. */
  readonly rangesOverNumbers: boolean;
  /** Whether a comparison that cannot be made names both types. */
  readonly namesComparedTypes: boolean;
}

/** Go 1.23. */
export const go123: GoRules = { rangesOverNumbers: false, namesComparedTypes: false };

/** Go 1.26. */
export const go126: GoRules = { rangesOverNumbers: true, namesComparedTypes: true };
