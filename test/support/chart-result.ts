/** The result of a check of one chart. */
export interface ChartResult {
  /** Counts that are summed over all charts. */
  readonly counts: Readonly<Record<string, number>>;
  /** A message for each failure. */
  readonly failures: readonly string[];
}
