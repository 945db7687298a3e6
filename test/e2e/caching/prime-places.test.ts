// Where the primes of snapshots' keys are is what a search finds.

import assert from 'node:assert/strict';
import { checkPrimeSync } from 'node:crypto';
import { test } from 'node:test';
import { primePlaces } from '../../../emulator/command/rendering/prime-places.ts';
import { withFewPrimes } from '../../../render/chance.ts';
import { randomNumber, randomPrime } from '../../../render/functions/certificates/primes.ts';
import { seededHost } from '../../../render/host.ts';

const diceOf = (name: string) => seededHost({ seed: name });

function searched(name: string, bits: number): number {
  const start = randomNumber(diceOf(name), bits) | 1n;
  return Number((randomPrime(diceOf(name), bits) - start) / 2n);
}

test('the places of primes are those that a search finds', () => {
  const names = [...primePlaces.keys()];
  assert.equal(names.length, 16);
  const found = new Map(names.map((name) => [name, searched(name, Number(/ (\d+) \d$/.exec(name)?.[1]))]));
  assert.deepEqual(found, new Map(primePlaces));
});

test('a host with places gives the primes of one without', () => {
  for (const seed of ['drydock', 'once more']) {
    const placed = withFewPrimes(diceOf(seed), seed, primePlaces).randomPrime;
    const plain = withFewPrimes(diceOf(seed), seed).randomPrime;
    for (let i = 0; i < 5; i++) {
      const prime = placed?.(1024) as bigint;
      assert.equal(prime, plain?.(1024));
      assert.ok(checkPrimeSync(prime));
    }
  }
  // Of another seed nothing is known.
  const other = withFewPrimes(diceOf('mine'), 'mine', primePlaces).randomPrime?.(256) as bigint;
  assert.ok(checkPrimeSync(other));
});
