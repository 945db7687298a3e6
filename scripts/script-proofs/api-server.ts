// A small Kubernetes API server for the proofs of scripts: it stores, defaults nothing, knows kinds and namespaces, keeps
// what each field manager applied and tells conflicts, and says of every workload that it is ready. Real kubectl and Helm speak with it.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defaulted, withStatus } from './api-defaults.ts';
import { discover, type Json, type JsonMap, mapOf as map, type Type } from './api-discovery.ts';
import {
  applied,
  conflict,
  mergePatched,
  type Rules,
  rulesOfKind,
  rulesOfSchema,
  same,
  strategicPatched,
  withoutDropped,
} from './api-lists.ts';
import { Meeting } from './api-meeting.ts';
import { readBody } from './protobuf.ts';

interface Stored {
  readonly type: Type;
  object: JsonMap;
  /** What each field manager applied last. */
  readonly applied: Map<string, JsonMap>;
}

/** A running server. */
export interface ApiServer {
  readonly url: string;
  /** Gives every object as `plural.group namespace/name`, sorted. */
  list(): string[];
  /** Gives every object, by the same names. */
  objects(): ReadonlyMap<string, JsonMap>;
  /** Counts the changes so far. */
  changes(): number;
  /** Counts the calls so far, what only reads too, but for what is watched. */
  calls(): number;
  /** Fails the n-th changing request from now on with 500, of those whose `METHOD /path` fits, or the n-th of all calls; 0 for none. */
  failAt(n: number, pattern?: RegExp, of?: 'changes' | 'calls'): void;
  /** Gives the `METHOD /path` of the request that was to fail, once it has; empty before. */
  hasFailed(): string;
  /** Starts a server that holds the same objects. */
  copy(): Promise<ApiServer>;
  /** Answers no changing request whose `METHOD /path` fits until so many different ones wait; gives whether they all came. */
  hold(count: number, pattern: RegExp): Promise<boolean>;
  close(): void;
}

const core: readonly (readonly [group: string, version: string, kinds: string, namespaced: boolean])[] = [
  [
    '',
    'v1',
    'ConfigMap Secret Service ServiceAccount PersistentVolumeClaim Pod Event Endpoints LimitRange ResourceQuota',
    true,
  ],
  ['', 'v1', 'Namespace Node PersistentVolume', false],
  ['apps', 'v1', 'Deployment StatefulSet DaemonSet ReplicaSet', true],
  ['batch', 'v1', 'Job CronJob', true],
  ['policy', 'v1', 'PodDisruptionBudget', true],
  ['networking.k8s.io', 'v1', 'Ingress NetworkPolicy', true],
  ['networking.k8s.io', 'v1', 'IngressClass', false],
  ['autoscaling', 'v2', 'HorizontalPodAutoscaler', true],
  ['coordination.k8s.io', 'v1', 'Lease', true],
  ['rbac.authorization.k8s.io', 'v1', 'Role RoleBinding', true],
  ['rbac.authorization.k8s.io', 'v1', 'ClusterRole ClusterRoleBinding', false],
  ['storage.k8s.io', 'v1', 'StorageClass CSIDriver', false],
  ['scheduling.k8s.io', 'v1', 'PriorityClass', false],
  ['apiregistration.k8s.io', 'v1', 'APIService', false],
  ['admissionregistration.k8s.io', 'v1', 'MutatingWebhookConfiguration ValidatingWebhookConfiguration', false],
  ['apiextensions.k8s.io', 'v1', 'CustomResourceDefinition', false],
];

export const pluralOf = (kind: string): string => {
  const name = kind.toLowerCase();
  if (name === 'endpoints') return name;
  if (/(?:s|x|ch)$/.test(name)) return `${name}es`;
  return /[^aeiou]y$/.test(name) ? `${name.slice(0, -1)}ies` : `${name}s`;
};

/** The namespaces that every cluster has. */
export const initialNamespaces: readonly string[] = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

type Answer = readonly [code: number, body: Json];

/** What a request is about. */
interface Target {
  readonly type: Type;
  readonly namespace: string;
  readonly name: string;
  readonly key: string;
  readonly url: URL;
}

