// The string functions of sprig: trim, quote, indent, replace, split and join. Letter case is in cases.ts, line wrapping in wrapping.ts.
// Mirrors: Masterminds/sprig, strings.go and functions.go, v3.3.0.

import { meter } from '../core/limits.ts';
import { exact, withCapacity } from '../go/capacity.ts';
import { strval } from '../go/cast.ts';
import { formatValue } from '../go/format.ts';
import { quote as goQuote } from '../go/number.ts';
import { isBytes } from '../go/realm.ts';
import { trimSpace } from '../go/trim.ts';
import { byteLength, byteText, isValidUtf8, joinBytes, ofByteText, sliceBytes } from '../go/utf8.ts';
import {
  compareStrings,
  type FuncMap,
  func,
  GoError,
  type GoValue,
  NamedMap,
  stringSlice,
  TypedSlice,
  variadic,
} from '../go/value.ts';
import { itemsOf } from './lists.ts';

/** Functions that split, join and quote texts. */
export const stringFuncs: FuncMap = new Map([
  ['hello', func([], () => 'Hello!')],
  ['trim', func(['string'], trimSpace)],
  ['trimAll', func(['string', 'string'], trimCutset)],
  ['trimall', func(['string', 'string'], trimCutset)],
  [
    'trimSuffix',
    func(['string', 'string'], (end, text) =>
      search(end, text, (bytes, all) => [all.endsWith(bytes) ? dropEnd(all, bytes) : all]).join(''),
    ),
  ],
  [
    'trimPrefix',
    func(['string', 'string'], (start, text) =>
      search(start, text, (bytes, all) => [all.startsWith(bytes) ? all.slice(bytes.length) : all]).join(''),
    ),
  ],
  ['contains', func(['string', 'string'], (part, text) => search(part, text, (bytes, all) => all.includes(bytes)))],
  [
    'hasPrefix',
    func(['string', 'string'], (start, text) => search(start, text, (bytes, all) => all.startsWith(bytes))),
  ],
  ['hasSuffix', func(['string', 'string'], (end, text) => search(end, text, (bytes, all) => all.endsWith(bytes)))],
  ['repeat', func(['int', 'string'], repeat)],
  ['replace', func(['string', 'string', 'string'], replaceAll)],
  ['indent', func(['int', 'string'], indent)],
  ['nindent', func(['int', 'string'], (spaces, text) => `\n${indent(spaces, text)}`)],
  ['plural', func(['string', 'string', 'int'], (one, many, count) => (count === 1 ? one : many))],
  ['trunc', func(['int', 'string'], trunc)],
  ['substr', func(['int', 'int', 'string'], substring)],
  ['quote', variadic([], 'any', (values) => joinPresent(values, (value) => goQuote(strval(value))))],
  ['squote', variadic([], 'any', (values) => joinPresent(values, (value) => `'${formatValue(value)}'`))],
  ['cat', variadic([], 'any', (values) => joinPresent(values, formatValue))],
  ['toString', func(['any'], strval)],
  ['toStrings', func(['any'], toStrings)],
  ['join', func(['string', 'any'], (separator, values) => [...toStrings(values)].join(separator))],
  ['split', func(['string', 'string'], (separator, text) => numbered(splitText(text, separator, -1)))],
  [
    'splitn',
    func(['string', 'int', 'string'], (separator, limit, text) => numbered(splitText(text, separator, limit))),
  ],
  ['splitList', func(['string', 'string'], (separator, text) => exact(stringSlice(splitText(text, separator, -1))))],
  ['sortAlpha', func(['any'], sortAlpha)],
]);

// Go searches bytes, so a part of a character can be found inside another one. Whole characters are searched for in the text directly.
function search<T extends boolean | string[]>(part: string, text: string, find: (part: string, text: string) => T): T {
  if (isValidUtf8(part)) return find(part, text);
  const found = find(byteText(part), byteText(text));
  return (Array.isArray(found) ? found.map(ofByteText) : found) as T;
}

function dropEnd(text: string, end: string): string {
  return text.slice(0, text.length - end.length);
}

