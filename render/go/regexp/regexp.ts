// Regular expressions: RE2 syntax in linear time, with Go's rules for find, replace and split.
// Mirrors: Go, regexp, 1.23. The only file that uses the `re2js` package.

import { type Matcher, RE2JS, RE2JSSyntaxException } from 're2js';
import { lettersEnd } from '../letters.ts';
import { GoError } from '../value.ts';
import { type ClassNames, knownClasses } from './classes.ts';

/** The range of a match in UTF-16 units. */
type Match = readonly [start: number, end: number];

/** Returns the text of a group, 0 for the whole match; undefined for a group that did not participate. */
type GroupText = (group: number) => string | undefined;

const cache = new Map<string, Regexp>();
const cacheSize = 500;

/**
 * Compiles a pattern, with a cache. `names` says how classes are looked up, by default as in Go 1.23. Throws `GoError` with Go's message,
 * `error parsing regexp: …`.
 */
export function compileRegexp(pattern: string, names: ClassNames = 'exact'): Regexp {
  const key = names === 'exact' ? pattern : `${names}:${pattern}`;
  let regexp = cache.get(key);
  if (regexp === undefined) {
    regexp = new Regexp(knownClasses(pattern, names, isClass), pattern);
    if (cache.size >= cacheSize) cache.clear();
    cache.set(key, regexp);
  }
  return regexp;
}

function isClass(name: string): boolean {
  try {
    RE2JS.compile(`\\p{${name}}`);
    return true;
  } catch {
    return false;
  }
}

/**
 * Escapes all special characters of a text.
 * Mirrors: regexp.QuoteMeta.
 */
export function quoteMeta(text: string): string {
  return text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&');
}

/** A pattern for the engine, and the names of its groups by number. */
interface Program {
  readonly engine: RE2JS;
  readonly groupNames: ReadonlyMap<number, string>;
}

// `written` is the original pattern before its classes were rewritten.
function compile(pattern: string, written: string): Program {
  const stray = pattern.search(strayByte);
  if (stray >= 0) throw new GoError(`error parsing regexp: invalid UTF-8: \`${pattern.slice(stray)}\``);
  try {
    const engine = RE2JS.compile(pattern);
    return { engine, groupNames: new Map(Object.entries(engine.namedGroups()).map(([name, index]) => [index, name])) };
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    // Go allows several groups with the same name.
    if (error.error.includes('duplicate capture group name')) return compileRenamed(pattern);
    const part = partOf(error, pattern);
    throw syntaxError(error, part === pattern ? written : part);
  }
}

// A byte that is not UTF-8 is a lone surrogate in our strings.
const strayByte = /[\udc80-\udcff]/u;

