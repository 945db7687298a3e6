// Compares kinds by Helm's installation order, which is the order of its output.
// Mirrors: helm.sh/helm/v3/pkg/releaseutil, kind_sorter.go, v3.17.3.

import { compareStrings } from '../go/value.ts';

const ranksOf = new WeakMap<readonly string[], ReadonlyMap<string, number>>();

/**
 * Compares two kinds by an installation order: negative, zero or positive. Unlisted kinds come last, by name; the empty kind comes first
 * among them.
 */
export function compareKinds(a: string, b: string, order: readonly string[]): number {
  const ranks = ranksIn(order);
  const first = ranks.get(a);
  const second = ranks.get(b);
  if (first === undefined && second === undefined) return compareStrings(a, b);
  return (first ?? ranks.size) - (second ?? ranks.size);
}

function ranksIn(order: readonly string[]): ReadonlyMap<string, number> {
  let ranks = ranksOf.get(order);
  if (ranks === undefined) {
    ranks = new Map(order.map((kind, rank) => [kind, rank]));
    ranksOf.set(order, ranks);
  }
  return ranks;
}
