import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasPlatformPower, power } from '../../../../render/go/big/power.ts';
import { fc } from '../../../support/fast-check.ts';

function slowPower(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let [result, square] = [1n % modulus, base % modulus];
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

test('Node computes powers', () => assert.ok(hasPlatformPower()));

test('a power is the same with every algorithm', () => {
  // Small, even and long moduli, and exponents above the modulus, are computed in JavaScript.
  const number = fc.oneof(...[16, 511, 513, 1024, 3100].map((bits) => fc.bigInt(0n, 1n << BigInt(bits))));
  const property = fc.property(number, number, number, (base, exponent, modulus) => {
    assert.equal(power(base, exponent, modulus + 2n), slowPower(base, exponent, modulus + 2n));
  });
  fc.assert(property, { numRuns: 60 });
});
