// The chart as types: metadata, dependency, file, and small questions asked of it.
// Mirrors: helm.sh/helm/v3/pkg/chart, v3.17.3.

import type { GoMap, GoValue } from '../go/value.ts';

/** A person who keeps a chart. Absent fields are empty. */
export interface Maintainer {
  readonly name: string;
  readonly email: string;
  readonly url: string;
}

/** An entry of `dependencies` in Chart.yaml or requirements.yaml. Absent texts are empty, absent lists are `nilList`. */
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

/** The content of Chart.yaml after Helm's conversions. Absent texts are empty, absent lists are `nilList`. */
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

/** A file of a chart; `name` is relative to the chart, with `/`. A UTF-8 byte order mark is already cut off. */
export interface ChartFile {
  readonly name: string;
  readonly data: Uint8Array;
}

/** A chart with all its sub-charts, as loaded. Nothing in it is ever written to after loading. */
export interface Chart {
  readonly metadata: Metadata;
  /** Files under `templates/`, in load order. */
  readonly templates: readonly ChartFile[];
  /** Every other file that templates see as `.Files`, in load order, `crds/` included. */
  readonly files: readonly ChartFile[];
  /** The defaults of values.yaml, as Go values; empty without one. */
  readonly values: GoMap;
  /** The bytes of values.yaml, if there is one, so that errors can say where in it a value is. */
  readonly valuesData?: Uint8Array | undefined;
  /**
   * The Helm version by whose rules `values` were read from `valuesData`. Default the newest Helm 3. A rendering for another version
   * reads them again; a chart whose values were made otherwise has no `valuesData`.
   */
  readonly readBy?: string | undefined;
  /** The file that declares the dependencies, so that explanations can say where in it: Chart.yaml, or requirements.yaml. */
  readonly dependenciesData?: ChartFile | undefined;
  /** values.schema.json, if there is one. */
  readonly schema: Uint8Array | undefined;
  /** Sub-charts of `charts/`, in load order. */
  readonly children: readonly Chart[];
  /**
   * The path of the chart above as Helm sees it, where that is not the path of the chart whose child this is:
   * undeclared children of a chart with an alias keep the path of the original.
   */
  readonly parentPath?: string;
}

/** The list of a Chart.yaml that does not name it: to Helm that is not the same as an empty one. Compare by identity. */
export const nilList: readonly never[] = [];

/** The annotations of a Chart.yaml that names none. Compare by identity. */
export const nilAnnotations: ReadonlyMap<string, string> = new Map();

/** Returns the path that names the chart's templates, such as `app/charts/db`, from the path of the chart above it. */
export function childPath(parentPath: string, child: Chart): string {
  return `${child.parentPath ?? parentPath}/charts/${child.metadata.name}`;
}

/** Reports whether the chart only serves others with named templates. */
export function isLibrary(chart: Chart): boolean {
  return chart.metadata.type.toLowerCase() === 'library';
}

/** Reports whether a file of a chart is one of its CRDs. */
export function isCrdFile({ name }: ChartFile): boolean {
  return name.startsWith('crds/') && /\.(ya?ml|json)$/i.test(name);
}

/** Returns the CRDs of a chart, then those of its sub-charts. Mirrors: pkg/chart, chart.go, `CRDObjects`. */
export function crdFiles({ files, children }: Chart): readonly ChartFile[] {
  return [...files.filter(isCrdFile), ...children.flatMap(crdFiles)];
}
