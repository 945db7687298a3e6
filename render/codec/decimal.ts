// Exact decimal numbers, where a float64 would be rounded.

/** A decimal number: `digits` times ten to the power of `exponent`. Equal numbers have equal parts. */
export interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

// Longer texts are not realistic numbers, and BigInt parses them in quadratic time.
const maxLength = 1000;

/** Parses a decimal number such as `-1.50` or `2e9`. Returns undefined for other texts. */
export function parseDecimal(text: string): Decimal | undefined {
  if (text.length > maxLength) return undefined;
  const found = /^([-+]?)(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d{1,6}))?$/.exec(text);
  if (found === null) return undefined;
  const [, sign, whole = '', fraction = '', power = '0'] = found;
  if (whole === '' && fraction === '') return undefined;
  const written = `${whole}${fraction}`;
  let end = written.length;
  while (end > 0 && written[end - 1] === '0') end--;
  const digits = BigInt(written.slice(0, end) || '0');
  if (digits === 0n) return { digits, exponent: 0 };
  const exponent = Number(power) - fraction.length + (written.length - end);
  return { digits: sign === '-' ? -digits : digits, exponent };
}

/** Reports whether two texts are the same decimal number. */
export function isSameDecimal(a: string, b: string): boolean {
  const [left, right] = [parseDecimal(a), parseDecimal(b)];
  return left !== undefined && left.digits === right?.digits && left.exponent === right.exponent;
}
