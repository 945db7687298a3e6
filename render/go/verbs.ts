// Formats a basic value with a printf verb: flags, width, precision.
// Mirrors: Go, fmt, format.go, 1.23.

import { canBackquote, type FloatFormat, formatFloat, quote, quoteRune, quoteToAscii, runeText } from './number.ts';
import { isPrint } from './unicode.ts';
import { decodeUtf8, encodeUtf8, isAscii, runeCount } from './utf8.ts';

/** The part between `%` and the verb. A width or precision of -1 is absent. */
export interface Flags {
  width: number;
  precision: number;
  minus: boolean;
  plus: boolean;
  sharp: boolean;
  space: boolean;
  zero: boolean;
  /** `%+v` and `%#v` are separate formats that replace `plus` and `sharp`. */
  plusV: boolean;
  sharpV: boolean;
}

/** Reports whether a directive has no flag, width or precision. */
export function isUnset(flags: Flags): boolean {
  return Object.values(flags).every((flag) => flag === false || flag === -1);
}

/** Returns flags without anything set. */
export function noFlags(): Flags {
  return {
    width: -1,
    precision: -1,
    minus: false,
    plus: false,
    sharp: false,
    space: false,
    zero: false,
    plusV: false,
    sharpV: false,
  };
}

/** Pads a text to the width in characters; with zeros if requested, strings too. */
export function pad(text: string, flags: Flags, zero: boolean = flags.zero): string {
  if (flags.width <= 0) return text;
  const missing = flags.width - runeCount(text);
  if (missing <= 0) return text;
  if (flags.minus) return text + ' '.repeat(missing);
  return (zero ? '0' : ' ').repeat(missing) + text;
}

/** Formats a string with `%s`: truncated to the precision, then padded. */
export function formatString(text: string, flags: Flags): string {
  return pad(truncate(text, flags), flags);
}

function truncate(text: string, flags: Flags): string {
  if (flags.precision < 0 || text.length <= flags.precision) return text;
  return isAscii(text) ? text.slice(0, flags.precision) : [...text].slice(0, flags.precision).join('');
}

/** Formats a string with `%q`. */
export function formatQuoted(text: string, flags: Flags): string {
  const short = truncate(text, flags);
  if (flags.sharp && canBackquote(short)) return pad(`\`${short}\``, flags);
  return pad(flags.plus ? quoteToAscii(short) : quote(short), flags);
}

/** Formats the bytes of a string or byte slice with `%x` or `%X`. */
export function formatBytesHex(text: string | Uint8Array, upper: boolean, flags: Flags): string {
  const all = typeof text === 'string' ? encodeUtf8(text) : text;
  const bytes = flags.precision >= 0 ? all.subarray(0, flags.precision) : all;
  const prefix = flags.sharp ? '0x' : '';
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'));
  const hex = flags.space ? digits.map((pair) => prefix + pair).join(' ') : prefix + digits.join('');
  return pad(bytes.length === 0 ? '' : upper ? hex.toUpperCase() : hex, flags);
}

/** Formats an integer in base 2, 8, 10 or 16; `verb` distinguishes `%O` from `%o` and `%X` from `%x`. */
export function formatInteger(value: bigint, base: 2 | 8 | 10 | 16, verb: string, flags: Flags): string {
  if (flags.precision === 0 && value === 0n) return pad('', flags, false);
  const sign = value < 0n ? '-' : flags.plus ? '+' : flags.space ? ' ' : '';
  const zeroWidth = flags.zero && !flags.minus ? flags.width - sign.length : 0;
  const digits = (value < 0n ? -value : value)
    .toString(base)
    .padStart(flags.precision >= 0 ? flags.precision : zeroWidth, '0');
  let prefix = verb === 'O' ? '0o' : '';
  if (flags.sharp) {
    if (base === 2) prefix = '0b';
    else if (base === 8 && !digits.startsWith('0')) prefix += '0';
    else if (base === 16) prefix = '0x';
  }
  const text = prefix + digits;
  return pad(sign + (verb === 'X' ? text.toUpperCase() : text), flags, false);
}

