// Parses and formats numbers and quoted strings.
// Mirrors: Go, strconv, 1.23.

import { isPrint, runeOf } from './unicode.ts';
import { isStrayByte, joinBytes, toValidUtf8 } from './utf8.ts';
import { GoError } from './value.ts';

/** Float formats: `e` 1.5e+06, `f` 1500000, `g` the shorter of both, `b` and `x` with powers of two. */
export type FloatFormat = 'e' | 'E' | 'f' | 'g' | 'G' | 'b' | 'x' | 'X';

/** Significant decimal digits without leading zeros, and the position of the point: the value is 0.DIGITS × 10^point. */
interface Decimal {
  readonly digits: string;
  readonly point: number;
}

/**
 * Formats a float. A precision of -1 requests the fewest digits that are read back as the same value.
 * Mirrors: Go, strconv, ftoa.go, `FormatFloat`.
 */
export function formatFloat(value: number, format: FloatFormat, precision: number, bits: 32 | 64 = 64): string {
  const size = bits === 32 ? Math.fround(Math.abs(value)) : Math.abs(value);
  // In this range JavaScript and Go agree: the common case.
  if (format === 'g' && precision < 0 && size < 1e6 && size >= 1e-4 && bits === 64) return String(value);
  if (Number.isNaN(value)) return 'NaN';
  if (size === Number.POSITIVE_INFINITY) return value > 0 ? '+Inf' : '-Inf';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  switch (format) {
    case 'b':
      return sign + formatBinary(size);
    case 'x':
      return sign + formatHex(size, precision);
    case 'X':
      return sign + formatHex(size, precision).toUpperCase();
    case 'e':
    case 'E':
      return sign + formatExponent(decimalOf(size, precision, bits, precision + 1), format, precision);
    case 'f':
      return sign + formatFixed(fixedDecimal(size, precision, bits), precision);
    default:
      return sign + formatGeneral(size, format === 'g' ? 'e' : 'E', precision, bits);
  }
}

function decimalOf(value: number, precision: number, bits: 32 | 64, count: number): Decimal {
  return precision < 0 ? shortestDecimal(value, bits) : roundDecimal(exactDecimal(value), count);
}

function fixedDecimal(value: number, precision: number, bits: 32 | 64): Decimal {
  if (precision < 0) return shortestDecimal(value, bits);
  const exact = exactDecimal(value);
  return roundDecimal(exact, exact.point + precision);
}

function formatExponent({ digits, point }: Decimal, letter: 'e' | 'E', precision: number): string {
  const fraction = digits.slice(1).padEnd(precision, '0');
  const exponent = digits === '' ? 0 : point - 1;
  return `${digits[0] ?? '0'}${fraction === '' ? '' : `.${fraction}`}${letter}${signedExponent(exponent)}`;
}

