// Elliptic curves: the public keys and signatures of certificates, on NIST's three curves (ECDSA) and on Ed25519. Only what
// a certificate needs: a library of curves is a tenth of what a page loads. All of it is computed from the secret and the
// message alone, without a draw. It takes no pains to hide a secret from one who measures its time.
// Mirrors: RFC 6979 (how a signature's number is found), RFC 8032 (Ed25519).

import { hmac } from '@noble/hashes/hmac.js';
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import { inverse } from '../../go/big/primes.ts';
import { integer, sequence, toBytes } from './der.ts';

/** A curve of NIST's: y² = x³ − 3x + b, whose b is not needed to reckon with points. */
export interface NistCurve {
  /** How many bits the prime and the order have. */
  readonly bits: number;
  readonly prime: bigint;
  readonly order: bigint;
  /** The point that all others are multiples of. */
  readonly base: readonly [x: bigint, y: bigint];
  /** The hash that goes with the curve, as Go picks it. */
  readonly hash: typeof sha256 | typeof sha384 | typeof sha512;
}

/** P-256, which keys are made on. */
export const p256 = (): NistCurve => ({
  bits: 256,
  prime: (1n << 256n) - (1n << 224n) + (1n << 192n) + (1n << 96n) - 1n,
  order: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
  base: [
    0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
    0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
  ],
  hash: sha256,
});

/** P-384. */
export const p384 = (): NistCurve => ({
  bits: 384,
  prime: (1n << 384n) - (1n << 128n) - (1n << 96n) + (1n << 32n) - 1n,
  order: (1n << 384n) - 0x389cb27e0bc8d220a7e5f24db74f58851313e695333ad68dn,
  base: [
    0xaa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a385502f25dbf55296c3a545e3872760ab7n,
    0x3617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c00a60b1ce1d7e819d7a431d7c90ea0e5fn,
  ],
  hash: sha384,
});

/** P-521. */
export const p521 = (): NistCurve => ({
  bits: 521,
  prime: (1n << 521n) - 1n,
  order: (1n << 521n) - 0x5ae79787c40d069948033feb708f65a2fc44a36477663b851449048e16ec79bf7n,
  base: [
    0xc6858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d3dbaa14b5e77efe75928fe1dc127a2ffa8de3348b3c1856a429bf97e7e31c2e5bd66n,
    0x11839296a789a3bc0045c8a5fb42c7d1bd998f54449579b446817afbd17273e662c97ee72995ef42640c550b9013fad0761353c7086a272c24088be94769fd16650n,
  ],
  hash: sha512,
});

/** Gives a secret as the number that it is; undefined for one that is no secret of the curve. */
export function secretNumber({ order }: NistCurve, secret: Uint8Array): bigint | undefined {
  const number = toNumber(secret);
  return number > 0n && number < order ? number : undefined;
}

/** Gives the public key of a secret, uncompressed. */
export function nistPublicKey(curve: NistCurve, secret: bigint): Uint8Array {
  const [x, y] = multiply(curve, secret);
  const size = Math.ceil(curve.bits / 8);
  return Uint8Array.of(4, ...toBytes(x, size), ...toBytes(y, size));
}

/** Gives the signature of a message in DER, by the number that RFC 6979 finds for it. */
export function signEcdsa(curve: NistCurve, secret: bigint, message: Uint8Array): Uint8Array {
  const { bits, order, hash } = curve;
  const digest = hash(message);
  // Of a hash longer than the order only the first bits would count; those that go with the curves are not.
  const number = toNumber(digest);
  const size = Math.ceil(bits / 8);
  for (const bytes of numbersOf(curve, Uint8Array.of(...toBytes(secret, size), ...toBytes(number % order, size)))) {
    const k = toNumber(bytes) >> BigInt(size * 8 - bits);
    if (k === 0n || k >= order) continue;
    const r = multiply(curve, k)[0] % order;
    const s = (inverse(k, order) * (number + r * secret)) % order;
    if (r !== 0n && s !== 0n) return sequence(integer(r), integer(s));
  }
  throw new Error('unreachable');
}

/** Gives one draw after the other from a generator that a seed alone feeds (HMAC-DRBG). */
function* numbersOf({ bits, hash }: NistCurve, seed: Uint8Array): Generator<Uint8Array> {
  const size = Math.ceil(bits / 8);
  let value = new Uint8Array(hash.outputLen).fill(1);
  let key = new Uint8Array(hash.outputLen);
  const stir = (...more: readonly number[]): void => {
    key = hmac(hash, key, Uint8Array.of(...value, ...more));
    value = hmac(hash, key, value);
  };
  stir(0, ...seed);
  stir(1, ...seed);
  for (;;) {
    const drawn: number[] = [];
    while (drawn.length < size) {
      value = hmac(hash, key, value);
      drawn.push(...value);
    }
    yield Uint8Array.from(drawn.slice(0, size));
    stir(0);
  }
}

