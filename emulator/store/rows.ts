// The rows of the store: one type per kind, named as on the wire wherever the wire has the field.

/** Is any JSON value, read-only. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** Is a JSON object, read-only. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Names a row within its kind: a positive number, or the uid of an order. */
export type Id = number | string;

/** Holds free-form JSON in one row: the data library replaces lists whole but merges objects, so the object sits in a list of one. */
export type Box<Value = Json> = readonly [Value];

/** Is a person. Times are ISO 8601 in UTC. */
export interface UserRow {
  readonly id: number;
  readonly login: string;
  readonly full_name: string;
  readonly language: string;
  readonly is_admin: boolean;
  readonly last_login: string;
  readonly created: string;
  readonly active: boolean;
  readonly prohibit_login: boolean;
  readonly orgAdmin: boolean;
  readonly clientOrgUser: boolean;
  readonly location: string;
  readonly website: string;
  readonly description: string;
  /** Empty for people who can only sign in through an organization. */
  readonly password: string;
  readonly keepEmailPrivate: boolean;
  /** Logins that may not follow this person. */
  readonly blocks: readonly string[];
  /** The organization the person currently works in; empty without one. */
  readonly orgContext: string;
}

/** Is one e-mail address of a person. */
export interface EmailRow {
  readonly id: number;
  readonly user: number;
  readonly email: string;
  readonly verified: boolean;
  readonly primary: boolean;
}

/** Is an access token. `expires` is empty for one that never does. */
export interface TokenRow {
  readonly id: number;
  readonly user: number;
  readonly name: string;
  readonly token: string;
  readonly created: string;
  readonly expires: string;
  readonly revoked: boolean;
}

/** Is an organization's own way to sign in. */
export interface AuthSource {
  readonly id: number;
  readonly providerName: string;
  readonly displayName: string;
  readonly active: boolean;
  readonly enforceForMembers: boolean;
}

/** Is an organization; `username` is its slug and shares one namespace with logins. */
export interface OrganizationRow {
  readonly id: number;
  readonly username: string;
  readonly full_name: string;
  readonly description: string;
  readonly website: string;
  readonly location: string;
  readonly mgmtManagementClusterEndPoint: string;
  readonly visibility: string;
  readonly orgType: number;
  readonly created: string;
  /** Empty, or the one source. */
  readonly authSource: readonly AuthSource[];
}

/** Says that a person belongs to an organization, and whether everyone may know. */
export interface MembershipRow {
  readonly id: number;
  readonly organization: number;
  readonly user: number;
  readonly public: boolean;
}

/** Is a team of an organization. */
export interface TeamRow {
  readonly id: number;
  readonly organization: number;
  readonly name: string;
  readonly description: string;
  readonly permission: string;
  readonly units: readonly string[];
  readonly type: string;
  readonly role_ids: readonly number[];
  readonly members: readonly number[];
}

/** Says that one person follows another. */
export interface FollowRow {
  readonly id: number;
  readonly follower: number;
  readonly followee: number;
}

/** Is a cluster, owned by a person or an organization; `access` lists further people who may use it. */
export interface ClusterRow {
  readonly id: number;
  readonly owner: number;
  readonly ownerName: string;
  readonly access: readonly number[];
  readonly name: string;
  readonly displayName: string;
  readonly uid: string;
  readonly provider: string;
  readonly vendor: string;
  readonly orchestratorVersion: string;
  readonly nodeCount: number;
  readonly endpoint: string;
  readonly location: string;
  readonly hubClusterName: string;
  readonly clusterSetName: string;
  readonly isMonitoringCluster: boolean;
  readonly createdAt: string;
  readonly status: Box;
}

/** Is a cloud credential; `spec` is what the caller sent, untouched. */
export interface CredentialRow {
  readonly id: number;
  readonly owner: number;
  readonly name: string;
  readonly type: string;
  readonly creationTimestamp: string;
  readonly spec: Box<JsonObject>;
}

/** Lists the buckets a provider shows for a credential and a project; an empty `credential` or `cloud_project` fits any. */
export interface BucketRow {
  readonly id: number;
  readonly provider: string;
  readonly credential: string;
  readonly cloud_project: string;
  readonly names: readonly string[];
}

/** Is an inbox subscription of a person. */
export interface SubscriptionRow {
  readonly id: number;
  readonly subscriber: number;
  readonly scope: string;
  readonly orgID: string;
  readonly orgName: string;
  readonly clusterOwnerID: number;
  readonly clusterUID: string;
  readonly clusterName: string;
  readonly namespaceUID: string;
  readonly namespaceName: string;
  readonly apiGroup: string;
  readonly version: string;
  readonly resource: string;
  readonly resourceName: string;
  readonly resourceUID: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Is a stored deployment order; `id` is its uid. */
export interface OrderRow {
  readonly id: string;
  readonly owner: number;
  readonly order: Box<JsonObject>;
}

/** Is one entry of a cluster's resource history. */
export interface HistoryRow {
  readonly id: number;
  readonly cluster_uid: string;
  readonly entry: Box;
}

/** Maps each kind to its row. */
export interface Rows {
  readonly user: UserRow;
  readonly email: EmailRow;
  readonly token: TokenRow;
  readonly organization: OrganizationRow;
  readonly membership: MembershipRow;
  readonly team: TeamRow;
  readonly follow: FollowRow;
  readonly cluster: ClusterRow;
  readonly credential: CredentialRow;
  readonly bucket: BucketRow;
  readonly subscription: SubscriptionRow;
  readonly order: OrderRow;
  readonly history: HistoryRow;
}

/** Names a kind of row. */
export type Kind = keyof Rows;

/** Tells whether a JSON value is an object. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Freezes a value and all that it holds, and gives it back. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object') return value;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null || Object.isFrozen(next)) continue;
    Object.freeze(next);
    for (const child of Object.values(next)) if (typeof child === 'object' && child !== null) open.push(child);
  }
  return value;
}
