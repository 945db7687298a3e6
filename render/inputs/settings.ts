// Settings of renderings as plain data, common ones and those of single charts.

export { helmVersionOf, helmVersionsOf } from '../core/helm-version.ts';

/** The surroundings of a run, like those of a process. Texts can contain stray bytes, like Go strings. */
export interface RunIo {
  /** The base of relative paths. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: () => Promise<string>;
  /** Called with each warning and error, such as `Warning: …\n`. */
  readonly stderr: (text: string) => void;
}

export type OrderOutput = 'manifest' | 'resources' | 'pkgmgr3' | 'yaml';

export const orderOutputs: readonly OrderOutput[] = ['manifest', 'resources', 'pkgmgr3', 'yaml'];

/** Everything that decides how Orders and charts render, apart from their files. */
export interface RenderSettings {
  /** Helm versions, such as `3.17` or `any`: the first renders, the others are compared with it. Empty: the default version. */
  readonly helm: readonly string[];
  /** Kubernetes versions. Empty: the nearest one that a chart accepts. */
  readonly kubeVersions: readonly string[];
  /** API versions in addition to those that Helm knows. */
  readonly apiVersions: readonly string[];
  /** Folders of charts for Orders. */
  readonly charts: readonly string[];
  /** Values files of a chart; for commands with cases, each text is a case: `a.yaml,b.yaml`. */
  readonly values: readonly string[];
  readonly set: readonly string[];
  readonly setString: readonly string[];
  readonly setJson: readonly string[];
  readonly setFile: readonly string[];
  readonly setLiteral: readonly string[];
  /** Determines random values and the clock. Default: real ones, or `drydock` where renderings are compared. */
  readonly seed: string | undefined;
  readonly release: string;
  readonly namespace: string;
  readonly isUpgrade: boolean;
  readonly skipSchemaValidation: boolean;
  /** Whether the files in a chart's crds/ are omitted. */
  readonly skipCrds: boolean;
  /** How objects are checked against the schemas of Kubernetes. */
  readonly validate: 'strict' | 'warn' | 'ignore';
  /** For snapshots: sets of API versions, `a/v1,b/v1`, with which each case is also rendered. */
  readonly withApiVersions: readonly string[];
  /** For snapshots: values files, `a.yaml,b.yaml`, with which each case is also rendered. */
  readonly withValues: readonly string[];
  /** For snapshots: the outputs of an Order. Empty: all. */
  readonly outputs: readonly OrderOutput[];
  /** Whether the data of Secrets is shown instead of fingerprints. */
  readonly showSecrets: boolean;
  /** Settings of single charts. Later ones override earlier ones. */
  readonly forCharts: readonly ChartSettings[];
}

/** Settings that override the common ones for some charts. */
export interface ChartSettings {
  /** Path of a chart, or a pattern, relative to the current folder. */
  readonly charts: string;
  readonly settings: Partial<Omit<RenderSettings, 'forCharts'>>;
}
