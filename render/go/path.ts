// Slash-separated paths.
// Mirrors: Go, path/filepath on Linux, 1.23.

import { runeOf } from './unicode.ts';
import { GoError } from './value.ts';

/**
 * Returns the shortest equivalent path, without empty, `.` or unnecessary `..` elements; `.` for an empty path.
 * Mirrors: path.Clean.
 */
export function clean(path: string): string {
  const rooted = path.startsWith('/');
  const kept: string[] = [];
  for (const element of path.split('/')) {
    if (element === '' || element === '.') continue;
    if (element !== '..') kept.push(element);
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    else if (!rooted) kept.push(element);
  }
  const joined = kept.join('/');
  return rooted ? `/${joined}` : joined || '.';
}

/**
 * Returns the last element without trailing slashes; `.` for an empty path, `/` for the root.
 * Mirrors: path.Base.
 */
export function base(path: string): string {
  if (path === '') return '.';
  const trimmed = trimTrailingSlashes(path);
  return trimmed === '' ? '/' : trimmed.slice(trimmed.lastIndexOf('/') + 1);
}

function trimTrailingSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end--;
  return path.slice(0, end);
}

/** Returns all but the last element, cleaned. Mirrors: path.Dir. */
export function dir(path: string): string {
  return clean(path.slice(0, path.lastIndexOf('/') + 1));
}

/**
 * Returns the suffix of the last element, including the dot; empty if there is none.
 * Mirrors: path.Ext.
 */
export function ext(path: string): string {
  const dot = path.lastIndexOf('.');
  return dot > path.lastIndexOf('/') ? path.slice(dot) : '';
}

/**
 * Reports whether the path is absolute.
 * Mirrors: path.IsAbs.
 */
export function isAbs(path: string): boolean {
  return path.startsWith('/');
}

/**
 * Joins non-empty elements with slashes and cleans the result; empty if all are empty.
 * Mirrors: path.Join.
 */
export function join(...elements: readonly string[]): string {
  const joined = elements.filter((element) => element !== '').join('/');
  return joined === '' ? '' : clean(joined);
}

type CharTest = (char: string) => boolean;

/** A chunk of a pattern between stars: a test for each character, or undefined where it is malformed. */
interface Chunk {
  /** Whether a `*` precedes it. */
  readonly star: boolean;
  readonly tests: readonly CharTest[] | undefined;
}

/**
 * Reports whether the whole name matches the shell pattern: `*` and `?` do not match `/`, `[a-z]` and `[^a-z]` are sets, `\` escapes.
 * Throws GoError 'syntax error in pattern' if matching reaches a malformed part.
 * Mirrors: filepath.Match.
 */
export function matchPattern(pattern: string, name: string): boolean {
  return compilePattern(pattern)(name);
}

/** Returns `matchPattern` for one pattern and many names. */
export function compilePattern(pattern: string): (name: string) => boolean {
  // Most rules of a .helmignore are plain names, and each is compared with every file.
  if (!/[*?[\\]/.test(pattern)) return (name) => name === pattern;
  const chunks = parseChunks(pattern);
  return (name) => matchChunks(chunks, [...name]);
}

function matchChunks(chunks: readonly Chunk[], chars: readonly string[]): boolean {
  let at = 0;
  for (let i = 0; i < chunks.length; i++) {
    const { star, tests } = chunks[i]!;
    if (star && tests?.length === 0) return !chars.includes('/', at);
    if (tests === undefined) throw badPattern();
    const isLast = i === chunks.length - 1;
    while ((isLast && at + tests.length !== chars.length) || !fits(tests, chars, at)) {
      if (!star || at >= chars.length || chars[at] === '/') return false;
      at++;
    }
    at += tests.length;
  }
  return at === chars.length;
}

function fits(tests: readonly CharTest[], chars: readonly string[], start: number): boolean {
  return start + tests.length <= chars.length && tests.every((test, offset) => test(chars[start + offset]!));
}

function parseChunks(pattern: string): Chunk[] {
  const chars = [...pattern];
  const chunks: Chunk[] = [];
  for (let at = 0; at < chars.length; ) {
    const start = at;
    while (chars[at] === '*') at++;
    const star = at > start;
    const end = endOfChunk(chars, at);
    chunks.push({ star, tests: parseChunk(chars.slice(at, end)) });
    at = end;
  }
  return chunks;
}

// Mirrors: `scanChunk`.
function endOfChunk(chars: readonly string[], start: number): number {
  let inSet = false;
  let at = start;
  for (; at < chars.length; at++) {
    if (chars[at] === '\\') at++;
    else if (chars[at] === '[') inSet = true;
    else if (chars[at] === ']') inSet = false;
    else if (chars[at] === '*' && !inSet) break;
  }
  return Math.min(at, chars.length);
}

// Mirrors: `matchChunk`.
function parseChunk(chars: readonly string[]): Chunk['tests'] {
  const tests: CharTest[] = [];
  for (let at = 0; at < chars.length; at++) {
    if (chars[at] === '?') tests.push((char) => char !== '/');
    else if (chars[at] === '[') {
      const set = parseSet(chars, at + 1);
      if (set === undefined) return undefined;
      tests.push(set.test);
      at = set.end;
    } else {
      if (chars[at] === '\\') at++;
      const literal = chars[at];
      if (literal === undefined) return undefined;
      tests.push((char) => char === literal);
    }
  }
  return tests;
}

interface CharSet {
  readonly test: CharTest;
  /** Offset of the closing bracket. */
  readonly end: number;
}

function parseSet(chars: readonly string[], start: number): CharSet | undefined {
  const negated = chars[start] === '^';
  let at = negated ? start + 1 : start;
  const ranges: [number, number][] = [];
  const readChar = (): number | undefined => {
    if (chars[at] === '-' || chars[at] === ']') return undefined;
    if (chars[at] === '\\') at++;
    const char = chars[at++];
    // A set must be closed, so none of its characters can be the last.
    return char === undefined || at >= chars.length ? undefined : runeOf(char);
  };
  while (ranges.length === 0 || chars[at] !== ']') {
    const low = readChar();
    if (low === undefined) return undefined;
    let high: number | undefined = low;
    if (chars[at] === '-') {
      at++;
      high = readChar();
    }
    if (high === undefined) return undefined;
    ranges.push([low, high]);
  }
  const test = (char: string): boolean => {
    const code = runeOf(char);
    return ranges.some(([low, high]) => low <= code && code <= high) !== negated;
  };
  return { test, end: at };
}

function badPattern(): GoError {
  return new GoError('syntax error in pattern');
}
