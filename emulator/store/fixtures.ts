// What a fixture is: one list per kind, written for people (logins and slugs instead of ids), and the schema of each.

import { checkJson, formatFaults } from './check.ts';
import type { Schema } from './compile.ts';
import { namePattern } from './people.ts';
import type { AuthSource, Json, JsonObject } from './rows.ts';

/** Is a person; everything but the login has a default. `email` is the primary address, `<login>@example.com` without one. */
export interface UserFixture {
  readonly id?: number;
  readonly login: string;
  readonly full_name?: string;
  readonly email?: string;
  readonly password?: string;
  readonly language?: string;
  readonly is_admin?: boolean;
  readonly last_login?: string;
  readonly created?: string;
  readonly active?: boolean;
  readonly prohibit_login?: boolean;
  readonly orgAdmin?: boolean;
  readonly clientOrgUser?: boolean;
  readonly location?: string;
  readonly website?: string;
  readonly description?: string;
  readonly keepEmailPrivate?: boolean;
  readonly blocks?: readonly string[];
  /** The organization the person works in; without it, the first that lists the person; empty for none. */
  readonly orgContext?: string;
}

/** Is a further address of a person. */
export interface EmailFixture {
  readonly user: string;
  readonly email: string;
  readonly verified?: boolean;
}

/** Is an access token of a person. */
export interface TokenFixture {
  readonly user: string;
  readonly name: string;
  readonly token: string;
  readonly created?: string;
  readonly expires?: string;
  readonly revoked?: boolean;
}

/** Is an organization with its members and, perhaps, its way to sign in. */
export interface OrganizationFixture {
  readonly id?: number;
  readonly username: string;
  readonly full_name?: string;
  readonly description?: string;
  readonly website?: string;
  readonly location?: string;
  readonly mgmtManagementClusterEndPoint?: string;
  readonly visibility?: string;
  readonly orgType?: number;
  readonly created?: string;
  readonly members?: readonly { readonly user: string; readonly public?: boolean }[];
  readonly authSource?: AuthSource;
}

/** Is a team of an organization. */
export interface TeamFixture {
  readonly organization: string;
  readonly name: string;
  readonly description?: string;
  readonly permission: string;
  readonly units?: readonly string[];
  readonly type?: string;
  readonly role_ids?: readonly number[];
  readonly members?: readonly string[];
}

/** Says whom a person follows. */
export interface FollowFixture {
  readonly user: string;
  readonly follows: readonly string[];
}

/** Is a cluster of a person or an organization. */
export interface ClusterFixture {
  readonly owner: string;
  readonly access?: readonly string[];
  readonly name: string;
  readonly uid: string;
  readonly displayName?: string;
  readonly provider: string;
  readonly vendor?: string;
  readonly orchestratorVersion?: string;
  readonly nodeCount?: number;
  readonly endpoint?: string;
  readonly location?: string;
  readonly hubClusterName?: string;
  readonly clusterSetName?: string;
  readonly isMonitoringCluster?: boolean;
  readonly createdAt?: string;
  readonly status: JsonObject;
}

/** Is a cloud credential: `spec` as a caller would send it. */
export interface CredentialFixture {
  readonly owner: string;
  readonly spec: JsonObject;
  readonly creationTimestamp?: string;
}

/** Lists the buckets of a provider; `credential` and `cloud_project` narrow it to one. */
export interface BucketFixture {
  readonly provider: string;
  readonly credential?: string;
  readonly cloud_project?: string;
  readonly names: readonly string[];
}

/** Is an inbox subscription; `cluster` is written `owner/name`. */
export interface SubscriptionFixture {
  readonly user: string;
  readonly scope: string;
  readonly organization?: string;
  readonly cluster?: string;
  readonly namespaceUID?: string;
  readonly namespaceName?: string;
  readonly apiGroup?: string;
  readonly version?: string;
  readonly resource?: string;
  readonly resourceName?: string;
  readonly resourceUID?: string;
  readonly createdAt?: string;
}

/** Is a stored order of a person; `order.metadata.uid` is its id. */
export interface OrderFixture {
  readonly owner: string;
  readonly order: JsonObject;
}

/** Is one entry of the history of a cluster, written `owner/name`. */
export interface HistoryFixture {
  readonly cluster: string;
  readonly entry: Json;
}

/** Is all that a fresh emulator holds: one list per kind. A kind that is left out is empty. */
export interface Fixtures {
  readonly users?: readonly UserFixture[];
  readonly emails?: readonly EmailFixture[];
  readonly tokens?: readonly TokenFixture[];
  readonly organizations?: readonly OrganizationFixture[];
  readonly teams?: readonly TeamFixture[];
  readonly follows?: readonly FollowFixture[];
  readonly clusters?: readonly ClusterFixture[];
  readonly credentials?: readonly CredentialFixture[];
  readonly buckets?: readonly BucketFixture[];
  readonly subscriptions?: readonly SubscriptionFixture[];
  readonly orders?: readonly OrderFixture[];
  readonly history?: readonly HistoryFixture[];
}