const builtIn = core.flatMap(([group, version, kinds, namespaced]) =>
  kinds.split(' ').map((kind): Type => ({ group, version, kind, plural: pluralOf(kind), namespaced })),
);

const keyOf = (type: Type, namespace: string, name: string): string =>
  `${type.plural}.${type.group} ${type.namespaced ? namespace : ''}/${name}`;

/** A request that is to fail: so many more of these have to come. */
interface Failure {
  left: number;
  readonly pattern: RegExp;
  readonly of: 'changes' | 'calls';
}

/** What happened to an object. */
interface Change {
  readonly at: number;
  readonly event: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly stored: Stored;
}

class Cluster {
  readonly store = new Map<string, Stored>();
  readonly watchers = new Set<(change: Change) => void>();
  readonly #past: Change[] = [];
  changes = 0;
  calls = 0;
  failure: Failure | undefined;
  failed = '';
  readonly #known: readonly Type[];
  #types: { readonly at: number; readonly types: readonly Type[] } | undefined;

  constructor(more: readonly Type[]) {
    this.#known = [...more, ...builtIn];
  }

  /** Takes over what another one holds. */
  take({ store, changes }: Cluster): void {
    for (const [key, stored] of store) this.store.set(key, { ...stored });
    this.changes = changes;
  }

  /** Tells whether a request is the one that is to fail. */
  meets(method: string, url: URL): boolean {
    this.calls++;
    const request = `${method} ${url.pathname}`;
    const isChange =
      method !== 'GET' && url.searchParams.get('dryRun') !== 'All' && !/\/selfsubjectaccessreviews$/.test(request);
    const { failure } = this;
    if (failure === undefined || failure.left === 0 || !failure.pattern.test(request)) return false;
    if (failure.of === 'changes' && !(isChange && this.targetOf(url) !== undefined)) return false;
    failure.left--;
    if (failure.left === 0) this.failed = request;
    return failure.left === 0;
  }

  types(): readonly Type[] {
    if (this.#types?.at !== this.changes) this.#types = { at: this.changes, types: this.#read() };
    return this.#types.types;
  }

  #read(): Type[] {
    const custom = [...this.store.values()].flatMap(({ type, object }): Type[] => {
      if (type.kind !== 'CustomResourceDefinition') return [];
      const spec = map(object.spec);
      const names = map(spec.names);
      const versions = (spec.versions ?? [{ name: spec.version ?? '' }]) as JsonMap[];
      return versions.map((version) => ({
        group: String(spec.group),
        version: String(version.name),
        kind: String(names.kind),
        plural: String(names.plural),
        namespaced: spec.scope === 'Namespaced',
      }));
    });
    const all = [...this.#known, ...custom];
    return [...new Map(all.map((type) => [`${type.group}/${type.version}/${type.plural}`, type])).values()];
  }

  put(
    { type, namespace, name }: Pick<Target, 'type' | 'namespace' | 'name'>,
    object: JsonMap,
    applied = new Map<string, JsonMap>(),
  ): JsonMap {
    const key = keyOf(type, namespace, name);
    const old = this.store.get(key);
    const bare = (value: JsonMap): JsonMap => ({
      ...value,
      metadata: { ...map(value.metadata), resourceVersion: '', generation: 0 },
    });
    const before = old && bare(old.object);
    const metadata = {
      ...map(bare(object).metadata),
      name,
      ...(type.namespaced ? { namespace } : {}),
      uid: map(before?.metadata).uid ?? `uid-${this.changes}`,
      creationTimestamp: '2025-01-01T00:00:00Z',
    };
    const full = withStatus(type, { ...object, metadata });
    if (old !== undefined && before !== undefined && same(before, full)) {
      this.store.set(key, { ...old, applied });
      return old.object;
    }
    this.changes++;
    const stored = { ...full, metadata: { ...metadata, resourceVersion: String(this.changes), generation: 1 } };
    this.store.set(key, { type, object: stored, applied });
    this.#tell(old === undefined ? 'ADDED' : 'MODIFIED', { type, object: stored, applied });
    return stored;
  }

  #tell(event: Change['event'], stored: Stored): void {
    const change = { at: this.changes, event, stored };
    this.#past.push(change);
    for (const watcher of this.watchers) watcher(change);
  }

