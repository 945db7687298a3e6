// The kinds of rows: people and what belongs to them, organizations and teams, clusters, buckets.

import type { Schema, ValueOf } from './compile.ts';
import {
  choice,
  count,
  define,
  document,
  flagField,
  fold,
  list,
  maybe,
  moment,
  needed,
  object,
  owner,
  people,
  refersTo,
  textField,
  timeField,
  unwritten,
  word,
} from './fields.ts';
import { isObject, type JsonObject } from './json.ts';

/**
 * The pattern of logins and slugs.
 * Mirrors: go-gitea/gitea, modules/validation, the rules of the 1.2x line.
 */
export const namePattern = '^[A-Za-z0-9](?:[-._]?[A-Za-z0-9])*$';

const address = { type: 'string', pattern: '^[^@\\s]+@[^@\\s]+$' };

/** Returns the part of a token that responses show. */
export function lastEight(token: string): string {
  return token.slice(-8);
}

export const user = define({
  description: 'A person; everything but the login has a default',
  ids: 'number',
  fields: {
    login: needed(textField('The login, used in paths; in one namespace with the slugs', { pattern: namePattern })),
    full_name: textField('The name to show; without it, the login'),
    language: textField('The language of the pages, such as en-US'),
    is_admin: flagField('Whether the person administers the site'),
    last_login: timeField('The last sign-in; without it, never'),
    created: timeField('When the account was made'),
    active: flagField('Whether the account is activated; without it, it is'),
    prohibit_login: flagField('Whether the person may not sign in'),
    orgAdmin: flagField('Whether the person administers an organization'),
    clientOrgUser: flagField('Whether the person belongs to a client organization'),
    location: textField('Where the person is'),
    website: textField('The address of a page about the person'),
    description: textField('A line about the person'),
    password: textField('The password; empty for people who can only sign in through an organization'),
    keepEmailPrivate: flagField('Hides the e-mail address from others'),
    blocks: people('Logins of those who may not follow the person'),
    orgContext: textField('Slug of the organization the person works in; without it, the first one; empty for none'),
  },
  keys: { login: (row) => fold(row.login) },
  unique: ['login'],
});

export const email = define({
  description: 'A further address of a person',
  ids: 'number',
  fields: {
    user: owner('user', 'Login of the person'),
    email: needed(textField('The address, unique', address)),
    verified: flagField('Whether the address was confirmed; without it, it was'),
    primary: unwritten(flagField('')),
  },
  keys: { address: (row) => fold(row.email), user: (row) => row.user },
  unique: ['address'],
});

export const token = define({
  description: 'An access token of a person',
  ids: 'number',
  fields: {
    user: owner('user', 'Login of the person'),
    name: needed(textField('The name; one person has it once', word)),
    // A suffix after @ selects a world.
    token: needed(textField('The token, at least 8 characters, unique', { minLength: 8, pattern: '^[^@\\s]+$' })),
    created: timeField('When it was issued'),
    expires: timeField('When it stops to work; without it, never'),
    revoked: flagField('Whether it was revoked'),
  },
  keys: {
    user: (row) => row.user,
    name: (row) => `${row.user}/${row.name}`,
  },
  unique: [],
});

/** Defines sessions, created by a sign-in with a password or through an organization; a cookie has the key. */
export const session = define({
  description: 'A session of a person',
  ids: 'number',
  fields: {
    user: unwritten(owner('user', '')),
    key: unwritten(textField('')),
    csrf: unwritten(textField('')),
    created: unwritten(timeField('')),
    expires: unwritten(timeField('')),
  },
  keys: { user: (row) => row.user },
  unique: [],
});

export const follow = define({
  description: 'Says that one person follows another',
  ids: 'number',
  fields: { follower: owner('user', 'Login of the person'), followee: refersTo(['user'], 'Login of the other') },
  keys: {
    follower: (row) => row.follower,
    followee: (row) => row.followee,
    pair: (row) => `${row.follower}/${row.followee}`,
  },
  unique: ['pair'],
});

/** Defines cloud credentials: `name` and `type` are extracted from the specification. */
export const credential = define({
  description: 'A cloud credential',
  ids: 'number',
  fields: {
    owner: owner('user', 'Login of the person'),
    name: unwritten(textField('')),
    type: unwritten(textField('')),
    creationTimestamp: timeField('When it was added'),
    spec: needed(
      object<JsonObject>('The specification as a caller sends it: `name` or `metadata.name`, a `type` and its block'),
    ),
  },
  keys: { owner: (row) => row.owner, name: (row) => `${row.owner}/${row.name}` },
  unique: ['name'],
});

