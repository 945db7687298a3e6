// The same host with another seed, and with few primes.

import assert from 'node:assert/strict';
import { createPrivateKey } from 'node:crypto';
import { test } from 'node:test';
import { type Host, seededHost } from '../../../render/core/host.ts';
import { withFewPrimes, withOtherRandomness } from '../../../render/engine/randomness.ts';
import { createCertificateFuncs } from '../../../render/functions/certificates/certificates.ts';
import { evaluate } from '../../support/evaluate.ts';

const dsa = '{{ genPrivateKey "dsa" }}';
const rsa = '{{ genPrivateKey "rsa" }}';
const keyOf = (host: Host, text: string): string => evaluate(text, createCertificateFuncs(host));
const few = (): Host => withFewPrimes(seededHost(), 'drydock');

test('keys from a few primes are valid, the same for the same seed and size, and different for other seeds', () => {
  const host = few();
  const [first, second] = [keyOf(host, rsa), keyOf(host, rsa)];
  assert.equal(createPrivateKey(first).asymmetricKeyType, 'rsa');
  assert.notEqual(first, second);
  // Earlier random values do not affect it.
  const late = few();
  late.randomBytes(7);
  assert.equal(keyOf(late, rsa), first);
  assert.notEqual(keyOf(withFewPrimes(seededHost(), 'another'), rsa), first);
  const twin = withOtherRandomness(few());
  assert.notEqual(keyOf(twin, rsa), first);
  assert.equal(keyOf(withOtherRandomness(few()), dsa), keyOf(withOtherRandomness(few()), dsa));
});

test('there are four primes of each size, in any order of requests', () => {
  const primeOf = few().randomPrime;
  const primes = Array.from({ length: 5 }, () => primeOf?.(256));
  assert.equal(new Set(primes).size, 4);
  assert.equal(primes[4], primes[0]);
  assert.notEqual(primes[0], few().randomPrime?.(255));
});
