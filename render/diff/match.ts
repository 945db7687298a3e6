// Matches the objects of two sides: by kind and name, and otherwise by content.

import { groupBy } from '../core/group-by.ts';
import type { GoValue } from '../go/value.ts';
import { member } from '../manifest/objects.ts';
import type { SideObject } from './objects.ts';
import { leavesOf, similarity } from './value.ts';

export interface ObjectPair {
  readonly before: SideObject | undefined;
  readonly after: SideObject | undefined;
}

type KeyOf = (object: SideObject) => string;

// What matching objects have in common, the most certain first. A kind may have moved to another group, like those of `extensions`; a
// namespace may be specified on only one side.
const keys: readonly KeyOf[] = [
  ({ group, kind, namespace, name, source }) => [group, kind, namespace, name, name === '' ? source : ''].join('\n'),
  ({ group, kind, name }) => [group, kind, name].join('\n'),
  ({ group, kind, namespace, name }) => (isBuiltin(group) ? [kind, namespace, name].join('\n') : ''),
];

// The groups between which Kubernetes has moved kinds.
const builtin = new Set([
  '',
  'extensions',
  'apps',
  'networking.k8s.io',
  'policy',
  'autoscaling',
  'batch',
  'events.k8s.io',
]);

function isBuiltin(group: string): boolean {
  return builtin.has(group) || group.endsWith('.k8s.io');
}

/** Matches the objects of two sides: those of the later side in order, then removed ones. */
export function matchObjects(before: readonly SideObject[], after: readonly SideObject[]): ObjectPair[] {
  const found = new Map<SideObject, SideObject>();
  const left = new Set(before);
  const take = (object: SideObject, match: SideObject): void => {
    found.set(object, match);
    left.delete(match);
  };
  keys.forEach((keyOf, level) => {
    const open = groupBy(left, keyOf);
    const rest = groupBy(
      after.filter((object) => !found.has(object)),
      keyOf,
    );
    for (const [key, objects] of rest) {
      const others = open.get(key) ?? [];
      // Two objects with the same name in two namespaces are not matched by name alone.
      if (key === '' || (level > 0 && (objects.length > 1 || others.length > 1 || !mayBeOne(objects[0], others[0]))))
        continue;
      objects.forEach((object, i) => {
        const match = others[i];
        if (match !== undefined) take(object, match);
      });
    }
  });
  for (const { before: old, after: now } of renames(
    [...left],
    after.filter((object) => !found.has(object)),
  ))
    take(now, old);
  return [
    ...after.map((object) => ({ before: found.get(object), after: object })),
    ...[...left].map((object) => ({ before: object, after: undefined })),
  ];
}

function mayBeOne(a: SideObject | undefined, b: SideObject | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return a.namespace === b.namespace || a.namespace === '' || b.namespace === '';
}

interface Rename {
  readonly before: SideObject;
  readonly after: SideObject;
  readonly share: number;
}

// More than half of their content, similar to renamed files in git; the number of candidates is limited.
const leastShare = 0.6;
const maxCandidates = 10_000;

/** Returns pairs of objects of one kind with similar content, the most similar first, each object once. */
function renames(before: readonly SideObject[], after: readonly SideObject[]): Rename[] {
  if (before.length * after.length > maxCandidates) return [];
  const contents = new Map([...before, ...after].map((object) => [object, contentOf(object)]));
  const candidates = before.flatMap((old) =>
    after
      .filter((now) => now.kind === old.kind && now.group === old.group && old.kind !== '')
      .map((now) => ({ before: old, after: now, share: likeness(old, now, contents) }))
      .filter(({ share }) => share >= leastShare),
  );
  candidates.sort((a, b) => b.share - a.share || nearness(b) - nearness(a));
  const taken = new Set<SideObject>();
  return candidates.filter((candidate) => {
    if (taken.has(candidate.before) || taken.has(candidate.after)) return false;
    taken.add(candidate.before).add(candidate.after);
    return true;
  });
}

function nearness({ before, after }: Rename): number {
  let shared = 0;
  while (shared < before.name.length && before.name[shared] === after.name[shared]) shared++;
  return shared + (before.source === after.source ? 1000 : 0);
}

// Objects with fewer members are similar by accident: two ServiceAccounts, two ConfigMaps with a switch.
const fewMembers = 4;

// Names recur in labels and selectors; after replacing them, most of the rest must be the same. Objects with few or no members of their own
// match only if one template writes both.
function likeness(old: SideObject, now: SideObject, contents: ReadonlyMap<SideObject, Content>): number {
  const [left, right] = [contents.get(old)!, contents.get(now)!];
  const isOneTemplate = old.source === now.source && old.source !== '';
  if (left.size + right.size === 0) return isOneTemplate ? 1 : 0;
  const share = similarity(left.leaves, right.leaves);
  const isSmall = Math.max(left.leaves.size, right.leaves.size) < fewMembers;
  return isSmall && !isOneTemplate && (share < 1 || chartOf(old) !== chartOf(now)) ? 0 : share;
}

function chartOf({ source }: SideObject): string {
  return source.slice(0, source.indexOf('/') + 1);
}

interface Content {
  readonly size: number;
  readonly leaves: ReadonlySet<string>;
}

function contentOf({ object, name }: SideObject): Content {
  const rest = [...object].filter(([key]) => !['apiVersion', 'kind', 'metadata', 'status'].includes(key));
  const labels = member(member(object, 'metadata'), 'labels');
  const content = rest.length > 0 || labels === null ? new Map(rest) : new Map([['labels', labels]]);
  return { size: content.size, leaves: leavesOf(withoutName(content, name)) };
}

function withoutName(value: GoValue, name: string): GoValue {
  if (typeof value === 'string') return name.length < 3 ? value : value.replaceAll(name, '\0');
  if (Array.isArray(value)) return value.map((item) => withoutName(item, name));
  return value instanceof Map ? new Map([...value].map(([key, item]) => [key, withoutName(item, name)])) : value;
}
