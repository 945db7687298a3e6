// A profile: everything in which the supported Helm versions differ, as data. The engine reads the fields of a profile and
// never asks for its version. `base.ts` is the oldest one, and `changes.ts` lists what later releases changed.

import type { CodecRules } from '../codec/rules.ts';
import type { SemverRules } from '../go/semver.ts';
import type { GoRules } from '../template/rules.ts';
import type { LogLines } from './log.ts';
import type { Wording } from './wording.ts';

/** A version of Kubernetes, as `.Capabilities.KubeVersion` has it. */
export interface KubeVersion {
  /** With a leading `v`. */
  readonly version: string;
  /** What ranges are compared with; without what a distribution has added, where the Helm leaves that out. */
  readonly normalized: string;
  readonly major: string;
  readonly minor: string;
}

/** What `.Capabilities.HelmVersion` holds. */
export interface BuildInfo {
  readonly version: string;
  readonly gitCommit: string;
  readonly goVersion: string;
  /** Absent where this Helm has no such field. */
  readonly kubeClientVersion?: string;
}

/** Go's names of the types that templates can ask for. */
export interface TypeNames {
  readonly values: string;
  readonly capabilities: string;
  readonly kubeVersion: string;
  /** The fields of that type, exported or not, in Go's order. */
  readonly kubeVersionFields: readonly ('Version' | 'normalizedVersion' | 'Major' | 'Minor')[];
  readonly versionSet: string;
  /** What a document is read into. */
  readonly manifestHead: string;
}

/** How values are read and layered. */
export interface ValueRules {
  /** Whether a values file may hold several documents, the later laid over the earlier. */
  readonly severalDocuments: boolean;
  /** Whether the last line of a values file is lost where it has no line break and its length is a multiple of 4,096 bytes. */
  readonly losesLastLine: boolean;
  /**
   * What a null below the first level of the given values does. `remove defaults`: it removes a default and stays where
   * there is none. `remove all`: it disappears where there is none. `keep without default`: as `remove defaults`, and it
   * also stays where the default is null.
   */
  readonly nestedNulls: 'remove defaults' | 'remove all' | 'keep without default';
  /** Whether nulls of a chart's own defaults are dropped, so that only a null of the user has a meaning. */
  readonly dropsDefaultNulls: boolean;
  /** Whether an index without its closing bracket ends a `--set` in silence. */
  readonly ignoresUnterminatedIndex: boolean;
  /** Whether `--set-json` takes an object beside `key=JSON`. */
  readonly setJsonObjects: boolean;
  /** Whether `import-values` take any value for a path, as it prints. */
  readonly importsAnyPath: boolean;
}

/** How a chart is found and read. */
export interface ChartRules {
  /** Whether the `apiVersion` is looked at first, and a chart of a kind that this Helm cannot install refused. */
  readonly detectsVersion: boolean;
  /** What errors call the Go package of charts. */
  readonly goPackage: string;
  /** Names that a chart cannot have, beside those that are paths. */
  readonly refusedNames: readonly string[];
  /** The `apiVersion` of charts that load and cannot be installed, if any. */
  readonly uninstallableVersion: string | undefined;
  /** Whether an archive that cannot be read is refused without the reason. */
  readonly hidesArchiveErrors: boolean;
  /** Whether a single file of a chart may have 5 MiB at most. */
  readonly limitsFiles: boolean;
  /** When the leading slash of a .helmignore rule is cut off. */
  readonly ignoreSlash: 'once' | 'each comparison';
  /** Whether an alias gets sub-charts of its own, rather than those of the chart that it stands for. */
  readonly copiesBelowAlias: boolean;
}

/** How values are checked against a `values.schema.json`. */
export interface SchemaRules {
  readonly library: 'gojsonschema' | 'santhosh-tekuri';
  /** Whether it is release 6.0.3 of santhosh-tekuri's library, which places and words some faults differently. */
  readonly isLater: boolean;
  /** Whether a `urn:` that nothing resolves allows everything, rather than being an error. */
  readonly resolvesUrns: boolean;
}

/** The template functions that not every version has. */
export interface FunctionRules {
  readonly mustToYaml: boolean;
  readonly mustToToml: boolean;
  /** `mustToDuration`, `durationSeconds` and their kin. */
  readonly durations: boolean;
}

