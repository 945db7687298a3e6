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

// RSA without padding is plain exponentiation, and with a large exponent Node's takes a sixth of the time. OpenSSL rejects small or even
// moduli, exponents larger than the modulus, and large exponents with more than 3072 bits; other libraries accept common exponents only.
function platformPower(base: bigint, exponent: bigint, modulus: bigint): bigint | undefined {
  const bits = modulus.toString(16).length * 4;
  if (exponent >> 64n === 0n || bits < 512 || bits > 3072) return undefined;
  // Not imported, because browsers run this file too.
  const crypto = globalThis.process?.getBuiltinModule?.('node:crypto');
  if (crypto === undefined) return undefined;
  const n = bytesOf(modulus);
  const small = bytesOf(base);
  const message = new Uint8Array(n.length);
  message.set(small, n.length - small.length);
  try {
    const jwk = { kty: 'RSA', n: n.toString('base64url'), e: bytesOf(exponent).toString('base64url') };
    const key = crypto.createPublicKey({ key: jwk, format: 'jwk' });
    const raised = crypto.publicEncrypt({ key, padding: crypto.constants.RSA_NO_PADDING }, message);
    return BigInt(`0x${raised.toString('hex')}`);
  } catch {
    return undefined;
  }
}

function bytesOf(number: bigint): Buffer {
  const digits = number.toString(16);
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
}