  /** Gives what happened after a version. */
  since(version: number): readonly Change[] {
    return this.#past.filter(({ at }) => at > version);
  }

  remove(key: string): void {
    const found = this.store.get(key);
    if (found === undefined) return;
    this.changes++;
    this.store.delete(key);
    this.#tell('DELETED', found);
    const name = String(map(found.object.metadata).name);
    for (const [other, stored] of [...this.store]) {
      const isInside = found.type.kind === 'Namespace' && map(stored.object.metadata).namespace === name;
      const isOfKind = found.type.kind === 'CustomResourceDefinition' && other.startsWith(`${name} `);
      if (!isInside && !isOfKind) continue;
      this.store.delete(other);
      this.#tell('DELETED', stored);
    }
  }

  answer(request: IncomingMessage, body: string, url: URL): Answer {
    if (this.meets(String(request.method), url)) return [500, status(500, 'InternalError', 'injected failure')];
    const discovery = discover(url.pathname, this.types());
    if (discovery !== undefined) return [200, discovery];
    if (url.pathname.endsWith('/selfsubjectaccessreviews'))
      return [201, { ...map(JSON.parse(body) as Json), status: { allowed: true } }];
    const target = this.targetOf(url);
    if (target === undefined) return [404, status(404, 'NotFound', 'the server could not find the requested resource')];
    const { type, namespace } = target;
    if (request.method === 'GET') return this.#get(target);
    const isDry = url.searchParams.get('dryRun') === 'All';
    if (request.method === 'DELETE') return this.#delete(target, isDry);
    if (type.namespaced && !this.store.has(`namespaces. /${namespace}`)) {
      return [404, status(404, 'NotFound', `namespaces "${namespace}" not found`)];
    }
    const sent = map(JSON.parse(body) as Json);
    if (request.method !== 'PATCH') return this.#create(target, sent, request.method === 'POST');
    if (request.headers['content-type'] === 'application/apply-patch+yaml') return this.#apply(target, sent, isDry);
    const old = this.store.get(target.key);
    if (old === undefined) return missing(target);
    const isStrategic = request.headers['content-type'] === 'application/strategic-merge-patch+json';
    const patched = isStrategic
      ? strategicPatched(old.object, sent, rulesOfKind(target.type.kind, 'patch'))
      : mergePatched(old.object, sent);
    return isDry ? [200, patched] : [200, this.put(target, patched, old.applied)];
  }

