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

/** Any value a template can hold. */
export type GoValue = null | boolean | string | number | Int | Uint8Array | GoValue[] | GoMap | GoObject;

/** A Go map with string keys. It has no order: iterate over `sortedKeys`. */
export type GoMap = Map<string, GoValue>;

/** The integer kinds of Go that a template can meet. */
export type IntKind = 'int' | 'int8' | 'int16' | 'int32' | 'int64' | 'uint' | 'uint8' | 'uint16' | 'uint32' | 'uint64';

/** A Go integer: a value and the type that Go would print for it (`int`, `int64`, `time.Duration`). Immutable. */
export class Int {
  readonly value: bigint;
  readonly kind: IntKind;
  /** The type's name as `%T` prints it; differs from `kind` for named types only. */
  readonly type: string;
  /** The named type's own `String` method, if it has one. */
  readonly text: (() => string) | undefined;
  /** The named type's methods, if it has any. */
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

/** Returns a Go `int`. A number is truncated; both forms wrap to 64 bits. */
export function int(value: number | bigint): Int {
  if (typeof value === 'number' && value >= -1 && value < 256) return smallInts[Math.trunc(value) + 1]!;
  return new Int(wrap64(value), 'int');
}

/** Returns a Go `int64`. A number is truncated; both forms wrap to 64 bits. */
export function int64(value: number | bigint): Int {
  return new Int(wrap64(value), 'int64');
}

function wrap64(value: number | bigint): bigint {
  return BigInt.asIntN(64, typeof value === 'bigint' ? value : BigInt(Math.trunc(value)));
}

/** A slice whose type is not `[]interface {}`, such as the `[]string` of `splitList`. */
export class TypedSlice extends Array<GoValue> {
  // Private fields, for an array with properties of its own compares unequal to one without, and is slow to make.
  #type = '[]interface {}';
  #methods: Methods | undefined;
  #isNil = false;

  /** The type as `%T` prints it, for example `[]string` or `chartutil.VersionSet`. */
  get type(): string {
    return this.#type;
  }
  get methods(): Methods | undefined {
    return this.#methods;
  }
  /** Whether Go holds a nil slice here: empty, and not the same as an empty one. */
  get isNil(): boolean {
    return this.#isNil;
  }

  /** Returns a slice of a type that holds `items`. */
  static make(type: string, items: Iterable<GoValue>, methods: Methods | undefined, isNil: boolean): TypedSlice {
    const slice = new TypedSlice();
    for (const item of items) slice.push(item);
    slice.#type = type;
    slice.#methods = methods;
    slice.#isNil = isNil;
    return slice;
  }

