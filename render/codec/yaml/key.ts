// Keys of YAML mappings, which must be strings in JSON, and Go's source form of values for errors.
// Mirrors: sigs.k8s.io/yaml 1.4.0, yaml.go, `convertToJSONableObject`; go-yaml v2, decode.go; Go 1.23, fmt, `%#v`.

import { formatFloat, quote } from '../../go/number.ts';
import { compareStrings, GoError, type GoMap, type GoValue, Int } from '../../go/value.ts';

// Few mappings have keys that were not strings, and only errors need the original keys.
const writtenKeys = new WeakMap<GoMap, Map<string, GoValue>>();

/** Records the original of a mapping's key that was converted to text. */
export function rememberKey(map: GoMap, text: string, key: GoValue): void {
  const keys = writtenKeys.get(map);
  if (keys !== undefined) keys.set(text, key);
  else if (typeof key !== 'string') writtenKeys.set(map, new Map([[text, key]]));
}

/** Copies the recorded originals to a copy of the mapping. */
export function rememberKeysOf(map: GoMap, copy: GoMap): void {
  const keys = writtenKeys.get(map);
  if (keys !== undefined) writtenKeys.set(copy, keys);
}

/** Reports whether a mapping's key was not a string originally. */
export function wasOddKey(map: GoMap, text: string): boolean {
  return typeof writtenKey(map, text) !== 'string';
}

function writtenKey(map: GoMap, text: string): GoValue {
  const keys = writtenKeys.get(map);
  return keys?.has(text) ? (keys.get(text) as GoValue) : text;
}

/** Returns the string for a scalar key in JSON, or undefined if there is none. */
export function keyText(key: GoValue): string | undefined {
  if (typeof key === 'string') return key;
  if (typeof key === 'boolean') return key ? 'true' : 'false';
  if (typeof key === 'number') return floatText(key);
  return key instanceof Int && key.kind === 'int' ? String(key.value) : undefined;
}

// A float key is rounded to 32 bits, as in Go.
function floatText(key: number): string {
  if (Number.isNaN(key)) return '.nan';
  if (!Number.isFinite(key)) return key > 0 ? '.inf' : '-.inf';
  const text = formatFloat(key, 'g', -1, 32);
  return text === '+Inf' ? '.inf' : text === '-Inf' ? '-.inf' : text;
}

/** Returns the error for a key without a JSON form: null, or an integer beyond int64. */
export function unsupportedKeyError(key: GoValue, value: GoValue): GoError {
  const type = key === null ? '%!s(<nil>)' : 'uint64';
  const print = (item: GoValue): string => (item === null ? '<nil>' : goSyntax(item));
  return new GoError(`unsupported map key of type: ${type}, key: ${print(key)}, value: ${print(value)}`);
}

/** Returns the error for a key that is a list or a mapping. */
export function invalidKeyError(key: GoValue): GoError {
  return new GoError(`yaml: invalid map key: ${goSyntax(key)}`);
}

function goSyntax(value: GoValue): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return floatSyntax(value);
  if (value instanceof Int) return value.kind === 'uint64' ? `0x${value.value.toString(16)}` : String(value.value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (!(value instanceof Map)) return String(value);
  const entries = [...value].map(([text, item]) => ({ key: writtenKey(value, text), item }));
  entries.sort((a, b) => compareKeys(a.key, b.key));
  const pairs = entries.map(({ key, item }) => `${goSyntax(key)}:${goSyntax(item)}`);
  return `map[interface {}]interface {}{${pairs.join(', ')}}`;
}

function floatSyntax(value: number): string {
  if (Object.is(value, -0)) return '-0';
  return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? String(BigInt(value)) : formatFloat(value, 'g', -1);
}

const ranks = ['nil', 'string', 'int', 'uint64', 'float64', 'bool'];

// fmt sorts the keys of a map by type, then by value.
function compareKeys(a: GoValue, b: GoValue): number {
  const byType = ranks.indexOf(rankOf(a)) - ranks.indexOf(rankOf(b));
  if (byType !== 0) return byType;
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b);
  if (a instanceof Int && b instanceof Int) return Number(a.value - b.value);
  // NaN sorts before all numbers.
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(b)) - Number(Number.isNaN(a));
  return Number(a) - Number(b);
}

function rankOf(key: GoValue): string {
  if (key === null) return 'nil';
  if (key instanceof Int) return key.kind === 'int' ? 'int' : 'uint64';
  return typeof key === 'number' ? 'float64' : typeof key === 'boolean' ? 'bool' : 'string';
}