function trimCutset(cutset: string, text: string): string {
  const cut = new Set(cutset);
  const chars = Array.from(text);
  const start = chars.findIndex((char) => !cut.has(char));
  return start < 0 ? '' : chars.slice(start, chars.findLastIndex((char) => !cut.has(char)) + 1).join('');
}

const maxTextSize = 2 ** 28;

function repeat(count: number, text: string): string {
  if (count < 0) throw new GoError('strings: negative Repeat count');
  const size = count * byteLength(text);
  if (size > 2 ** 63) throw new GoError('strings: Repeat output length overflow');
  meter.expect(size);
  // Go would run out of memory below its own limit; no such text can exist here.
  if (size > maxTextSize) throw new GoError('runtime error: makeslice: len out of range');
  return text.repeat(count);
}

// An empty `old` matches before each character and at the end, counted as in Go.
function replaceAll(old: string, replacement: string, text: string): string {
  if (!isValidUtf8(old)) return ofByteText(byteText(text).replaceAll(byteText(old), () => byteText(replacement)));
  if (old !== '') return text.replaceAll(old, () => replacement);
  return replacement + Array.from(text, (char) => char + replacement).join('');
}

function indent(spaces: number, text: string): string {
  const pad = repeat(spaces, ' ');
  if (pad.length * text.length > meter.textSize) meter.expect(pad.length * text.split('\n').length + text.length);
  return pad + text.replaceAll('\n', `\n${pad}`);
}

function trunc(count: number, text: string): string {
  // A text has at most three bytes per unit, so short ones need no counting.
  if (Math.abs(count) >= text.length * 3) return text;
  const length = byteLength(text);
  if (count < 0) return length + count > 0 ? sliceBytes(text, length + count) : text;
  return length > count ? sliceBytes(text, 0, count) : text;
}

function substring(start: number, end: number, text: string): string {
  const length = byteLength(text);
  if (start < 0) {
    if (end < 0) throw new GoError(`runtime error: slice bounds out of range [:${end}]`);
    if (end > length) throw new GoError(`runtime error: slice bounds out of range [:${end}] with length ${length}`);
    return sliceBytes(text, 0, end);
  }
  const stop = end < 0 || end > length ? length : end;
  if (start > stop) throw new GoError(`runtime error: slice bounds out of range [${start}:${stop}]`);
  return sliceBytes(text, start, stop);
}

function joinPresent(values: readonly GoValue[], print: (value: GoValue) => string): string {
  return values
    .filter((value) => value !== null)
    .map(print)
    .join(' ');
}

/**
 * Returns the texts of a list's non-nil items; another value is a list of one, nil an empty list.
 * Mirrors: sprig, `strslice`.
 */
function toStrings(value: GoValue): TypedSlice {
  // Go returns the same slice, which `sortAlpha` then sorts in place.
  if (value instanceof TypedSlice && value.type === '[]string') return value;
  if (value === null) return exact(stringSlice([]));
  if (!Array.isArray(value) && !isBytes(value)) return exact(stringSlice([strval(value)]));
  const items = itemsOf(value, () => '');
  return withCapacity(stringSlice(items.filter((item) => item !== null).map(strval)), items.length);
}

function sortAlpha(list: GoValue): GoValue {
  if (!Array.isArray(list) && !isBytes(list)) return stringSlice([strval(list)]);
  const texts = toStrings(list) as unknown as string[];
  return texts.sort(compareStrings) as unknown as TypedSlice;
}

// A limit of 0 returns nothing, a negative one all parts.
// Mirrors: Go, strings, `SplitN`.
function splitText(text: string, separator: string, limit: number): string[] {
  if (limit === 0) return [];
  const parts = separator === '' ? Array.from(text) : search(separator, text, (bytes, all) => all.split(bytes));
  if (limit < 0 || parts.length <= limit) return parts;
  return [...parts.slice(0, limit - 1), joinBytes([parts.slice(limit - 1).join(separator)])];
}

function numbered(parts: readonly string[]): GoValue {
  const entries = parts.map((part, i): [string, GoValue] => [`_${i}`, part]);
  return new NamedMap(new Map(entries), 'map[string]string');
}
