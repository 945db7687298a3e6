// What sets one Helm apart from another, as a list: everything in which the Helms whose output is given differ.
// The rooms of the walk are handed one of these and never ask for its number. `helm-3.ts` and `helm-4.ts` fill it in.

import type { CodecRules } from '../codec/rules.ts';
import type { SemverRules } from '../go/semver.ts';
import type { GoRules } from '../template/rules.ts';
import type { LogLines } from './log.ts';
import type { Wording } from './wording.ts';

/** The version of a Kubernetes, as `.Capabilities.KubeVersion` tells it. */
export interface KubeVersion {
  /** With a leading `v`. */
  readonly version: string;
  /** What ranges are compared with; without what a distribution has added, where the Helm leaves that out. */
  readonly normalized: string;
  readonly major: string;
  readonly minor: string;
}

/** What `.Capabilities.HelmVersion` tells. */
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
  /** Whether the nulls of a chart's own defaults go, so that only a user's null says something. */
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
  /** When the leading slash of a .helmignore rule is cut off. */
  readonly ignoreSlash: 'once' | 'each comparison';
  /** Whether an alias gets sub-charts of its own, rather than those of the chart that it stands for. */
  readonly copiesBelowAlias: boolean;
}

/** A Helm whose output is given. */
export interface Helm {
  readonly major: HelmMajor;
  /** As it calls itself, such as `v3.17.3`. */
  readonly version: string;
  readonly build: BuildInfo;
  /** The Kubernetes that it was built for. */
  readonly kubeVersion: KubeVersion;
  /** The API versions that it knows without a cluster, in its order. */
  readonly apiVersions: () => readonly string[];
  /** Reads a `--kube-version`. Throws GoError. */
  readonly parseKubeVersion: (text: string) => KubeVersion;
  /** The order of installation; a kind that is not listed comes after all of these. */
  readonly kindOrder: readonly string[];
  /** Whether white space behind a document stays. */
  readonly keepsDocumentEnds: boolean;
  /** Whether `.Chart` is a map, to which any key may be asked, or Go's struct. */
  readonly chart: 'map' | 'struct';
  readonly types: TypeNames;
  readonly values: ValueRules;
  readonly charts: ChartRules;
  /** The library that reads `values.schema.json`. */
  readonly schema: 'gojsonschema' | 'santhosh-tekuri';
  /** How its Go runs templates. */
  readonly go: GoRules;
  readonly codec: CodecRules;
  /** The release of Masterminds/semver that it is built with. */
  readonly semver: SemverRules;
  /** The functions that it has beside those of the other. */
  readonly addedFunctions: readonly string[];
  /** Its own texts on errors. */
  readonly wording: Wording;
  /** Its lines on standard error. */
  readonly log: LogLines;
}

/** The major version of a Helm whose output can be given. */
export type HelmMajor = 3 | 4;