  /** `slice`, `map` and their kin give plain arrays: the type belongs to this very value. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }
}

/** Returns a typed slice that holds `items`, for example `typedSlice('[]string', ['a'])`. */
export function typedSlice(type: string, items: Iterable<GoValue>, methods?: Methods): TypedSlice {
  return TypedSlice.make(type, items, methods, false);
}

/** Returns a Go `[]string`. */
export function stringSlice(items: Iterable<string>): TypedSlice {
  return typedSlice('[]string', items);
}

/**
 * A view of a map under another Go type, such as `chartutil.Values` or `map[string]string`.
 * It shares the entries of `target`, as a Go map conversion does, so that a `set` through one is seen through the other.
 */
export class NamedMap extends Map<string, GoValue> {
  readonly target: GoMap;
  /** The type as `%T` prints it. */
  readonly type: string;
  readonly methods: Methods | undefined;
  /** The type of the elements; `interface {}` unless given here or in `type`, as in `map[string]string`. */
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
    // The Map constructor may call `set` before `target` exists; it never has entries here.
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

// The entries of every nil map: there are none, and Go panics when one is set.
class NilEntries extends Map<string, GoValue> {
  override set(): never {
    throw new GoError('assignment to entry in nil map');
  }
}

const nilEntries: GoMap = new NilEntries();

/** Returns a nil slice of a type: what Go functions give for "no list", printed `[]` and `null` in JSON. */
export function nilSlice(type = '[]interface {}'): TypedSlice {
  return TypedSlice.make(type, [], undefined, true);
}

/** Returns a nil map of a type: printed `map[]`, `null` in JSON, and its `set` throws. */
export function nilMap(type = 'map[string]interface {}'): GoMap {
  return type === 'map[string]interface {}' ? nilEntries : new NamedMap(nilEntries, type);
}

/** Go's nil `[]byte`: no other value is it. */
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

/** Methods of a named type, by Go name, already bound to their receiver. */
export type Methods = ReadonlyMap<string, GoFunc>;

/**
 * A Go value with a type of its own: a struct, or a pointer to one.
 * Subclasses give it fields, methods, a `String` and a JSON form; all are optional.
 */
export abstract class GoObject {
  /** The type as `%T` prints it, for example `*semver.Version` or `chart.Metadata`. */
  abstract readonly type: string;
  /** `ptr` when Go holds a pointer to the struct; a complex number is no struct, but has no other place. */
  readonly kind: 'struct' | 'ptr' | 'complex128' = 'struct';
  /** Exported fields in the order of the struct's declaration. An embedded struct is a field named after its type. */
  fields(): ReadonlyMap<string, GoValue> {
    return noFields;
  }
  /** Names of the fields that are embedded: their fields and methods are reachable through this value too. */
  get embedded(): readonly string[] {
    return [];
  }
  method(_name: string): GoFunc | undefined {
    return undefined;
  }
  /** Returns the value as a function gets it: a copy has no address, and so no methods with a pointer receiver. */
  copied(): GoObject {
    return this;
  }
  /** Returns what `deepCopy` makes of it: Go's copies leave unexported fields empty. */
  deepCopy(): GoObject {
    return this;
  }
  /** Whether a template's `if` takes it for false: so is a complex zero, and no struct or pointer. */
  get isZero(): boolean {
    return false;
  }
  /** Every field in order, unexported ones too: what `%+v` and `%d` print. By default the exported ones. */
  layout(): ReadonlyMap<string, GoValue> {
    return this.fields();
  }
  /** The text of the type's `GoString` method, what `%#v` prints, if it has one. */
  goString(): string | undefined {
    return undefined;
  }
  /** The text of the type's `String` (or `Error`) method, if it has one. */
  string(): string | undefined {
    return undefined;
  }
  /** What `encoding/json` makes of it: a plain value; by default the fields under their Go names. */
  json(): GoValue {
    return new Map(this.fields());
  }
}

const noFields: ReadonlyMap<string, GoValue> = new Map();

/**
 * A Go parameter type, as Go prints it in "wrong type for value; expected …". `any` stands for `interface {}`.
 * `reflect.Value` is for the language's own functions, which distinguish no value (undefined) from a nil in an interface (null).
 */
export type ParamType =
  | 'any'
  | 'reflect.Value'
  | 'bool'
  | 'string'
  | 'int'
  | 'int64'
  | 'uint32'
  | 'float64'
  | '[]string'
  | '[]uint8'
  | '[]interface {}'
  | 'map[string]interface {}'
  | 'time.Time'
  | 'time.Duration'
  | '*time.Location'
  | '*semver.Version'
  | 'sprig.certificate';

/** What a parameter of a Go type is in JavaScript. A nil map or slice is `null`. */
export type ParamValue<T extends ParamType> = T extends 'bool'
  ? boolean
  : T extends 'string'
    ? string
    : T extends 'int' | 'uint32' | 'float64'
      ? number
      : T extends 'int64' | 'time.Duration'
        ? bigint
        : T extends '[]string'
          ? string[] | null
          : T extends '[]uint8'
            ? Uint8Array | null
            : T extends '[]interface {}'
              ? GoValue[] | null
              : T extends 'map[string]interface {}'
                ? GoMap | null
                : T extends 'time.Time' | '*time.Location' | '*semver.Version' | 'sprig.certificate'
                  ? GoObject
                  : T extends 'reflect.Value'
                    ? GoValue | undefined
                    : GoValue;

/**
 * A function that a template can call: its parameter types, and what it does.
 * `template/call.ts` counts and fits the arguments; `call` receives them already as `ParamValue`s.
 * It throws `GoError` for an error that Go's function would return.
 */
export interface GoFunc {
  readonly params: readonly ParamType[];
  /** The type of the trailing `...` parameter, if there is one: `call` gets its values as one array. */
  readonly rest?: ParamType;
  readonly call: (...args: never[]) => GoValue;
  /** Why Go does not call it, for a method whose results a template cannot take: reported once the arguments are counted. */
  readonly unfit?: string;
}

type ParamValues<P extends readonly ParamType[]> = { -readonly [K in keyof P]: ParamValue<P[K]> };

/** Declares a Go function of fixed arity: `func(['int', 'string'], (n, s) => …)`. */
export function func<const P extends readonly ParamType[]>(
  params: P,
  call: (...args: ParamValues<P>) => GoValue,
): GoFunc {
  return { params, call: call as unknown as GoFunc['call'] };
}

/** Declares a Go variadic function: `variadic(['string'], 'any', (format, args) => …)`. */
export function variadic<const P extends readonly ParamType[], const R extends ParamType>(
  params: P,
  rest: R,
  call: (...args: [...ParamValues<P>, ParamValue<R>[]]) => GoValue,
): GoFunc {
  return { params, rest, call: call as unknown as GoFunc['call'] };
}

/** A named set of template functions. */
export type FuncMap = ReadonlyMap<string, GoFunc>;

/** Finds functions by their names. */
export type FuncSource = Pick<FuncMap, 'get'>;

/** An error that a Go function returns; its message is Go's. A template turns it into `error calling NAME: message`. */
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

/** Returns the kind as `reflect.Kind` prints it: `string`, `float64`, `map`, `slice`, `struct`, `ptr`, `invalid` for nil. */
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

/** Returns the type of the elements that a map or slice is declared to hold, for example `interface {}` or `string`. */
export function elementType(container: GoMap | readonly GoValue[] | Uint8Array): string {
  if (container instanceof Map) return container instanceof NamedMap ? container.element : 'interface {}';
  if (isBytes(container)) return 'uint8';
  if (!(container instanceof TypedSlice)) return 'interface {}';
  return container.type.startsWith('[]') ? container.type.slice(2) : typeOf(container[0] ?? null);
}

/** Returns the type as `%T` prints it, `<nil>` for nil. */
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

/** Reports whether a template's `if` takes the value for true. Mirrors: text/template, exec.go, `IsTrue`. */
export function isTrue(value: GoValue): boolean {
  if (value === null || value === false || value === '' || value === 0) return false;
  if (value instanceof Int) return value.value !== 0n;
  if (value instanceof Map) return value.size > 0;
  if (Array.isArray(value) || isBytes(value)) return value.length > 0;
  return !(value instanceof GoObject && value.isZero);
}

/** Compares two strings as Go does: by UTF-8 bytes, which is by code point. Negative, zero or positive. */
export function compareStrings(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    // UTF-16 puts surrogates (code points above U+FFFF) below U+E000..U+FFFF; UTF-8 does not.
    const high = (unit: number): number => (unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit);
    return high(x) - high(y);
  }
  return a.length - b.length;
}

/** Returns the keys of a map in the order Go's `range`, `%v` and `encoding/json` use: by bytes. */
export function sortedKeys(map: ReadonlyMap<string, unknown>): string[] {
  const keys = [...map.keys()];
  // JavaScript's own order, which is many times faster, differs only where surrogates are.
  return keys.some((key) => surrogate.test(key)) ? keys.sort(compareStrings) : keys.sort();
}

const surrogate = /[\ud800-\udfff]/;

/** Returns the members of a map in the order in which Go walks it where order counts. */
export function sortedEntries<T>(map: ReadonlyMap<string, T>): (readonly [key: string, value: T])[] {
  return sortedKeys(map).map((key) => [key, map.get(key) as T] as const);
}

/** Returns a value's method by its Go name, or undefined: the methods of named types and objects. */
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

/** Returns a struct's exported field, own or promoted from an embedded struct; undefined when there is none. */
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
