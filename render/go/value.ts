// Go values in JavaScript: what is an int, a float64, a nil, a map, and what type Go would say it has.
//
//   Go                          JavaScript
//   nil                         null
//   bool                        boolean
//   string                      string (a byte that is not UTF-8 is a lone U+DC80..U+DCFF, see utf8.ts)
//   float64                     number
//   int, int64, uint8, ...      Int
//   []interface {}              array
//   []string, []int, ...        TypedSlice (an array that knows its type)
//   []byte                      Uint8Array
//   map[string]interface {}     Map
//   map[string]string, ...      NamedMap (a Map that knows its type)
//   a nil slice, a nil map      nilSlice(), nilMap(), nilBytes: empty, but `null` in JSON (ask `isNil`)
//   structs, pointers           GoObject

import type { FaultDetails, Place } from '../core/errors.ts';
import { isBytes } from './realm.ts';

/** Any value in a template. */
export type GoValue = null | boolean | string | number | Int | Uint8Array | GoValue[] | GoMap | GoObject;

/** A Go map with string keys. It is unordered: iterate over `sortedKeys`. */
export type GoMap = Map<string, GoValue>;

/** Go's integer kinds that templates can observe. */
type IntKind = 'int' | 'int8' | 'int16' | 'int32' | 'int64' | 'uint' | 'uint8' | 'uint16' | 'uint32' | 'uint64';

/** A Go integer: a value and its type (`int`, `int64`, `time.Duration`). Immutable. */
export class Int {
  readonly value: bigint;
  readonly kind: IntKind;
  /** The type's name like `%T`; differs from `kind` only for named types. */
  readonly type: string;
  /** The `String` method of a named type, if any. */
  readonly text: (() => string) | undefined;
  /** The methods of a named type, if any. */
  readonly methods: Methods | undefined;

  constructor(value: bigint, kind: IntKind, type: string = kind, text?: () => string, methods?: Methods) {
    this.value = value;
    this.kind = kind;
    this.type = type;
    this.text = text;
    this.methods = methods;
  }
}

const smallInts: Int[] = [];
for (let i = -1; i < 256; i++) smallInts.push(new Int(BigInt(i), 'int'));

/** Returns a Go `int`. A number is truncated; both wrap to 64 bits. */
export function int(value: number | bigint): Int {
  if (typeof value === 'number' && value >= -1 && value < 256) return smallInts[Math.trunc(value) + 1]!;
  return new Int(wrap64(value), 'int');
}

/** Returns a Go `int64`. A number is truncated; both wrap to 64 bits. */
export function int64(value: number | bigint): Int {
  return new Int(wrap64(value), 'int64');
}

function wrap64(value: number | bigint): bigint {
  return BigInt.asIntN(64, typeof value === 'bigint' ? value : BigInt(Math.trunc(value)));
}

/** A slice of a type other than `[]interface {}`, such as the `[]string` of `splitList`. */
export class TypedSlice extends Array<GoValue> {
  // Private fields, because an array with own properties is not deeply equal to one without, and is slow to create.
  #type = '[]interface {}';
  #methods: Methods | undefined;
  #isNil = false;

  /** The type like `%T`, for example `[]string` or `chartutil.VersionSet`. */
  get type(): string {
    return this.#type;
  }
  get methods(): Methods | undefined {
    return this.#methods;
  }
  /** Whether it is a nil slice in Go, as opposed to an empty one. */
  get isNil(): boolean {
    return this.#isNil;
  }

  /** Returns a slice of a type with the given items. */
  static make(type: string, items: Iterable<GoValue>, methods: Methods | undefined, isNil: boolean): TypedSlice {
    const slice = new TypedSlice();
    for (const item of items) slice.push(item);
    slice.#type = type;
    slice.#methods = methods;
    slice.#isNil = isNil;
    return slice;
  }