/** Gives so many times the base point. */
function multiply({ prime: p, base }: NistCurve, times: bigint): readonly [x: bigint, y: bigint] {
  // Jacobian coordinates: the point is (x / z², y / z³).
  const [baseX, baseY] = base;
  let [x, y, z] = [baseX, baseY, 1n];
  for (const bit of times.toString(2).slice(1)) {
    const square = (z * z) % p;
    const gamma = (y * y) % p;
    const beta = (x * gamma) % p;
    const alpha = (3n * (x - square) * (x + square)) % p;
    z = (2n * y * z) % p;
    x = (alpha * alpha - 8n * beta) % p;
    y = (alpha * (4n * beta - x) - 8n * gamma * gamma) % p;
    if (bit === '0') continue;
    // The base point is added. The sum is never twice the point nor nothing: the multiple before it is even, and below the order.
    const zz = (z * z) % p;
    const h = (baseX * zz - x) % p;
    const r = (baseY * zz * z - y) % p;
    const hh = (h * h) % p;
    const v = (x * hh) % p;
    const cube = (h * hh) % p;
    x = (r * r - cube - 2n * v) % p;
    y = (r * (v - x) - y * cube) % p;
    z = (z * h) % p;
  }
  const inverseZ = inverse(positive(z, p), p);
  const square = (inverseZ * inverseZ) % p;
  return [positive(x * square, p), positive(y * square * inverseZ, p)];
}

function positive(number: bigint, modulus: bigint): bigint {
  const rest = number % modulus;
  return rest < 0n ? rest + modulus : rest;
}

function toNumber(bytes: Uint8Array): bigint {
  return bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);
}

// ---- Ed25519

const prime = (1n << 255n) - 19n;
const order = (1n << 252n) + 27742317777372353535851937790883648493n;
const baseX = 0x216936d3cd6e53fec0a4e231fdd6dc5c692cc7609525a7b2c9562d608f25d51an;

/** Gives the public key of a seed. */
export function ed25519PublicKey(seed: Uint8Array): Uint8Array {
  return encodePoint(ed25519Secret(seed).number);
}

/** Gives the signature of a message. */
export function signEd25519(seed: Uint8Array, message: Uint8Array): Uint8Array {
  const { number, prefix } = ed25519Secret(seed);
  const hashed = (...parts: readonly Uint8Array[]): bigint =>
    fromLittle(sha512(Uint8Array.from(parts.flatMap((part) => [...part])))) % order;
  const r = hashed(prefix, message);
  const point = encodePoint(r);
  const s = (r + hashed(point, encodePoint(number), message) * number) % order;
  return Uint8Array.of(...point, ...toLittle(s));
}

function ed25519Secret(seed: Uint8Array): { readonly number: bigint; readonly prefix: Uint8Array } {
  const hash = sha512(seed);
  const low = fromLittle(hash.subarray(0, 32)) & ((1n << 254n) - 8n);
  return { number: low | (1n << 254n), prefix: hash.subarray(32) };
}

/** Gives so many times the base point: its y, and whether its x is odd. */
function encodePoint(times: bigint): Uint8Array {
  const p = prime;
  const baseY = (4n * inverse(5n, p)) % p;
  const twoD = (-121665n * 2n * inverse(121666n, p)) % p;
  // Extended coordinates: x = X / Z, y = Y / Z, x · y = T / Z. One rule adds any two points, a point to itself as well.
  type Point = readonly [x: bigint, y: bigint, z: bigint, t: bigint];
  const add = ([x1, y1, z1, t1]: Point, [x2, y2, z2, t2]: Point): Point => {
    const a = ((y1 - x1) * (y2 - x2)) % p;
    const b = ((y1 + x1) * (y2 + x2)) % p;
    const c = (((t1 * t2) % p) * twoD) % p;
    const d = (2n * z1 * z2) % p;
    const [e, f, g, h] = [b - a, d - c, d + c, b + a];
    return [(e * f) % p, (g * h) % p, (f * g) % p, (e * h) % p];
  };
  const base: Point = [baseX, baseY, 1n, (baseX * baseY) % p];
  let sum: Point = [0n, 1n, 1n, 0n];
  for (const bit of times.toString(2)) {
    sum = add(sum, sum);
    if (bit === '1') sum = add(sum, base);
  }
  const inverseZ = inverse(positive(sum[2], p), p);
  const [x, y] = [positive(sum[0] * inverseZ, p), positive(sum[1] * inverseZ, p)];
  return toLittle(y | ((x & 1n) << 255n));
}

function fromLittle(bytes: Uint8Array): bigint {
  return toNumber(bytes.slice().reverse());
}

function toLittle(number: bigint): Uint8Array {
  return toBytes(number, 32).reverse();
}
