// The caller's inbox subscriptions to organizations, clusters, namespaces and resources.

import { empty, ok, type Reply } from '../app/message.ts';
import { missing } from '../app/problem.ts';
import {
  buildRoute,
  type Call,
  type CallWith,
  type Parameter,
  type ParamNames,
  type Route,
  routeBuilder,
} from '../app/route.ts';
import type { Schema } from '../store/compile.ts';
import { fold } from '../store/fields.ts';
import type { JsonObject } from '../store/json.ts';
import { subscription, targetKey } from '../store/kinds.ts';
import { findOrganization, isMember } from '../store/people.ts';
import type { ClusterRow, SubscriptionRow } from '../store/rows.ts';
import { formatRow, int64Schema, listSchema, objectSchema, problemAnswer, textSchema, timeSchema } from './shapes.ts';

const common = { section: 'Inbox subscriptions', access: 'token' } as const;
const route = routeBuilder(common);

const { subscriber: _, ...fields } = subscription.fields;

/** The target of a subscription in responses. */
const answered = Object.keys(fields) as readonly (keyof typeof fields)[];

/** Filter fields: all except numbers and times. */
const filters = answered.filter((name) => !['clusterOwnerID', 'createdAt', 'updatedAt'].includes(name));

const clusterParams = { owner: 'Owner of the cluster', cluster: 'Name of the cluster' };

const query: Readonly<Record<string, Parameter>> = Object.fromEntries(
  filters.map((name) => [name, { description: String(shapeOf(name).description), schema: textSchema }]),
);

const subscriptionSchema = objectSchema('InboxSubscription', {
  id: int64Schema,
  subscriberID: int64Schema,
  subscriberType: textSchema,
  ...Object.fromEntries(answered.map((name) => [name, shapeOf(name)])),
  clusterOwnerID: int64Schema,
  createdAt: timeSchema,
  updatedAt: timeSchema,
});

function shapeOf(name: keyof typeof fields): Schema {
  const { written, schema } = fields[name];
  return written ?? schema;
}

export const inboxRoutes: readonly Route[] = [
  route('listSubscriptions', 'GET /user/inbox/subscriptions', {
    summary: "List the caller's inbox subscriptions",
    emulation: 'All filters must match exactly',
    query,
    answers: { 200: { description: 'The subscriptions', schema: listSchema(subscriptionSchema) } },
    run: (call) => ok(listSubscriptions(call).map(formatSubscription)),
  }),
  ...targetRoutes({
    title: 'Organization',
    path: '/orgs/{orgname}/subscriptions',
    params: { orgname: 'Slug of the organization' },
    targetOf: organizationTarget,
  }),
  ...targetRoutes({
    title: 'Cluster',
    path: '/clustersv2/{owner}/{cluster}/subscriptions',
    params: clusterParams,
    targetOf: (call) => ({ ...clusterTarget(call), scope: 'cluster' }),
  }),
  ...targetRoutes({
    title: 'Namespace',
    path: '/clustersv2/{owner}/{cluster}/subscriptions/namespaces/{ns}',
    params: { ...clusterParams, ns: 'Namespace' },
    targetOf: (call) => ({ ...clusterTarget(call), scope: 'namespace', namespaceName: call.params.ns }),
  }),
  ...targetRoutes({
    title: 'Resource',
    path: '/clustersv2/{owner}/{cluster}/subscriptions/namespaces/{ns}/{group}/{version}/{resource}/{name}',
    params: {
      ...clusterParams,
      ns: 'Namespace',
      group: 'API group; `core` for the core group',
      version: 'API version',
      resource: 'Plural resource name',
      name: 'Object name',
    },
    targetOf: resourceTarget,
  }),
];

/** A type of target: its path, and the fields of its subscriptions. */
interface TargetKind<Path extends string> {
  readonly title: string;
  readonly path: Path;
  readonly params: Readonly<Record<ParamNames<Path>, string>>;
  readonly targetOf: (call: CallWith<ParamNames<Path>>) => Target;
}

