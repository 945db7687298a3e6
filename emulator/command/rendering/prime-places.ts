// Where the primes are that keys of snapshots are made of, with the dice of every run without --seed: a search for all of them takes as
// long as a hundred charts. `test/e2e/caching/prime-places.test.ts` searches, and prints this table where it is another.

import type { PrimePlaces } from '../../../render/chance.ts';

// By the seed and the bits, of the first to the last.
const rows: Readonly<Record<string, readonly number[]>> = {
  'drydock 1024': [1094, 37, 276, 131],
  'drydock 2048': [1064, 38, 454, 798],
  'once more 1024': [176, 236, 217, 9],
  'once more 2048': [1308, 870, 2037, 40],
};

/** Where a search finds the primes of RSA keys of the usual sizes. */
export const primePlaces: PrimePlaces = new Map(
  Object.entries(rows).flatMap(([name, steps]) => steps.map((step, at) => [`${name} ${at}`, step] as const)),
);
