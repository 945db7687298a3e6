// Matches the items of two lists: by Kubernetes' merge keys, else by the shortest edit.
// Mirrors: Kubernetes' OpenAPI document, `x-kubernetes-list-type` and `x-kubernetes-list-map-keys`.

import { lazy } from '../core/lazy.ts';
import type { GoValue } from '../go/value.ts';
import { alignItems } from './alignment.ts';
import type { ItemKey } from './steps.ts';
import { areMaps, canonical, formatScalar, isScalar, leavesOf, similarity } from './value.ts';

/** How the items of a list are matched. */
export interface ListKind {
  /** `map` by members, `set` by content; `atomic` has no keys, so the shortest edit is used. */
  readonly type: 'map' | 'set' | 'atomic';
  /** The members that identify a `map`'s items. */
  readonly keys: readonly string[];
  /** Whether the order of the items is significant. */
  readonly isOrdered: boolean;
}

/** A matched pair of items, or an item on only one side: indexes of the lists. */
export interface ItemPair {
  readonly before?: number;
  readonly after?: number;
  /** The keys of the item; empty if it is identified by its index. */
  readonly key?: ItemKey;
}

/** The matched items of two lists. */
export interface PairedItems {
  readonly pairs: readonly ItemPair[];
  /** Whether common items are in another order, and the order is significant. */
  readonly isReordered: boolean;
}

const byName: ListKind = { type: 'map', keys: ['name'], isOrdered: false };
const set: ListKind = { type: 'set', keys: [], isOrdered: false };
const by = (...keys: string[]): ListKind => ({ type: 'map', keys, isOrdered: false });

// By the name of the list, which has one meaning in Kubernetes types, except for `ports`. Init containers run in order. Lists that the
// document calls atomic although their order is insignificant are here too.
const known: Readonly<Record<string, readonly ListKind[]>> = {
  containers: [byName],
  initContainers: [{ ...byName, isOrdered: true }],
  ephemeralContainers: [byName],
  env: [byName],
  volumes: [byName],
  imagePullSecrets: [byName],
  secrets: [byName],
  resourceClaims: [byName],
  schedulingGates: [byName],
  claims: [byName],
  webhooks: [{ ...byName, isOrdered: true }],
  matchConditions: [byName],
  variables: [{ ...byName, isOrdered: true }],
  drivers: [byName],
  versions: [byName],
  additionalPrinterColumns: [{ ...byName, isOrdered: true }],
  ports: [by('containerPort', 'protocol'), by('port', 'protocol')],
  volumeMounts: [by('mountPath')],
  volumeDevices: [by('devicePath')],
  hostAliases: [by('ip')],
  topologySpreadConstraints: [by('topologyKey', 'whenUnsatisfiable')],
  ownerReferences: [by('uid')],
  conditions: [by('type')],
  subjects: [by('kind', 'namespace', 'name')],
  volumeClaimTemplates: [by('metadata.name')],
  items: [by('key')],
  finalizers: [set],
  accessModes: [set],
  verbs: [set],
  apiGroups: [set],
  resources: [set],
  resourceNames: [set],
  nonResourceURLs: [set],
  shortNames: [set],
  categories: [set],
  policyTypes: [set],
  tolerations: [set],
  values: [set],
  matchExpressions: [by('key', 'operator')],
};

// Members that may identify the items of a list of maps, if nothing else is known.
const identifiers = [
  'name',
  'metadata.name',
  'key',
  'id',
  'job_name',
  'alert',
  'record',
  'host',
  'path',
  'type',
  'url',
];

// Members with default values.
const defaults: Readonly<Record<string, string>> = { protocol: 'TCP', namespace: '' };

/** Returns the merge strategy of a list by its name, or undefined. */
export function knownList(name: string, items: readonly GoValue[]): ListKind | undefined {
  const kinds = Object.hasOwn(known, name) ? known[name] : undefined;
  return kinds?.find((kind) => (kind.type === 'set' ? true : items.every((item) => hasKeys(item, kind.keys))));
}