function compileRenamed(pattern: string): Program {
  const { renamed, groupNames, openings } = renameGroups(pattern);
  try {
    return { engine: RE2JS.compile(renamed), groupNames };
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    // The invalid part can be any part of the pattern, including our group names.
    const part = partOf(error, renamed);
    throw syntaxError(
      error,
      part.replace(/\(\?P<_(\d+)>/g, (ours, group) => openings.get(Number(group)) ?? ours),
    );
  }
}

// Syntax that can contain a parenthesis that does not open a group, and openings of groups.
const groupParts = /\\Q.*?(?:\\E|$)|\\.|\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*(?:\]|\\?$)|\(\?P?<(\w+)>|\((?!\?)/gsu;

interface RenamedGroups {
  readonly renamed: string;
  /** The original names of groups by number. */
  readonly groupNames: ReadonlyMap<number, string>;
  /** The opening syntax of named groups by number. */
  readonly openings: ReadonlyMap<number, string>;
}

/** Names each group by its number. */
function renameGroups(pattern: string): RenamedGroups {
  const groupNames = new Map<number, string>();
  const openings = new Map<number, string>();
  let group = 0;
  const renamed = pattern.replace(groupParts, (part, name?: string) => {
    if (part.startsWith('(')) group++;
    if (name === undefined) return part;
    groupNames.set(group, name);
    openings.set(group, part);
    return `(?P<_${group}>`;
  });
  return { renamed, groupNames, openings };
}

// Go always quotes the invalid part of the pattern; re2js omits it if it is empty or the whole pattern.
function partOf({ error, input }: RE2JSSyntaxException, pattern: string): string {
  return input || (error.includes('trailing backslash') ? '' : pattern);
}

function syntaxError({ error }: RE2JSSyntaxException, part: string): GoError {
  return new GoError(`error parsing regexp: ${error}: \`${part}\``);
}

/** A compiled pattern. Offsets are never exposed, so it does not matter that they are not Go's byte offsets. */
export class Regexp {
  readonly #pattern: string;
  readonly #program: Program;

  constructor(pattern: string, written: string) {
    this.#pattern = pattern;
    this.#program = compile(pattern, written);
  }

  /** Reports whether some part of the text matches. */
  matchString(text: string): boolean {
    return this.#program.engine.test(text);
  }

  /** Returns the leftmost match, or an empty text. */
  findString(text: string): string {
    return this.findAllString(text, 1)[0] ?? '';
  }

  /** Returns the matches from left to right: at most `limit`, or all if it is negative. Go returns nil for none. */
  findAllString(text: string, limit: number): string[] {
    return this.#findAll(text, limit).map((match) => text.slice(match[0], match[1]));
  }

  /** Replaces each match; `$1`, `${1}` and `${name}` refer to groups, `$$` is a `$`. */
  replaceAllString(text: string, replacement: string): string {
    if (!replacement.includes('$')) return this.#replaceAll(text, () => replacement);
    const parts = parseReplacement(replacement);
    return this.#replaceAll(text, (groupText) => this.#expand(parts, groupText));
  }

  /** Replaces each match with a literal text. */
  replaceAllLiteralString(text: string, replacement: string): string {
    return this.#replaceAll(text, () => replacement);
  }

  /** Returns the texts between matches: at most `limit` of them, all if it is negative. Undefined, Go's nil, for 0. */
  split(text: string, limit: number): string[] | undefined {
    if (limit === 0) return undefined;
    if (this.#pattern !== '' && text === '') return [''];
    const parts: string[] = [];
    let start = 0;
    let end = 0;
    for (const match of this.#findAll(text, limit)) {
      if (limit > 0 && parts.length === limit - 1) break;
      end = match[0];
      if (match[1] !== 0) parts.push(text.slice(start, end));
      start = match[1];
    }
    if (end !== text.length) parts.push(text.slice(start));
    return parts;
  }

  #findAll(text: string, limit: number): Match[] {
    const matches: Match[] = [];
    const matcher = this.#program.engine.matcher(text);
    let previousEnd = -1;
    for (let at = 0; at <= text.length && (limit < 0 || matches.length < limit); ) {
      if (!matcher.find(at)) break;
      const start = matcher.start();
      const end = matcher.end();
      // An empty match directly after another match does not count.
      if (end !== at || start !== previousEnd) matches.push([start, end]);
      at = end === at ? at + unitsAt(text, at) : end;
      previousEnd = end;
    }
    return matches;
  }

  #replaceAll(text: string, replace: (groupText: GroupText) => string): string {
    const matcher = this.#program.engine.matcher(text);
    let result = '';
    let lastEnd = 0;
    for (let at = 0; at <= text.length && matcher.find(at); ) {
      const [start, end] = [matcher.start(), matcher.end()];
      result += text.slice(lastEnd, start);
      // An empty match directly after another match is not replaced either.
      if (end > lastEnd || start === 0) result += replace((group) => groupOf(matcher, group));
      lastEnd = end;
      at = Math.max(end, at + unitsAt(text, at));
    }
    return result + text.slice(lastEnd);
  }

  #expand(parts: readonly ReplacementPart[], groupText: GroupText): string {
    let result = '';
    for (const part of parts) {
      if (typeof part === 'string') result += part;
      else if (typeof part.group === 'number') result += groupText(part.group) ?? '';
      else result += this.#groupNamed(part.group, groupText);
    }
    return result;
  }

  /** Returns the text of a named group that participated in the match. */
  #groupNamed(name: string, groupText: GroupText): string {
    for (const [group, other] of this.#program.groupNames) {
      const found = other === name ? groupText(group) : undefined;
      if (found !== undefined) return found;
    }
    return '';
  }
}

function groupOf(matcher: Matcher, group: number): string | undefined {
  return group <= matcher.groupCount() ? (matcher.group(group) ?? undefined) : undefined;
}

/** Number of units of the character at an offset; 1 at the end, so that a search advances. */
function unitsAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

type ReplacementPart = string | { readonly group: number | string };

/** Parses a replacement. The longest run of word characters is the name; a lone `$` is literal. */
function parseReplacement(replacement: string): ReplacementPart[] {
  const parts: ReplacementPart[] = [];
  let end = 0;
  for (let at = replacement.indexOf('$'); at >= 0; at = replacement.indexOf('$', Math.max(end, at + 1))) {
    const isBraced = replacement.charAt(at + 1) === '{';
    const start = at + (isBraced ? 2 : 1);
    const last = lettersEnd(replacement, start);
    const isDollar = replacement.charAt(start) === '$' && !isBraced;
    if (!isDollar && (last === start || (isBraced && replacement.charAt(last) !== '}'))) continue;
    parts.push(replacement.slice(end, at));
    const name = replacement.slice(start, last);
    if (isDollar) parts.push('$');
    else parts.push({ group: /^(?:0|[1-9][0-9]{0,8})$/.test(name) ? Number(name) : name });
    end = isDollar || isBraced ? last + 1 : last;
  }
  parts.push(replacement.slice(end));
  return parts;
}
