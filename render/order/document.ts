// The Order as users write it, with optional members. `validateOrder` turns it into a `ValidOrder`.
// Mirrors: kubepack, apis/releases/v1alpha1, `Order`, with the additions of this project (`values`, both list names).

import type {
  ChartSeal,
  JsonObject,
  JsonValue,
  LabelRequirement,
  ORDER_API_VERSION,
  PatchOperation,
  ResourceId,
  SourceKind,
  SourceRef,
} from './order.ts';

/** An Order: which charts to install, in which order, and what to wait for. Unknown members are kept and have no effect. */
export interface Order {
  /** Default and only value: `releases.x-helm.dev/v1alpha1`. `kubepack.com/v1alpha1` is accepted with a warning. */
  readonly apiVersion?: typeof ORDER_API_VERSION | 'kubepack.com/v1alpha1' | '' | null;
  /** Default and only value: `Order`. */
  readonly kind?: 'Order' | '' | null;
  readonly metadata?: OrderMetadataInput | null;
  readonly spec: OrderSpecInput;
  /** Set by a server; kept without effect. */
  readonly status?: JsonValue;
}

/** The name of an Order. */
interface OrderMetadataInput {
  /** A DNS subdomain. Default: the release name of the first package. */
  readonly name?: string | null;
  /** Set by a server. */
  readonly uid?: string | null;
  readonly [other: string]: JsonValue | undefined;
}

/** The spec of an Order: either `packages` or `items`. */
interface OrderSpecInput {
  /** The packages in installation order; at least one. */
  readonly packages?: readonly PackageInput[] | null;
  /** The kubepack name of `packages`. */
  readonly items?: readonly PackageInput[] | null;
  /** The Kubernetes version to render for, such as `v1.31.0`, or a constraint that the renderer's version must meet. */
  readonly kubeVersion?: string | null;
}

interface PackageInput {
  readonly chart: ChartInput;
}

/** A chart to install: its release name, its values, and conditions before and after. */
export interface ChartInput {
  /** The name in Chart.yaml. */
  readonly name: string;
  /** The source of the chart. Required unless kubepack's `url` is given. */
  readonly sourceRef?: SourceInput | null;
  /** The kubepack form of `sourceRef`: a repository URL or a path. */
  readonly url?: string | null;
  /** An exact version, or a constraint such as `>=1.2.0 <2.0.0`. Default: the newest release. */
  readonly version?: string | null;
  /** The name of the release, unique in its namespace. */
  readonly releaseName: string;
  /** The namespace to install into. Default `default`, with a warning. */
  readonly namespace?: string | null;
  /** A file inside the chart that overrides its values.yaml. */
  readonly valuesFile?: string | null;
  /** Values that override the values file. A null removes a key. */
  readonly values?: JsonObject | null;
  /** RFC 6902 operations that are applied last. */
  readonly valuesPatch?: readonly PatchInput[] | null;
  readonly resources?: ClaimsInput | null;
  /** Conditions to wait for after the package is installed, in order. */
  readonly waitFors?: readonly WaitInput[] | null;
  /** Required digests of the chart and the values, as `drydock pin` writes them. */
  readonly seal?: Optional<ChartSeal> | null;
  /** The bundle of the selection; kept without effect. */
  readonly bundle?: BundleInput | null;
}

/** The members of a part of an Order as a user may write them: each can be missing or null. */
type Optional<T> = { readonly [Name in keyof T]?: T[Name] | null };

/** The source of a chart. */
export interface SourceInput extends Optional<Pick<SourceRef, 'apiGroup' | 'namespace'>> {
  /** Default `HelmRepository`. */
  readonly kind?: SourceKind | '' | null;
  /** A repository URL (http, https, oci), the name of a repository object, or a path. */
  readonly name: string;
}

interface PatchInput extends Omit<PatchOperation, 'from'> {
  readonly from?: string | null;
}

/** The custom resource types that a chart owns, and those that it requires. */
interface ClaimsInput {
  readonly owned?: readonly ResourceIdInput[] | null;
  readonly required?: readonly ResourceIdInput[] | null;
}

interface ResourceIdInput extends Omit<ResourceId, 'version'> {
  readonly version?: string | null;
}

/** A condition to wait for: the arguments of one `kubectl wait`. One of `resource.resource`, `labels` and `all` selects the objects. */
interface WaitInput {
  /** The resource type, and optionally the name of one object. */
  readonly resource: WaitResourceInput;
  readonly labels?: SelectorInput | null;
  /** Every object of the type. Default false. */
  readonly all?: boolean | null;
  /** A Go duration such as `5m0s`. Default: the limit of the script. */
  readonly timeout?: string | null;
  /** `delete`, `create`, `condition=Ready`, or `jsonpath={...}=value`. */
  readonly for: string;
}

/** The resource type of a wait (`group`), and the name of one object (`resource`). */
interface WaitResourceInput {
  /** For example `pods` or `deployments.apps`. */
  readonly group: string;
  readonly resource?: string | null;
}

/** A label selector. */
interface SelectorInput {
  readonly matchLabels?: { readonly [label: string]: string | null } | null;
  readonly matchExpressions?: readonly RequirementInput[] | null;
}

interface RequirementInput extends Omit<LabelRequirement, 'values'> {
  readonly values?: readonly string[] | null;
}

/** The bundle that a selection came from. */
interface BundleInput {
  readonly name?: string | null;
  readonly version?: string | null;
  readonly sourceRef?: JsonValue;
}