// The three routes of one type of target: subscribe, get, unsubscribe.
function targetRoutes<const Path extends string>(kind: TargetKind<Path>): readonly Route[] {
  const { title, path, params, targetOf } = kind;
  const what = title.toLowerCase();
  const shared = { ...common, path, params } as const;
  const absent = problemAnswer(`There is no such ${what === 'organization' ? what : 'cluster'}`);
  return [
    buildRoute({
      ...shared,
      name: `subscribe${title}`,
      method: 'POST',
      summary: `Subscribe to ${articled(what)}`,
      emulation: 'Adds to the list; repeating it has no effect. Namespaces and objects are not checked',
      answers: { 200: { description: 'Subscribed, no body' }, 404: absent },
      run: (call) => subscribe(call, targetOf(call)),
    }),
    buildRoute({
      ...shared,
      name: `check${title}Subscription`,
      method: 'GET',
      summary: `Check whether the caller is subscribed to ${articled(what)}`,
      emulation: 'From the list',
      answers: { 200: { description: 'Subscribed, no body' }, 404: problemAnswer('Not subscribed') },
      run: (call) => {
        if (!subscriptionTo(call, targetOf(call))) throw missing('You are not subscribed to this.');
        return empty(200);
      },
    }),
    buildRoute({
      ...shared,
      name: `unsubscribe${title}`,
      method: 'DELETE',
      summary: `Unsubscribe from ${articled(what)}`,
      emulation: 'Removes it from the list; repeating it has no effect',
      answers: { 200: { description: 'Unsubscribed, no body' }, 404: absent },
      run: (call) => {
        const row = subscriptionTo(call, targetOf(call));
        if (row) call.store.subscription.remove(row.id);
        return empty(200);
      },
    }),
  ];
}

function articled(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

function listSubscriptions(call: Call): readonly SubscriptionRow[] {
  const wanted = filters.flatMap((name) => {
    const value = call.query(name) ?? '';
    return value === '' ? [] : [[name, value] as const];
  });
  const rows = call.store.subscription.many('subscriber', call.caller.id);
  return rows.filter((row) => wanted.every(([name, value]) => row[name] === value));
}

type Target = Partial<SubscriptionRow>;

function subscribe(call: Call, target: Target): Reply {
  if (!subscriptionTo(call, target)) {
    const now = call.world.clock.iso();
    call.store.subscription.add({ ...target, subscriber: call.caller.id, createdAt: now, updatedAt: now });
  }
  return empty(200);
}

function subscriptionTo(call: Call, target: Target): SubscriptionRow | undefined {
  const fields = Object.entries(target) as readonly [keyof SubscriptionRow, unknown][];
  const rows = call.store.subscription.many('target', targetKey({ ...target, subscriber: call.caller.id }));
  return rows.find((row) => fields.every(([name, value]) => row[name] === value));
}

function resourceTarget(
  call: CallWith<'owner' | 'cluster' | 'ns' | 'group' | 'version' | 'resource' | 'name'>,
): Target {
  const { ns, group, version, resource, name } = call.params;
  const object = { apiGroup: group === 'core' ? '' : group, version, resource, resourceName: name };
  return { ...clusterTarget(call), scope: 'resource', namespaceName: ns, ...object };
}

function organizationTarget(call: CallWith<'orgname'>): Target {
  const { orgname: slug } = call.params;
  const row = findOrganization(call.store, slug);
  const mayKnow = row && (call.caller.is_admin || isMember(call.store, row.id, call.caller.id));
  if (!mayKnow) throw missing(`You are not a member of an organization ${JSON.stringify(slug)}.`);
  return { scope: 'org', orgID: String(row.id), orgName: row.username };
}

function clusterOf({ store, params, caller }: CallWith<'owner' | 'cluster'>): ClusterRow {
  const { owner, cluster } = params;
  const row = store.cluster.first('name', `${fold(owner)}/${fold(cluster)}`);
  const reaches =
    row &&
    (row.owner === caller.id ||
      caller.is_admin ||
      row.access.includes(caller.id) ||
      isMember(store, row.owner, caller.id));
  if (!reaches) throw missing(`There is no cluster ${JSON.stringify(`${owner}/${cluster}`)} that you can reach.`);
  return row;
}

function clusterTarget(call: CallWith<'owner' | 'cluster'>): Target {
  const row = clusterOf(call);
  const organization = call.store.organization.get(row.owner);
  return {
    orgID: organization ? String(organization.id) : '',
    orgName: organization?.username ?? '',
    clusterOwnerID: row.owner,
    clusterUID: row.uid,
    clusterName: row.name,
  };
}

function formatSubscription(row: SubscriptionRow): JsonObject {
  return formatRow(subscriptionSchema, row, { subscriberID: row.subscriber, subscriberType: 'user' });
}