const text: Schema = { type: 'string' };
const word: Schema = { type: 'string', minLength: 1 };
// Names stand in paths.
const name: Schema = { type: 'string', pattern: namePattern };
const address: Schema = { type: 'string', pattern: '^[^@\\s]+@[^@\\s]+$' };
const flag: Schema = { type: 'boolean' };
const words: Schema = { type: 'array', items: word };
const number: Schema = { type: 'integer', minimum: 1 };
const count: Schema = { type: 'integer', minimum: 0 };
const time: Schema = { type: 'string', format: 'date-time' };
const object: Schema = { type: 'object' };

function rows(required: readonly string[], properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'array', items: { type: 'object', required, properties, additionalProperties: false } };
}

/** The schema of each fixture file. Unknown fields are refused, so that a misspelt one is seen. */
export const fixtureSchemas: { readonly [K in keyof Required<Fixtures>]: Schema } = {
  users: rows(['login'], {
    id: number,
    login: name,
    full_name: text,
    email: address,
    password: text,
    language: text,
    is_admin: flag,
    last_login: time,
    created: time,
    active: flag,
    prohibit_login: flag,
    orgAdmin: flag,
    clientOrgUser: flag,
    location: text,
    website: text,
    description: text,
    keepEmailPrivate: flag,
    blocks: words,
    orgContext: text,
  }),
  emails: rows(['user', 'email'], { user: word, email: address, verified: flag }),
  tokens: rows(['user', 'name', 'token'], {
    user: word,
    name: word,
    // A suffix after @ names a world.
    token: { type: 'string', minLength: 8, pattern: '^[^@\\s]+$' },
    created: time,
    expires: time,
    revoked: flag,
  }),
  organizations: rows(['username'], {
    id: number,
    username: name,
    full_name: text,
    description: text,
    website: text,
    location: text,
    mgmtManagementClusterEndPoint: text,
    visibility: { enum: ['public', 'limited', 'private'] },
    orgType: count,
    created: time,
    members: {
      type: 'array',
      items: {
        type: 'object',
        required: ['user'],
        properties: { user: word, public: flag },
        additionalProperties: false,
      },
    },
    authSource: {
      type: 'object',
      required: ['id', 'providerName', 'displayName', 'active', 'enforceForMembers'],
      properties: { id: number, providerName: word, displayName: word, active: flag, enforceForMembers: flag },
      additionalProperties: false,
    },
  }),
  teams: rows(['organization', 'name', 'permission'], {
    organization: word,
    name: word,
    description: text,
    permission: { enum: ['none', 'read', 'write', 'admin', 'owner'] },
    units: words,
    type: text,
    role_ids: { type: 'array', items: number },
    members: words,
  }),
  follows: rows(['user', 'follows'], { user: word, follows: words }),
  clusters: rows(['owner', 'name', 'uid', 'provider', 'status'], {
    owner: word,
    access: words,
    name: word,
    uid: word,
    displayName: text,
    provider: word,
    vendor: text,
    orchestratorVersion: text,
    nodeCount: count,
    endpoint: text,
    location: text,
    hubClusterName: text,
    clusterSetName: text,
    isMonitoringCluster: flag,
    createdAt: time,
    status: object,
  }),
  credentials: rows(['owner', 'spec'], { owner: word, spec: object, creationTimestamp: time }),
  buckets: rows(['provider', 'names'], { provider: word, credential: text, cloud_project: text, names: words }),
  subscriptions: rows(['user', 'scope'], {
    user: word,
    scope: { enum: ['org', 'cluster', 'namespace', 'resource'] },
    organization: word,
    cluster: word,
    namespaceUID: text,
    namespaceName: text,
    apiGroup: text,
    version: text,
    resource: text,
    resourceName: text,
    resourceUID: text,
    createdAt: time,
  }),
  orders: rows(['owner', 'order'], {
    owner: word,
    order: {
      type: 'object',
      required: ['metadata', 'spec'],
      properties: {
        metadata: { type: 'object', required: ['uid'], properties: { uid: { type: 'string', format: 'uuid' } } },
        spec: object,
      },
    },
  }),
  history: rows(['cluster', 'entry'], { cluster: word, entry: object }),
};

// Names the fixture files, without `.json`.
const fixtureKinds = Object.keys(fixtureSchemas) as readonly (keyof Fixtures)[];

/** Is thrown when a fixture is wrong: the message names the file and the path in it. */
export class FixtureError extends Error {
  override readonly name = 'FixtureError';
}

/** Gives checked fixtures from unknown JSON. Throws a `FixtureError` with every fault of the first file that has one. */
export function validateFixtures(input: Readonly<Record<string, unknown>>): Fixtures {
  for (const [kind, value] of Object.entries(input)) {
    if (!Object.hasOwn(fixtureSchemas, kind)) {
      throw new FixtureError(`${kind}.json: no such kind of fixture; there are ${fixtureKinds.join(', ')}`);
    }
    const faults = checkJson(fixtureSchemas[kind as keyof Fixtures], value);
    if (faults.length > 0) throw new FixtureError(`${kind}.json: ${formatFaults('', faults)}`);
  }
  return input as Fixtures;
}
