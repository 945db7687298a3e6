// The Order as one writes it: every member that may be left out is optional. `validateOrder` makes a `ValidOrder` of it.
// Mirrors: kubepack, apis/releases/v1alpha1, `Order`, with the additions of this project (`values`, both list names).

import type { JsonObject, JsonValue, ORDER_API_VERSION, SourceKind } from './order.ts';

/** An Order: which charts to install, in which order, and what to wait for. Unknown members are kept and have no effect. */
export interface Order {
  /** Default and only value: `releases.x-helm.dev/v1alpha1`. The ancestor's `kubepack.com/v1alpha1` is read with a warning. */
  readonly apiVersion?: typeof ORDER_API_VERSION | 'kubepack.com/v1alpha1' | '' | null;
  /** Default and only value: `Order`. */
  readonly kind?: 'Order' | '' | null;
  readonly metadata?: OrderMetadataInput | null;
  readonly spec: OrderSpecInput;
  /** What a server reports; it is kept, and has no effect. */
  readonly status?: JsonValue;
}

/** The name of an Order. */
export interface OrderMetadataInput {
  /** A DNS subdomain. Default: the release name of the first package. */
  readonly name?: string | null;
  /** What a server gave. */
  readonly uid?: string | null;
  readonly [other: string]: JsonValue | undefined;
}

/** What an Order asks for: one of `packages` and `items`. */
export interface OrderSpecInput {
  /** What to install, in install order: at least one. */
  readonly packages?: readonly PackageInput[] | null;
  /** The ancestor's name of `packages`. */
  readonly items?: readonly PackageInput[] | null;
  /** The Kubernetes version to render for, such as `v1.31.0`, or a constraint that the renderer's version must meet. */
  readonly kubeVersion?: string | null;
}

/** An entry of the list. */
export interface PackageInput {
  readonly chart: ChartInput;
}

/** A chart to install: under which name, with which values, and what must be true before and after. */
export interface ChartInput {
  /** The name in its Chart.yaml. */
  readonly name: string;
  /** Where the chart comes from. Required, unless the ancestor's `url` stands in its place. */
  readonly sourceRef?: SourceInput | null;
  /** The ancestor's form of `sourceRef`: a repository URL or a path. */
  readonly url?: string | null;
  /** An exact version, or a constraint such as `>=1.2.0 <2.0.0`. Default: the newest release. */
  readonly version?: string | null;
  /** The name of the release, unique in its namespace. */
  readonly releaseName: string;
  /** The namespace to install into. Default `default`, with a warning. */
  readonly namespace?: string | null;
  /** A file inside the chart that is laid over its values.yaml. */
  readonly valuesFile?: string | null;
  /** Values laid over the values file. A null removes a key. */
  readonly values?: JsonObject | null;
  /** RFC 6902 operations on the result, the last of all layers. */
  readonly valuesPatch?: readonly PatchInput[] | null;
  readonly resources?: ClaimsInput | null;
  /** What to wait for once the package is installed, in order. */
  readonly waitFors?: readonly WaitInput[] | null;
  /** What chart and values must be, as `drydock pin` writes it. */
  readonly seal?: SealInput | null;
  /** The bundle that the selection came from; it is kept, and has no effect. */
  readonly bundle?: BundleInput | null;
}

/** The digests of a pinned package, each `sha256:` and 64 digits; those that are absent are not checked. */
export interface SealInput {
  /** Of all that the chart holds, the same for a folder and its archive. */
  readonly content?: string | null;
  /** Of the values that the package is rendered with. */
  readonly values?: string | null;
  /** Of the archive. */
  readonly archive?: string | null;
  /** Of the manifest in an OCI registry. */
  readonly manifest?: string | null;
}

/** The source of a chart. */
export interface SourceInput {
  /** The API group of a repository object. */
  readonly apiGroup?: string | null;
  /** Default `HelmRepository`. */
  readonly kind?: SourceKind | '' | null;
  /** The namespace of a repository object. */
  readonly namespace?: string | null;
  /** A repository URL (http, https, oci), the name of a repository object, or a path. */
  readonly name: string;
}

/** An RFC 6902 operation on the values. */
export interface PatchInput {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
  /** A JSON pointer, such as `/service/port`; empty for the whole. */
  readonly path: string;
  /** A JSON pointer: where `move` and `copy` take from. */
  readonly from?: string | null;
  /** What `add`, `replace` and `test` speak of. */
  readonly value?: JsonValue;
}

/** The custom resource types that a chart brings, and those that must be there before it. */
export interface ClaimsInput {
  readonly owned?: readonly ResourceIdInput[] | null;
  readonly required?: readonly ResourceIdInput[] | null;
}

/** A custom resource type; its CRD is called `<resource>.<group>`. */
export interface ResourceIdInput {
  readonly group: string;
  readonly version?: string | null;
  /** The plural, such as `certificates`. */
  readonly resource: string;
}

/** What to wait for: the arguments of one `kubectl wait`. One of `resource.resource`, `labels` and `all` says which objects. */
export interface WaitInput {
  /** The type, and perhaps the name of one object. */
  readonly resource: WaitResourceInput;
  readonly labels?: SelectorInput | null;
  /** Every object of the type. Default false. */
  readonly all?: boolean | null;
  /** A Go duration such as `5m0s`. Default: the script's own limit. */
  readonly timeout?: string | null;
  /** `delete`, `create`, `condition=Ready`, or `jsonpath={...}=value`. */
  readonly for: string;
}

/** The type token of a wait (`group`), and the name of one object (`resource`). */
export interface WaitResourceInput {
  /** Such as `pods` or `deployments.apps`. */
  readonly group: string;
  readonly resource?: string | null;
}

/** A selector of objects by their labels. */
export interface SelectorInput {
  readonly matchLabels?: { readonly [label: string]: string | null } | null;
  readonly matchExpressions?: readonly RequirementInput[] | null;
}

/** A set-based part of a selector. */
export interface RequirementInput {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  /** What `In` and `NotIn` compare with; empty for the others. */
  readonly values?: readonly string[] | null;
}

/** The bundle that a selection came from. */
export interface BundleInput {
  readonly name?: string | null;
  readonly version?: string | null;
  readonly sourceRef?: JsonValue;
}