/** How `helm template` handles its flags and errors. */
export interface CommandRules {
  /** Whether `--hide-notes` and `--render-subchart-notes` are deprecated. */
  readonly deprecatesNotes: boolean;
  /** Whether with `--debug` a failed rendering is reported before a `--show-only` that matches nothing. */
  readonly reportsErrorFirst: boolean;
}

/** A Helm whose output the engine reproduces. */
export interface Helm {
  /** The version, such as `3.17.3`. An intermediate profile, which is none, has a name that selects it as well. */
  readonly name: string;
  readonly major: HelmMajor;
  /** As it calls itself, such as `v3.17.3`. */
  readonly version: string;
  readonly build: BuildInfo;
  /** Whether `.Capabilities.HelmVersion` has the version of the Kubernetes client. */
  readonly reportsKubeClient: boolean;
  /** The Kubernetes that it was built for. */
  readonly kubeVersion: KubeVersion;
  /** The API versions that it knows without a cluster, in its order. */
  readonly apiVersions: () => readonly string[];
  /** Reads a `--kube-version`. Throws GoError. */
  readonly parseKubeVersion: (text: string) => KubeVersion;
  /** The order of installation; a kind that is not listed comes after all of these. */
  readonly kindOrder: readonly string[];
  /**
   * How a rendered file is split into documents. `trimmed`: without the white space around a document. `ends kept`: with
   * the white space after it, except what a separator takes. `lines kept`: a separator takes no line break at all.
   */
  readonly documents: 'trimmed' | 'ends kept' | 'lines kept';
  /** Whether `.Chart` is a map, to which any key may be asked, or Go's struct. */
  readonly chart: 'map' | 'struct';
  /** Whether `.Files.Lines` of an empty file ends the rendering. */
  readonly panicsOnEmptyLines: boolean;
  readonly types: TypeNames;
  readonly values: ValueRules;
  readonly charts: ChartRules;
  readonly schema: SchemaRules;
  /** How its Go runs templates. */
  readonly go: GoRules;
  readonly codec: CodecRules;
  /** The release of Masterminds/semver that it is built with. */
  readonly semver: SemverRules;
  readonly functions: FunctionRules;
  readonly command: CommandRules;
  readonly lint: LintRules;
  readonly show: ShowRules;
  /** Its own texts on errors. */
  readonly wording: Wording;
  /** Its lines on standard error. */
  readonly log: LogLines;
}

/** What `helm lint` checks, where its versions differ. */
export interface LintRules {
  /** Whether lint needs the path of a chart. Otherwise the default is the current folder. */
  readonly requiresPath: boolean;
  /** Whether Chart.yaml may have no unknown or repeated fields, and needs a full semantic version. */
  readonly isStrict: boolean;
  /** Whether a null in `maintainers` is reported. Otherwise Helm panics. */
  readonly reportsNullMaintainers: boolean;
  /** Whether a chart without a templates/ folder gets a warning. */
  readonly requiresTemplates: boolean;
  /** Whether `crd-install` hooks and `.Release.Time`, which Helm 2 had, are reported. */
  readonly reportsHelm2: boolean;
  /** Whether `.yml` files are checked like `.yaml` files. */
  readonly checksYml: boolean;
  /** Whether every document in crds/ must be a CustomResourceDefinition. */
  readonly checksCrds: boolean;
  /** Whether --skip-schema-validation also holds for values.yaml alone. */
  readonly skipsValuesSchema: boolean;
  /** Whether a document that starts like JSON and is not JSON is read as YAML. */
  readonly readsJsonAsYaml: boolean;
  /** The Go type that documents are decoded into. */
  readonly documentType: string;
  /** The message about a List whose items have the annotation helm.sh/resource-policy. */
  readonly listAnnotation: string;
}

/** What `helm show` prints, where its versions differ. */
export interface ShowRules {
  /** Whether `show crds` starts every CRD with `---`, and `show all` each of them. Otherwise `show all` only starts the first. */
  readonly separatesCrds: boolean;
}

/** A major version of Helm. */
export type HelmMajor = 3 | 4;