/** Matches the items of two lists. */
export function pairItems(
  before: readonly GoValue[],
  after: readonly GoValue[],
  kind: ListKind | undefined,
): PairedItems {
  const all = [...before, ...after];
  if (kind?.type === 'map' && areUnique(before, kind.keys) && areUnique(after, kind.keys)) {
    const isOrdered = kind.isOrdered || refersToOthers(all);
    return pairByKey(before, after, { isOrdered, key: (item) => itemKey(item, kind.keys) });
  }
  const name = areMaps(all) ? identifierOf(before, after) : undefined;
  if (name !== undefined)
    return pairByKey(before, after, { isOrdered: kind?.isOrdered ?? true, key: (item) => itemKey(item, [name]) });
  return kind?.type === 'set' ? pairContents(before, after, kind.isOrdered) : pairByEdit(before, after);
}

function hasKeys(item: GoValue, keys: readonly string[]): boolean {
  return item instanceof Map && keys.every((key) => textAt(item, key) !== undefined);
}

function textAt(item: GoValue, key: string): string | undefined {
  const value = key.split('.').reduce<GoValue>((at, step) => (at instanceof Map ? (at.get(step) ?? null) : null), item);
  if (value === null) return Object.hasOwn(defaults, key) ? defaults[key] : undefined;
  if (typeof value === 'string') return value;
  return isScalar(value) ? formatScalar(value) : undefined;
}

function itemKey(item: GoValue, keys: readonly string[]): ItemKey {
  const members = keys.map((key) => [key.replace('metadata.', ''), textAt(item, key) ?? ''] as const);
  return { members: members.filter(([name, text], i) => i === 0 || text !== defaults[name]) };
}

function textOf({ members }: ItemKey): string {
  return JSON.stringify(members);
}

function areUnique(items: readonly GoValue[], keys: readonly string[]): boolean {
  return (
    items.every((item) => hasKeys(item, keys)) &&
    new Set(items.map((item) => textOf(itemKey(item, keys)))).size === items.length
  );
}

// In a container's environment, `$(NAME)` refers to earlier variables.
function refersToOthers(items: readonly GoValue[]): boolean {
  return items.some(
    (item) =>
      item instanceof Map && typeof item.get('value') === 'string' && /\$\(\w+\)/.test(item.get('value') as string),
  );
}

function identifierOf(before: readonly GoValue[], after: readonly GoValue[]): string | undefined {
  return identifiers.find((name) => {
    if (!areUnique(before, [name]) || !areUnique(after, [name])) return false;
    const names = new Set(before.map((item) => textAt(item, name)));
    return after.some((item) => names.has(textAt(item, name)));
  });
}

function pairByKey(
  before: readonly GoValue[],
  after: readonly GoValue[],
  how: { readonly isOrdered: boolean; readonly key: (item: GoValue) => ItemKey },
): PairedItems {
  const places = new Map(before.map((item, i) => [textOf(how.key(item)), i]));
  const pairs: (ItemPair & { readonly before: number })[] = [];
  const added: number[] = [];
  after.forEach((item, i) => {
    const key = how.key(item);
    const at = places.get(textOf(key));
    if (at === undefined) added.push(i);
    else pairs.push({ before: at, after: i, key });
    places.delete(textOf(key));
  });
  const isReordered = how.isOrdered && areCrossed(pairs);
  const rest = pairSimilar([before, [...places.values()]], [after, added]);
  const alone = rest.map((pair) => {
    const item = pair.before === undefined ? after[pair.after!] : before[pair.before];
    return { ...pair, key: how.key(item as GoValue) };
  });
  return { pairs: [...pairs, ...alone], isReordered };
}

type Left = readonly [items: readonly GoValue[], indices: readonly number[]];

// Maximum number of compared pairs; in longer lists each item is compared with those near its position.
const maxCandidates = 40_000;
const nearby = 8;

