// The Order as users write it, with optional members. `validateOrder` turns it into a `ValidOrder`.
// Mirrors: kubepack, apis/releases/v1alpha1, `Order`, with the additions of this project (`values`, both list names).

import type {
  ChartSeal,
  ChartSelection,
  JsonValue,
  LabelRequirement,
  ORDER_API_VERSION,
  OrderMetadata,
  OrderSpec,
  PatchOperation,
  ResourceClaims,
  ResourceId,
  SourceKind,
  SourceRef,
  WaitFlags,
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

/** The members of a part of an Order, with their descriptions, as a user may write them: all but the needed ones can be missing or null. */
type Written<T, Needed extends keyof T = never> = {
  readonly [Name in keyof Omit<T, Needed>]?: Omit<T, Needed>[Name] | null;
} & Pick<T, Needed>;

/** The name of an Order; a server adds members. */
type OrderMetadataInput = Written<OrderMetadata> & { readonly [other: string]: JsonValue | undefined };

/** The spec of an Order: either `packages` or `items`. */
interface OrderSpecInput extends Written<Pick<OrderSpec, 'kubeVersion'>> {
  /** The packages in installation order; at least one. */
  readonly packages?: readonly PackageInput[] | null;
  /** The kubepack name of `packages`. */
  readonly items?: readonly PackageInput[] | null;
}

interface PackageInput {
  readonly chart: ChartInput;
}

type PlainMember = 'name' | 'version' | 'releaseName' | 'namespace' | 'valuesFile' | 'values';

/** A chart to install: its release name, its values, and conditions before and after. */
export interface ChartInput extends Written<Pick<ChartSelection, PlainMember>, 'name' | 'releaseName'> {
  /** The source of the chart. Required unless kubepack's `url` is given. */
  readonly sourceRef?: SourceInput | null;
  /** The kubepack form of `sourceRef`: a repository URL or a path. */
  readonly url?: string | null;
  /** RFC 6902 operations that are applied last. */
  readonly valuesPatch?: readonly PatchInput[] | null;
  readonly resources?: ClaimsInput | null;
  /** Conditions to wait for after the package is installed, in order. */
  readonly waitFors?: readonly WaitInput[] | null;
  /** Required digests of the chart and the values, as `drydock pin` writes them. */
  readonly seal?: Written<ChartSeal> | null;
  /** The bundle of the selection; kept without effect. */
  readonly bundle?: {
    readonly name?: string | null;
    readonly version?: string | null;
    readonly sourceRef?: JsonValue;
  } | null;
}

/** The source of a chart. */
export interface SourceInput extends Written<Omit<SourceRef, 'kind'>, 'name'> {
  /** Default `HelmRepository`. */
  readonly kind?: SourceKind | '' | null;
}

interface PatchInput extends Omit<PatchOperation, 'from'> {
  readonly from?: string | null;
}

/** The custom resource types that a chart owns, and those that it requires. */
type ClaimsInput = {
  readonly [Name in keyof ResourceClaims]?: readonly Written<ResourceId, 'group' | 'resource'>[] | null;
};

/** A condition to wait for: the arguments of one `kubectl wait`. One of `resource.resource`, `labels` and `all` selects the objects. */
interface WaitInput extends Written<Pick<WaitFlags, 'all' | 'timeout' | 'for'>, 'for'> {
  /** The resource type, and optionally the name of one object. */
  readonly resource: Written<WaitFlags['resource'], 'group'>;
  readonly labels?: SelectorInput | null;
}

/** A label selector. */
interface SelectorInput {
  readonly matchLabels?: { readonly [label: string]: string | null } | null;
  readonly matchExpressions?: readonly Written<LabelRequirement, 'key' | 'operator'>[] | null;
}
