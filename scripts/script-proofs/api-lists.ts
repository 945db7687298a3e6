// How a server merges what is sent into what it has: which lists are merged item by item and by which members, which maps are of
// one piece. For Kubernetes' own kinds as its OpenAPI document says (`x-kubernetes-list-map-keys`, `x-kubernetes-patch-merge-key`),
// for others as their definition does.

import { type Json, type JsonMap, mapOf as map } from './api-discovery.ts';

/** How a field is merged: its items by members, its items as a set, or all of it at once; otherwise member by member. */
export type Merging = { readonly keys: readonly string[] } | 'set' | 'atomic' | 'granular';

/** Gives how the field at a path is merged; the items of a list stand in a path as `[]`. */
export type Rules = (path: string) => Merging;

type KeyedList = readonly [list: string, keys: readonly string[], patchKey?: string];

// Below the specification of a pod; what has one member in a strategic merge patch names it after those of server-side apply.
const ofPods: readonly KeyedList[] = [
  [
    '(?:containers|initContainers|ephemeralContainers|volumes|imagePullSecrets|schedulingGates|resourceClaims)',
    ['name'],
  ],
  ['hostAliases', ['ip']],
  ['topologySpreadConstraints', ['topologyKey', 'whenUnsatisfiable'], 'topologyKey'],
  ['\\w*[cC]ontainers\\.\\[\\]\\.(?:env|resources\\.claims)', ['name']],
  ['\\w*[cC]ontainers\\.\\[\\]\\.ports', ['containerPort', 'protocol'], 'containerPort'],
  ['\\w*[cC]ontainers\\.\\[\\]\\.volumeMounts', ['mountPath']],
  ['\\w*[cC]ontainers\\.\\[\\]\\.volumeDevices', ['devicePath']],
];

const ofKinds: Readonly<Record<string, readonly KeyedList[]>> = {
  Service: [['spec\\.ports', ['port', 'protocol'], 'port']],
  ServiceAccount: [['secrets', ['name']]],
  MutatingWebhookConfiguration: [['webhooks(?:\\.\\[\\]\\.matchConditions)?', ['name']]],
  ValidatingWebhookConfiguration: [['webhooks(?:\\.\\[\\]\\.matchConditions)?', ['name']]],
  ValidatingAdmissionPolicy: [['spec\\.(?:matchConditions|variables)', ['name']]],
};

const placesOfPods: Readonly<Record<string, string>> = {
  Pod: 'spec',
  CronJob: 'spec\\.jobTemplate\\.spec\\.template\\.spec',
  PodTemplate: 'template\\.spec',
  ...Object.fromEntries(
    ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'ReplicationController', 'Job'].map((kind) => [
      kind,
      'spec\\.template\\.spec',
    ]),
  ),
};

const ofAll: readonly KeyedList[] = [
  ['metadata\\.ownerReferences', ['uid']],
  ['status\\.conditions', ['type']],
];

function keyedLists(
  kind: string,
): { readonly path: RegExp; readonly keys: readonly string[]; readonly patchKey?: string | undefined }[] {
  const place = placesOfPods[kind];
  const own: readonly KeyedList[] = [
    ...ofAll,
    ...(ofKinds[kind] ?? []),
    ...(place === undefined ? [] : ofPods.map(([list, ...rest]): KeyedList => [`${place}\\.${list}`, ...rest])),
  ];
  return own.map(([list, keys, patchKey]) => ({ path: new RegExp(`^${list}$`), keys, patchKey }));
}

const atomicMaps =
  /(?:^|\.)(?:selector|podSelector|namespaceSelector|objectSelector|labelSelector|nodeSelector|secretKeyRef|configMapKeyRef|fieldRef|resourceFieldRef|roleRef|scopeSelector)$/;

/** Gives the rules of one of Kubernetes' own kinds: those of server-side apply, or of a strategic merge patch. */
export function rulesOfKind(kind: string, of: 'apply' | 'patch'): Rules {
  const lists = keyedLists(kind);
  return (path) => {
    if (path === 'metadata.finalizers') return 'set';
    const found = lists.find((list) => list.path.test(path));
    if (found !== undefined)
      return { keys: of === 'patch' && found.patchKey !== undefined ? [found.patchKey] : found.keys };
    return of === 'apply' && atomicMaps.test(path) ? 'atomic' : 'granular';
  };
}