  /** `slice`, `map` and other methods return plain arrays: the type belongs to this value. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }
}

/** Returns a typed slice, for example `typedSlice('[]string', ['a'])`. */
export function typedSlice(type: string, items: Iterable<GoValue>, methods?: Methods): TypedSlice {
  return TypedSlice.make(type, items, methods, false);
}

export function stringSlice(items: Iterable<string>): TypedSlice {
  return typedSlice('[]string', items);
}

/**
 * A view of a map as another Go type, such as `chartutil.Values` or `map[string]string`. Like a Go conversion it shares the entries of
 * `target`, so that changes are visible through both.
 */
export class NamedMap extends Map<string, GoValue> {
  readonly target: GoMap;
  /** The type like `%T`. */
  readonly type: string;
  readonly methods: Methods | undefined;
  /** The element type; `interface {}` unless given here or in `type`, as in `map[string]string`. */
  readonly element: string;

  constructor(target: GoMap, type: string, methods?: Methods, element?: string) {
    super();
    this.target = target;
    this.type = type;
    this.methods = methods;
    this.element = element ?? (type.startsWith('map[string]') ? type.slice('map[string]'.length) : 'interface {}');
  }

  override get size(): number {
    return this.target.size;
  }
  override get(key: string): GoValue | undefined {
    return this.target.get(key);
  }
  override has(key: string): boolean {
    return this.target.has(key);
  }
  override set(key: string, value: GoValue): this {
    // The Map constructor may call `set` before `target` exists; it has no entries then.
    this.target.set(key, value);
    return this;
  }
  override delete(key: string): boolean {
    return this.target.delete(key);
  }
  override clear(): void {
    this.target.clear();
  }
  override keys(): MapIterator<string> {
    return this.target.keys();
  }
  override values(): MapIterator<GoValue> {
    return this.target.values();
  }
  override entries(): MapIterator<[string, GoValue]> {
    return this.target.entries();
  }
  override forEach(callback: (value: GoValue, key: string, map: Map<string, GoValue>) => void): void {
    this.target.forEach(callback);
  }
  override [Symbol.iterator](): MapIterator<[string, GoValue]> {
    return this.target[Symbol.iterator]();
  }
}

// The entries of every nil map: empty, and Go panics when one is set.
class NilEntries extends Map<string, GoValue> {
  override set(): never {
    throw new GoError('assignment to entry in nil map');
  }
}

const nilEntries: GoMap = new NilEntries();

/** Returns a nil slice of a type: Go's "no list", printed as `[]`, and `null` in JSON. */
export function nilSlice(type = '[]interface {}'): TypedSlice {
  return TypedSlice.make(type, [], undefined, true);
}

/** Returns a nil map of a type: printed as `map[]`, `null` in JSON, and its `set` throws. */
export function nilMap(type = 'map[string]interface {}'): GoMap {
  return type === 'map[string]interface {}' ? nilEntries : new NamedMap(nilEntries, type);
}

/** Go's nil `[]byte`, the only such value. */
export const nilBytes: Uint8Array = new Uint8Array();

/** Reports whether the value is nil: untyped, or a nil slice or map of some type. */
export function isNil(value: GoValue): boolean {
  if (value instanceof TypedSlice) return value.isNil;
  return (
    value === null ||
    value === nilBytes ||
    value === nilEntries ||
    (value instanceof NamedMap && value.target === nilEntries)
  );
}

/** Methods of a named type by Go name, bound to their receiver. */
export type Methods = ReadonlyMap<string, GoFunc>;

/** A Go struct or a pointer to one. Subclasses provide fields, methods, a `String` method and a JSON form; all are optional. */
export abstract class GoObject {
  /** The type like `%T`, for example `*semver.Version` or `chart.Metadata`. */
  abstract readonly type: string;
  /** `ptr` if Go holds a pointer to the struct. Also used for complex numbers. */
  readonly kind: 'struct' | 'ptr' | 'complex128' = 'struct';
  /** Exported fields in declaration order. An embedded struct is a field named after its type. */
  fields(): ReadonlyMap<string, GoValue> {
    return noFields;
  }
  /** Names of embedded fields: their fields and methods are promoted. */
  get embedded(): readonly string[] {
    return [];
  }
  method(_name: string): GoFunc | undefined {
    return undefined;
  }
  /** Returns the value as a function receives it: a copy is not addressable and has no methods with pointer receivers. */
  copied(): GoObject {
    return this;
  }
  /** Returns its `deepCopy`: Go's copies leave unexported fields empty. */
  deepCopy(): GoObject {
    return this;
  }
  /** Whether it is false in a template's `if`: true for a complex zero only. */
  get isZero(): boolean {
    return false;
  }
  /** All fields in order, including unexported ones, for `%+v` and `%d`. Default: the exported ones. */
  layout(): ReadonlyMap<string, GoValue> {
    return this.fields();
  }
  /** The text of the `GoString` method, for `%#v`, if it has one. */
  goString(): string | undefined {
    return undefined;
  }
  /** The text of the `String` or `Error` method, if it has one. */
  string(): string | undefined {
    return undefined;
  }
  /** Its JSON form for `encoding/json` as a plain value; default: the fields under their Go names. */
  json(): GoValue {
    return new Map(this.fields());
  }
}

const noFields: ReadonlyMap<string, GoValue> = new Map();

/** The JavaScript types of parameters by their Go types. A nil map or slice is `null`. */
interface ParamValues {
  any: GoValue;
  /** For built-in functions, which distinguish no value (undefined) from a nil interface (null). */
  'reflect.Value': GoValue | undefined;
  bool: boolean;
  string: string;
  int: number;
  int64: bigint;
  uint32: number;
  float64: number;
  '[]string': string[] | null;
  '[]uint8': Uint8Array | null;
  '[]interface {}': GoValue[] | null;
  'map[string]interface {}': GoMap | null;
  'time.Time': GoObject;
  'time.Duration': bigint;
  '*time.Location': GoObject;
  '*semver.Version': GoObject;
  'sprig.certificate': GoObject;
}

/** A Go parameter type, as in "wrong type for value; expected …". `any` is `interface {}`. */
export type ParamType = keyof ParamValues;

/**
 * A template function: its parameter types, and its implementation. `template/call.ts` checks and converts the arguments; `call` receives
 * `ParamValues`. It throws `GoError` where Go's function returns an error.
 */
export interface GoFunc {
  readonly params: readonly ParamType[];
  /** The type of variadic arguments, if any: `call` receives them as one array. */
  readonly rest?: ParamType;
  readonly call: (...args: never[]) => GoValue;
  /** Why Go refuses to call it, for a method with unsupported results: reported after the arguments are counted. */
  readonly unfit?: string;
}

type Arguments<P extends readonly ParamType[]> = { -readonly [K in keyof P]: ParamValues[P[K]] };

/** Declares a Go function with fixed parameters: `func(['int', 'string'], (n, s) => …)`. */
export function func<const P extends readonly ParamType[]>(
  params: P,
  call: (...args: Arguments<P>) => GoValue,
): GoFunc {
  return { params, call: call as unknown as GoFunc['call'] };
}

/** Declares a Go variadic function: `variadic(['string'], 'any', (format, args) => …)`. */
export function variadic<const P extends readonly ParamType[], const R extends ParamType>(
  params: P,
  rest: R,
  call: (...args: [...Arguments<P>, ParamValues[R][]]) => GoValue,
): GoFunc {
  return { params, rest, call: call as unknown as GoFunc['call'] };
}

/** A set of template functions by name. */
export type FuncMap = ReadonlyMap<string, GoFunc>;

/** Looks up functions by name. */
export type FuncSource = Pick<FuncMap, 'get'>;

/** An error returned by a Go function, with Go's message. In a template it becomes `error calling NAME: message`. */
export class GoError extends Error {
  override readonly name: string = 'GoError';
  readonly place: Partial<Place>;
  readonly hint: string | undefined;
  readonly problem: string;
  readonly kind: FaultDetails['kind'];