export const order = define({
  description: 'A stored order of a person; `order.metadata.uid` is its id',
  ids: 'text',
  fields: {
    owner: owner('user', 'Login of the person'),
    order: needed(
      document('The order as the service returns it', {
        required: ['metadata', 'spec'],
        properties: {
          metadata: {
            type: 'object',
            required: ['uid'],
            properties: {
              uid: { type: 'string', format: 'uuid', description: 'The id of the order' },
              name: { type: 'string', description: 'The name to show' },
              creationTimestamp: { ...moment, description: 'When it was stored' },
            },
          },
          spec: { type: 'object', description: 'The packages, in install order, and the Kubernetes version' },
        },
      }),
    ),
  },
  keys: {},
  unique: [],
});

/** The target of a subscription, as far as it is used for filters. */
type SubscriptionTarget = {
  readonly [Name in 'orgID' | 'clusterUID' | 'namespaceName' | 'resourceName']?: string;
} & { readonly subscriber: number };

/** Returns the key in the index `target` for a person's subscriptions to one target. */
export function targetKey(row: SubscriptionTarget): string {
  const { subscriber, orgID = '', clusterUID = '', namespaceName = '', resourceName = '' } = row;
  return JSON.stringify([subscriber, orgID, clusterUID, namespaceName, resourceName]);
}

/** Defines inbox subscriptions: their target is stored as in the responses. */
export const subscription = define({
  description: 'An inbox subscription of a person to an organization, a cluster, or something in a cluster',
  ids: 'number',
  fields: {
    subscriber: unwritten(owner('user', '')),
    scope: needed(choice('What is watched', ['org', 'cluster', 'namespace', 'resource'])),
    orgID: unwritten(textField('Id of the organization')),
    orgName: unwritten(textField('Slug of the organization')),
    clusterOwnerID: unwritten(count('')),
    clusterUID: unwritten(textField('UID of the cluster')),
    clusterName: unwritten(textField('Name of the cluster')),
    namespaceUID: textField('UID of the namespace'),
    namespaceName: textField('Name of the namespace'),
    apiGroup: textField('API group of the resource; empty for the core group'),
    version: textField('API version of the resource'),
    resource: textField('Plural name of the resource, such as deployments'),
    resourceName: textField('Name of the object'),
    resourceUID: textField('UID of the object'),
    createdAt: timeField('When the person subscribed'),
    updatedAt: unwritten(timeField('')),
  },
  keys: { subscriber: (row) => row.subscriber, target: targetKey },
  unique: [],
});

/** Additional fields in fixtures of people, follows and subscriptions. */
export const writtenPerson = {
  userId: count('The id; without it, the next free one. Organizations share the sequence', 1),
  email: textField('The primary address; without it, <login>@example.com', address),
  follower: needed(textField('Login of the person', word)),
  follows: needed(list<string>('Logins of those whom the person follows', word, { uniqueItems: true })),
  subscriber: needed(textField('Login of the person', word)),
  organization: textField('Slug of the organization, with the scope org', word),
  cluster: textField('The cluster, written owner/name, with every other scope', word),
};

const authSource = {
  type: 'object',
  required: ['id', 'providerName', 'displayName', 'active', 'enforceForMembers'],
  properties: {
    id: { type: 'integer', minimum: 1, description: 'The id of the way' },
    providerName: { type: 'string', minLength: 1, description: 'The name of the provider, as in addresses' },
    displayName: { type: 'string', minLength: 1, description: 'The name to show' },
    active: { type: 'boolean', description: 'Says that it can be used' },
    enforceForMembers: { type: 'boolean', description: 'Says that members must use it' },
  },
  additionalProperties: false,
} as const;

/** The sign-in provider of an organization. */
export type AuthSource = ValueOf<typeof authSource>;

export const organization = define({
  description: 'An organization with its members and, perhaps, its way to sign in',
  ids: 'number',
  fields: {
    username: needed(textField('The slug, used in paths; in one namespace with the logins', { pattern: namePattern })),
    full_name: textField('The name to show; without it, the slug'),
    description: textField('A line about the organization'),
    website: textField('The address of its page'),
    location: textField('Where it is'),
    mgmtManagementClusterEndPoint: textField('The endpoint of its management cluster'),
    visibility: choice('Who sees it: everyone, the signed-in, its members; without it, public', [
      'public',
      'limited',
      'private',
    ]),
    orgType: count('The kind of organization, as a number'),
    created: timeField('When it was made'),
    authSource: maybe<AuthSource>('Its way to sign in', authSource),
  },
  keys: { name: (row) => fold(row.username) },
  unique: ['name'],
});

/** Defines memberships, and whether they are public. */
export const membership = define({
  description: 'Says that a person belongs to an organization',
  ids: 'number',
  fields: {
    organization: owner('organization', 'Slug of the organization'),
    user: refersTo(['user'], 'Login of the person'),
    public: flagField('Whether everyone may know; without it, everyone may'),
  },
  keys: {
    user: (row) => row.user,
    pair: (row) => `${row.organization}/${row.user}`,
  },
  unique: ['pair'],
});