// Unmatched items of both lists may be one item with a changed key: they have the same name, or most of their content in common.
function pairSimilar([before, removed]: Left, [after, added]: Left): ItemPair[] {
  const taken = new Set<number>();
  const isShort = removed.length * added.length <= maxCandidates;
  const itemOf = (value: GoValue): Item => ({ value, leaves: lazy(() => leavesOf(value)) });
  const items = new Map(added.map((at) => [at, itemOf(after[at] as GoValue)]));
  const pairs = removed.map((at, rank): ItemPair => {
    const item = itemOf(before[at] as GoValue);
    const others = isShort ? added : added.slice(Math.max(rank - nearby, 0), rank + nearby + 1);
    const found = likest(
      item,
      others.filter((i) => !taken.has(i)),
      items,
    );
    if (found === undefined) return { before: at };
    taken.add(found);
    return { before: at, after: found };
  });
  return [...pairs, ...added.filter((i) => !taken.has(i)).map((i) => ({ after: i }))];
}

interface Item {
  readonly value: GoValue;
  readonly leaves: () => ReadonlySet<string>;
}

function likest(item: Item, others: readonly number[], items: ReadonlyMap<number, Item>): number | undefined {
  let found: number | undefined;
  let most = 0.5;
  for (const at of others) {
    const share = likeness(item, items.get(at)!);
    if (share > most) [found, most] = [at, share];
  }
  return found;
}

function likeness({ value: a, leaves }: Item, { value: b, leaves: others }: Item): number {
  if (!(a instanceof Map) || !(b instanceof Map)) return 0;
  const name = a.get('name') ?? null;
  return name !== null && name === b.get('name') ? 1 : similarity(leaves(), others());
}

function areCrossed(pairs: readonly (ItemPair & { readonly before: number })[]): boolean {
  return pairs.some((pair, i) => pair.before < (pairs[i - 1]?.before ?? 0));
}

// The shortest edit of two sets: what is in both, at any position.
function pairContents(before: readonly GoValue[], after: readonly GoValue[], isOrdered: boolean): PairedItems {
  const places = new Map<string, number[]>();
  before.forEach((item, i) => void places.set(canonical(item), [...(places.get(canonical(item)) ?? []), i]));
  const pairs: (ItemPair & { readonly before: number })[] = [];
  const added: number[] = [];
  after.forEach((item, i) => {
    const at = places.get(canonical(item))?.shift();
    if (at === undefined) added.push(i);
    else pairs.push({ before: at, after: i });
  });
  const removed = [...places.values()].flat().sort((a, b) => a - b);
  const rest = pairSimilar([before, removed], [after, added]);
  return { pairs: [...pairs, ...rest], isReordered: isOrdered && areCrossed(pairs) };
}

function pairByEdit(before: readonly GoValue[], after: readonly GoValue[]): PairedItems {
  const [was, is] = [before.map(canonical), after.map(canonical)];
  if (areSameContents(was, is)) return { pairs: [], isReordered: true };
  const pairs: ItemPair[] = [];
  let [at, to] = [0, 0];
  for (const [left, right] of [...alignItems(was, is), [before.length, after.length] as const]) {
    pairs.push(...pairRun([before, placesUpTo(at, left)], [after, placesUpTo(to, right)]));
    if (left < before.length) pairs.push({ before: left, after: right });
    [at, to] = [left + 1, right + 1];
  }
  return { pairs, isReordered: false };
}

function areSameContents(was: readonly string[], is: readonly string[]): boolean {
  if (was.length !== is.length) return false;
  const sorted = [...is].sort();
  return [...was].sort().every((item, at) => item === sorted[at]);
}

function placesUpTo(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}

// Removed and added items at one place: pairwise they are changes, as are similar maps.
function pairRun([before, removed]: Left, [after, added]: Left): ItemPair[] {
  const items = [...removed.map((i) => before[i] as GoValue), ...added.map((i) => after[i] as GoValue)];
  if (removed.length !== added.length && areMaps(items)) return pairSimilar([before, removed], [after, added]);
  if (removed.length !== added.length)
    return [...removed.map((i) => ({ before: i })), ...added.map((i) => ({ after: i }))];
  return removed.map((i, at) => ({ before: i, after: added[at]! }));
}
