import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ed25519 } from '@noble/curves/ed25519.js';
import * as nist from '@noble/curves/nist.js';
import fc from 'fast-check';
import {
  ed25519PublicKey,
  nistPublicKey,
  p256,
  p384,
  p521,
  secretNumber,
  signEcdsa,
  signEd25519,
} from '../../../../render/functions/certificates/curves.ts';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const message = fc.uint8Array({ maxLength: 300 });

for (const name of ['p256', 'p384', 'p521'] as const) {
  const curve = { p256, p384, p521 }[name]();
  const known = { p256: nist.p256, p384: nist.p384, p521: nist.p521 }[name];
  const size = Math.ceil(curve.bits / 8);
  const big = (number: bigint): Uint8Array => Buffer.from(number.toString(16).padStart(size * 2, '0'), 'hex');

  describe(name, () => {
    it('has the public keys and the signatures of an audited library', () => {
      fc.assert(
        fc.property(bytes(size), message, (random, text) => {
          if (name === 'p521') random[0] = (random[0] ?? 0) & 1;
          const secret = secretNumber(curve, random);
          assert.equal(secret !== undefined, known.utils.isValidSecretKey(random));
          if (secret === undefined) return;
          assert.deepEqual(nistPublicKey(curve, secret), known.getPublicKey(random, false));
          const theirs = known.sign(curve.hash(text), random, { prehash: false, lowS: false, format: 'der' });
          assert.deepEqual(signEcdsa(curve, secret, text), theirs);
        }),
        { numRuns: 25 },
      );
    });

    it('knows the least and the greatest secret, and none beyond them', () => {
      for (const secret of [1n, 2n, 3n, curve.order - 2n, curve.order - 1n]) {
        assert.equal(secretNumber(curve, big(secret)), secret);
        assert.deepEqual(nistPublicKey(curve, secret), known.getPublicKey(big(secret), false));
      }
      for (const none of [0n, curve.order, curve.order + 1n]) assert.equal(secretNumber(curve, big(none)), undefined);
    });
  });
}

describe('Ed25519', () => {
  it('has the public keys and the signatures of an audited library', () => {
    fc.assert(
      fc.property(bytes(32), message, (seed, text) => {
        assert.deepEqual(ed25519PublicKey(seed), ed25519.getPublicKey(seed));
        assert.deepEqual(signEd25519(seed, text), ed25519.sign(text, seed));
      }),
      { numRuns: 50 },
    );
  });
});