/** Gives the rules of a kind that a definition brings, from its schema. */
export function rulesOfSchema(schema: JsonMap): Rules {
  return (path) => {
    if (path === 'metadata.finalizers') return 'set';
    if (path === 'metadata.ownerReferences') return { keys: ['uid'] };
    const at = path.split('.').reduce<JsonMap>((inner, step) => {
      if (step === '[]') return map(inner.items);
      return step in map(inner.properties) ? map(map(inner.properties)[step]) : map(inner.additionalProperties);
    }, schema);
    if (at['x-kubernetes-list-type'] === 'map') return { keys: at['x-kubernetes-list-map-keys'] as string[] };
    if (at['x-kubernetes-list-type'] === 'set') return 'set';
    return at['x-kubernetes-map-type'] === 'atomic' ? 'atomic' : 'granular';
  };
}

const isMap = (value: Json | undefined): value is JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const below = (path: string, step: string): string => (path === '' ? step : `${path}.${step}`);

// Members that have a value without being written.
const unwritten: JsonMap = { protocol: 'TCP' };

function keyOf(item: Json, keys: readonly string[]): string {
  return JSON.stringify(keys.map((key) => map(item)[key] ?? unwritten[key] ?? null));
}

/** Two lists whose items are told apart by members. */
function byKey(items: Json, keys: readonly string[]): Map<string, Json> {
  return new Map((items as Json[]).map((item) => [keyOf(item, keys), item]));
}

const merged = (rules: Rules, path: string, a: Json | undefined, b: Json | undefined): Merging | 'replaced' => {
  const rule = rules(path);
  if (Array.isArray(a) && Array.isArray(b)) return rule === 'granular' || rule === 'atomic' ? 'replaced' : rule;
  return isMap(a) && isMap(b) && rule !== 'atomic' ? 'granular' : 'replaced';
};

/** Gives what there is with what is applied over it. */
export function applied(live: Json | undefined, sent: Json, rules: Rules, path = ''): Json {
  const how = merged(rules, path, live, sent);
  if (how === 'replaced' || live === undefined) return sent;
  if (how === 'set')
    return [...(sent as Json[]), ...(live as Json[]).filter((item) => !(sent as Json[]).includes(item))];
  if (how === 'granular') {
    const result: JsonMap = { ...map(live) };
    for (const [key, value] of Object.entries(map(sent)))
      result[key] = applied(map(live)[key], value, rules, below(path, key));
    return result;
  }
  if (typeof how === 'string') return sent;
  const [old, next] = [byKey(live, how.keys), byKey(sent, how.keys)];
  const items = [...next].map(([key, item]) => applied(old.get(key), item, rules, below(path, '[]')));
  return [...items, ...[...old].filter(([key]) => !next.has(key)).map(([, item]) => item)];
}

/** Gives what there is without what a manager applied before and neither it applies now nor another one has. */
export function withoutDropped(live: Json, before: Json, kept: readonly Json[], rules: Rules, path = ''): Json {
  const how = merged(rules, path, live, before);
  if (how === 'replaced') return live;
  if (how === 'set') {
    const stays = kept.flatMap((other) => (Array.isArray(other) ? other : []));
    return (live as Json[]).filter((item) => !(before as Json[]).includes(item) || stays.includes(item));
  }
  if (how === 'granular') {
    const result: JsonMap = { ...map(live) };
    for (const [key, value] of Object.entries(map(before))) {
      if (!(key in result)) continue;
      const others = kept.flatMap((other) => (key in map(other) ? [map(other)[key] as Json] : []));
      if (others.length === 0) delete result[key];
      else result[key] = withoutDropped(result[key] as Json, value, others, rules, below(path, key));
    }
    return result;
  }
  if (typeof how === 'string') return live;
  const { keys } = how;
  const old = byKey(before, keys);
  return (live as Json[]).flatMap((item) => {
    const key = keyOf(item, keys);
    const own = old.get(key);
    if (own === undefined) return [item];
    const others = kept.flatMap((other) => (Array.isArray(other) ? (byKey(other, keys).get(key) ?? []) : []));
    return others.length === 0 ? [] : [withoutDropped(item, own, others as Json[], rules, below(path, '[]'))];
  });
}

/** Gives the first field that another manager applied with another value; empty for none. */
export function conflict(other: Json, sent: Json, rules: Rules, path = ''): string {
  const how = merged(rules, path, other, sent);
  if (how === 'set') return '';
  if (how === 'replaced') return same(other, sent) ? '' : `.${path}`;
  if (how === 'granular')
    return first(Object.entries(map(other)), ([key, value]) =>
      key in map(sent) ? conflict(value, map(sent)[key] as Json, rules, below(path, key)) : '',
    );
  if (typeof how === 'string') return '';
  const { keys } = how;
  const next = byKey(sent, keys);
  return first([...byKey(other, keys)], ([key, item]) => {
    const found = next.get(key);
    return found === undefined ? '' : conflict(item, found, rules, below(path, `[]`));
  });
}

