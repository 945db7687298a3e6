// Differences in Helm's error messages.

/** Error messages of a Helm version; each function receives the rest of the message. */
export interface Wording {
  readonly releaseName: (error: string) => string;
  readonly dependencies: (error: string) => string;
  readonly dependencyCheck: (error: string) => string;
  /** For a document of a values file that is not a YAML mapping. */
  readonly valuesDocument: (error: string) => string;
  /** For a failed execution, with Go's messages of the error, its cause, and so on. */
  readonly execution: (texts: readonly [string, ...string[]]) => string;
  /** For an argument of `--set-json` that looks like an object but is invalid. */
  readonly setJsonObject: (text: string) => string;
}
