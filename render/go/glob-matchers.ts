// The matchers of a compiled glob, with the quirks of the library: which matcher sees which part of a name decides what a pattern such as
// `d/{*,ab}` matches. Texts are bytes, one per character (see `toByteText`).
// Mirrors: gobwas/glob, match/*.go, v0.2.3, with the separator `/`.

import { GoError } from './value.ts';

/** Where a matcher can start in a text, and the possible lengths in bytes, shortest first. */
interface Found {
  readonly at: number;
  readonly lengths: readonly number[];
}

/** Matches a whole text, or finds the first match in it. */
export interface Matcher {
  readonly kind: 'any' | 'super' | 'char' | 'text' | 'prefix' | 'suffix' | 'choice' | 'tree' | 'other';
  /** The fixed number of characters; -1 if it varies. */
  readonly size: number;
  readonly match: (text: string) => boolean;
  readonly find: (text: string) => Found | undefined;
  /** The text of a `text`, `prefix` or `suffix`. */
  readonly text?: string;
  /** The characters that an `any` or a negated `char` rejects. */
  readonly refused?: string;
}

/** Converts a text to bytes, one per character. */
export function toByteText(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

/** A character of a byte text: its offset, code point and size. A stray byte is U+FFFD with size 1. */
interface Rune {
  readonly at: number;
  readonly code: number;
  readonly size: number;
}

function* runesOf(text: string): Generator<Rune> {
  for (let at = 0; at < text.length; ) {
    const rune = runeAt(text, at);
    yield rune;
    at += rune.size;
  }
}

function runeAt(text: string, at: number): Rune {
  const lead = text.charCodeAt(at);
  const size = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  // Names are valid UTF-8: a character is broken only if the text was cut within it.
  const rest = /^[\x80-\xbf]*/.exec(text.slice(at + 1, at + size))?.[0] ?? '';
  if ((lead >= 0x80 && lead < 0xc2) || rest.length + 1 < size) return { at, code: 0xfffd, size: 1 };
  let code = size === 1 ? lead : lead & (0x7f >> size);
  for (const byte of rest) code = (code << 6) | (byte.charCodeAt(0) & 0x3f);
  return { at, code, size };
}

/** Number of bytes of an encoded character; the library uses that of U+FFFD for a stray byte too. */
function widthOf(code: number): number {
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

function countRunes(text: string): number {
  return [...runesOf(text)].length;
}

function endsOf(text: string, from: number): number[] {
  return [from, ...Array.from(runesOf(text), ({ at, code }) => from + at + widthOf(code))];
}

function startsOf(text: string, from: number): number[] {
  return [...Array.from(runesOf(text), ({ at }) => from + at), from + text.length];
}

function beforeSlash(text: string): string {
  const slash = text.indexOf('/');
  return slash < 0 ? text : text.slice(0, slash);
}

/** Matches any text without `/`. */
export const any: Matcher = {
  kind: 'any',
  size: -1,
  refused: '/',
  match: (text) => !text.includes('/'),
  find: (text) => ({ at: 0, lengths: startsOf(beforeSlash(text), 0) }),
};

/** Matches any text. */
export const superAny: Matcher = {
  kind: 'super',
  size: -1,
  refused: '',
  match: () => true,
  find: (text) => ({ at: 0, lengths: startsOf(text, 0) }),
};

/** Matches the empty text. */
export const nothing: Matcher = {
  kind: 'other',
  size: 0,
  match: (text) => text === '',
  find: () => ({ at: 0, lengths: [0] }),
};

/** Matches one character that passes a test; `refused` are the characters that fail it, if the test is just a set. */
export function char(test: (code: number) => boolean, refused?: string): Matcher {
  return {
    kind: 'char',
    size: 1,
    ...(refused === undefined ? {} : { refused }),
    match: (text) => {
      if (text === '') return test(0xfffd);
      const { code, size } = runeAt(text, 0);
      return text.length <= size && test(code);
    },
    find: (text) => {
      for (const { at, code } of runesOf(text)) if (test(code)) return { at, lengths: [widthOf(code)] };
      return undefined;
    },
  };
}

/** Matches a literal text. */
export function literal(text: string): Matcher {
  return {
    kind: 'text',
    size: countRunes(text),
    text,
    match: (other) => other === text,
    find: (other) => findText(other, text, [text.length]),
  };
}

function findText(text: string, needle: string, lengths: readonly number[]): Found | undefined {
  const at = text.indexOf(needle);
  return at < 0 ? undefined : { at, lengths };
}

/** Matches texts with a prefix; with `plain` the rest must not contain `/`. */
export function prefix(text: string, plain: boolean): Matcher {
  return {
    kind: plain ? 'other' : 'prefix',
    size: -1,
    text,
    match: (other) => other.startsWith(text) && !(plain && other.includes('/', text.length)),
    find: (other) => {
      const at = other.indexOf(text);
      if (at < 0) return undefined;
      const rest = other.slice(at + text.length);
      return { at, lengths: endsOf(plain ? beforeSlash(rest) : rest, text.length) };
    },
  };
}

/** Matches texts with a suffix; with `plain` the rest must not contain `/`. */
export function suffix(text: string, plain: boolean): Matcher {
  return {
    kind: plain ? 'other' : 'suffix',
    size: -1,
    text,
    match: (other) => other.endsWith(text) && !(plain && other.slice(0, other.length - text.length).includes('/')),
    find: (other) => {
      const at = other.indexOf(text);
      if (at < 0) return undefined;
      const start = plain ? other.slice(0, at).lastIndexOf('/') + 1 : 0;
      return { at: start, lengths: [at + text.length - start] };
    },
  };
}

/** Matches texts with a prefix and a suffix, which may overlap. */
export function prefixSuffix(first: string, last: string): Matcher {
  return {
    kind: 'other',
    size: -1,
    match: (text) => text.startsWith(first) && text.endsWith(last),
    find: (text) => {
      const at = text.indexOf(first);
      if (at < 0) return undefined;
      const lengths: number[] = [];
      for (let end = text.slice(at).lastIndexOf(last); end >= 0; ) {
        lengths.unshift(end + last.length);
        end = end === 0 ? -1 : text.slice(at, at + end).lastIndexOf(last);
      }
      return lengths.length === 0 ? undefined : { at, lengths };
    },
  };
}

/** Matches texts that contain a text, or with `not` texts that do not. */
export function containsMatcher(needle: string, not: boolean): Matcher {
  return {
    kind: 'other',
    size: -1,
    match: (text) => text.includes(needle) !== not,
    find: (text) => {
      const at = text.indexOf(needle);
      if (not) return { at: 0, lengths: startsOf(at < 0 ? text : text.slice(0, at), 0) };
      if (at < 0) return undefined;
      const offset = at + needle.length;
      return { at: 0, lengths: startsOf(text.slice(offset), offset) };
    },
  };
}

/** Matches texts with a minimum number of characters. */
export function atLeast(count: number): Matcher {
  return {
    kind: 'other',
    size: -1,
    match: (text) => countRunes(text) >= count,
    find: (text) => {
      const lengths = endsOf(text, 0).slice(count);
      return lengths.length === 0 || text.length < count ? undefined : { at: 0, lengths };
    },
  };
}

/** Matches texts with a maximum number of characters. */
export function atMost(count: number): Matcher {
  return {
    kind: 'other',
    size: -1,
    match: (text) => countRunes(text) <= count,
    find: (text) => ({ at: 0, lengths: endsOf(text, 0).slice(0, count + 1) }),
  };
}

/** Matches what any of several matchers matches. */
export function choiceMatcher(matchers: readonly Matcher[]): Matcher {
  return {
    kind: 'choice',
    size: sizeOfChoice(matchers),
    match: (text) => matchers.some((matcher) => matcher.match(text)),
    find: (text) => {
      const all = matchers.map((matcher) => matcher.find(text)).filter((found) => found !== undefined);
      if (all.length === 0) return undefined;
      const at = Math.min(...all.map((found) => found.at));
      const lengths = new Set(all.filter((found) => found.at === at).flatMap((found) => found.lengths));
      return { at, lengths: [...lengths].sort((a, b) => a - b) };
    },
  };
}

// The library ignores a first branch of varying size: `{*,ab}` counts as two characters.
function sizeOfChoice(matchers: readonly Matcher[]): number {
  let size = -1;
  for (const matcher of matchers) {
    if (size === -1) size = matcher.size;
    else if (matcher.size !== size) return -1;
  }
  return size;
}

/** Matches what all of several matchers match. */
export function every(matchers: readonly Matcher[]): Matcher {
  return {
    kind: 'other',
    size: -1,
    match: (text) => matchers.every((matcher) => matcher.match(text)),
    find: (text) => {
      let [at, offset] = [0, 0];
      let lengths: readonly number[] | undefined;
      for (const matcher of matchers) {
        const found = matcher.find(text.slice(at));
        if (found === undefined) return undefined;
        const shift = at - (found.at + offset);
        const kept = lengths?.filter((length) => found.lengths.includes(length + shift));
        lengths = kept === undefined ? found.lengths : kept.map((length) => length + shift);
        if (lengths.length === 0) return undefined;
        at = found.at + offset;
        offset += found.at;
      }
      return { at, lengths: lengths ?? [] };
    },
  };
}

/** Matches a sequence of matchers of fixed size. */
export function row(matchers: readonly Matcher[]): Matcher {
  const size = matchers.reduce((sum, matcher) => sum + matcher.size, 0);
  return {
    kind: 'other',
    size,
    match: (text) => countRunes(text) === size && matchRow(matchers, text),
    find: (text) => {
      for (const { at } of runesOf(text)) {
        if (text.length - at < size) break;
        if (matchRow(matchers, text.slice(at))) return { at, lengths: [size] };
      }
      return undefined;
    },
  };
}

// Each matcher receives its characters, but only one byte of the last one.
function matchRow(matchers: readonly Matcher[], text: string): boolean {
  let at = 0;
  for (const matcher of matchers) {
    const starts = startsOf(text.slice(at), 0).slice(0, -1);
    if (starts.length < matcher.size) return false;
    const last = starts[(matcher.size || starts.length) - 1] ?? 0;
    // gobwas/glob slices off a byte even at the end of the text, and panics.
    if (at + last + 1 > text.length)
      throw new GoError(`runtime error: slice bounds out of range [:${at + last + 1}] with length ${text.length}`);
    if (!matcher.match(text.slice(at, at + last + 1))) return false;
    at += last + 1;
  }
  return true;
}

/** Matches a matcher with optional others to its left and right. */
export interface Tree extends Matcher {
  readonly kind: 'tree';
  readonly value: Matcher;
  readonly left: Matcher | undefined;
  readonly right: Matcher | undefined;
}

/** Returns a tree: its value is searched for in the text, and the rest is matched by both sides. */
export function tree(value: Matcher, left: Matcher | undefined, right: Matcher | undefined): Tree {
  const leftSize = left === undefined ? 0 : left.size;
  const rightSize = right === undefined ? 0 : right.size;
  const size = Math.min(value.size, leftSize, rightSize) < 0 ? -1 : value.size + leftSize + rightSize;
  const matches = (matcher: Matcher | undefined, text: string): boolean => matcher?.match(text) ?? text === '';
  const match = (text: string): boolean => {
    if (size > text.length) return false;
    const limit = text.length - Math.max(rightSize, 0);
    for (let offset = Math.max(leftSize, 0); offset < limit; ) {
      const found = value.find(text.slice(offset, limit));
      if (found === undefined) return false;
      const at = offset + found.at;
      if (matches(left, text.slice(0, at))) {
        if (found.lengths.some((length) => matches(right, text.slice(at + length)))) return true;
      }
      offset = at + (at < text.length ? runeAt(text, at).size : 0);
      if (at >= text.length) return false;
    }
    return false;
  };
  return { kind: 'tree', size, match, find: () => undefined, value, left, right };
}