  constructor(message: string, { cause, place = {}, hint, problem = message, kind }: FaultDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.place = place;
    this.hint = hint;
    this.problem = problem;
    this.kind = kind;
  }
}

/** Returns the kind like `reflect.Kind`: `string`, `float64`, `map`, `slice`, `struct`, `ptr`, `invalid` for nil. */
export function kindOf(value: GoValue): string {
  if (value === null) return 'invalid';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return 'float64';
  if (value instanceof Int) return value.kind;
  if (value instanceof Map) return 'map';
  if (value instanceof GoObject) return value.kind;
  return 'slice';
}

/** Returns the declared element type of a map or slice, for example `interface {}` or `string`. */
export function elementType(container: GoMap | readonly GoValue[] | Uint8Array): string {
  if (container instanceof Map) return container instanceof NamedMap ? container.element : 'interface {}';
  if (isBytes(container)) return 'uint8';
  if (!(container instanceof TypedSlice)) return 'interface {}';
  return container.type.startsWith('[]') ? container.type.slice(2) : typeOf(container[0] ?? null);
}

/** Returns the type like `%T`, `<nil>` for nil. */
export function typeOf(value: GoValue): string {
  if (value === null) return '<nil>';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return 'float64';
  if (value instanceof Int || value instanceof GoObject) return value.type;
  if (value instanceof Map) return value instanceof NamedMap ? value.type : 'map[string]interface {}';
  if (isBytes(value)) return '[]uint8';
  return value instanceof TypedSlice ? value.type : '[]interface {}';
}

/**
 * Reports whether the value is true in a template's `if`.
 * Mirrors: text/template, exec.go, `IsTrue`.
 */
export function isTrue(value: GoValue): boolean {
  if (value === null || value === false || value === '' || value === 0) return false;
  if (value instanceof Int) return value.value !== 0n;
  if (value instanceof Map) return value.size > 0;
  if (Array.isArray(value) || isBytes(value)) return value.length > 0;
  return !(value instanceof GoObject && value.isZero);
}

/** Compares two strings like Go, by UTF-8 bytes (code points). Negative, zero or positive. */
export function compareStrings(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    // UTF-16 sorts surrogates (code points above U+FFFF) before U+E000..U+FFFF; UTF-8 does not.
    const high = (unit: number): number => (unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit);
    return high(x) - high(y);
  }
  return a.length - b.length;
}

