// Clusters that the caller owns or has access to.

import { empty, ok } from '../app/message.ts';
import { type Call, type Route, routeBuilder } from '../app/route.ts';
import type { JsonObject } from '../store/json.ts';
import { clusterPhases } from '../store/kinds.ts';
import { organizationsOf } from '../store/people.ts';
import type { ClusterRow } from '../store/rows.ts';
import {
  booleanSchema,
  formatAge,
  formatRow,
  int64Schema,
  listSchema,
  objectSchema,
  textSchema,
  timeSchema,
} from './shapes.ts';

const clusterSchema = objectSchema('ClusterInfo', {
  id: int64Schema,
  displayName: textSchema,
  name: textSchema,
  uid: textSchema,
  ownerID: int64Schema,
  ownerName: textSchema,
  provider: textSchema,
  vendor: textSchema,
  orchestratorVersion: textSchema,
  nodeCount: { type: 'integer', format: 'int32' },
  endpoint: textSchema,
  location: textSchema,
  hubClusterName: textSchema,
  clusterSetName: textSchema,
  isMonitoringCluster: booleanSchema,
  createdAt: timeSchema,
  age: { type: 'string', description: 'Such as 43m or 12d, from the clock of the world' },
  status: {
    type: 'object',
    required: ['phase', 'reason', 'message'],
    properties: {
      phase: { type: 'string', enum: clusterPhases },
      reason: textSchema,
      message: textSchema,
    },
    additionalProperties: true,
  },
});

const route = routeBuilder({ section: 'Clusters', access: 'token' });

export const clusterRoutes: readonly Route[] = [
  route('listClusters', 'GET /user/clusters', {
    summary: 'List clusters that the caller owns, or with all=true can reach',
    emulation: 'The seeded clusters; redirects with all=true if the caller is not in an organization',
    query: {
      all: { description: '"true" includes clusters of the organizations and shared ones', schema: textSchema },
    },
    answers: {
      200: { description: 'The clusters', schema: listSchema(clusterSchema) },
      302: { description: 'An organization context is required', headers: ['Location'] },
    },
    run: (call) => {
      const all = call.query('all') === 'true';
      if (all && call.caller.orgContext === '') return empty(302, { Location: call.settings.redirect });
      return ok(clustersOf(call, all).map((row) => formatCluster(call, row)));
    },
  }),
];

function clustersOf({ store, caller }: Call, all: boolean): readonly ClusterRow[] {
  const owned = store.cluster.many('owner', caller.id);
  if (!all) return owned;
  const byOrganizations = organizationsOf(store, caller.id).flatMap((row) => store.cluster.many('owner', row.id));
  const shared = store.cluster.many('access', caller.id);
  return [...new Set([...owned, ...byOrganizations, ...shared])].sort((a, b) => a.id - b.id);
}

function formatCluster(call: Call, row: ClusterRow): JsonObject {
  return formatRow(clusterSchema, row, {
    ownerID: row.owner,
    age: formatAge(call.world.clock.now() - Date.parse(row.createdAt)),
    status: row.status[0],
  });
}
