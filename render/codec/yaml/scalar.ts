// The types of plain scalars: number, bool, null, date; and which strings need quotes.
// Mirrors: go-yaml v2 (sigs.k8s.io/yaml 1.4.0), resolve.go; encode.go, `isBase60Float`.

import { decodeBase64 } from '../../go/base64.ts';
import { parseFloat64 } from '../../go/number.ts';
import { decodeUtf8 } from '../../go/utf8.ts';
import { GoError, type GoValue, Int, int } from '../../go/value.ts';
import { isSameDecimal } from '../decimal.ts';
import { JsonNumber } from '../json.ts';

/** The long form of the tags of YAML's own types: `!!str` is `tag:yaml.org,2002:str`. */
export const yamlTagPrefix = 'tag:yaml.org,2002:';

type ShortTag = '!!null' | '!!bool' | '!!int' | '!!float' | '!!str' | '!!timestamp';

const words: ReadonlyMap<string, GoValue> = new Map<string, GoValue>([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['.nan', '.NaN', '.NAN'].map((word) => [word, Number.NaN] as const),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map((word) => [word, Number.POSITIVE_INFINITY] as const),
  ...['-.inf', '-.Inf', '-.INF'].map((word) => [word, Number.NEGATIVE_INFINITY] as const),
]);

// Only a text that begins with one of these can be anything but a string. 1: see `words`; 2: possibly a number as well.
const hints = new Uint8Array(128);
for (const char of 'yYnNtTfFoO~') hints[char.charCodeAt(0)] = 1;
for (const char of '+-.0123456789') hints[char.charCodeAt(0)] = 2;

const boolWord = /^(?:[yY]|yes|Yes|YES|on|On|ON|[nN]|no|No|NO|off|Off|OFF)$/;

/** Reports whether a plain scalar is a boolean in YAML 1.1 only. */
export function isBoolWord(text: string): boolean {
  return boolWord.test(text);
}

/** Reports whether the first character alone makes the text a string. An empty text is not one. */
export function isSurelyString(text: string): boolean {
  const unit = text.charCodeAt(0);
  return unit >= 128 || hints[unit] === 0;
}

/** Returns the value of an untagged plain scalar. An integer is an `Int`, to distinguish it from a float as Go does. */
export function resolvePlain(text: string): GoValue {
  if (isSurelyString(text)) return text;
  const quick = smallInteger(text);
  if (quick >= 0) return int(quick);
  const word = words.get(text);
  if (word !== undefined) return word;
  return hints[text.charCodeAt(0)] === 2 ? (parseNumber(text) ?? text) : text;
}

/** Returns the value of an untagged plain scalar after a conversion through JSON: every number is a float64. */
export function resolveJson(text: string): GoValue {
  if (isSurelyString(text)) return text;
  const quick = smallInteger(text);
  if (quick >= 0) return quick;
  const value = resolvePlain(text);
  return value instanceof Int ? Number(value.value) : value;
}

/** Returns the value of a scalar, or its digits as a `JsonNumber` if a float64 would lose some. */
export function withDigits(text: string, value: GoValue): GoValue {
  if (typeof value !== 'number') return value;
  const plain = text.replaceAll('_', '');
  if (!Number.isFinite(value) || isSameDecimal(plain, String(value))) return value;
  return new JsonNumber(plain);
}

