// Changes the fields of an object in a real cluster one at a time, to see which changes the API server refuses.

import { isDeepStrictEqual } from 'node:util';
import { wordList } from '../../test/support/dice.ts';
import type { Cluster } from './cluster.ts';

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonMap;

/** A JSON object. */
export interface JsonMap {
  readonly [name: string]: Json;
}

type Path = readonly (string | number)[];

/** An object to probe. */
export interface Subject {
  /** The members of the object that its results depend on, by path. */
  readonly when?: JsonMap;
  readonly object: JsonMap;
  /** Set before the changes. */
  readonly status?: JsonMap;
}

/** The change of a field: added, removed or modified, or a quantity increased or decreased. */
export type Operation = '+' | '-' | '~' | '>' | '<';

/** How the API server reacts to a change that would be valid in a new object. `ignored`: it keeps the old value. */
export type Verdict = 'refused' | 'accepted' | 'ignored';

/** A change of a field and its result. */
export interface Attempt {
  readonly path: Path;
  readonly operation: Operation;
  readonly verdict: Verdict;
}

interface Mutation {
  readonly path: Path;
  readonly operation: Operation;
  /** Undefined removes the member. */
  readonly value: Json | undefined;
}

// This many changes of one field show whether the value matters.
const enough = 3;

/** Creates an object and tries changes of each of its fields that a new object may have. */
export async function probe(cluster: Cluster, { object, status }: Subject): Promise<Attempt[]> {
  const collection = await collectionOf(cluster, object);
  const name = String((object.metadata as JsonMap).name);
  const url = `${collection}/${name}`;
  const valid = await validMutations(cluster, object, collection);
  const created = await cluster.call('POST', collection, object);
  if (created.status !== 201) throw new Error(`${String(object.kind)} ${name}: ${JSON.stringify(created.body)}`);
  if (status !== undefined) {
    const { body } = await cluster.call('GET', url);
    const updated = await cluster.call('PUT', `${url}/status`, { ...(body as JsonMap), status });
    if (updated.status !== 200) throw new Error(`the status of ${name}: ${JSON.stringify(updated.body)}`);
  }
  if (object.kind === 'CustomResourceDefinition') await waitForEstablished(cluster, url);
  const attempts: Attempt[] = [];
  for (const mutation of valid) {
    const verdict = await tryUpdate(cluster, url, mutation);
    if (verdict !== undefined) attempts.push({ path: mutation.path, operation: mutation.operation, verdict });
  }
  return attempts;
}