  /** Gives how what is applied to a type is merged. */
  #rulesOf({ group, version, kind, plural }: Type): Rules {
    const definition = this.store.get(`customresourcedefinitions.apiextensions.k8s.io /${plural}.${group}`);
    if (definition === undefined) return rulesOfKind(kind, 'apply');
    const spec = map(definition.object.spec);
    const versions = (spec.versions ?? []) as JsonMap[];
    const own = versions.find(({ name }) => name === version) ?? {};
    return rulesOfSchema(map(map(own.schema ?? spec.validation).openAPIV3Schema));
  }

  /** Gives what a request is about; undefined for what the server has not. */
  targetOf(url: URL): Target | undefined {
    const found =
      /^\/(?:api\/(v1)|apis\/([^/]+)\/([^/]+))(?:\/namespaces\/([^/]+)(?=\/))?\/([^/]+)(?:\/([^/]+))?(\/\w+)?$/.exec(
        url.pathname,
      );
    const [, , group = '', apiVersion = 'v1', namespace = '', plural = '', name = ''] = found ?? [];
    const type = this.types().find(
      (item) => item.group === group && item.version === apiVersion && item.plural === plural,
    );
    return type && { type, namespace, name, key: keyOf(type, namespace, name), url };
  }

  #get(target: Target): Answer {
    if (target.name === '') return [200, listOf(target, this)];
    const found = this.store.get(target.key);
    return found === undefined ? missing(target) : [200, defaulted(target.type, found.object)];
  }

  #delete(target: Target, isDry: boolean): Answer {
    const { type, namespace, name, url, key } = target;
    const keys =
      name === ''
        ? selected(type, namespace, url, this.store).map(([other]) => other)
        : this.store.has(key)
          ? [key]
          : [];
    if (keys.length === 0 && name !== '') return missing(target);
    if (!isDry) for (const other of keys) this.remove(other);
    return [200, status(200, '', '')];
  }

  #create(target: Target, sent: JsonMap, isNew: boolean): Answer {
    const metadata = map(sent.metadata);
    const name =
      target.name !== '' ? target.name : String(metadata.name ?? `${String(metadata.generateName)}${this.changes}`);
    if (isNew && this.store.has(keyOf(target.type, target.namespace, name))) {
      return [409, status(409, 'AlreadyExists', `${target.type.plural} "${name}" already exists`)];
    }
    return [isNew ? 201 : 200, this.put({ ...target, name }, sent)];
  }

  #apply(target: Target, sent: JsonMap, isDry: boolean): Answer {
    const old = this.store.get(target.key);
    const manager = String(target.url.searchParams.get('fieldManager'));
    const rules = this.#rulesOf(target.type);
    const others = [...(old?.applied ?? [])].filter(([other]) => other !== manager);
    const conflicts = others.flatMap(([other, fields]) => {
      const path = conflict(fields, sent, rules);
      return path === '' ? [] : [`"${other}": ${path}`];
    });
    if (conflicts.length > 0 && target.url.searchParams.get('force') !== 'true')
      return [409, status(409, 'Conflict', `Apply failed with 1 conflict: conflict with ${conflicts[0]}`)];
    const kept = [sent, ...others.map(([, fields]) => fields)];
    const live = withoutDropped(map(old?.object), map(old?.applied.get(manager)), kept, rules);
    const merged = map(applied(live, sent, rules));
    if (isDry) return [200, merged];
    return [old === undefined ? 201 : 200, this.put(target, merged, new Map(old?.applied).set(manager, sent))];
  }
}

const missing = ({ type, name }: Target): Answer => [
  404,
  status(404, 'NotFound', `${type.plural} "${name}" not found`),
];

/** Starts a server on a free port of this machine; `types` are what it knows beyond Kubernetes' own. */
export async function startApiServer(types: readonly Type[] = []): Promise<ApiServer> {
  const cluster = new Cluster(types);
  const type = builtIn.find(({ kind }) => kind === 'Namespace') as Type;
  for (const name of initialNamespaces) cluster.put({ type, namespace: '', name }, {});
  return serve(cluster, types);
}

async function serve(cluster: Cluster, types: readonly Type[]): Promise<ApiServer> {
  let meeting: Meeting | undefined;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const url = new URL(request.url ?? '/', 'http://localhost');
      // Lists are checked by the client: an empty schema knows nothing of them.
      if (url.pathname === '/openapi/v2') return void response.writeHead(200).end();
      if (/^(?:true|1)$/.test(url.searchParams.get('watch') ?? '')) return void watch(cluster, url, response);
      if (request.method !== 'GET') await meeting?.join(`${request.method} ${url.pathname}`);
      const [code, json] = cluster.answer(request, readBody(Buffer.concat(chunks)), url);
      response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(json));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    list: () => [...cluster.store.keys()].sort(),
    objects: () => new Map([...cluster.store].map(([key, { object }]) => [key, object])),
    changes: () => cluster.changes,
    calls: () => cluster.calls,
    failAt: (left, pattern = /^/, of = 'changes') => {
      cluster.failure = { left, pattern, of };
      cluster.failed = '';
    },
    hasFailed: () => cluster.failed,
    copy: () => {
      const other = new Cluster(types);
      other.take(cluster);
      return serve(other, types);
    },
    hold: (count, pattern) => {
      meeting = new Meeting(count, pattern);
      return meeting.ended;
    },
    close: () => {
      meeting?.end(false);
      server.closeAllConnections();
      server.close();
    },
  };
}

