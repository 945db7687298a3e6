// The cluster behind the API server of the proofs: what it stores, and what it answers to each request.

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
  withoutTaken,
} from './api-lists.ts';

/** What a request asks, its body read. */
export interface Ask {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly accept: string;
  readonly contentType: string;
  readonly body: string;
}

/** What a request is answered with; of a watch, what is told at once. */
export interface Told {
  readonly code: number;
  readonly contentType: string;
  readonly text: string;
}

/** An object that is kept. */
export interface Stored {
  readonly type: Type;
  readonly object: JsonMap;
  /** What each field manager applied last. */
  readonly applied: Map<string, JsonMap>;
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

/** The types of every cluster. */
export const builtIn = core.flatMap(([group, version, kinds, namespaced]) =>
  kinds.split(' ').map((kind): Type => ({ group, version, kind, plural: pluralOf(kind), namespaced })),
);

const keyOf = (type: Type, namespace: string, name: string): string =>
  `${type.plural}.${type.group} ${type.namespaced ? namespace : ''}/${name}`;

/** How a request fails: with a code, 0 where the connection breaks; only once unless it lasts. */
export interface Fault {
  readonly code: 0 | 403 | 409 | 429 | 500;
  readonly isLasting?: boolean;
}

/** A request that is to fail: so many more of these have to come. */
interface Failure {
  left: number;
  readonly pattern: RegExp;
  readonly of: 'changes' | 'calls';
  readonly fault: Fault;
}

const reasons = { 403: 'Forbidden', 409: 'Conflict', 429: 'TooManyRequests', 500: 'InternalError' } as const;

/** What happened to an object. */
export interface Change {
  readonly at: number;
  readonly event: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly stored: Stored;
}

/** What a cluster is at a moment. */
export interface Moment {
  readonly store: ReadonlyMap<string, Stored>;
  readonly past: number;
  readonly changes: number;
  readonly calls: number;
  readonly failure: Failure | undefined;
  readonly failed: string;
}

/** What is stored, and what requests do to it. */
export class Cluster {
  readonly store = new Map<string, Stored>();
  readonly watchers = new Set<(change: Change) => void>();
  readonly #past: Change[] = [];
  /** Hears every request with its answer. */
  hear: ((ask: Ask, told: Told) => void) | undefined;
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
    for (const [key, stored] of store) this.store.set(key, stored);
    this.changes = changes;
  }

  /** Gives what it is now, to come back to. */
  moment(): Moment {
    const { store, changes, calls, failure, failed } = this;
    return {
      store: new Map(store),
      past: this.#past.length,
      changes,
      calls,
      failure: failure && { ...failure },
      failed,
    };
  }

  /** Makes it what it was. */
  backTo({ store, past, changes, calls, failure, failed }: Moment): void {
    this.store.clear();
    for (const [key, stored] of store) this.store.set(key, stored);
    this.#past.length = past;
    this.#types = undefined;
    Object.assign(this, { changes, calls, failure: failure && { ...failure }, failed });
  }

  /** Answers a request; does what it asks. */
  tell(ask: Ask): Told {
    const answer = this.#told(ask);
    this.hear?.(ask, answer);
    return answer;
  }

  #told(ask: Ask): Told {
    const url = new URL(ask.path, 'http://localhost');
    // Lists are checked by the client: an empty schema knows nothing of them.
    if (url.pathname === '/openapi/v2') return { code: 200, contentType: '', text: '' };
    if (isWatch(url)) return { code: 200, contentType: 'application/json', text: firstEvents(this, url) };
    const fault = this.meets(ask.method, url);
    if (fault?.code === 0) return { code: 0, contentType: '', text: '' };
    if (fault !== undefined) return told([fault.code, status(fault.code, reasons[fault.code], 'injected failure')]);
    const discovery = discover(url.pathname, this.types(), ask.accept);
    if (discovery !== undefined) return { code: 200, ...discovery };
    return told(this.#answer(ask, url));
  }

