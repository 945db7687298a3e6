// Modular exponentiation for keys and signatures: by the platform if it can, else by this module.

/** Returns `base ** exponent % modulus`; all arguments are non-negative. */
export function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  return platformPower(base % modulus, exponent, modulus) ?? ownPower(base, exponent, modulus);
}

function ownPower(base: bigint, exponent: bigint, modulus: bigint): bigint {
  // Processes four bits of the exponent at a time.
  const table = [1n];
  for (let i = 1; i < 16; i++) table.push((table[i - 1]! * base) % modulus);
  let result = 1n;
  for (const digit of exponent.toString(16)) {
    for (let i = 0; i < 4; i++) result = (result * result) % modulus;
    if (digit !== '0') result = (result * table[Number.parseInt(digit, 16)]!) % modulus;
  }
  return result;
}

// RSA without padding is plain exponentiation, and Node's takes a sixth of the time. It rejects small or even moduli and exponents larger
// than the modulus, and only long moduli with small exponents are worth the call.
const leastBits = 512n;
const mostBits = 3072n;

function platformPower(base: bigint, exponent: bigint, modulus: bigint): bigint | undefined {
  if (exponent >> 64n === 0n || exponent >= modulus || modulus % 2n === 0n) return undefined;
  if (modulus >> (leastBits - 1n) === 0n || modulus >> mostBits !== 0n) return undefined;
  return hasPlatformPower() ? raise(base, exponent, modulus) : undefined;
}

// Node supports it; libraries other than OpenSSL accept common exponents only.
function hasPlatformPower(): boolean {
  known ??= tries();
  return known;
}

let known: boolean | undefined;

function tries(): boolean {
  const modulus = (1n << 521n) - 1n;
  const exponent = modulus - 12n;
  try {
    return raise(3n, exponent, modulus) === ownPower(3n, exponent, modulus);
  } catch {
    return false;
  }
}

function raise(base: bigint, exponent: bigint, modulus: bigint): bigint | undefined {
  // Not imported, because browsers run this file too.
  const crypto = globalThis.process?.getBuiltinModule?.('node:crypto');
  if (crypto === undefined) return undefined;
  const n = bytesOf(modulus);
  const small = bytesOf(base);
  const message = new Uint8Array(n.length);
  message.set(small, n.length - small.length);
  const jwk = { kty: 'RSA', n: n.toString('base64url'), e: bytesOf(exponent).toString('base64url') };
  const key = crypto.createPublicKey({ key: jwk, format: 'jwk' });
  const raised = crypto.publicEncrypt({ key, padding: crypto.constants.RSA_NO_PADDING }, message);
  return BigInt(`0x${raised.toString('hex')}`);
}

function bytesOf(number: bigint): Buffer {
  const digits = number.toString(16);
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
}