// Tells what happens to the objects that are asked for, after those that are there where these are wanted too.
function watch(cluster: Cluster, url: URL, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.flushHeaders();
  const target = cluster.targetOf(url);
  if (target === undefined) return;
  const { type, namespace } = target;
  const send = (event: string, object: JsonMap): void =>
    void response.write(`${JSON.stringify({ type: event, object: { ...object, ...identity(type) } })}\n`);
  const tell = ({ event, stored }: Change): void => {
    if (isSelected(stored, type, namespace, url)) send(event, defaulted(type, stored.object));
  };
  const version = Number(url.searchParams.get('resourceVersion') ?? 0);
  const wantsList = url.searchParams.get('sendInitialEvents') === 'true';
  if (wantsList || version === 0) {
    for (const [, { object }] of selected(type, namespace, url, cluster.store)) send('ADDED', defaulted(type, object));
  } else for (const change of cluster.since(version)) tell(change);
  if (wantsList) {
    const annotations = { 'k8s.io/initial-events-end': 'true' };
    send('BOOKMARK', { metadata: { resourceVersion: String(cluster.changes), annotations } });
  }
  cluster.watchers.add(tell);
  response.on('close', () => cluster.watchers.delete(tell));
}

const identity = ({ group, version, kind }: Type): JsonMap => ({
  apiVersion: group === '' ? version : `${group}/${version}`,
  kind,
});

const status = (code: number, reason: string, message: string): JsonMap => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: code < 400 ? 'Success' : 'Failure',
  message,
  reason,
  code,
});

function selected(type: Type, namespace: string, url: URL, store: ReadonlyMap<string, Stored>): [string, Stored][] {
  return [...store].filter(([, stored]) => isSelected(stored, type, namespace, url));
}

function isSelected({ type: other, object }: Stored, type: Type, namespace: string, url: URL): boolean {
  const labels = url.searchParams.get('labelSelector') ?? '';
  const name = /metadata\.name=([^,]+)/.exec(url.searchParams.get('fieldSelector') ?? '')?.[1];
  const metadata = map(object.metadata);
  if (other.plural !== type.plural || other.group !== type.group) return false;
  if (namespace !== '' && type.namespaced && metadata.namespace !== namespace) return false;
  return (name === undefined || metadata.name === name) && fits(map(metadata.labels), labels);
}

function listOf({ type, namespace, url }: Target, { store, changes }: Cluster): JsonMap {
  const stored = selected(type, namespace, url, store).map(([, { object }]) => defaulted(type, object));
  const made = type.plural === 'replicasets' ? replicaSets(namespace, url, store) : [];
  const items = [...stored, ...made].map((object) => ({ ...object, ...identity(type) }));
  const { apiVersion = '' } = identity(type);
  return { kind: `${type.kind}List`, apiVersion, metadata: { resourceVersion: String(changes) }, items };
}

// Helm takes a Deployment for ready when its ReplicaSet is: the controller of Deployments would have made one.
function replicaSets(namespace: string, url: URL, store: ReadonlyMap<string, Stored>): JsonMap[] {
  return [...store.values()].flatMap(({ type, object }): JsonMap[] => {
    const metadata = map(object.metadata);
    const { replicas = 1, selector = null, template = null } = map(object.spec);
    const labels = map(map(map(template).metadata).labels);
    const isListed = fits(labels, url.searchParams.get('labelSelector') ?? '');
    if (type.kind !== 'Deployment' || metadata.namespace !== namespace || !isListed) return [];
    const owner = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      name: metadata.name,
      uid: metadata.uid,
      controller: true,
    };
    return [
      {
        metadata: { name: `${String(metadata.name)}-1`, namespace, labels, ownerReferences: [owner as JsonMap] },
        spec: { replicas, selector, template },
        status: { replicas, readyReplicas: replicas, availableReplicas: replicas },
      },
    ];
  });
}

function fits(labels: JsonMap, selector: string): boolean {
  const parts = selector.split(/,(?![^(]*\))/).filter((part) => part !== '');
  return parts.every((part) => {
    const [, key = '', sign = '', value = ''] = /^([^=!\s]+)\s*(=|==|!=|in|notin)?\s*(.*)$/.exec(part) ?? [];
    const values = value.replace(/[()]/g, '').split(',');
    const isIn = values.includes(String(labels[key] ?? ''));
    return sign === '' ? key in labels : sign === '!=' || sign === 'notin' ? !isIn : isIn;
  });
}
