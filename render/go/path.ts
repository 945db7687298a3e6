// Slash-separated paths (path; path/filepath on Linux is the same). Mirrors: Go, path, 1.23.

import { runeOf } from './unicode.ts';
import { GoError } from './value.ts';

/** Gives the shortest path of the same meaning: no empty, `.` or needless `..` element; `.` for none. Mirrors: path.Clean. */
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

/** Gives the last element without slashes behind it; `.` for an empty path, `/` for the root. Mirrors: path.Base. */
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

/** Gives all but the last element, cleaned. Mirrors: path.Dir. */
export function dir(path: string): string {
  return clean(path.slice(0, path.lastIndexOf('/') + 1));
}

/** Gives the last element's suffix from its last dot on, the dot included; empty if there is none. Mirrors: path.Ext. */
export function ext(path: string): string {
  const dot = path.lastIndexOf('.');
  return dot > path.lastIndexOf('/') ? path.slice(dot) : '';
}

/** Tells whether the path begins at the root. Mirrors: path.IsAbs. */
export function isAbs(path: string): boolean {
  return path.startsWith('/');
}

/** Joins the elements that are not empty with slashes and cleans the result; empty if all are. Mirrors: path.Join. */
export function join(...elements: readonly string[]): string {
  const joined = elements.filter((element) => element !== '').join('/');
  return joined === '' ? '' : clean(joined);
}

/** One step of a pattern: any characters, one character of a set, or the set of all but `/`. */
type Step = '*' | ((char: string) => boolean);

/**
 * Tells whether the whole name matches the shell pattern: `*` and `?` stop at `/`, `[a-z]` and `[^a-z]` are sets, `\` quotes.
 * Throws `GoError` 'syntax error in pattern'. Mirrors: path.Match.
 */
export function matchPattern(pattern: string, name: string): boolean {
  return matchSteps(parsePattern(pattern), name);
}

/** Gives what `matchPattern` tells of a pattern, for many names. Throws as it does. */
export function compilePattern(pattern: string): (name: string) => boolean {
  const steps = parsePattern(pattern);
  const [, tail] = /^\*([^*?[\\]*)$/.exec(pattern) ?? [];
  if (tail === undefined) return (name) => matchSteps(steps, name);
  return (name) => name.endsWith(tail) && !name.slice(0, name.length - tail.length).includes('/');
}

function matchSteps(steps: readonly Step[], name: string): boolean {
  const chars = [...name];
  // The last `*` seen, and where in the name its run ends so far: the only place worth going back to.
  let star = -1;
  let starEnd = 0;
  let step = 0;
  let at = 0;
  while (at < chars.length || step < steps.length) {
    const test = steps[step];
    const char = chars[at];
    if (test === '*') {
      star = step++;
      starEnd = at;
    } else if (test !== undefined && char !== undefined && test(char)) {
      step++;
      at++;
    } else if (star >= 0 && starEnd < chars.length && chars[starEnd] !== '/') {
      step = star + 1;
      at = ++starEnd;
    } else return false;
  }
  return true;
}

function parsePattern(pattern: string): Step[] {
  const chars = [...pattern];
  const steps: Step[] = [];
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at]!;
    if (char === '*') {
      if (steps.at(-1) !== '*') steps.push('*');
    } else if (char === '?') steps.push((other) => other !== '/');
    else if (char === '[') {
      const set = parseSet(chars, at + 1);
      steps.push(set.test);
      at = set.end;
    } else {
      if (char === '\\') at++;
      const literal = chars[at];
      if (literal === undefined) throw badPattern();
      steps.push((other) => other === literal);
    }
  }
  return steps;
}

function parseSet(chars: readonly string[], start: number): { test: (char: string) => boolean; end: number } {
  const negated = chars[start] === '^';
  let at = negated ? start + 1 : start;
  const ranges: [number, number][] = [];
  const readChar = (): number => {
    if (chars[at] === '-' || chars[at] === ']') throw badPattern();
    if (chars[at] === '\\') at++;
    const char = chars[at++];
    // A set must be closed, so that no character of it can be the last of the pattern.
    if (char === undefined || at >= chars.length) throw badPattern();
    return runeOf(char);
  };
  while (ranges.length === 0 || chars[at] !== ']') {
    const low = readChar();
    let high = low;
    if (chars[at] === '-') {
      at++;
      high = readChar();
    }
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
