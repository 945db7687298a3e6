// The types of a validated Order: what to deploy, in which order, and what to wait for.
// Mirrors: kubepack, apis/releases/v1alpha1, `Order`, with the additions of this project (`values`, both list names).

export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

export interface JsonObject {
  [key: string]: JsonValue;
}

/** The API version of every Order. */
export const ORDER_API_VERSION = 'releases.x-helm.dev/v1alpha1';

/** An Order that passed `validateOrder`. Missing texts and lists are empty. */
export interface ValidOrder {
  readonly apiVersion: typeof ORDER_API_VERSION;
  readonly kind: 'Order';
  readonly metadata: OrderMetadata;
  readonly spec: OrderSpec;
  /** The name of the list in the document: `packages`, or `items` as in kubepack. */
  readonly listName: 'packages' | 'items';
  /** The original document, including unknown keys. Read-only. */
  readonly document: JsonObject;
}

/** The name of an Order. `name` defaults to the release name of the first package. */
export interface OrderMetadata {
  readonly name: string;
  /** A UUID set by a server; empty before. */
  readonly uid: string;
}

export interface OrderSpec {
  /** The packages in installation order; never empty. */
  readonly packages: readonly PackageSelection[];
  /** The Kubernetes version to render for, such as `v1.31.0`, or a constraint; empty for the default. */
  readonly kubeVersion: string;
}

/** An entry of the list. */
export interface PackageSelection {
  readonly chart: ChartSelection;
  /** The path of the entry in the document, such as `spec.packages[0]`. */
  readonly path: string;
}

/** A chart to install: its release name, its values, and conditions before and after. */
export interface ChartSelection {
  readonly name: string;
  readonly sourceRef: SourceRef;
  /** An exact version or a constraint; empty for the newest release. */
  readonly version: string;
  readonly releaseName: string;
  readonly namespace: string;
  /** A file inside the chart that overrides its values.yaml; empty for none. */
  readonly valuesFile: string;
  /** Overrides the values file. A null removes the key. */
  readonly values: JsonObject;
  /** RFC 6902 operations that are applied last. */
  readonly valuesPatch: readonly PatchOperation[];
  readonly resources: ResourceClaims;
  readonly waitFors: readonly WaitFlags[];
  /** Required digests of the chart and the values; absent if the Order is not pinned. */
  readonly seal?: ChartSeal;
}

/** The digests of a pinned package, with the prefix `sha256:`; empty ones are not checked. */
export interface ChartSeal {
  /** Digest of the chart's content, the same for a folder and its archive. */
  readonly content: string;
  /** Digest of the values that the package is rendered with. */
  readonly values: string;
  readonly archive: string;
  /** Digest of the manifest in an OCI registry. */
  readonly manifest: string;
}

export type SourceKind = 'HelmRepository' | 'Legacy' | 'Local' | 'Embed' | 'OCIRepository';

export interface SourceRef {
  /** The API group of a repository object. */
  readonly apiGroup: string;
  readonly kind: SourceKind;
  /** The namespace of a repository object. */
  readonly namespace: string;
  /** A repository URL (http, https, oci), the name of a repository object, or a path. */
  readonly name: string;
}

export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
  /** A JSON pointer, such as `/service/port`; empty for the whole document. */
  readonly path: string;
  /** A JSON pointer: the source of `move` and `copy`. */
  readonly from?: string;
  /** The operand of `add`, `replace` and `test`. */
  readonly value?: JsonValue;
}

/** A custom resource type. Its CRD is called `<resource>.<group>`. */
export interface ResourceId {
  readonly group: string;
  readonly version: string;
  /** The plural, such as `certificates`. */
  readonly resource: string;
}

/** The CRDs that a chart owns (`owned`), and those that it requires (`required`). */
export interface ResourceClaims {
  readonly owned: readonly ResourceId[];
  readonly required: readonly ResourceId[];
}

/** What to wait for after a package is installed: the arguments of one `kubectl wait`. */
export interface WaitFlags {
  /** `group` holds the type token (`deployments.apps`), `resource` an object's name; either may be empty. */
  readonly resource: { readonly group: string; readonly resource: string };
  readonly labels: LabelSelector | undefined;
  readonly all: boolean;
  /** A Go duration such as `5m0s`; empty or zero for the script's own limit. */
  readonly timeout: string;
  /** `delete`, `create`, `condition=Ready`, or `jsonpath={...}=value`. */
  readonly for: string;
}

export interface LabelSelector {
  readonly matchLabels: ReadonlyMap<string, string>;
  readonly matchExpressions: readonly LabelRequirement[];
}

/** A set-based part of a selector. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  /** The operands of `In` and `NotIn`; empty for the others. */
  readonly values: readonly string[];
}

/** Returns the name of the CRD behind a resource type. */
export function crdName(id: ResourceId): string {
  return `${id.resource}.${id.group}`;
}

/**
 * Returns a selector as text, such as `app=web,tier in (a,b),!old`; empty for none.
 * Mirrors: k8s.io/apimachinery, meta/v1, `FormatLabelSelector`: labels by key, then expressions as given.
 */
export function formatSelector(selector: LabelSelector | undefined): string {
  if (selector === undefined) return '';
  const labels = [...selector.matchLabels]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${value}`);
  return [...labels, ...selector.matchExpressions.map(formatRequirement)].join(',');
}

function formatRequirement({ key, operator, values }: LabelRequirement): string {
  if (operator === 'Exists') return key;
  if (operator === 'DoesNotExist') return `!${key}`;
  return `${key} ${operator === 'In' ? 'in' : 'notin'} (${[...values].sort().join(',')})`;
}
