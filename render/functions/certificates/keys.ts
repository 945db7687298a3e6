// Private keys for certificates: RSA, ECDSA and Ed25519 can sign; DSA can only be printed.
// Mirrors: Masterminds/sprig, crypto.go, v3.3.0; Go 1.23, crypto/x509/{pkcs1,pkcs8,sec1}.go.

import { ed25519 } from '@noble/curves/ed25519.js';
import { p256, p384, p521 } from '@noble/curves/nist.js';
import { bytesToNumberBE, numberToBytesBE } from '@noble/curves/utils.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { orUndefined, prefixGoError } from '../../core/catch.ts';
import type { Host } from '../../core/host.ts';
import { meter } from '../../core/limits.ts';
import { power } from '../../go/big/power.ts';
import { inverse, searchPrime } from '../../go/big/primes.ts';
import { GoError } from '../../go/value.ts';
import { drawUntil } from '../random.ts';
import {
  bitString,
  DerReader,
  decodePem,
  derInteger,
  element,
  encodePem,
  objectIdentifier,
  octetString,
  sequence,
  tagged,
  tags,
} from './der.ts';

/** A private key. */
export interface PrivateKey {
  /** The Go type of the public key, for messages. */
  readonly publicType: string;
  /** The key as sprig prints it. */
  readonly pem: string;
  /** What certificates need; undefined for DSA keys. */
  readonly signer?: Signer;
}

/** The parts of a key that certificates need. */
export interface Signer {
  /** The public key's AlgorithmIdentifier in DER. */
  readonly publicAlgorithm: Uint8Array;
  /** The public key's bits. */
  readonly publicKey: Uint8Array;
  /** The signature's AlgorithmIdentifier in DER. */
  readonly signatureAlgorithm: Uint8Array;
  readonly sign: (message: Uint8Array) => Uint8Array;
}

const derNull = element(tags.null);
const ids = {
  rsa: '1.2.840.113549.1.1.1',
  rsaWithSha256: '1.2.840.113549.1.1.11',
  ecdsa: '1.2.840.10045.2.1',
  ed25519: '1.3.101.112',
} as const;

// ---- RSA

/** Generates an RSA key of the given number of bits. */
export function generateRsaKey(host: Host, bits: number): PrivateKey {
  meter.slow();
  const exponent = 65537n;
  const source = host.randomPrime === undefined ? 'randomBytes' : 'randomPrime';
  const draw = (): PrivateKey | undefined => {
    const p = randomPrime(host, bits / 2);
    const q = randomPrime(host, bits / 2);
    const totient = (p - 1n) * (q - 1n);
    if (p === q || totient % exponent === 0n) return undefined;
    return rsaKey({ n: p * q, e: exponent, d: inverse(exponent, totient), p, q });
  };
  // Two primes fail once in thirty thousand times, and searching for them is slow.
  return drawUntil(source, draw, 4);
}

interface RsaNumbers {
  readonly n: bigint;
  readonly e: bigint;
  readonly d: bigint;
  readonly p: bigint;
  readonly q: bigint;
}

function rsaKey(key: RsaNumbers): PrivateKey {
  const { n, e, d, p, q } = key;
  const numbers = [0n, n, e, d, p, q, d % (p - 1n), d % (q - 1n), inverse(q, p)];
  return {
    publicType: '*rsa.PublicKey',
    pem: encodePem('RSA PRIVATE KEY', sequence(...numbers.map(derInteger))),
    signer: {
      publicAlgorithm: sequence(objectIdentifier(ids.rsa), derNull),
      publicKey: sequence(derInteger(n), derInteger(e)),
      signatureAlgorithm: sequence(objectIdentifier(ids.rsaWithSha256), derNull),
      sign: (message) => signRsa(key, message),
    },
  };
}

const sha256Id = '2.16.840.1.101.3.4.2.1';

// PKCS #1 v1.5 padding, and exponentiation with the two primes separately.
function signRsa({ n, d, p, q }: RsaNumbers, message: Uint8Array): Uint8Array {
  const size = Math.ceil(n.toString(2).length / 8);
  const digest = sequence(sequence(objectIdentifier(sha256Id), derNull), octetString(sha256(message)));
  if (size < digest.length + 11) throw new GoError('crypto/rsa: message too long for RSA key size');
  const padding = new Uint8Array(size - digest.length - 3).fill(0xff);
  const block = bytesToNumberBE(Uint8Array.of(0, 1, ...padding, 0, ...digest));
  const [byP, byQ] = [power(block, d % (p - 1n), p), power(block, d % (q - 1n), q)];
  const difference = (((byP - byQ) * inverse(q, p)) % p) + p;
  return numberToBytesBE((byQ + (difference % p) * q) % n, size);
}