function signedExponent(exponent: number): string {
  return `${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function formatFixed({ digits, point }: Decimal, precision: number): string {
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0';
  const rest = point > 0 ? digits.slice(point) : '0'.repeat(digits === '' ? 0 : -point) + digits;
  const fraction = precision < 0 ? rest : rest.padEnd(precision, '0');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

function formatGeneral(value: number, letter: 'e' | 'E', precision: number, bits: 32 | 64): string {
  const count = precision === 0 ? 1 : precision;
  const decimal = decimalOf(value, precision, bits, count);
  const length = decimal.digits.length;
  // The exponent at which the exponent form begins; Go uses 6 for the shortest form.
  const limit = precision < 0 ? 6 : count > length && length >= decimal.point ? length : count;
  const exponent = decimal.point - 1;
  if (exponent < -4 || exponent >= limit) return formatExponent(decimal, letter, 0);
  return formatFixed(decimal, -1);
}

function shortestDecimal(value: number, bits: 32 | 64): Decimal {
  if (value === 0) return { digits: '', point: 0 };
  let text = value.toExponential();
  if (bits === 32) {
    // Different decimals of six digits are different float32s, except for subnormal ones: where six digits are enough, trimming zeros
    // leaves the shortest form.
    let count = Math.abs(value) < 2 ** -126 ? 0 : 5;
    do text = value.toExponential(count++);
    while (Math.fround(Number(text)) !== value);
  }
  const at = text.indexOf('e');
  return { digits: trimZeros(text.slice(0, at).replace('.', '')), point: Number(text.slice(at + 1)) + 1 };
}

function trimZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 48) end--;
  return digits.slice(0, end);
}

/** The parts of a float: value = mantissa × 2^exponent. */
function split(value: number): { mantissa: bigint; exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const all = view.getBigUint64(0);
  const biased = Number((all >> 52n) & 0x7ffn);
  const fraction = all & 0xfffffffffffffn;
  return biased === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | 0x10000000000000n, exponent: biased - 1075 };
}

function exactDecimal(value: number): Decimal {
  const { mantissa, exponent } = split(value);
  if (mantissa === 0n) return { digits: '', point: 0 };
  const scaled = exponent >= 0 ? mantissa << BigInt(exponent) : mantissa * 5n ** BigInt(-exponent);
  const digits = scaled.toString();
  return { digits: trimZeros(digits), point: digits.length + Math.min(exponent, 0) };
}

/** Rounds to `count` digits, ties to even. JavaScript's toFixed rounds ties up. */
function roundDecimal(decimal: Decimal, count: number): Decimal {
  const { digits, point } = decimal;
  if (count >= digits.length) return decimal;
  if (count < 0) return { digits: '', point: 0 };
  const next = digits.charCodeAt(count) - 48;
  const tie = next === 5 && count === digits.length - 1;
  const up = tie ? count > 0 && digits.charCodeAt(count - 1) % 2 === 1 : next >= 5;
  const kept = digits.slice(0, count);
  if (!up) {
    const trimmed = trimZeros(kept);
    return { digits: trimmed, point: trimmed === '' ? 0 : point };
  }
  const raised = (BigInt(kept === '' ? '0' : kept) + 1n).toString();
  return { digits: trimZeros(raised), point: point + (raised.length > kept.length ? 1 : 0) };
}

function formatBinary(value: number): string {
  const { mantissa, exponent } = split(value);
  return `${mantissa}p${exponent < 0 ? '' : '+'}${exponent}`;
}

function formatHex(value: number, precision: number): string {
  let { mantissa, exponent } = split(value);
  if (mantissa === 0n) exponent = -52;
  // Shifts the leading 1 to bit 52, so that 13 hexadecimal digits follow it.
  while (mantissa !== 0n && mantissa >> 52n === 0n) {
    mantissa <<= 1n;
    exponent--;
  }
  if (precision >= 0 && precision < 13) {
    const drop = BigInt(52 - precision * 4);
    const extra = mantissa & ((1n << drop) - 1n);
    const half = 1n << (drop - 1n);
    mantissa >>= drop;
    if (extra > half || (extra === half && (mantissa & 1n) === 1n)) mantissa++;
    mantissa <<= drop;
    if (mantissa >> 53n !== 0n) {
      mantissa >>= 1n;
      exponent++;
    }
  }
  const digits = (mantissa & 0xfffffffffffffn).toString(16).padStart(13, '0');
  const fraction = precision < 0 ? trimZeros(digits) : digits.slice(0, precision).padEnd(precision, '0');
  return `0x${mantissa >> 52n}${fraction === '' ? '' : `.${fraction}`}p${signedExponent(exponent + 52)}`;
}

function numberError(func: string, text: string, fault: string): GoError {
  return new GoError(`strconv.${func}: parsing ${quote(text)}: ${fault}`);
}

function rangeError(func: string, text: string): GoError {
  return new GoError(`strconv.${func}: parsing ${quote(text)}: value out of range`, { kind: 'range' });
}

const decimalFloat = /^[+-]?(?:[0-9_]+(?:\.[0-9_]*)?|\.[0-9_]+)(?:[eE][+-]?[0-9][0-9_]*)?$/;
const hexFloat = /^([+-]?)0[xX]([0-9a-fA-F_]*)(?:\.([0-9a-fA-F_]*))?[pP]([+-]?[0-9][0-9_]*)$/;
const infinity = /^([+-]?)inf(?:inity)?$/i;

/**
 * Parses a float64. Throws `GoError` with strconv's message.
 * Mirrors: Go, strconv, atof.go, `ParseFloat`.
 */
export function parseFloat64(text: string): number {
  const value = readFloat(text);
  if (value === undefined) throw numberError('ParseFloat', text, 'invalid syntax');
  if (!Number.isFinite(value) && /[0-9]/.test(text)) throw rangeError('ParseFloat', text);
  return value;
}

function readFloat(text: string): number | undefined {
  if (decimalFloat.test(text)) {
    if (!text.includes('_')) return /[0-9]/.test(text) ? Number(text) : undefined;
    const plain = text.replaceAll('_', '');
    return underscoresOk(text) && decimalFloat.test(plain) ? Number(plain) : undefined;
  }
  const hex = hexFloat.exec(text);
  if (hex !== null) return underscoresOk(text) ? readHexFloat(hex) : undefined;
  const infinite = infinity.exec(text);
  if (infinite !== null) return infinite[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return /^nan$/i.test(text) ? Number.NaN : undefined;
}

function readHexFloat([, sign, wholeText = '', fractionText = '', exponentText = '']: readonly string[]):
  | number
  | undefined {
  const fraction = fractionText.replaceAll('_', '');
  const digits = wholeText.replaceAll('_', '') + fraction;
  if (digits === '') return undefined;
  const mantissa = BigInt(`0x${digits}`);
  const exponent = Number(exponentText.replaceAll('_', '')) - 4 * fraction.length;
  const value = scaleByTwo(mantissa, Math.max(-1e5, Math.min(1e5, exponent)));
  return sign === '-' ? -value : value;
}

/** Returns mantissa × 2^exponent, rounded once to the nearest float64, ties to even. */
function scaleByTwo(mantissa: bigint, exponent: number): number {
  const length = mantissa.toString(2).length;
  if (mantissa === 0n || length + exponent < -1080) return 0;
  if (length + exponent > 1024) return Number.POSITIVE_INFINITY;
  // Number() of a bigint rounds correctly; a subnormal result has fewer bits, so those are dropped first.
  if (exponent >= 0) return Number(mantissa << BigInt(exponent));
  const keep = Math.min(53, length + exponent + 1074);
  const drop = length - keep;
  if (drop <= 0) return Number(mantissa) * 2 ** Math.max(exponent, -1000) * 2 ** Math.min(exponent + 1000, 0);
  const base = mantissa >> BigInt(drop);
  const extra = mantissa - (base << BigInt(drop));
  const half = 1n << BigInt(drop - 1);
  const rounded = extra > half || (extra === half && (base & 1n) === 1n) ? base + 1n : base;
  const scale = exponent + drop;
  return Number(rounded) * 2 ** Math.max(scale, -1000) * 2 ** Math.min(scale + 1000, 0);
}

/** Reports whether all underscores are between two digits, or between a base prefix and a digit. */
function underscoresOk(text: string): boolean {
  const unsigned = text.replace(/^[+-]/, '');
  const prefix = /^0[bBoOxX]/.test(unsigned);
  const digits = /^0[xX]/.test(unsigned) ? /[0-9a-fA-F]/ : /[0-9]/;
  let last = prefix ? '0' : '^';
  for (const char of prefix ? unsigned.slice(2) : unsigned) {
    if (digits.test(char)) last = '0';
    else if (char === '_') {
      if (last !== '0') return false;
      last = '_';
    } else {
      if (last === '_') return false;
      last = '!';
    }
  }
  return last !== '_';
}

/**
 * Parses an int64 in a base from 2 to 36; base 0 means that the prefix decides (`0x`, `0o`, `0b`, `0`). Throws `GoError` with strconv's
 * message, which contains `func`.
 * Mirrors: Go, strconv, atoi.go, `ParseInt`, `Atoi`.
 */
export function parseInt64(text: string, base: number, func: 'ParseInt' | 'Atoi' = 'ParseInt'): bigint {
  const negative = text.startsWith('-');
  const size = readDigits(func, text, negative || text.startsWith('+') ? text.slice(1) : text, base);
  const value = negative ? -size : size;
  if (BigInt.asIntN(64, value) !== value) throw rangeError(func, text);
  return value;
}

/**
 * Returns the int64 that Go's ParseInt returns with an error, in base 10: the nearest one if the number is out of range, 0 for an invalid
 * text.
 */
export function nearestInt64(text: string): bigint {
  const [, sign = '', digits = '', rest] = /^([+-]?)([0-9]+)(.?)/s.exec(text) ?? [];
  const size = BigInt(digits);
  if (rest === undefined || (rest !== '' && size <= maxUint64)) return 0n;
  const value = sign === '-' ? -size : size;
  if (value === BigInt.asIntN(64, value)) return value;
  return value < 0n ? -(2n ** 63n) : 2n ** 63n - 1n;
}

/** Parses a uint64, which has no sign, by the rules of `parseInt64`. */
export function parseUint64(text: string, base: number): bigint {
  return readDigits('ParseUint', text, text, base);
}

const maxUint64 = 0xffffffffffffffffn;
const prefixBases: Readonly<Record<string, number>> = { b: 2, o: 8, x: 16 };

function readDigits(func: string, text: string, unsigned: string, base: number): bigint {
  let digits = unsigned;
  let radix = base;
  if (base === 0) {
    radix = 10;
    if (digits.startsWith('0')) {
      const named = digits.length > 2 ? prefixBases[digits[1]!.toLowerCase()] : undefined;
      radix = named ?? 8;
      digits = digits.slice(named === undefined ? 1 : 2);
      if (digits === '') return 0n;
    }
    if (digits.includes('_')) {
      if (!underscoresOk(unsigned)) throw numberError(func, text, 'invalid syntax');
      digits = digits.replaceAll('_', '');
    }
  }
  if (digits === '') throw numberError(func, text, 'invalid syntax');
  if (radix === 10 && digits.length < 20 && /^[0-9]+$/.test(digits)) return BigInt(digits);
  let value = 0n;
  const step = BigInt(radix);
  for (const char of digits) {
    const digit = /^[0-9a-zA-Z]$/.test(char) ? Number.parseInt(char, 36) : radix;
    if (digit >= radix) throw numberError(func, text, 'invalid syntax');
    value = value * step + BigInt(digit);
    // Go stops here without checking the rest.
    if (value > maxUint64) throw rangeError(func, text);
  }
  return value;
}

const truths: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text) => [text, false] as const),
]);

/** Parses a bool like `strconv.ParseBool`. Throws `GoError` with its message. */
export function parseBool(text: string): boolean {
  const value = truths.get(text);
  if (value === undefined) throw numberError('ParseBool', text, 'invalid syntax');
  return value;
}

const plain = /^[ !#-[\]-~]*$/;
const escapes: Readonly<Record<number, string>> = {
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
  92: '\\\\',
};

/**
 * Quotes a text as a Go string, like `%q`.
 * Mirrors: Go, strconv, quote.go, `Quote`.
 */
export function quote(text: string): string {
  return plain.test(text) ? `"${text}"` : `"${writeEscapes(text, '"', false)}"`;
}