/** Gives what another manager applied without the fields that are taken from it, as they are applied with another value by force. */
export function withoutTaken(other: Json, sent: Json, rules: Rules, path = ''): Json | undefined {
  const how = merged(rules, path, other, sent);
  if (how === 'replaced') return same(other, sent) ? other : undefined;
  if (how === 'set') return other;
  if (how === 'granular') {
    const left = Object.entries(map(other)).map(([key, value]): [string, Json | undefined] => [
      key,
      key in map(sent) ? withoutTaken(value, map(sent)[key] as Json, rules, below(path, key)) : value,
    ]);
    return Object.fromEntries(left.filter((entry): entry is [string, Json] => entry[1] !== undefined));
  }
  if (typeof how === 'string') return other;
  const next = byKey(sent, how.keys);
  return [...byKey(other, how.keys)].flatMap(([key, item]) => {
    const found = next.get(key);
    return found === undefined ? [item] : (withoutTaken(item, found, rules, below(path, '[]')) ?? []);
  });
}

const first = <T>(items: readonly T[], tell: (item: T) => string): string => {
  for (const item of items) {
    const found = tell(item);
    if (found !== '') return found;
  }
  return '';
};

/** Gives what there is as a merge patch changes it: a null removes, a list takes the place of a list. */
export function mergePatched(live: JsonMap, patch: JsonMap): JsonMap {
  const result: JsonMap = { ...live };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = isMap(value) ? mergePatched(map(result[key]), value) : value;
  }
  return result;
}

/** Gives what there is as a strategic merge patch changes it. Mirrors: apimachinery, pkg/util/strategicpatch, v0.32. */
export function strategicPatched(live: JsonMap, patch: JsonMap, rules: Rules, path = ''): JsonMap {
  if (patch.$patch === 'replace') return plain(patch);
  if (patch.$patch === 'delete') return {};
  const result: JsonMap = { ...live };
  const retained = patch.$retainKeys;
  if (Array.isArray(retained)) for (const key of Object.keys(result)) if (!retained.includes(key)) delete result[key];
  for (const [key, value] of Object.entries(patch)) {
    const [, directive, list = ''] = /^\$(deleteFromPrimitiveList|setElementOrder)\/(.*)$/.exec(key) ?? [];
    if (directive === 'deleteFromPrimitiveList')
      result[list] = ((result[list] ?? []) as Json[]).filter((item) => !(value as Json[]).includes(item));
    if (key.startsWith('$')) continue;
    const place = below(path, key);
    if (value === null) delete result[key];
    else if (isMap(value)) result[key] = strategicPatched(map(result[key]), value, rules, place);
    else if (Array.isArray(value)) result[key] = patchedList(result[key], value, rules, place);
    else result[key] = value;
  }
  for (const [key, order] of Object.entries(patch)) {
    const list = /^\$setElementOrder\/(.*)$/.exec(key)?.[1];
    if (list !== undefined && Array.isArray(result[list]))
      result[list] = ordered(result[list], order as Json[], rules(below(path, list)));
  }
  return result;
}

function patchedList(live: Json | undefined, patch: Json[], rules: Rules, path: string): Json {
  const how = rules(path);
  const old = Array.isArray(live) ? live : [];
  if (how === 'set') return [...old, ...patch.filter((item) => !old.includes(item))];
  if (
    typeof how === 'string' ||
    patch.some((item) => map(item).$patch === 'replace' && Object.keys(map(item)).length === 1)
  )
    return patch.filter((item) => map(item).$patch !== 'replace');
  const items = byKey(old, how.keys);
  for (const item of patch) {
    const key = keyOf(item, how.keys);
    if (map(item).$patch === 'delete') items.delete(key);
    else items.set(key, strategicPatched(map(items.get(key)), map(item), rules, below(path, '[]')));
  }
  return [...items.values()];
}

// Those that the order names stand as it says; what it does not name keeps its place after them.
function ordered(items: Json[], order: readonly Json[], how: Merging): Json[] {
  const key = (item: Json): string =>
    typeof how === 'object' && isMap(item) ? keyOf(item, how.keys) : JSON.stringify(item);
  const places = order.map(key);
  const place = (item: Json): number => (places.includes(key(item)) ? places.indexOf(key(item)) : places.length);
  return [...items].sort((a, b) => place(a) - place(b));
}

function plain(patch: JsonMap): JsonMap {
  return Object.fromEntries(Object.entries(patch).filter(([key]) => !key.startsWith('$')));
}

/** Tells whether two values hold the same, whatever the order of members. */
export const same = (a: Json, b: Json): boolean => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

const sorted = (value: Json): Json =>
  Array.isArray(value)
    ? value.map(sorted)
    : isMap(value)
      ? Object.fromEntries(
          Object.keys(value)
            .sort()
            .map((key) => [key, sorted(value[key] as Json)]),
        )
      : value;
