// Values of manifests: when two are the same, how much they share.

import { type GoMap, type GoValue, sortedEntries } from '../go/value.ts';

/** Gives a text that two values share if they are the same: members sorted, those that are null left out. */
export function canonical(value: GoValue): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!(value instanceof Map)) return JSON.stringify(value) ?? 'null';
  const members = sortedEntries(value).filter(([, member]) => member !== null);
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`;
}

/** Tells whether a value is neither a map nor a list. */
export function isScalar(value: GoValue): boolean {
  return !(value instanceof Map) && !Array.isArray(value);
}

/** Tells whether every value is a map. */
export function areMaps(values: readonly GoValue[]): values is GoMap[] {
  return values.every((value) => value instanceof Map);
}

/** Gives how much two values share, from 0 to 1: the leaves that stand in both, at the same place, of those of the larger. */
export function similarity(a: GoValue, b: GoValue): number {
  const [left, right] = [leavesOf(a), leavesOf(b)];
  const most = Math.max(left.size, right.size);
  if (most === 0) return 1;
  let shared = 0;
  for (const leaf of left) if (right.has(leaf)) shared++;
  return shared / most;
}

const knownLeaves = new WeakMap<object, ReadonlySet<string>>();

// Items of lists count by what they hold, wherever they stand.
function leavesOf(value: GoValue): ReadonlySet<string> {
  const known = typeof value === 'object' && value !== null ? knownLeaves.get(value) : undefined;
  if (known !== undefined) return known;
  const leaves = new Set<string>();
  const open: (readonly [path: string, value: GoValue])[] = [['', value]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [path, item] = next;
    if (item instanceof Map) for (const [key, inner] of item) open.push([`${path}/${key}`, inner]);
    else if (Array.isArray(item)) for (const inner of item) open.push([`${path}/-`, inner]);
    else if (item !== null) leaves.add(`${path}=${JSON.stringify(item)}`);
  }
  if (typeof value === 'object' && value !== null) knownLeaves.set(value, leaves);
  return leaves;
}

const suffixes: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/**
 * Tells whether two scalars are the same quantity, as `1` and `1000m` are.
 * Mirrors: k8s.io/apimachinery/pkg/api/resource, quantity.go, `ParseQuantity`, v0.32.
 */
export function areSameQuantity(a: GoValue, b: GoValue): boolean {
  const [left, right] = [quantityOf(a), quantityOf(b)];
  if (left === undefined || right === undefined) return false;
  return Math.abs(left - right) <= Math.max(Math.abs(left), Math.abs(right)) * 1e-12;
}

/** Returns a quantity as a number; undefined for a value that is none. */
export function quantityOf(value: GoValue): number | undefined {
  const found = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:([eE][+-]?\d+)|([KMGTPE]i|[numkMGTPE]))?$/.exec(String(value));
  if (found === null || !isScalar(value)) return undefined;
  const [, digits = '', exponent = '', suffix] = found;
  return Number(`${digits}${exponent}`) * (suffix === undefined ? 1 : suffixes[suffix]!);
}
