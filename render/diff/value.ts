// Values of manifests: equality and similarity.

import { parseDecimal } from '../codec/decimal.ts';
import { JsonNumber, jsonNumber } from '../codec/json.ts';
import { encodeBase64 } from '../go/base64.ts';
import { deepEqual } from '../go/deep-equal.ts';
import { isBytes } from '../go/realm.ts';
import { type GoMap, GoObject, type GoValue, Int, sortedEntries } from '../go/value.ts';

/** Returns the same text for equal values, with members in any order. */
export function canonical(value: GoValue): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!(value instanceof Map)) return formatScalar(value);
  return `{${sortedEntries(value)
    .map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`)
    .join(',')}}`;
}

/** Formats a scalar as JSON with all digits. Types without a JSON form are named. */
export function formatScalar(value: GoValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (isNumber(value)) return numberText(value);
  if (isBytes(value)) return `base64 ${encodeBase64(value)}`;
  if (value instanceof GoObject) return `${value.type} ${value.string() ?? JSON.stringify(value.json())}`;
  return String(value);
}

/** Reports whether two scalars are equal. Number types are distinguished if the format does. */
export function isSameScalar(a: GoValue, b: GoValue, hasNumberTypes: boolean): boolean {
  if (isNumber(a) && isNumber(b)) {
    return numberText(a) === numberText(b) && (!hasNumberTypes || numberType(a) === numberType(b));
  }
  return deepEqual(a, b);
}

/** Returns the type of a scalar in its format, such as `integer`, `float` or `string`. */
export function scalarType(value: GoValue): string {
  if (isNumber(value)) return numberType(value);
  if (value === null) return 'null';
  if (isBytes(value)) return 'bytes';
  if (value instanceof GoObject) return value.type === 'time.Time' ? 'time' : value.type;
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function isNumber(value: GoValue): value is number | Int | JsonNumber {
  return typeof value === 'number' || value instanceof Int || value instanceof JsonNumber;
}

function numberText(value: number | Int | JsonNumber): string {
  if (value instanceof JsonNumber) return value.text;
  if (value instanceof Int) return String(value.value);
  return Number.isFinite(value) ? jsonNumber(value) : String(value);
}

function numberType(value: number | Int | JsonNumber): string {
  return value instanceof Int || (value instanceof JsonNumber && /^[-+]?\d+$/.test(value.text)) ? 'integer' : 'float';
}

/** Reports whether a value is neither a map nor a list. */
export function isScalar(value: GoValue): boolean {
  return !(value instanceof Map) && !Array.isArray(value);
}

/** Reports whether every value is a map. */
export function areMaps(values: readonly GoValue[]): values is GoMap[] {
  return values.every((value) => value instanceof Map);
}

/** Returns the similarity of two values, from 0 to 1: their common leaves relative to those of the larger one. */
export function similarity(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const most = Math.max(left.size, right.size);
  if (most === 0) return 1;
  let shared = 0;
  for (const leaf of left) if (right.has(leaf)) shared++;
  return shared / most;
}

/** Returns the scalars of a value with their paths. Items of lists count by content, not by index. */
export function leavesOf(value: GoValue): ReadonlySet<string> {
  const leaves = new Set<string>();
  const open: (readonly [path: string, value: GoValue])[] = [['', value]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [path, item] = next;
    if (item instanceof Map) for (const [key, inner] of item) open.push([`${path}/${key}`, inner]);
    else if (Array.isArray(item)) for (const inner of item) open.push([`${path}/-`, inner]);
    else if (item !== null) leaves.add(`${path}=${formatScalar(item)}`);
  }
  return leaves;
}

const decimalSuffixes = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const binarySuffixes = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/**
 * Reports whether two scalars are the same quantity, such as `1` and `1000m`.
 * Mirrors: k8s.io/apimachinery/pkg/api/resource, quantity.go, `ParseQuantity`, v0.32.
 */
export function areSameQuantity(a: GoValue, b: GoValue): boolean {
  const [left, right] = [quantityOf(a), quantityOf(b)];
  return left !== undefined && left === right;
}

/** Returns the exact value of a quantity, in units of 10^-50; undefined for other values. */
export function quantityOf(value: GoValue): bigint | undefined {
  if (typeof value !== 'string' && !isNumber(value)) return undefined;
  const text = typeof value === 'string' ? value : numberText(value);
  const [, number = '', suffix = ''] = /^([-+]?[\d.]+(?:[eE][-+]?\d+)?)([KMGTPE]i|[numkMGTPE])?$/.exec(text) ?? [];
  if (suffix !== '' && /e/i.test(number)) return undefined;
  const decimal = parseDecimal(number);
  if (decimal === undefined) return undefined;
  const binary = binarySuffixes.indexOf(suffix) + 1;
  const exponent = decimal.exponent + (binary > 0 ? 0 : (decimalSuffixes.indexOf(suffix) - 3) * 3) + finest;
  if (exponent < 0 || exponent > 4 * finest) return undefined;
  return decimal.digits * 10n ** BigInt(exponent) * 1024n ** BigInt(binary);
}

const finest = 50;
