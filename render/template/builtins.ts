// Go's predefined template functions: comparison, index, slice, len, print and the escapers. exec.ts implements `and`, `or` and `call`,
// because only it can skip arguments or name their nodes.
// Mirrors: Go, text/template, funcs.go, 1.23.

import { formatValue, sprint, sprintf, sprintfAll, sprintln } from '../go/format.ts';
import { isBytes } from '../go/realm.ts';
import { isPrint } from '../go/unicode.ts';
import { queryEscape } from '../go/url.ts';
import { byteLength, encodeUtf8, isStrayByte, sliceBytes } from '../go/utf8.ts';
import {
  compareStrings,
  type FuncMap,
  func,
  GoError,
  type GoFunc,
  GoObject,
  type GoValue,
  Int,
  int,
  isNil,
  isTrue,
  kindOf,
  TypedSlice,
  typedSlice,
  typeOf,
  variadic,
} from '../go/value.ts';
import { type Value, zeroElement } from './call.ts';
import type { GoRules } from './rules.ts';

/** Placeholder for `and`, `or` and `call`, which exec.ts implements. */
export const byExecution = (): never => {
  throw new Error('carried out by the execution');
};

/** `and` stops evaluating at the first false argument. */
export const andFunc: GoFunc = variadic(['reflect.Value'], 'reflect.Value', byExecution);
/** `or` stops evaluating at the first true argument. */
export const orFunc: GoFunc = variadic(['reflect.Value'], 'reflect.Value', byExecution);
/** `call` names the node of its argument in errors. */
const callFunc: GoFunc = variadic(['reflect.Value'], 'reflect.Value', byExecution);

/** The predefined functions by name. Functions given to a template set override them. */
export const builtins: FuncMap = new Map<string, GoFunc>([
  ['and', andFunc],
  ['or', orFunc],
  ['call', callFunc],
  ['not', func(['reflect.Value'], (value) => !isTrue(value ?? null))],
  ...comparisons(() => badComparison),
  ['index', variadic(['reflect.Value'], 'reflect.Value', index)],
  ['slice', variadic(['reflect.Value'], 'reflect.Value', slice)],
  ['len', func(['reflect.Value'], length)],
  ['print', variadic([], 'any', (values) => sprint(values))],
  ['printf', variadic(['string'], 'any', sprintfAll)],
  ['println', variadic([], 'any', (values) => sprintln(values))],
  ['html', variadic([], 'any', (values) => escapeHtml(printArguments(values)))],
  ['js', variadic([], 'any', (values) => escapeJs(printArguments(values)))],
  ['urlquery', variadic([], 'any', (values) => queryEscape(printArguments(values)))],
]);

/** Prints a value as an action does. Unlike `%v`, it follows pointers and finds `String` methods with pointer receivers. */
export function printValue(value: Value): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '<no value>';
  if (!(value instanceof GoObject) || value.string() !== undefined) return formatValue(value);
  const stringer = value.method('String');
  if (stringer !== undefined) return formatValue(stringer.call());
  return value.kind === 'ptr' ? formatValue(value).replace(/^&/, '') : formatValue(value);
}

type BasicKind = 'bool' | 'int' | 'uint' | 'float' | 'complex' | 'string' | 'invalid';

function basicKind(value: Value): BasicKind {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return 'float';
  if (value instanceof Int) return value.kind.startsWith('u') ? 'uint' : 'int';
  return value instanceof GoObject && value.kind === 'complex128' ? 'complex' : 'invalid';
}

const badComparison = 'incompatible types for comparison';
const badComparisonType = 'invalid type for comparison';

const namedComparisons = new Map([
  ...builtins,
  ...comparisons((a, b) => `${badComparison}: ${typeOf(a as GoValue)} and ${typeOf(b as GoValue)}`),
]);

/** Returns the predefined functions of a Go version. */
export function builtinsOf(rules: GoRules): FuncMap {
  return rules.namesComparedTypes ? namedComparisons : builtins;
}