function parsePkcs1(der: Uint8Array): PrivateKey {
  const reader = new DerReader(der).inside(tags.sequence, malformed);
  const [version = 0n, n = 0n, e = 0n, d = 0n, p = 0n, q = 0n] = [1, 2, 3, 4, 5, 6].map(() =>
    reader.integer(malformed),
  );
  if (version > 1n) throw new GoError('x509: unsupported private key version');
  if (n <= 0n || d <= 0n || p <= 1n || q <= 1n) throw new GoError('x509: private key contains zero or negative value');
  return rsaKey({ n, e, d, p, q });
}

const malformed = "asn1: structure error: tags don't match";

// ---- ECDSA

interface Curve {
  readonly id: string;
  readonly curve: () => typeof p256;
  readonly signatureId: string;
  readonly size: number;
}

const curves: readonly Curve[] = [
  { id: '1.2.840.10045.3.1.7', curve: () => p256, signatureId: '1.2.840.10045.4.3.2', size: 32 },
  { id: '1.3.132.0.34', curve: () => p384, signatureId: '1.2.840.10045.4.3.3', size: 48 },
  { id: '1.3.132.0.35', curve: () => p521, signatureId: '1.2.840.10045.4.3.4', size: 66 },
];

function curveOf(id: string | undefined): Curve {
  const curve = curves.find((known) => known.id === id);
  if (curve === undefined) throw new GoError('x509: unknown elliptic curve');
  return curve;
}

/** Generates an ECDSA key on the curve P-256. */
export function generateEcdsaKey(host: Host): PrivateKey {
  const secret = drawUntil('randomBytes', () => {
    const bytes = host.randomBytes(32);
    return p256.utils.isValidSecretKey(bytes) ? bytes : undefined;
  });
  return ecdsaKey(curveOf('1.2.840.10045.3.1.7'), secret);
}

function ecdsaKey(parameters: Curve, secret: Uint8Array): PrivateKey {
  const { id, signatureId } = parameters;
  const curve = parameters.curve();
  if (!curve.utils.isValidSecretKey(secret)) throw new GoError('x509: invalid elliptic curve private key value');
  const publicKey = curve.getPublicKey(secret, false);
  const named = objectIdentifier(id);
  const sec1 = sequence(derInteger(1n), octetString(secret), tagged(0, named), tagged(1, bitString(publicKey)));
  return {
    publicType: '*ecdsa.PublicKey',
    pem: encodePem('EC PRIVATE KEY', sec1),
    signer: {
      publicAlgorithm: sequence(objectIdentifier(ids.ecdsa), named),
      publicKey,
      signatureAlgorithm: sequence(objectIdentifier(signatureId)),
      // Deterministic according to RFC 6979, without normalizing to the lower half, as in Go.
      sign: (message) => curve.sign(message, secret, { lowS: false, format: 'der' }),
    },
  };
}

// The name of the curve is in the key itself, or around it in PKCS #8.
function parseSec1(der: Uint8Array, outerCurve?: string): PrivateKey {
  const reader = new DerReader(der).inside(tags.sequence, malformed);
  const version = reader.integer(malformed);
  if (version !== 1n) throw new GoError(`x509: unknown EC private key version ${version}`);
  const secret = reader.element(tags.octetString, malformed).content;
  const ownCurve = reader.has(0xa0) ? reader.inside(0xa0, malformed).objectIdentifier(malformed) : undefined;
  const curve = curveOf(outerCurve ?? ownCurve);
  if (secret.length > curve.size && secret.subarray(0, -curve.size).some((byte) => byte !== 0)) {
    throw new GoError('x509: invalid private key length');
  }
  const padded = new Uint8Array(curve.size);
  padded.set(secret.subarray(-curve.size), Math.max(0, curve.size - secret.length));
  return ecdsaKey(curve, padded);
}

// ---- Ed25519

export function generateEd25519Key(host: Host): PrivateKey {
  return ed25519Key(host.randomBytes(32));
}

function ed25519Key(seed: Uint8Array): PrivateKey {
  const algorithm = sequence(objectIdentifier(ids.ed25519));
  return {
    publicType: 'ed25519.PublicKey',
    pem: encodePem('PRIVATE KEY', sequence(derInteger(0n), algorithm, octetString(octetString(seed)))),
    signer: {
      publicAlgorithm: algorithm,
      publicKey: ed25519.getPublicKey(seed),
      signatureAlgorithm: algorithm,
      sign: (message) => ed25519.sign(message, seed),
    },
  };
}

// ---- DSA

