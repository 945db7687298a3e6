// A profile: all differences between the supported Helm versions, as data. The engine reads the fields of a profile and never checks its
// version. `base.ts` is the oldest profile, and `changes.ts` lists the changes of later releases.

import type { CodecRules } from '../codec/rules.ts';
import type { SemverRules } from '../go/semver.ts';
import type { GoRules } from '../template/rules.ts';
import type { LogLines } from './log.ts';

/** A Kubernetes version, as in `.Capabilities.KubeVersion`. */
export interface KubeVersion {
  /** With a leading `v`. */
  readonly version: string;
  /** The version that ranges are compared with; without the suffix of a distribution if the Helm version drops it. */
  readonly normalized: string;
  readonly major: string;
  readonly minor: string;
}

/** The content of `.Capabilities.HelmVersion`. */
export interface BuildInfo {
  readonly version: string;
  readonly gitCommit: string;
  readonly goVersion: string;
  /** Undefined if this Helm version has no such field. */
  readonly kubeClientVersion?: string;
}

/** Go's type names that templates can observe. */
export interface TypeNames {
  readonly values: string;
  readonly capabilities: string;
  readonly kubeVersion: string;
  /** All fields of that type, exported or not, in Go's order. */
  readonly kubeVersionFields: readonly ('Version' | 'normalizedVersion' | 'Major' | 'Minor')[];
  readonly versionSet: string;
  /** The Go type that a document is decoded into. */
  readonly manifestHead: string;
}

/** How values are read and merged. */
export interface ValueRules {
  /** Whether a values file can contain several documents, later ones overriding earlier ones. */
  readonly severalDocuments: boolean;
  /** Whether the last line of a values file is lost if it has no line break and its length is a multiple of 4,096 bytes. */
  readonly losesLastLine: boolean;
  /**
   * The effect of a null below the first level of the user's values. `remove defaults`: it removes a default and is kept if there is none.
   * `remove all`: it disappears if there is none. `keep without default`: as `remove defaults`, and it is also kept if the default is null.
   */
  readonly nestedNulls: 'remove defaults' | 'remove all' | 'keep without default';
  /** Whether nulls in a chart's own defaults are dropped, so that only the user's nulls have an effect. */
  readonly dropsDefaultNulls: boolean;
  /** Whether an index without its closing bracket silently ends a `--set`. */
  readonly ignoresUnterminatedIndex: boolean;
  /** Whether `--set-json` accepts an object besides `key=JSON`. */
  readonly setJsonObjects: boolean;
  /** Whether `import-values` formats any value as a path. */
  readonly importsAnyPath: boolean;
}

/** How a chart is found and loaded. */
export interface ChartRules {
  /** Whether the `apiVersion` is checked first, and a chart that this Helm version cannot install is refused. */
  readonly detectsVersion: boolean;
  /** The Go package of charts in errors. */
  readonly goPackage: string;
  /** Invalid chart names in addition to those that are paths. */
  readonly refusedNames: readonly string[];
  /** The `apiVersion` of charts that can be loaded but not installed, if any. */
  readonly uninstallableVersion: string | undefined;
  /** Whether the error for an unreadable archive omits the reason. */
  readonly hidesArchiveErrors: boolean;
  /** Whether a single file of a chart is limited to 5 MiB. */
  readonly limitsFiles: boolean;
  /** When the leading slash of a .helmignore rule is removed. */
  readonly ignoreSlash: 'once' | 'each comparison';
  /** Whether an alias gets its own subcharts instead of sharing those of the original chart. */
  readonly copiesBelowAlias: boolean;
}

/** How values are validated against a `values.schema.json`. */
export interface SchemaRules {
  readonly library: 'gojsonschema' | 'santhosh-tekuri';
  /** Whether it is release 6.0.3 of santhosh-tekuri's library, which reports some violations with another place or text. */
  readonly isLater: boolean;
  /** Whether an unresolved `urn:` accepts everything instead of being an error. */
  readonly resolvesUrns: boolean;
}

/** Template functions that not every version has. */
export interface FunctionRules {
  readonly mustToYaml: boolean;
  readonly mustToToml: boolean;
  /** `mustToDuration`, `durationSeconds` and related functions. */
  readonly durations: boolean;
}