// `word` appears in the error for values that cannot be compared.
function comparisons(word: (a: Value, b: Value) => string): [string, GoFunc][] {
  const equalsAny = (first: Value, others: readonly Value[]): boolean => {
    if (others.length === 0) throw new GoError('missing argument for comparison');
    const a = first ?? null;
    return others.some((other) => equals(a, other ?? null, word));
  };
  const less = (a: Value, b: Value): boolean => isLess(a, b, word);
  const lessOrEqual = (a: Value, b: Value): boolean => less(a, b) || equalsAny(a, [b]);
  return [
    ['eq', variadic(['reflect.Value'], 'reflect.Value', equalsAny)],
    ['ne', func(['reflect.Value', 'reflect.Value'], (a, b) => !equalsAny(a, [b]))],
    ['lt', func(['reflect.Value', 'reflect.Value'], less)],
    ['le', func(['reflect.Value', 'reflect.Value'], lessOrEqual)],
    ['gt', func(['reflect.Value', 'reflect.Value'], (a, b) => !lessOrEqual(a, b))],
    ['ge', func(['reflect.Value', 'reflect.Value'], (a, b) => !less(a, b))],
  ];
}

function equals(a: GoValue, b: GoValue, word: (a: Value, b: Value) => string): boolean {
  const kind = basicKind(a);
  const otherKind = basicKind(b);
  if (kind !== otherKind) {
    const integers = (kind === 'int' && otherKind === 'uint') || (kind === 'uint' && otherKind === 'int');
    if (integers) return (a as Int).value === (b as Int).value;
    if (a !== null && b !== null) throw new GoError(word(a, b));
    return false;
  }
  if (kind === 'int' || kind === 'uint') return (a as Int).value === (b as Int).value;
  if (kind !== 'invalid' && kind !== 'complex') return a === b;
  return equalsOther(a, b);
}

/** Compares values without a basic kind: nil with anything, pointers by identity, structs field by field. */
function equalsOther(a: GoValue, b: GoValue): boolean {
  if (a !== null && b !== null && kindOf(a) !== kindOf(b)) {
    throw new GoError(`non-comparable types ${sprintf('%s', a)}: ${typeOf(a)}, ${typeOf(b)}: ${formatValue(b)}`);
  }
  if (isNil(a) || isNil(b)) return isNil(a) === isNil(b);
  if (!isComparable(b)) throw new GoError(`non-comparable type ${sprintf('%s', b)}: ${typeOf(b)}`);
  return areIdentical(a, b);
}

function isComparable(value: GoValue): boolean {
  if (value instanceof GoObject) {
    return value.kind !== 'struct' || [...value.layout().values()].every((field) => isComparable(field));
  }
  return !(value instanceof Map || Array.isArray(value) || isBytes(value));
}

function areIdentical(a: GoValue, b: GoValue): boolean {
  if (a === b) return true;
  if (a instanceof Int) return b instanceof Int && a.type === b.type && a.value === b.value;
  if (!(a instanceof GoObject && b instanceof GoObject) || a.kind === 'ptr' || a.type !== b.type) return false;
  const fields = b.layout();
  const same = [...a.layout()].every(([name, field]) => areIdentical(field, fields.get(name) ?? null));
  return same && a.string() === b.string();
}

function isLess(first: Value, second: Value, word: (a: Value, b: Value) => string): boolean {
  const kind = basicKind(first);
  const otherKind = basicKind(second);
  if (kind === 'invalid' || otherKind === 'invalid') throw new GoError(badComparisonType);
  if (first instanceof Int && second instanceof Int) return first.value < second.value;
  if (kind !== otherKind) throw new GoError(word(first, second));
  if (typeof first === 'string') return compareStrings(first, second as string) < 0;
  if (typeof first === 'number') return first < (second as number);
  throw new GoError(badComparisonType);
}

/** `index x 1 "a"` is Go's `x[1]["a"]`. A missing key returns the zero value of the element type. */
function index(first: Value, indexes: readonly Value[]): GoValue {
  let item = first ?? null;
  if (item === null) throw new GoError('index of untyped nil');
  for (const at of indexes) {
    if (item === null) throw new GoError('index of nil pointer');
    item = indexOne(item, at ?? null);
  }
  return item;
}