/** Quotes a text as a Go string with all non-ASCII characters escaped (`%+q`). */
export function quoteToAscii(text: string): string {
  return plain.test(text) ? `"${text}"` : `"${writeEscapes(text, '"', true)}"`;
}

/**
 * Reports whether the text can be a raw string: it has no back quote, no control character except tab, no byte order mark and no invalid
 * UTF-8.
 */
export function canBackquote(text: string): boolean {
  return !/[\x00-\x08\x0a-\x1f`\x7f\ufeff]|[\udc80-\udcff]/u.test(text);
}

/** Quotes a code point as a Go character (`%q` of an int); invalid ones become U+FFFD. */
export function quoteRune(codePoint: number, asciiOnly: boolean): string {
  return `'${writeEscapes(runeText(codePoint), "'", asciiOnly)}'`;
}

/** Returns the character of a code point; U+FFFD for invalid ones. */
export function runeText(codePoint: number): string {
  const valid = codePoint >= 0 && codePoint <= 0x10ffff && !(codePoint >= 0xd800 && codePoint < 0xe000);
  return valid ? String.fromCodePoint(codePoint) : '\ufffd';
}

// Everything except printable ASCII characters other than quotes and backslashes.
const mayNeedEscape = /[^ !#-&(-[\]-~]/gu;

function writeEscapes(text: string, quoteMark: string, asciiOnly: boolean): string {
  return text.replace(mayNeedEscape, (char) => {
    if (char === quoteMark) return `\\${char}`;
    const code = runeOf(char);
    if ((code < 0x80 || !asciiOnly) && code !== 92 && isPrint(code)) return char;
    return escapes[code] ?? numericEscape(code);
  });
}

function numericEscape(code: number): string {
  const hex = (width: number, value: number): string => value.toString(16).padStart(width, '0');
  if (isStrayByte(code)) return `\\x${hex(2, code - 0xdc00)}`;
  if (code < 0x20 || code === 0x7f) return `\\x${hex(2, code)}`;
  if (code >= 0xd800 && code < 0xe000) return '\\ufffd';
  return code < 0x10000 ? `\\u${hex(4, code)}` : `\\U${hex(8, code)}`;
}

const escapeSequence = /\\(?:[abfnrtv\\]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-7]{3}|["'])/y;
const simpleEscapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
};

/**
 * Returns the text of a Go literal: double-quoted, raw, or a single-quoted character. Throws `GoError` 'invalid syntax'.
 * Mirrors: Go, strconv, quote.go, `Unquote`.
 */
export function unquote(text: string): string {
  const mark = text[0] ?? '';
  const body = text.slice(1, -1);
  if (text.length < 2 || !text.endsWith(mark)) throw new GoError('invalid syntax');
  if (mark === '`') {
    if (body.includes('`')) throw new GoError('invalid syntax');
    return body.replaceAll('\r', '');
  }
  if ((mark !== '"' && mark !== "'") || body.includes('\n')) throw new GoError('invalid syntax');
  const valid = toValidUtf8(body);
  const result = valid.includes('\\') || valid.includes(mark) ? readEscapes(valid, mark) : valid;
  if (mark === "'" && [...result].length !== 1) throw new GoError('invalid syntax');
  return result;
}

function readEscapes(body: string, mark: string): string {
  let result = '';
  for (let at = 0; at < body.length; ) {
    const next = body.indexOf('\\', at);
    const plainText = body.slice(at, next < 0 ? undefined : next);
    if (plainText.includes(mark)) throw new GoError('invalid syntax');
    result += plainText;
    if (next < 0) break;
    at = next;
    escapeSequence.lastIndex = at;
    const sequence = escapeSequence.exec(body)?.[0];
    if (sequence === undefined) throw new GoError('invalid syntax');
    result += escapedText(sequence, mark);
    at += sequence.length;
  }
  // Bytes written one by one (`\xc3\xa9`) may form a character together.
  return joinBytes([result]);
}

function escapedText(sequence: string, mark: string): string {
  const letter = sequence[1]!;
  const simple = simpleEscapes[letter];
  if (simple !== undefined) {
    // The other kind of quote mark has no escape.
    if ((letter === '"' || letter === "'") && letter !== mark) throw new GoError('invalid syntax');
    return simple;
  }
  const octal = letter >= '0' && letter <= '7';
  const code = Number.parseInt(sequence.slice(octal ? 1 : 2), octal ? 8 : 16);
  if (letter === 'x' || octal) {
    if (code > 255) throw new GoError('invalid syntax');
    // A character literal contains a code point, a string literal contains bytes.
    return code < 0x80 || mark === "'" ? String.fromCharCode(code) : String.fromCharCode(0xdc00 + code);
  }
  if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) throw new GoError('invalid syntax');
  return String.fromCodePoint(code);
}