/** How `helm template` handles its flags and errors. */
export interface CommandRules {
  /** Whether `--hide-notes` and `--render-subchart-notes` are deprecated. */
  readonly deprecatesNotes: boolean;
  /** Whether, with `--debug`, a failed rendering is reported before a `--show-only` that matches nothing. */
  readonly reportsErrorFirst: boolean;
}

/** How the command line of a Helm version behaves. */
export interface HelmCommandLine extends CommandRules {
  readonly major: HelmMajor;
  /** Whether `helm lint` requires the path of a chart. Otherwise the default is the current folder. */
  readonly lintRequiresPath: boolean;
}

/** A supported Helm version. */
export interface Helm {
  /** The version, such as `3.17.3`. An intermediate profile has a name that also selects it. */
  readonly name: string;
  readonly major: HelmMajor;
  /** The version that it reports, such as `v3.17.3`. */
  readonly version: string;
  readonly build: BuildInfo;
  /** Whether `.Capabilities.HelmVersion` contains the version of the Kubernetes client. */
  readonly reportsKubeClient: boolean;
  /** The Kubernetes version that it was built for. */
  readonly kubeVersion: KubeVersion;
  /** The API versions that it knows without a cluster, in its order. */
  readonly apiVersions: () => readonly string[];
  /** Parses a `--kube-version`. Throws GoError. */
  readonly parseKubeVersion: (text: string) => KubeVersion;
  /** The installation order; unlisted kinds come last. */
  readonly kindOrder: readonly string[];
  /**
   * How a rendered file is split into documents. `trimmed`: without surrounding white space. `ends kept`: with the white space after a
   * document, except what belongs to a separator. `lines kept`: a separator includes no line break.
   */
  readonly documents: 'trimmed' | 'ends kept' | 'lines kept';
  /** Whether `.Chart` is a map, which accepts any key, or a Go struct. */
  readonly chart: 'map' | 'struct';
  /** Whether `.Files.Lines` of an empty file fails. */
  readonly panicsOnEmptyLines: boolean;
  readonly types: TypeNames;
  readonly values: ValueRules;
  readonly charts: ChartRules;
  readonly schema: SchemaRules;
  /** The template behavior of its Go version. */
  readonly go: GoRules;
  readonly codec: CodecRules;
  /** The Masterminds/semver release that it is built with. */
  readonly semver: SemverRules;
  readonly functions: FunctionRules;
  readonly command: CommandRules;
  readonly lint: LintRules;
  readonly show: ShowRules;
  /** Its own error messages. */
  readonly wording: Wording;
  /** The lines that it writes to standard error. */
  readonly log: LogLines;
}

/** Differences of `helm lint` between versions. */
export interface LintRules {
  /** Whether lint requires the path of a chart. Otherwise the default is the current folder. */
  readonly requiresPath: boolean;
  /** Whether unknown or duplicate fields in Chart.yaml, and versions that are not full semantic versions, are errors. */
  readonly isStrict: boolean;
  /** Whether a null in `maintainers` is reported. Otherwise Helm panics. */
  readonly reportsNullMaintainers: boolean;
  /** Whether a chart without a templates/ folder gets a warning. */
  readonly requiresTemplates: boolean;
  /** Whether `crd-install` hooks and `.Release.Time` of Helm 2 are reported. */
  readonly reportsHelm2: boolean;
  /** Whether `.yml` files are checked like `.yaml` files. */
  readonly checksYml: boolean;
  /** Whether every document in crds/ must be a CustomResourceDefinition. */
  readonly checksCrds: boolean;
  /** Whether --skip-schema-validation also holds for values.yaml alone. */
  readonly skipsValuesSchema: boolean;
  /** Whether a document that starts like JSON but is invalid JSON is parsed as YAML. */
  readonly readsJsonAsYaml: boolean;
  /** The Go type that documents are decoded into. */
  readonly documentType: string;
  /** The message about a List whose items have the annotation helm.sh/resource-policy. */
  readonly listAnnotation: string;
}

/** Differences of `helm show` between versions. */
export interface ShowRules {
  /** Whether `show crds` starts every CRD with `---`, and `show all` each of them. Otherwise `show all` starts only the first. */
  readonly separatesCrds: boolean;
}

/** A major version of Helm. */
export type HelmMajor = 3 | 4;

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