function indexOne(item: GoValue, at: GoValue): GoValue {
  if (item instanceof Map) {
    if (at === null) throw new GoError('value is nil; should be of type string');
    if (typeof at !== 'string') throw new GoError(`value has type ${typeOf(at)}; should be string`);
    return item.get(at) ?? zeroElement(item);
  }
  if (typeof item === 'string') {
    const bytes = encodeUtf8(item);
    return byteAt(bytes, checkIndex(at, bytes.length), 'string');
  }
  if (isBytes(item)) return byteAt(item, checkIndex(at, item.length), 'slice');
  if (!Array.isArray(item)) throw new GoError(`can't index item of type ${typeOf(item).replace(/^\*/, '')}`);
  const element = item[checkIndex(at, item.length)];
  // An index equal to the length passes Go's check and then makes reflect panic.
  if (element === undefined) throw new GoError('reflect: slice index out of range');
  return element;
}

function byteAt(bytes: Uint8Array, at: number, kind: 'string' | 'slice'): Int {
  const byte = bytes[at];
  if (byte === undefined) throw new GoError(`reflect: ${kind} index out of range`);
  return new Int(BigInt(byte), 'uint8');
}

function checkIndex(at: GoValue, capacity: number): number {
  if (at === null) throw new GoError('cannot index slice/array with nil');
  if (!(at instanceof Int)) throw new GoError(`cannot index slice/array with type ${typeOf(at)}`);
  if (at.value < 0n || at.value > BigInt(capacity)) throw new GoError(`index out of range: ${at.value}`);
  return Number(at.value);
}

/** `slice x 1 2` is Go's `x[1:2]`. */
function slice(first: Value, indexes: readonly Value[]): GoValue {
  const item = first ?? null;
  if (item === null) throw new GoError('slice of untyped nil');
  if (indexes.length > 3) throw new GoError(`too many slice indexes: ${indexes.length}`);
  const isText = typeof item === 'string';
  if (isText && indexes.length === 3) throw new GoError('cannot 3-index slice a string');
  if (!isText && !Array.isArray(item) && !isBytes(item)) {
    throw new GoError(`can't slice item of type ${typeOf(item).replace(/^\*/, '')}`);
  }
  const size = isText ? byteLength(item) : item.length;
  const given = indexes.map((at) => checkIndex(at ?? null, size));
  const [start = 0, end = size, limit = size] = given;
  if (start > end) throw new GoError(`invalid slice index: ${start} > ${end}`);
  if (end > limit) throw new GoError(`invalid slice index: ${end} > ${limit}`);
  if (isText) return sliceBytes(item, start, end);
  if (item instanceof TypedSlice) return typedSlice(item.type, item.slice(start, end), item.methods);
  return item.slice(start, end);
}

function length(item: Value): GoValue {
  // Text that reflect uses for the type of an untyped nil.
  if (item === undefined) throw new GoError('reflect: call of reflect.Value.Type on zero Value');
  if (item === null) throw new GoError('len of nil pointer');
  if (typeof item === 'string') return int(byteLength(item));
  if (item instanceof Map) return int(item.size);
  if (Array.isArray(item) || isBytes(item)) return int(item.length);
  throw new GoError(`len of type ${typeOf(item).replace(/^\*/, '')}`);
}

/**
 * Prints arguments side by side, each as an action would, with a space between two operands that are not strings.
 * Mirrors: `evalArgs`.
 */
function printArguments(values: readonly GoValue[]): string {
  const isText = (value: GoValue | undefined): boolean => typeof value === 'string' || value === null;
  return values
    .map((value, i) => (i > 0 && !isText(value) && !isText(values[i - 1]) ? ' ' : '') + printValue(value))
    .join('');
}

const htmlEscapes: Readonly<Record<string, string>> = {
  '\0': '\ufffd',
  '"': '&#34;',
  "'": '&#39;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
};

function escapeHtml(text: string): string {
  return text.replace(/[\0"'&<>]/g, (char) => htmlEscapes[char]!);
}

function escapeJs(text: string): string {
  return text.replace(/[\\'"<>&=\0-\x1f\x80-\u{10ffff}]/gu, (char) => {
    if ('\\\'"'.includes(char)) return `\\${char}`;
    const code = char.codePointAt(0)!;
    if (code >= 0x80 && isPrint(isStrayByte(code) ? 0xfffd : code)) return char;
    return `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`;
  });
}
