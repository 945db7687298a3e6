// The digits of pi, which password hashes begin with: it goes into the bundles in the place of a table.

/**
 * Gives the digits of pi behind the point, so many words of 32 bits, by the series of the Chudnovskys, its terms joined in
 * halves.
 */
export function wordsOfPi(count: number): number[] {
  type Sum = readonly [factor: bigint, divisor: bigint, sum: bigint];
  const join = (from: bigint, to: bigint): Sum => {
    if (to - from === 1n) {
      const factor = -(6n * from - 5n) * (2n * from - 1n) * (6n * from - 1n);
      return [factor, from * from * from * 10939058860032000n, factor * (13591409n + 545140134n * from)];
    }
    const middle = (from + to) >> 1n;
    const [f1, d1, s1] = join(from, middle);
    const [f2, d2, s2] = join(middle, to);
    return [f1 * f2, d1 * d2, s1 * d2 + f1 * s2];
  };
  // Each term gives 47 bits.
  const [, divisor, sum] = join(1n, BigInt(Math.ceil((32 * count) / 47) + 2));
  const square = 10005n << BigInt(64 * count + 128);
  let root = 101n << BigInt(32 * count + 64);
  for (let next = root; ; root = next) {
    next = (root + square / root) >> 1n;
    if (next >= root) break;
  }
  const digits = (((426880n * root * divisor) / (13591409n * divisor + sum)) >> 64n).toString(16);
  return Array.from({ length: count }, (_, i) => Number.parseInt(digits.slice(i * 8 + 1, i * 8 + 9), 16));
}
