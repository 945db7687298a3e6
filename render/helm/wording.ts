// Helm's own texts on errors: where its Helms differ.

/** A Helm's texts on errors; each is given what comes behind it, or within. */
export interface Wording {
  readonly releaseName: (error: string) => string;
  readonly dependencies: (error: string) => string;
  readonly dependencyCheck: (error: string) => string;
  /** A document of a values file that is not a YAML mapping. */
  readonly valuesDocument: (error: string) => string;
  /** An execution that stopped, given Go's texts of the error, of its cause, and so on. */
  readonly execution: (texts: readonly [string, ...string[]]) => string;
  /** A `--set-json` text that begins as an object and is none. */
  readonly setJsonObject: (text: string) => string;
}