  /** Gives how a request fails if it is the one that is to fail. */
  meets(method: string, url: URL): Fault | undefined {
    this.calls++;
    const request = `${method} ${url.pathname}`;
    const isChange =
      method !== 'GET' && url.searchParams.get('dryRun') !== 'All' && !/\/selfsubjectaccessreviews$/.test(request);
    const { failure } = this;
    if (failure === undefined || failure.left === 0 || !failure.pattern.test(request)) return undefined;
    if (failure.of === 'changes' && !(isChange && this.targetOf(url) !== undefined)) return undefined;
    failure.left--;
    if (failure.left !== 0) return undefined;
    this.failed = request;
    if (failure.fault.isLasting === true) failure.left = 1;
    return failure.fault;
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

  #answer({ method, contentType, body }: Ask, url: URL): Answer {
    if (url.pathname.endsWith('/selfsubjectaccessreviews'))
      return [201, { ...map(JSON.parse(body) as Json), status: { allowed: true } }];
    const target = this.targetOf(url);
    if (target === undefined) return [404, status(404, 'NotFound', 'the server could not find the requested resource')];
    const { type, namespace } = target;
    if (method === 'GET') return this.#get(target);
    const isDry = url.searchParams.get('dryRun') === 'All';
    if (method === 'DELETE') return this.#delete(target, isDry);
    if (type.namespaced && !this.store.has(`namespaces. /${namespace}`)) {
      return [404, status(404, 'NotFound', `namespaces "${namespace}" not found`)];
    }
    const sent = map(JSON.parse(body) as Json);
    if (method !== 'PATCH') return this.#create(target, sent, method === 'POST');
    if (contentType === 'application/apply-patch+yaml') return this.#apply(target, sent, isDry);
    const old = this.store.get(target.key);
    if (old === undefined) return missing(target);
    const isStrategic = contentType === 'application/strategic-merge-patch+json';
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
    // What is applied by force is no longer another's.
    const left = others.map(([other, fields]): [string, JsonMap] => [other, map(withoutTaken(fields, sent, rules))]);
    const kept = [sent, ...left.map(([, fields]) => fields)];
    const live = withoutDropped(map(old?.object), map(old?.applied.get(manager)), kept, rules);
    const merged = map(applied(live, sent, rules));
    const told = (object: JsonMap): JsonMap => defaulted(target.type, object);
    if (isDry) return [200, told(merged)];
    return [old === undefined ? 201 : 200, told(this.put(target, merged, new Map(left).set(manager, sent)))];
  }
}

const told = ([code, body]: Answer): Told => ({ code, contentType: 'application/json', text: JSON.stringify(body) });

/** Tells whether a request stays open and is told what happens. */
export const isWatch = (url: URL): boolean => /^(?:true|1)$/.test(url.searchParams.get('watch') ?? '');

/** Gives a line of a watch about an object. */
export const eventLine = (event: string, type: Type, object: JsonMap): string =>
  `${JSON.stringify({ type: event, object: { ...object, ...identity(type) } })}\n`;

// What a watch tells at once: the objects that are there where these are wanted, else what happened since.
function firstEvents(cluster: Cluster, url: URL): string {
  const target = cluster.targetOf(url);
  if (target === undefined) return '';
  const { type, namespace } = target;
  const version = Number(url.searchParams.get('resourceVersion') ?? 0);
  const wantsList = url.searchParams.get('sendInitialEvents') === 'true';
  const lines =
    wantsList || version === 0
      ? selected(type, namespace, url, cluster.store).map(([, { object }]) =>
          eventLine('ADDED', type, defaulted(type, object)),
        )
      : cluster
          .since(version)
          .filter(({ stored }) => isSelected(stored, type, namespace, url))
          .map(({ event, stored }) => eventLine(event, type, defaulted(type, stored.object)));
  if (!wantsList) return lines.join('');
  const annotations = { 'k8s.io/initial-events-end': 'true' };
  const mark = { metadata: { resourceVersion: String(cluster.changes), annotations } };
  return [...lines, eventLine('BOOKMARK', type, mark)].join('');
}

const missing = ({ type, name }: Target): Answer => [
  404,
  status(404, 'NotFound', `${type.plural} "${name}" not found`),
];
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

/** Tells whether a request for objects of a type means one. */
export function isSelected({ type: other, object }: Stored, type: Type, namespace: string, url: URL): boolean {
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
