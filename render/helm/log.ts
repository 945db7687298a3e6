// The lines that Helm writes on standard error, one for each occasion.

/** A Helm's lines on standard error, without their line ends. */
export interface LogLines {
  readonly deprecatedChart: string;
  readonly symbolicLink: (path: string, target: string) => string;
  /** A rule of a .helmignore, by what it is compared with. */
  readonly brokenRule: (rule: string, form: 'rooted' | 'path' | 'name') => string;
  readonly oldRequirements: string;
  readonly oldLock: string;
  readonly skippedValue: (path: string) => string;
  readonly tableOverValue: (path: string, table: string) => string;
  readonly valueOverTable: (path: string, value: string) => string;
  readonly childGlobalNoTable: string;
  readonly parentGlobalNoTable: string;
  readonly globalIsTable: (key: string) => string;
  readonly globalConflict: (key: string) => string;
  readonly tagNoBool: (tag: string, chart: string) => string;
  readonly conditionNoBool: (path: string, chart: string) => string;
  readonly importMissing: (error: string) => string;
  readonly importMissingFrom: (chart: string, error: string) => string;
  /** What a schema refers to and nothing resolves; Helm 3 takes no such reference. */
  readonly unresolvedUrn: (urn: string) => string;
  /** `events` are as the annotation has them. */
  readonly unknownHook: (events: string) => string;
  /** What is written before the error itself. */
  readonly beforeReleaseName: (error: string) => readonly string[];
  readonly beforeDependencies: (error: string) => readonly string[];
}
