// Big prime numbers and powers, for RSA and DSA keys: the engine's where the host has no faster way, the emulator's from a seed.

let smallPrimes: readonly number[] | undefined;

function primesBelow(limit: number): number[] {
  const composite = new Uint8Array(limit);
  const primes: number[] = [];
  for (let i = 2; i < limit; i++) {
    if (composite[i] === 1) continue;
    primes.push(i);
    for (let multiple = i * i; multiple < limit; multiple += i) composite[multiple] = 1;
  }
  return primes;
}

/** Gives `base ** exponent % modulus`. */
export function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  // Four bits of the exponent at a time.
  const table = [1n];
  for (let i = 1; i < 16; i++) table.push(((table[i - 1] as bigint) * base) % modulus);
  let result = 1n;
  for (const digit of exponent.toString(16)) {
    for (let i = 0; i < 4; i++) result = (result * result) % modulus;
    if (digit !== '0') result = (result * (table[Number.parseInt(digit, 16)] as bigint)) % modulus;
  }
  return result;
}

/** Gives the number that times `value` is 1 modulo `modulus`; both must have no common divisor. */
export function inverse(value: bigint, modulus: bigint): bigint {
  let [a, b] = [value % modulus, modulus];
  let [x, y] = [1n, 0n];
  while (b !== 0n) {
    const quotient = a / b;
    [a, b] = [b, a - quotient * b];
    [x, y] = [y, x - quotient * y];
  }
  return x < 0n ? x + modulus : x;
}

/** Gives the first prime at `start()` or whole steps above it that has so many bits; starts again when it runs out. */
export function searchPrime(start: () => bigint, step: bigint, bits: number): bigint {
  const limit = 1n << BigInt(bits);
  for (;;) {
    const first = start();
    for (const offset of unsieved(first, step, bits)) {
      const candidate = first + BigInt(offset) * step;
      if (candidate >= limit) break;
      if (isProbablyPrime(candidate)) return candidate;
    }
  }
}

// Gives the numbers of steps that lead to a number without a small divisor.
function unsieved(first: bigint, step: bigint, bits: number): number[] {
  const length = bits * 8;
  const composite = new Uint8Array(length);
  smallPrimes ??= primesBelow(8192);
  for (const prime of smallPrimes) {
    const divisor = BigInt(prime);
    const stride = Number(step % divisor);
    if (stride === 0) continue;
    let residue = Number(first % divisor);
    for (let at = 0; at < prime && at < length; at++) {
      if (residue === 0) {
        for (let multiple = at; multiple < length; multiple += prime) composite[multiple] = 1;
        break;
      }
      residue = (residue + stride) % prime;
    }
  }
  return Array.from(composite.keys()).filter((offset) => composite[offset] === 0);
}

// Miller and Rabin's test. Random candidates of this size that pass once for 2 are prime already, for all that is known.
function isProbablyPrime(candidate: bigint): boolean {
  return [2n, 3n, 5n, 7n, 11n, 13n].every((base) => passes(candidate, base));
}

function passes(candidate: bigint, base: bigint): boolean {
  let odd = candidate - 1n;
  let twos = 0;
  for (; odd % 2n === 0n; odd /= 2n) twos++;
  let value = power(base, odd, candidate);
  if (value === 1n || value === candidate - 1n) return true;
  for (let i = 1; i < twos; i++) {
    value = (value * value) % candidate;
    if (value === candidate - 1n) return true;
  }
  return false;
}