// The scope of a definition becomes immutable a moment after creation.
async function waitForEstablished(cluster: Cluster, url: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const { status } = (await cluster.call('GET', url)).body as {
      readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
    };
    if (status?.conditions?.some((one) => one.type === 'Established' && one.status === 'True')) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${url} is not established after 10 s`);
}

// Undefined for an invalid change, because the server restores the previous value.
async function tryUpdate(cluster: Cluster, url: string, mutation: ValidMutation): Promise<Verdict | undefined> {
  const { path, value, result } = mutation;
  for (let tries = 1; ; tries++) {
    const live = (await cluster.call('GET', url)).body as JsonMap;
    const before = memberAt(live, path);
    if (isDeepStrictEqual(memberAt(result, path), before)) return undefined;
    const { status, body } = await cluster.call('PUT', `${url}?dryRun=All`, withMember(live, path, value));
    if (status === 200) return isDeepStrictEqual(memberAt(body as JsonMap, path), before) ? 'ignored' : 'accepted';
    if (status === 422 || status === 403) return 'refused';
    // The server itself modified the object in between.
    if (status !== 409 || tries === 10) throw new Error(`${url} ${path.join('.')}: ${JSON.stringify(body)}`);
  }
}

interface ValidMutation extends Mutation {
  /** The new object as the server would store it. */
  readonly result: JsonMap;
}

// Determined before the object exists, because otherwise resources that it holds, such as node ports, are taken.
async function validMutations(cluster: Cluster, object: JsonMap, collection: string): Promise<ValidMutation[]> {
  const counts = new Map<string, number>();
  const valid: ValidMutation[] = [];
  const plain = (await cluster.call('POST', `${collection}?dryRun=All`, object)).body as JsonMap;
  for (const mutation of mutations(object, await schemaOf(cluster, object), [])) {
    const { path, operation, value } = mutation;
    const key = `${operation}${path.join('.')}`;
    const count = counts.get(key) ?? 0;
    if (count >= enough) continue;
    const { status, body } = await cluster.call('POST', `${collection}?dryRun=All`, withMember(object, path, value));
    // A field of a disabled feature is dropped.
    if (status !== 201 || isDeepStrictEqual(memberAt(body as JsonMap, path), memberAt(plain, path))) continue;
    counts.set(key, count + 1);
    valid.push({ ...mutation, result: body as JsonMap });
  }
  return valid;
}

async function collectionOf(cluster: Cluster, { apiVersion, kind }: JsonMap): Promise<string> {
  const base = String(apiVersion).includes('/') ? `/apis/${String(apiVersion)}` : `/api/${String(apiVersion)}`;
  const { body } = await cluster.call('GET', base);
  const { resources } = body as { readonly resources: readonly { name: string; kind: string; namespaced: boolean }[] };
  const found = resources.find((resource) => resource.kind === kind && !resource.name.includes('/'));
  if (found === undefined) throw new Error(`the API server has no ${String(apiVersion)} ${String(kind)}`);
  return `${base}${found.namespaced ? '/namespaces/default' : ''}/${found.name}`;
}

// ---- Schemas

interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly $ref?: string;
}

const documents = new Map<string, Promise<Readonly<Record<string, Schema>>>>();
let schemas: Readonly<Record<string, Schema>> = {};

async function schemaOf(cluster: Cluster, { apiVersion, kind }: JsonMap): Promise<Schema> {
  const [version = '', group = ''] = String(apiVersion).split('/').reverse();
  const path = group === '' ? `/openapi/v3/api/${version}` : `/openapi/v3/apis/${group}/${version}`;
  const known =
    documents.get(path) ??
    cluster.call('GET', path).then(({ body }) => {
      return (body as { readonly components: { readonly schemas: Readonly<Record<string, Schema>> } }).components
        .schemas;
    });
  documents.set(path, known);
  schemas = await known;
  const found = Object.values(schemas).find((schema) => {
    const kinds = (schema as { readonly 'x-kubernetes-group-version-kind'?: readonly JsonMap[] })[
      'x-kubernetes-group-version-kind'
    ];
    return kinds?.length === 1 && kinds[0]?.kind === kind && kinds[0]?.version === version;
  });
  if (found === undefined) throw new Error(`${path} has no schema of ${String(kind)}`);
  return found;
}

function resolve(schema: Schema | undefined): Schema {
  const reference = schema?.$ref ?? schema?.allOf?.[0]?.$ref;
  return reference === undefined ? (schema ?? {}) : (schemas[reference.split('/').at(-1)!] ?? {});
}

// ---- Changes

const rootMembers: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status']);
const quantity = /^\d+(?:[KMGT]i?|m)?$/;

/** Every change of the members below a value, outermost first. */
function* mutations(value: Json, given: Schema | undefined, path: Path): Generator<Mutation> {
  const schema = resolve(given);
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) yield* memberMutations(item as Json, schema.items, [...path, at]);
    for (const added of additions(value.at(-1), schema.items))
      yield { path: [...path, value.length], operation: '+', value: added };
  } else if (typeof value === 'object' && value !== null) {
    const map = value as JsonMap;
    for (const [name, item] of Object.entries(map)) {
      if (path.length === 0 && rootMembers.has(name)) continue;
      yield* memberMutations(item, schema.properties?.[name] ?? schema.additionalProperties, [...path, name]);
    }
    const free = schema.additionalProperties === undefined ? [] : ['more'];
    for (const name of [...Object.keys(schema.properties ?? {}), ...free]) {
      if (Object.hasOwn(map, name) || (path.length === 0 && rootMembers.has(name))) continue;
      const own = schema.properties?.[name] ?? schema.additionalProperties;
      for (const added of examples(name, own)) yield { path: [...path, name], operation: '+', value: added };
    }
  }
}

function* memberMutations(value: Json, schema: Schema | undefined, path: Path): Generator<Mutation> {
  yield { path, operation: '-', value: undefined };
  if (typeof value === 'object' && value !== null) yield* mutations(value, schema, path);
  else for (const [operation, other] of others(value, resolve(schema))) yield { path, operation, value: other };
}

function others(value: Json, schema: Schema): (readonly [Operation, Json])[] {
  if (typeof value === 'boolean') return [['~', !value]];
  if (typeof value === 'number') {
    const less = value > 0 ? ([['<', value - 1]] as const) : [];
    return [['>', value + 1], ...less];
  }
  const text = String(value);
  if (quantity.test(text)) {
    const [, digits = '', suffix = ''] = /^(\d+)(.*)$/.exec(text) ?? [];
    return [
      ['>', `${Number(digits) * 2}${suffix}`],
      ['<', `${Number(digits) / 2}${suffix}`],
    ];
  }
  const known = [...(schema.enum ?? []), ...strings.filter((one) => one !== text)];
  return known.filter((one) => one !== text).map((one) => ['~', one] as const);
}

// All candidates are tried; the server decides which of them a new object may have.
const strings: readonly string[] = [
  ...wordList`
    a other other.example.com example.com/other /other other:2 10.0.8.8 10.78.0.0/16 https://b.example.com Retain
    Delete Recycle Parallel OnDelete Recreate RollingUpdate Indexed NonIndexed Forbid Local Cluster ClientIP None
    UDP NodePort LoadBalancer ClusterIP ExternalName Immediate WaitForFirstConsumer Block ReadWriteMany IPv6 FQDN
    ClusterRole Role User Never OnFailure Always PreemptLowerPriority Exempt Limited Fail Ignore NotIn NoExecute
    Equal Ephemeral Any Default IfNotPresent kubernetes.io/tls kubernetes.io/opaque
  `,
  '2 2 2 2 2',
  ...wordList`
    Europe/Berlin true YmI= 1 1Gi SingleStack PreferDualStack ReadWriteOnceWithFSType FailIndex TerminatingOrFailed
    Warn IfHealthyBudget
  `,
];

function additions(item: Json | undefined, schema: Schema | undefined): Json[] {
  if (typeof item === 'string') return [`other-${item}`, `other.${item}`, ...strings];
  if (typeof item !== 'object' || item === null) return examples('', schema);
  const map = item as JsonMap;
  return ['other', 'other.example.com']
    .flatMap((name) => [
      { ...map, name, ...(Object.hasOwn(map, 'port') && { port: 81 }) },
      { ...map, key: name },
      { ...map, metadata: { name } },
    ])
    .concat([map as never]);
}

// Values of a member that the object does not set.
function examples(name: string, given: Schema | undefined): Json[] {
  const schema = resolve(given);
  const own = Object.hasOwn(named, name) ? named[name]! : [];
  if (schema.type === 'boolean') return [true, false];
  if (schema.type === 'integer' || schema.type === 'number') return [1, 2, 30503];
  if (schema.type === 'array')
    return [
      ...own,
      ...examples('', schema.items)
        .slice(0, 40)
        .map((item) => [item]),
    ];
  if (schema.type === 'object' || schema.properties !== undefined) return [...own, {}, { a: 'b' }, { a: '1' }];
  return [...own, ...(schema.enum ?? []), ...strings];
}

// Members of several parts.
const named: Readonly<Record<string, readonly Json[]>> = {
  selector: [{ matchLabels: { a: 'b' } }],
  volumeClaimTemplates: [
    [
      {
        metadata: { name: 'b' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    ],
  ],
  successPolicy: [{ rules: [{ succeededCount: 1 }] }],
  dataSource: [{ kind: 'PersistentVolumeClaim', name: 'b' }],
  aggregationRule: [{ clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] }],
  tolerations: [[{ key: 'b', operator: 'Exists' }]],
  schedulingGates: [[{ name: 'example.com/a' }]],
  claimRef: [{ namespace: 'default', name: 'a' }],
  nodeAffinity: [
    { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }] } },
  ],
  sessionAffinityConfig: [{ clientIP: { timeoutSeconds: 60 } }],
  scopeSelector: [{ matchExpressions: [{ scopeName: 'Terminating', operator: 'Exists' }] }],
  conversion: [{ strategy: 'None' }],
};

function memberAt(value: Json | undefined, path: Path): Json | undefined {
  return path.reduce<Json | undefined>((at, step) => (at as Record<string | number, Json> | undefined)?.[step], value);
}

function withMember(value: JsonMap, path: Path, member: Json | undefined): JsonMap {
  const copy = structuredClone(value) as Record<string, Json>;
  const [last, ...rest] = [...path].reverse();
  let holder = copy as Record<string | number, Json> | Json[];
  for (const step of rest.reverse()) {
    const next = (holder as Record<string | number, Json>)[step];
    if (typeof next !== 'object' || next === null) return copy;
    holder = next as Record<string | number, Json>;
  }
  if (member !== undefined) (holder as Record<string | number, Json>)[last!] = member;
  else if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else delete (holder as Record<string | number, Json>)[last!];
  return copy;
}