/** Generates a DSA key with its own parameters of 2048 and 256 bits. */
export function generateDsaKey(host: Host): PrivateKey {
  meter.slow();
  const q = randomPrime(host, 256);
  const start = (): bigint => {
    const number = randomNumber(host, 2048);
    return number - (number % (2n * q)) + 1n;
  };
  const p = searchPrime(start, 2n * q, 2048);
  let h = 2n;
  while (power(h, (p - 1n) / q, p) === 1n) h++;
  const g = power(h, (p - 1n) / q, p);
  const x = (randomNumber(host, 320) % (q - 1n)) + 1n;
  return dsaKey([0n, p, q, g, power(g, x, p), x]);
}

function dsaKey(numbers: readonly bigint[]): PrivateKey {
  return {
    publicType: '*dsa.PublicKey',
    pem: encodePem('DSA PRIVATE KEY', sequence(...numbers.map(derInteger))),
  };
}

function parseDsa(der: Uint8Array): PrivateKey {
  const reader = new DerReader(der).inside(tags.sequence, malformed);
  return dsaKey([1, 2, 3, 4, 5, 6].map(() => reader.integer(malformed)));
}

// ---- PKCS #8 and PEM

function parsePkcs8(der: Uint8Array): PrivateKey {
  const reader = new DerReader(der).inside(tags.sequence, malformed);
  reader.integer(malformed);
  const algorithm = reader.inside(tags.sequence, malformed);
  const id = algorithm.objectIdentifier(malformed);
  const key = reader.element(tags.octetString, malformed).content;
  if (id === ids.rsa)
    return prefixGoError('x509: failed to parse RSA private key embedded in PKCS#8', () => parsePkcs1(key));
  if (id === ids.ecdsa) {
    const curve = algorithm.has(tags.objectIdentifier) ? algorithm.objectIdentifier(malformed) : undefined;
    return prefixGoError('x509: failed to parse EC private key embedded in PKCS#8', () => parseSec1(key, curve));
  }
  if (id !== ids.ed25519)
    throw new GoError(`x509: PKCS#8 wrapping contained private key with unknown algorithm: ${id}`);
  const seed = new DerReader(key).element(tags.octetString, 'x509: invalid Ed25519 private key').content;
  if (seed.length !== 32) throw new GoError(`x509: invalid Ed25519 private key length: ${seed.length}`);
  return ed25519Key(seed.slice());
}

interface KeyFormat {
  readonly failure: string;
  /** Go's name of the parsing function, if it is one of those that refer to each other. */
  readonly reader?: string;
  readonly parse: (der: Uint8Array) => PrivateKey;
}

const formats: ReadonlyMap<string, KeyFormat> = new Map([
  ['EC PRIVATE KEY', { failure: 'parsing EC private key from PEM', reader: 'ParseECPrivateKey', parse: parseSec1 }],
  ['PRIVATE KEY', { failure: 'decoding PEM as PKCS#8', reader: 'ParsePKCS8PrivateKey', parse: parsePkcs8 }],
  [
    'RSA PRIVATE KEY',
    { failure: 'parsing RSA private key from PEM', reader: 'ParsePKCS1PrivateKey', parse: parsePkcs1 },
  ],
  ['DSA PRIVATE KEY', { failure: 'parsing DSA private key from PEM', parse: parseDsa }],
]);

/** Returns the key in the first PEM block of a text. Throws `GoError` with sprig's message. */
export function parsePrivateKey(pem: string): PrivateKey {
  const block = decodePem(pem);
  if (block === undefined) throw new GoError('no PEM data in input');
  const format = formats.get(block.type);
  if (format === undefined) {
    const known = block.type.endsWith(' PRIVATE KEY');
    throw new GoError(
      `${known ? 'invalid private key type' : 'no private key data in PEM block of type'} ${block.type}`,
    );
  }
  try {
    return format.parse(block.bytes);
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    const other = format.reader === undefined ? undefined : otherReader(format, block.bytes);
    const hint = `x509: failed to parse private key (use ${other} instead for this key format)`;
    throw new GoError(`${format.failure}: ${other === undefined ? error.message : hint}`);
  }
}

// Returns the parser that would have accepted the bytes, if any.
function otherReader(wrong: KeyFormat, der: Uint8Array): string | undefined {
  const others = [...formats.values()].filter((format) => format !== wrong && format.reader !== undefined);
  return others.find((format) => orUndefined(() => format.parse(der)) !== undefined)?.reader;
}

/** Returns a random number with the given number of bits, the two highest set. */
function randomNumber(host: Host, bits: number): bigint {
  return BigInt.asUintN(bits, bytesToNumberBE(host.randomBytes(Math.ceil(bits / 8)))) | (3n << BigInt(bits - 2));
}

/** Returns a random prime with the given number of bits, the two highest set; from the host if it has a faster method. */
export function randomPrime(host: Host, bits: number): bigint {
  return host.randomPrime?.(bits) ?? searchPrime(() => randomNumber(host, bits) | 1n, 2n, bits);
}