// Returns a short decimal integer without sign or leading zero, or -1.
function smallInteger(text: string): number {
  const { length } = text;
  if (length > 9) return -1;
  let value = text.charCodeAt(0) - 48;
  if (value < 0 || value > 9 || (value === 0 && length > 1)) return -1;
  for (let i = 1; i < length; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

const goInteger = /^[-+]?(?:0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9][0-9]*)$/;
// Go parses `0b` again by itself, and then accepts a sign after it.
const signedBinary = /^0b([-+][01]+)$/;
const yamlFloat = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;

function parseNumber(text: string): Int | number | undefined {
  if (text.startsWith('.')) return parseFinite(text);
  const plain = text.includes('_') ? text.replaceAll('_', '') : text;
  if (goInteger.test(plain)) {
    const value = toInt(plain);
    if (value !== undefined) return value;
  }
  if (yamlFloat.test(plain)) return parseFinite(plain);
  const binary = signedBinary.exec(plain)?.[1];
  return binary === undefined ? undefined : toInt(`${binary[0]}0b${binary.slice(1)}`);
}

// Go's float syntax after a dot: digits, optionally separated by `_`.
const dotFloat = /^\.[0-9](?:_?[0-9])*(?:[eE][-+]?[0-9](?:_?[0-9])*)?$/;

function parseFinite(text: string): number | undefined {
  if (text.startsWith('.') && !dotFloat.test(text)) return undefined;
  const value = text.length < 16 ? Number(text.replaceAll('_', '')) : parseOrInfinity(text);
  return Number.isFinite(value) ? value : undefined;
}

function parseOrInfinity(text: string): number {
  try {
    return parseFloat64(text);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

// Returns the integer in a text that matches `goInteger`, if it fits into 64 bits. Only an unsigned one can use all of them.
function toInt(plain: string): Int | undefined {
  const negative = plain.startsWith('-');
  const digits = /^[-+]/.test(plain) ? plain.slice(1) : plain;
  const magnitude = BigInt(/^0[0-7]/.test(digits) ? `0o${digits.slice(1)}` : digits);
  const value = negative ? -magnitude : magnitude;
  if (BigInt.asIntN(64, value) === value) return new Int(value, 'int');
  if (digits === plain && BigInt.asUintN(64, value) === value) return new Int(value, 'uint64');
  return undefined;
}

/**
 * Returns the value of a scalar with a tag; it is a string if YAML does not define the tag. Throws GoError if the text is invalid for the
 * tag.
 */
export function resolveTagged(tag: string, text: string): GoValue {
  const short = tag.startsWith(yamlTagPrefix) ? `!!${tag.slice(yamlTagPrefix.length)}` : tag;
  switch (short) {
    case '!!binary':
      return decodeBinary(text);
    case '!!null':
    case '!!bool':
    case '!!int':
    case '!!float':
    case '!!timestamp':
      return resolveAs(short, text);
    default:
      return text;
  }
}

function decodeBinary(text: string): string {
  try {
    return decodeUtf8(decodeBase64(text));
  } catch {
    throw new GoError('yaml: !!binary value contains invalid base64 data');
  }
}

function resolveAs(tag: ShortTag, text: string): GoValue {
  if (tag === '!!timestamp' && isTimestamp(text)) return text;
  const value = resolvePlain(text);
  const found = shortTagOf(value);
  if (found === tag) return value;
  if (tag === '!!float' && value instanceof Int && value.kind === 'int') return Number(value.value);
  throw new GoError(`yaml: cannot decode ${found} \`${text}\` as a ${tag}`);
}

function shortTagOf(value: GoValue): ShortTag {
  if (value === null) return '!!null';
  if (typeof value === 'boolean') return '!!bool';
  if (typeof value === 'number') return '!!float';
  return value instanceof Int ? '!!int' : '!!str';
}

/** Reports whether a string without quotes would be read as another type, or as a base 60 number in YAML 1.1. */
export function needsQuotes(text: string): boolean {
  if (isSurelyString(text)) return false;
  return typeof resolvePlain(text) !== 'string' || isTimestamp(text) || base60.test(text);
}

const base60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;

const clock = '(\\d{1,2}):(\\d{1,2}):(\\d{1,2})(?:[.,]\\d+)?';
const timestamp = new RegExp(`^(\\d{4})-(\\d{1,2})-(\\d{1,2})(?:[Tt]${clock}(?:Z|[-+](\\d\\d):(\\d\\d))| ${clock})?$`);

// Mirrors: go-yaml v2, resolve.go, `parseTimestamp`, and the ranges in Go's time.Parse.
/** Reports whether an untagged plain scalar is a date, or a date and a time. */
export function isTimestamp(text: string): boolean {
  const match = timestamp.exec(text);
  if (match === null) return false;
  const part = (at: number): number => Number(match[at] ?? 0);
  const [year, month, day] = [part(1), part(2), part(3)];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return false;
  if (part(4) > 23 || part(5) > 59 || part(6) > 59) return false;
  if (part(7) > 24 || part(8) > 60) return false;
  return part(9) <= 23 && part(10) <= 59 && part(11) <= 59;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