/** Returns the keys of a map in the order of Go's `range`, `%v` and `encoding/json`: by bytes. */
export function sortedKeys(map: ReadonlyMap<string, unknown>): string[] {
  const keys = [...map.keys()];
  // JavaScript's own order, which is many times faster, differs only for surrogates.
  return keys.some((key) => surrogate.test(key)) ? keys.sort(compareStrings) : keys.sort();
}

const surrogate = /[\ud800-\udfff]/;

/** Returns the entries of a map in Go's iteration order where it is defined. */
export function sortedEntries<T>(map: ReadonlyMap<string, T>): (readonly [key: string, value: T])[] {
  return sortedKeys(map).map((key) => [key, map.get(key) as T] as const);
}

/** Returns a value's method by its Go name, or undefined. Named types and objects have methods. */
export function methodOf(value: GoValue, name: string): GoFunc | undefined {
  if (value instanceof NamedMap || value instanceof TypedSlice || value instanceof Int) return value.methods?.get(name);
  if (!(value instanceof GoObject)) return undefined;
  const own = value.method(name);
  if (own !== undefined) return own;
  for (const part of value.embedded) {
    const inner = methodOf(value.fields().get(part) ?? null, name);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** Returns a struct's exported field, its own or a promoted one, or undefined. */
export function fieldOf(object: GoObject, name: string): GoValue | undefined {
  const fields = object.fields();
  const own = fields.get(name);
  if (own !== undefined) return own;
  for (const part of object.embedded) {
    const inner = fields.get(part);
    const promoted = inner instanceof GoObject ? fieldOf(inner, name) : undefined;
    if (promoted !== undefined) return promoted;
  }
  return undefined;
}

/** A nil pointer as a field of a struct that is printed. */
export class NilPointer extends GoObject {
  readonly type: string;
  override readonly kind = 'ptr';

  constructor(type: string) {
    super();
    this.type = type;
  }
}
