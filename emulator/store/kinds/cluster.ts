// Clusters with their history, and buckets of cloud providers.

import type { Schema } from '../compile.ts';
import {
  count,
  define,
  flagField,
  fold,
  list,
  needed,
  object,
  owner,
  people,
  refersTo,
  textField,
  timeField,
  unwritten,
  word,
} from '../fields.ts';
import type { JsonObject } from '../json.ts';

/** The phases of a cluster. */
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

/** Defines the entries of a cluster's resource history. */
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
