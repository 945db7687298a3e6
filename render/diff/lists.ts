// Matches the items of two lists: by Kubernetes' merge keys, else by the shortest edit, in bounded time.
// Mirrors: Kubernetes' OpenAPI document, `x-kubernetes-list-type` and `x-kubernetes-list-map-keys`.

import { diffArrays } from 'diff';
import { commonEnds } from '../core/common-ends.ts';
import { groupBy } from '../core/group-by.ts';
import { lazy } from '../core/lazy.ts';
import type { GoValue } from '../go/value.ts';
import { mergeKeys } from '../manifest/merge-keys.ts';
import type { ItemKey } from './steps.ts';
import { areMaps, canonical, formatScalar, isScalar, leavesOf, similarity } from './value.ts';

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

export interface PairedItems {
  readonly pairs: readonly ItemPair[];
  /** Whether common items are in another order, and the order is significant. */
  readonly isReordered: boolean;
}

const set: ListKind = { type: 'set', keys: [], isOrdered: false };
const by = (...keys: string[]): ListKind => ({ type: 'map', keys, isOrdered: false });
const byName = by('name');
const inOrder = { ...byName, isOrdered: true };

// By the name of the list, which has one meaning in Kubernetes types, except for `ports`. Init containers run in order. Lists that the
// document calls atomic although their order is insignificant are here too.
const known: Readonly<Record<string, readonly ListKind[]>> = {
  ...Object.fromEntries(Object.entries(mergeKeys).map(([name, keys]) => [name, [by(...keys)]])),
  initContainers: [inOrder],
  webhooks: [inOrder],
  claims: [byName],
  variables: [inOrder],
  drivers: [byName],
  versions: [byName],
  additionalPrinterColumns: [inOrder],
  ports: [by('containerPort', 'protocol'), by('port', 'protocol')],
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
const identifiers = 'name metadata.name key id job_name alert record host path type url'.split(' ');

// Members with default values.
const defaults: Readonly<Record<string, string>> = { protocol: 'TCP', namespace: '' };

/** Returns the merge strategy of a list by its name, or undefined. */
export function knownList(name: string, items: readonly GoValue[]): ListKind | undefined {
  const kinds = Object.hasOwn(known, name) ? known[name] : undefined;
  return kinds?.find((kind) => (kind.type === 'set' ? true : items.every((item) => hasKeys(item, kind.keys))));
}

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

function areUnique(items: readonly GoValue[], keys: readonly string[]): boolean {
  return (
    items.every((item) => hasKeys(item, keys)) &&
    new Set(items.map((item) => JSON.stringify(itemKey(item, keys).members))).size === items.length
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

type BothSides = ItemPair & { readonly before: number };

// Pairs items with equal texts, in the order of the later list. What is left may be items with a changed key.
function pairByText(
  before: readonly GoValue[],
  after: readonly GoValue[],
  { isOrdered, textOf }: { readonly isOrdered: boolean; readonly textOf: (item: GoValue) => string },
): { readonly pairs: readonly BothSides[]; readonly rest: readonly ItemPair[]; readonly isReordered: boolean } {
  const places: Map<string, number[]> = groupBy(before.keys(), (at) => textOf(before[at] as GoValue));
  const pairs: BothSides[] = [];
  const added: number[] = [];
  after.forEach((item, i) => {
    const at = places.get(textOf(item))?.shift();
    if (at === undefined) added.push(i);
    else pairs.push({ before: at, after: i });
  });
  const removed = [...places.values()].flat().sort((a, b) => a - b);
  const isCrossed = pairs.some((pair, i) => pair.before < (pairs[i - 1]?.before ?? 0));
  return { pairs, rest: pairSimilar([before, removed], [after, added]), isReordered: isOrdered && isCrossed };
}

function pairByKey(
  before: readonly GoValue[],
  after: readonly GoValue[],
  { isOrdered, key }: { readonly isOrdered: boolean; readonly key: (item: GoValue) => ItemKey },
): PairedItems {
  const textOf = (item: GoValue): string => JSON.stringify(key(item).members);
  const { pairs, rest, isReordered } = pairByText(before, after, { isOrdered, textOf });
  const keyed = pairs.map((pair) => ({ ...pair, key: key(after[pair.after!] as GoValue) }));
  const alone = rest.map((pair) => {
    const item = pair.before === undefined ? after[pair.after!] : before[pair.before];
    return { ...pair, key: key(item as GoValue) };
  });
  return { pairs: [...keyed, ...alone], isReordered };
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

// The shortest edit of two sets: what is in both, at any position.
function pairContents(before: readonly GoValue[], after: readonly GoValue[], isOrdered: boolean): PairedItems {
  const { pairs, rest, isReordered } = pairByText(before, after, { isOrdered, textOf: canonical });
  return { pairs: [...pairs, ...rest], isReordered };
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

/** The indexes (from 0) of an item that both lists contain. */
export type AlignedPair = readonly [before: number, after: number];

// Up to this many edits the shortest edit is searched for, which takes up to 0.3 s for lists of 4,000 items; beyond that, what differs counts
// as replaced.
const maxEdits = 1000;

/** Returns the indexes of common items, in the order of both lists. */
export function alignItems(before: readonly string[], after: readonly string[]): readonly AlignedPair[] {
  const { start, end } = commonEnds(before, after);
  // Of equal items the changed one is then the one that changed, not its neighbor.
  const inner = shortestWay(before.slice(start, before.length - end), after.slice(start, after.length - end));
  const found = inner.map(([at, to]): AlignedPair => [at + start, to + start]);
  const run = (at: number, to: number, length: number): AlignedPair[] =>
    Array.from({ length }, (_, i): AlignedPair => [at + i, to + i]);
  return [...run(0, 0, start), ...found, ...run(before.length - end, after.length - end, end)];
}

function shortestWay(before: readonly string[], after: readonly string[]): AlignedPair[] {
  if (before.length === 0 || after.length === 0) return [];
  const parts = diffArrays([...before], [...after], { maxEditLength: maxEdits });
  if (parts === undefined) return [];
  const found: AlignedPair[] = [];
  let [at, to] = [0, 0];
  for (const { removed, added, count } of parts) {
    if (!removed && !added) for (let i = 0; i < count; i++) found.push([at + i, to + i]);
    if (!added) at += count;
    if (!removed) to += count;
  }
  return found;
}