export const team = define({
  description: 'A team of an organization',
  ids: 'number',
  fields: {
    organization: owner('organization', 'Slug of the organization'),
    name: needed(textField('The name; the organization has it once', word)),
    description: textField('A line about the team'),
    permission: needed(choice('What its members may do', ['none', 'read', 'write', 'admin', 'owner'])),
    units: list<string>('Parts of the service that the team may use', word),
    type: textField('The kind of team'),
    role_ids: list<number>('Ids of the roles of its members', { type: 'integer', minimum: 1 }),
    members: people('Logins of its members'),
  },
  keys: { member: (row) => row.members },
  unique: [],
});

/** Additional fields in fixtures of organizations. */
export const writtenOrganization = {
  id: count('The id; without it, the next free one. People share the sequence', 1),
  members: list<{ readonly user: string; readonly public?: boolean }>('Who belongs to it, each once', {
    type: 'object',
    required: ['user'],
    properties: {
      user: { ...word, description: 'Login of the member' },
      public: { type: 'boolean', description: 'Says that everyone may know; without it, everyone may' },
    },
    additionalProperties: false,
  }),
};

export const clusterPhases = [
  'Active',
  'Inactive',
  'NotReady',
  'NotConnected',
  'Registered',
  'NotImported',
  'Lost',
] as const;

/** The status of a cluster; `reason` and `message` are empty by default. */
export type ClusterStatus = {
  readonly phase: (typeof clusterPhases)[number];
  readonly reason?: string;
  readonly message?: string;
};

const status: Schema = {
  required: ['phase'],
  properties: { phase: { enum: clusterPhases }, reason: { type: 'string' }, message: { type: 'string' } },
};

/** Defines clusters: of a person or of an organization; `access` lists additional people with access. */
export const cluster = define({
  description: 'A cluster of a person or an organization',
  ids: 'number',
  fields: {
    owner: needed(refersTo(['user', 'organization'], 'Login or slug of the owner')),
    ownerName: unwritten(textField('')),
    access: people('Logins of further people who may use it'),
    name: needed(textField('The name, used in paths; unique per owner', { pattern: '^[^/\\s]+$' })),
    displayName: textField('The name to show; without it, the name'),
    uid: needed(textField('The uid; no other cluster has it', word)),
    provider: needed(textField('The cloud it runs on', word)),
    vendor: textField('Who sells it'),
    orchestratorVersion: textField('The version of Kubernetes, such as v1.31.0'),
    nodeCount: count('How many nodes it has'),
    endpoint: textField('The address of its API server'),
    location: textField('Where it runs'),
    hubClusterName: textField('The hub cluster that manages it'),
    clusterSetName: textField('The set of clusters it belongs to'),
    isMonitoringCluster: flagField('Whether it monitors others'),
    createdAt: timeField('When it was made'),
    status: needed(object<ClusterStatus>('How it is: `phase`, `reason`, `message`', status)),
  },
  keys: {
    owner: (row) => row.owner,
    access: (row) => row.access,
    uid: (row) => row.uid,
    name: (row) => `${fold(row.ownerName)}/${fold(row.name)}`,
  },
  unique: ['uid', 'name'],
});

export const history = define({
  description: 'One entry of the resource history of a cluster',
  ids: 'number',
  fields: {
    cluster: owner('cluster', 'The cluster, written owner/name'),
    entry: needed(object<JsonObject>('The entry as the service returns it')),
  },
  keys: { cluster: (row) => row.cluster },
  unique: [],
});

/** Defines the buckets of a provider; an empty `credential` or `cloud_project` matches any. */
export const bucket = define({
  description: 'The buckets of a provider; `credential` and `cloud_project` narrow it to one',
  ids: 'number',
  fields: {
    provider: needed(textField('The provider, as in the path of the route', word)),
    credential: textField('Only with the credential of this name'),
    cloud_project: textField('Only in this project'),
    names: needed(list<string>('The names of the buckets', word, { uniqueItems: true })),
  },
  keys: { provider: (row) => fold(row.provider) },
  unique: [],
});

/** Returns the name of a credential specification: the top-level `name` or `metadata.name`, or undefined. */
export function credentialName(spec: JsonObject): string | undefined {
  const { metadata } = spec;
  const nested = isObject(metadata) ? metadata.name : undefined;
  return [spec.name, nested].find((name) => typeof name === 'string' && name !== '') as string | undefined;
}

/** Returns the type of a credential specification: the top-level `type` or `spec.type`, or an empty text. */
export function credentialType(spec: JsonObject): string {
  const nested = isObject(spec.spec) ? spec.spec.type : undefined;
  return ([spec.type, nested].find((type) => typeof type === 'string') as string | undefined) ?? '';
}
