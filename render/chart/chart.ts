// The types of a chart: metadata, dependencies, files, and simple accessors.
// Mirrors: helm.sh/helm/v3/pkg/chart, v3.17.3.

import { orUndefined } from '../core/catch.ts';
import { parseConstraint, parseVersion, type SemverRules, satisfies } from '../go/semver.ts';
import type { GoMap, GoValue } from '../go/value.ts';

/** A maintainer of a chart. Missing fields are empty. */
export interface Maintainer {
  readonly name: string;
  readonly email: string;
  readonly url: string;
}

/** An entry of `dependencies` in Chart.yaml or requirements.yaml. Missing texts are empty, missing lists are `nilList`. */
export interface Dependency {
  readonly name: string;
  readonly version: string;
  readonly repository: string;
  readonly condition: string;
  readonly tags: readonly string[];
  readonly enabled: boolean;
  readonly importValues: readonly GoValue[];
  readonly alias: string;
}

/** The content of Chart.yaml after Helm's conversions. Missing texts are empty, missing lists are `nilList`. */
export interface Metadata {
  readonly name: string;
  readonly home: string;
  readonly sources: readonly string[];
  readonly version: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly maintainers: readonly Maintainer[];
  readonly icon: string;
  readonly apiVersion: string;
  readonly condition: string;
  readonly tags: string;
  readonly appVersion: string;
  readonly deprecated: boolean;
  readonly annotations: ReadonlyMap<string, string>;
  readonly kubeVersion: string;
  readonly dependencies: readonly Dependency[];
  readonly type: string;
}

/** A file of a chart. `name` is relative to the chart, with `/`. The data has no UTF-8 byte order mark. */
export interface ChartFile {
  readonly name: string;
  readonly data: Uint8Array;
}

/** A loaded chart with all its subcharts. Immutable. */
export interface Chart {
  readonly metadata: Metadata;
  /** Files under `templates/`, in load order. */
  readonly templates: readonly ChartFile[];
  /** All other files, which templates see as `.Files`, in load order, including `crds/`. */
  readonly files: readonly ChartFile[];
  /** The defaults of values.yaml, as Go values; empty without one. */
  readonly values: GoMap;
  /** The bytes of values.yaml, if there is one, so that errors can refer to places in it. */
  readonly valuesData?: Uint8Array | undefined;
  /**
   * The Helm version whose rules were used to read `values` from `valuesData`. Default: the newest Helm 3. A rendering for another version
   * reads them again; a chart with values from another source has no `valuesData`.
   */
  readonly readBy?: string | undefined;
  /** The file that declares the dependencies, Chart.yaml or requirements.yaml, for explanations. */
  readonly dependenciesData?: ChartFile | undefined;
  /** values.schema.json, if there is one. */
  readonly schema: Uint8Array | undefined;
  /** Subcharts of `charts/`, in load order. */
  readonly children: readonly Chart[];
  /**
   * The path of the parent chart in Helm, if it differs from that of the chart that contains this one: undeclared children of a chart with
   * an alias keep the path of the original.
   */
  readonly parentPath?: string;
}

/** The list of a Chart.yaml without it, which Helm distinguishes from an empty list. Compare by identity. */
export const nilList: readonly never[] = [];

/** The annotations of a Chart.yaml without any. Compare by identity. */
export const nilAnnotations: ReadonlyMap<string, string> = new Map();

/** Returns the path of the chart's templates, such as `app/charts/db`, from the path of its parent. */
export function childPath(parentPath: string, child: Chart): string {
  return `${child.parentPath ?? parentPath}/charts/${child.metadata.name}`;
}

export function isLibrary(chart: Chart): boolean {
  return chart.metadata.type.toLowerCase() === 'library';
}

export function isCrdFile({ name }: ChartFile): boolean {
  return name.startsWith('crds/') && /\.(ya?ml|json)$/i.test(name);
}

/** Returns the CRDs of a chart, then those of its subcharts. Mirrors: pkg/chart, chart.go, `CRDObjects`. */
export function crdFiles({ files, children }: Chart): readonly ChartFile[] {
  return [...files.filter(isCrdFile), ...children.flatMap(crdFiles)];
}

/** Reports whether a version satisfies a constraint; false if either cannot be parsed. Mirrors: pkg/chartutil, `IsCompatibleRange`. */
export function isCompatibleRange(range: string, version: string, rules?: SemverRules): boolean {
  return orUndefined(() => satisfies(parseVersion(version, rules), parseConstraint(range, rules))) ?? false;
}