/** Formats an integer with `%U`: `U+0041`, and with `#` the character after it. Treated as unsigned 64 bits. */
export function formatUnicode(value: bigint, flags: Flags): string {
  const unsigned = BigInt.asUintN(64, value);
  const digits = unsigned.toString(16).toUpperCase().padStart(Math.max(4, flags.precision), '0');
  const code = unsigned <= 0x10ffffn ? Number(unsigned) : -1;
  const shown = flags.sharp && code >= 0 && isPrint(code) ? ` '${String.fromCodePoint(code)}'` : '';
  return pad(`U+${digits}${shown}`, flags, false);
}

/** Formats an integer as a character with `%c`. */
export function formatCharacter(value: bigint, flags: Flags): string {
  return pad(runeText(codePointOf(value)), flags);
}

/** Formats an integer as a quoted character with `%q`. */
export function formatQuotedCharacter(value: bigint, flags: Flags): string {
  return pad(quoteRune(codePointOf(value), flags.plus), flags);
}

function codePointOf(value: bigint): number {
  return value >= 0n && value <= 0x10ffffn ? Number(value) : -1;
}

/** Formats a float. `precision` is the verb's default, which the flags override. */
export function formatFloatVerb(value: number, format: FloatFormat, precision: number, flags: Flags): string {
  const digits = flags.precision >= 0 ? flags.precision : precision;
  const text = formatFloat(value, format, digits);
  const signed = text.startsWith('-') || text.startsWith('+');
  const size = signed ? text.slice(1) : text;
  const plain = flags.plus ? '+' : flags.space ? ' ' : '';
  // strconv keeps the plus sign of infinity; here it is shown only on request.
  const sign = text.startsWith('-') ? '-' : plain;
  if (!Number.isFinite(value)) return pad(sign + size === 'Inf' ? '+Inf' : sign + size, flags, false);
  const number = flags.sharp && format !== 'b' ? withPoint(size, format, digits) : size;
  if (flags.zero && !flags.minus && sign !== '') return sign + number.padStart(flags.width - sign.length, '0');
  return pad(sign + number, flags);
}

// `#` forces a decimal point and, for %g, keeps trailing zeros.
function withPoint(number: string, format: FloatFormat, precision: number): string {
  const at = number.search(format === 'x' || format === 'X' ? /[pP]/ : /[eE]/);
  const mantissa = at < 0 ? number : number.slice(0, at);
  const point = mantissa.includes('.') ? mantissa : `${mantissa}.`;
  const wanted = format === 'g' || format === 'G' || format === 'x' ? (precision < 0 ? 6 : precision) : 0;
  // Go counts every character after the first that is not `0`, and a single zero once; so the x of 0x1 counts too.
  const counted = mantissa === '0' ? 1 : mantissa.replace('.', '').replace(/^0+/, '').length;
  return `${point}${'0'.repeat(Math.max(0, wanted - counted))}${at < 0 ? '' : number.slice(at)}`;
}

// Charts print their whole context, including files, once per resource. Templates cannot change bytes.
const printed = new WeakMap<Uint8Array, string>();
const worthKeeping = 1024;

/** Formats bytes like `%v`: `[1 20 255]`. */
export function formatBytes(bytes: Uint8Array): string {
  let text = printed.get(bytes);
  if (text === undefined) {
    text = decimalBytes(bytes);
    if (bytes.length >= worthKeeping) printed.set(bytes, text);
  }
  return text;
}

// The digits are written as bytes, because joining numbers takes three times as long.
function decimalBytes(bytes: Uint8Array): string {
  const text = new Uint8Array(2 + 4 * bytes.length);
  let at = 0;
  text[at++] = 0x5b;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (i > 0) text[at++] = 0x20;
    if (byte > 99) text[at++] = 0x30 + Math.trunc(byte / 100);
    if (byte > 9) text[at++] = 0x30 + (Math.trunc(byte / 10) % 10);
    text[at++] = 0x30 + (byte % 10);
  }
  text[at++] = 0x5d;
  return decodeUtf8(text.subarray(0, at));
}
