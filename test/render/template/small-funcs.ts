// The functions and values used by the rows of these tests.

import { formatValue } from '../../../render/go/format.ts';
import { quote } from '../../../render/go/number.ts';
import {
  type FuncMap,
  func,
  GoError,
  type GoFunc,
  type GoMap,
  type GoValue,
  Int,
  int,
  int64,
  isTrue,
  kindOf,
  NamedMap,
  stringSlice,
  typedSlice,
  typeOf,
  variadic,
} from '../../../render/go/value.ts';
import type { TemplateSet } from '../../../render/template/template.ts';

const toInteger = (value: GoValue): bigint => (value instanceof Int ? value.value : BigInt(Math.trunc(Number(value))));

/** Functions by name, each with the parameter types of its sprig namesake. */
export const smallFuncs: FuncMap = new Map<string, GoFunc>([
  ['list', variadic([], 'any', (items) => items)],
  ['tuple', variadic([], 'any', (items) => items)],
  ['dict', variadic([], 'any', toDict)],
  ['first', func(['any'], (list) => (list as GoValue[])[0] ?? null)],
  ['set', func(['map[string]interface {}', 'string', 'any'], (map, key, value) => map?.set(key, value) ?? null)],
  ['get', func(['map[string]interface {}', 'string'], (map, key) => map?.get(key) ?? '')],
  ['split', func(['string', 'string'], split)],
  ['splitList', func(['string', 'string'], (separator, text) => stringSlice(text.split(separator)))],
  [
    'until',
    func(['int'], (count) =>
      typedSlice(
        '[]int',
        Array.from({ length: Math.max(0, count) }, (_, i) => int(i)),
      ),
    ),
  ],
  ['upper', func(['string'], (text) => text.toUpperCase())],
  ['lower', func(['string'], (text) => text.toLowerCase())],
  ['trunc', func(['int', 'string'], (size, text) => text.slice(0, size))],
  [
    'quote',
    variadic([], 'any', (values) =>
      values
        .filter((v) => v !== null)
        .map((v) => quote(formatValue(v)))
        .join(' '),
    ),
  ],
  [
    'default',
    variadic(['any'], 'any', (fallback, given) => (isTrue(given[0] ?? null) ? (given[0] ?? null) : fallback)),
  ],
  ['coalesce', variadic([], 'any', (values) => values.find(isTrue) ?? null)],
  ['add', variadic([], 'any', (values) => int64(values.map(toInteger).reduce((a, b) => a + b, 0n)))],
  ['int', func(['any'], (value) => int(value === null ? 0 : toInteger(value)))],
  ['int64', func(['any'], (value) => int64(value === null ? 0 : toInteger(value)))],
  ['kindOf', func(['any'], kindOf)],
  ['typeOf', func(['any'], typeOf)],
  ['toString', func(['any'], formatValue)],
  ['fail', func(['string'], fail)],
]);

/** Returns `include`, which runs a template of the set. */
export function includeOf(set: TemplateSet): FuncMap {
  return new Map<string, GoFunc>([['include', func(['string', 'any'], (name, data) => set.execute(name, data))]]);
}

/** Returns the dot of the rows: `.Values` with one value of each kind. */
export function values(): GoMap {
  return fromJson({
    Values: {
      s: 'str',
      nul: null,
      i: 3,
      f: 2.5,
      b: true,
      bf: false,
      z: 0,
      l: ['a', 'b', 'c'],
      li: [3, 1, 2],
      lm: [{ name: 'n1' }, { name: 'n2' }],
      m: { b: 2, a: 1, c: { d: 'e' } },
      e: '',
      el: [],
      em: {},
      ln: ['a', null, '', 0, 'b'],
    },
  }) as GoMap;
}

/** Returns a JSON value as a Go value. */
export function fromJson(value: unknown): GoValue {
  if (Array.isArray(value)) return value.map(fromJson);
  if (typeof value !== 'object' || value === null) return value as GoValue;
  return new Map(Object.entries(value).map(([key, item]) => [key, fromJson(item)]));
}

function toDict(items: readonly GoValue[]): GoMap {
  const map: GoMap = new Map();
  for (let i = 0; i < items.length; i += 2)
    map.set(formatValue(items[i] ?? null), items[i + 1] === undefined ? '' : (items[i + 1] as GoValue));
  return map;
}

function split(separator: string, text: string): NamedMap {
  const parts = text.split(separator).map((part, i) => [`_${i}`, part] as const);
  return new NamedMap(new Map(parts), 'map[string]string');
}

function fail(message: string): never {
  throw new GoError(message);
}
