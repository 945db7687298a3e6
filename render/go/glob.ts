// The patterns of `.Files.Glob`: `*` and `?` do not match `/`, `**` does, `[a-z]`, `[!abc]`, `{a,b}`, `\` escapes. Which matcher sees which
// part of a name decides what a pattern such as `d/{*,ab}` matches. Names are matched as bytes, one per character.
// Mirrors: gobwas/glob, syntax, compiler and match, v0.2.3, with the separator `/`.

import { runeOf } from './unicode.ts';
import { byteText } from './utf8.ts';
import { GoError } from './value.ts';

/** Where a matcher can start in a text, and the possible lengths in bytes, shortest first. */
interface Found {
  readonly at: number;
  readonly lengths: readonly number[];
}

/** Matches a whole text, or finds the first match in it. */
interface Matcher {
  readonly kind: 'any' | 'super' | 'char' | 'text' | 'prefix' | 'suffix' | 'tree' | 'other';
  /** The fixed number of characters; -1 if it varies. */
  readonly size: number;
  readonly match: (text: string) => boolean;
  readonly find: (text: string) => Found | undefined;
  /** The text of a `text`, `prefix` or `suffix`. */
  readonly text?: string;
  /** The characters that an `any` or a negated `char` rejects. */
  readonly refused?: string;
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
const any: Matcher = {
  kind: 'any',
  size: -1,
  refused: '/',
  match: (text) => !text.includes('/'),
  find: (text) => ({ at: 0, lengths: startsOf(beforeSlash(text), 0) }),
};

const superAny: Matcher = {
  kind: 'super',
  size: -1,
  refused: '',
  match: () => true,
  find: (text) => ({ at: 0, lengths: startsOf(text, 0) }),
};

const nothing: Matcher = {
  kind: 'other',
  size: 0,
  match: (text) => text === '',
  find: () => ({ at: 0, lengths: [0] }),
};

/** Matches one character that passes a test; `refused` are the characters that fail it, if the test is just a set. */
function char(test: (code: number) => boolean, refused?: string): Matcher {
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

function literal(text: string): Matcher {
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
function prefix(text: string, plain: boolean): Matcher {
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
function suffix(text: string, plain: boolean): Matcher {
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
function prefixSuffix(first: string, last: string): Matcher {
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
function containsMatcher(needle: string, not: boolean): Matcher {
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

function atLeast(count: number): Matcher {
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

function atMost(count: number): Matcher {
  return {
    kind: 'other',
    size: -1,
    match: (text) => countRunes(text) <= count,
    find: (text) => ({ at: 0, lengths: endsOf(text, 0).slice(0, count + 1) }),
  };
}

function choiceMatcher(matchers: readonly Matcher[]): Matcher {
  return {
    kind: 'other',
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

function every(matchers: readonly Matcher[]): Matcher {
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
function row(matchers: readonly Matcher[]): Matcher {
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
interface Tree extends Matcher {
  readonly kind: 'tree';
  readonly value: Matcher;
  readonly left: Matcher | undefined;
  readonly right: Matcher | undefined;
}

/** Returns a tree: its value is searched for in the text, and the rest is matched by both sides. */
function tree(value: Matcher, left: Matcher | undefined, right: Matcher | undefined): Tree {
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

type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly chars: string; readonly negated: boolean }
  | { readonly kind: 'range'; readonly low: string; readonly high: string; readonly negated: boolean }
  | { readonly kind: 'single' | 'any' | 'super' | 'nothing' }
  | { readonly kind: 'choice'; readonly branches: readonly Piece[] }
  | { readonly kind: 'sequence'; readonly pieces: readonly Piece[] };

/** Compiles a pattern. Throws `GoError` if it is malformed. */
export function compileGlob(pattern: string): (name: string) => boolean {
  const matcher = compileSequence(new Reader(pattern).read());
  return (name) => matcher.match(byteText(name));
}

/**
 * Parses a pattern.
 * Mirrors: syntax/lexer/lexer.go, syntax/ast/parser.go.
 */
class Reader {
  readonly #chars: readonly string[];
  #at = 0;
  /** Number of open `{`, inside which `,` and `}` are special. */
  #depth = 0;

  constructor(pattern: string) {
    this.#chars = [...pattern];
  }

  read(): Piece[] {
    const pieces: Piece[] = [];
    for (let char = this.#chars[this.#at]; char !== undefined; char = this.#chars[this.#at]) {
      if (this.#depth > 0 && (char === ',' || char === '}')) break;
      pieces.push(...this.#readPiece(char));
    }
    return pieces;
  }

  #readPiece(char: string): Piece[] {
    if (char === '*') {
      const isSuper = this.#chars[this.#at + 1] === '*';
      this.#at += isSuper ? 2 : 1;
      return [{ kind: isSuper ? 'super' : 'any' }];
    }
    if (char === '?') {
      this.#at++;
      return [{ kind: 'single' }];
    }
    if (char === '[') {
      this.#at++;
      return [this.#readSet()];
    }
    if (char === '{') return [this.#readChoice()];
    const text = this.#readText(this.#depth > 0 ? '?*[{},' : '?*[{');
    return text === '' ? [] : [{ kind: 'text', text }];
  }

  // An unclosed `{` extends to the end.
  #readChoice(): Piece {
    const branches: Piece[] = [];
    this.#depth++;
    do {
      this.#at++;
      branches.push({ kind: 'sequence', pieces: this.read() });
    } while (this.#chars[this.#at] === ',');
    this.#at++;
    this.#depth--;
    return { kind: 'choice', branches };
  }

  #readSet(): Piece {
    const negated = this.#chars[this.#at] === '!';
    if (negated) this.#at++;
    const low = this.#chars[this.#at];
    let set: Piece;
    if (this.#chars[this.#at + 1] === '-') {
      const high = this.#chars[this.#at + 2];
      this.#at += 3;
      if (low === undefined || high === undefined || runeOf(high) < runeOf(low))
        throw new GoError('could not parse range');
      set = { kind: 'range', low, high, negated };
    } else set = { kind: 'list', chars: this.#readText(']'), negated };
    if (this.#chars[this.#at] === undefined) throw new GoError('unexpected end of input');
    // A range or characters, but not both: `[a-zA-Z]` is refused.
    if (this.#chars[this.#at] !== ']') throw new GoError('expected close range character');
    if (set.kind === 'list' && set.chars === '') throw new GoError('could not parse range');
    this.#at++;
    return set;
  }

  #readText(breakers: string): string {
    let text = '';
    for (
      let char = this.#chars[this.#at];
      char !== undefined && !breakers.includes(char);
      char = this.#chars[this.#at]
    ) {
      if (char === '\\') this.#at++;
      text += this.#chars[this.#at++] ?? '';
    }
    return text;
  }
}

/** Mirrors: compiler/compiler.go, `compile`. */
function compilePiece(piece: Piece): Matcher {
  switch (piece.kind) {
    case 'text':
      return literal(byteText(piece.text));
    case 'list': {
      const codes = [...piece.chars].map(runeOf);
      if (codes.length === 1 && !piece.negated) return literal(byteText(piece.chars));
      return char((code) => codes.includes(code) !== piece.negated, piece.negated ? piece.chars : undefined);
    }
    case 'range': {
      const [low, high] = [runeOf(piece.low), runeOf(piece.high)];
      return char((code) => (low <= code && code <= high) !== piece.negated);
    }
    case 'single':
      return char((code) => code !== 0x2f, '/');
    case 'any':
      return any;
    case 'super':
      return superAny;
    case 'nothing':
      return nothing;
    case 'sequence':
      return compileSequence(piece.pieces);
    case 'choice':
      return compileChoice(piece.branches);
  }
}

function compileSequence(pieces: readonly Piece[]): Matcher {
  if (pieces.length === 0) return nothing;
  return optimize(join(glueLongest(pieces.map(compilePiece))));
}

function compileChoice(branches: readonly Piece[]): Matcher {
  const factored = factor(branches);
  if (factored !== undefined) return compileSequence(factored);
  const matchers = branches.map(compilePiece);
  const [only] = matchers;
  return only !== undefined && matchers.length === 1 ? only : choiceMatcher(matchers);
}

/**
 * Factors out what all branches start and end with; undefined if there is nothing in common.
 * Mirrors: `minimizeTreeAnyOf`.
 */
function factor(branches: readonly Piece[]): Piece[] | undefined {
  const lists: (readonly Piece[])[] = [];
  for (const branch of branches) {
    if (branch.kind !== 'sequence') return undefined;
    lists.push(branch.pieces);
  }
  const [left, right] = countCommon(lists);
  if (left + right === 0) return undefined;
  const middles: Piece[] = [];
  for (const pieces of lists) {
    const middle = pieces.slice(left, pieces.length - right);
    const piece: Piece = middle.length === 0 ? { kind: 'nothing' } : { kind: 'sequence', pieces: middle };
    if (!middles.some((other) => isSame(other, piece))) middles.push(piece);
  }
  const first = lists[0]!;
  const result: Piece[] = [];
  if (left > 0) result.push({ kind: 'sequence', pieces: first.slice(0, left) });
  if (middles.length > 1) result.push({ kind: 'choice', branches: middles });
  else if (middles[0]?.kind === 'sequence') result.push(middles[0]);
  if (right > 0) result.push({ kind: 'sequence', pieces: first.slice(first.length - right) });
  return result;
}

function isSame(a: Piece, b: Piece): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/**
 * Counts the pieces that all lists have in common at the start and the end.
 * Mirrors: `commonChildren`.
 */
function countCommon(lists: readonly (readonly Piece[])[]): [left: number, right: number] {
  const shortest = lists.reduce((least, list) => (list.length < least.length ? list : least));
  let [left, right] = [0, 0];
  if (lists.length < 2) return [left, right];
  let [leftEnds, rightEnds] = [false, false];
  const size = shortest.length;
  for (let i = 0; left + right < size && i < size && !(leftEnds && rightEnds); i++) {
    const j = size - 1 - i;
    for (const list of lists) {
      if (list === shortest) continue;
      leftEnds ||= !isSame(shortest[i]!, list[i]!);
      rightEnds ||= !leftEnds && j <= i;
      rightEnds ||= !isSame(shortest[j]!, list[j + list.length - size]!);
    }
    if (!leftEnds) left++;
    if (!rightEnds) right++;
  }
  return [left, right];
}

/**
 * Combines a sequence of matchers around the last one with the largest fixed size.
 * Mirrors: `compileMatchers`.
 */
function join(matchers: readonly Matcher[]): Matcher {
  if (matchers.length === 1) return matchers[0]!;
  const glued = glue(matchers);
  if (glued !== undefined) return glued;
  let middle = -1;
  matchers.forEach((matcher, i) => {
    if (matcher.size >= 0 && matcher.size >= (matchers[middle]?.size ?? 0)) middle = i;
  });
  if (middle < 0) return tree(matchers[0]!, undefined, join(matchers.slice(1)));
  const left = matchers.slice(0, middle);
  const right = matchers.slice(middle + 1);
  return tree(matchers[middle]!, left.length > 0 ? join(left) : undefined, right.length > 0 ? join(right) : undefined);
}

/**
 * Joins the longest run that can be a single matcher, repeatedly.
 * Mirrors: `minimizeMatchers`.
 */
function glueLongest(given: readonly Matcher[]): readonly Matcher[] {
  let matchers = given;
  for (;;) {
    let best: { matcher: Matcher; start: number; end: number } | undefined;
    const ends = endsOfRuns(matchers);
    for (const [start, end] of ends.entries()) {
      // The longest run from each start comes first.
      if (best !== undefined && best.matcher.size < 0 && best.end - best.start >= end - start) continue;
      const matcher = glue(matchers.slice(start, end));
      if (matcher === undefined) continue;
      const larger = best !== undefined && best.matcher.size > -1 && matcher.size > best.matcher.size;
      if (best === undefined || larger || best.end - best.start < end - start) best = { matcher, start, end };
    }
    if (best === undefined) return matchers;
    matchers = [...matchers.slice(0, best.start), best.matcher, ...matchers.slice(best.end)];
  }
}

/** Returns for each start the end of the longest run that can be joined: matchers of fixed size, or with the same rejected characters. */
function endsOfRuns(matchers: readonly Matcher[]): number[] {
  const ends: number[] = [];
  let [sized, refusing] = [0, 0];
  for (let at = matchers.length - 1; at >= 0; at--) {
    const { size, refused } = matchers[at]!;
    sized = size >= 0 ? sized + 1 : 0;
    refusing = refused === undefined ? 0 : matchers[at + 1]?.refused === refused ? refusing + 1 : 1;
    ends[at] = at + Math.max(sized, refusing);
  }
  return ends;
}

function glue(matchers: readonly Matcher[]): Matcher | undefined {
  if (matchers.length < 2) return undefined;
  return glueAsEvery(matchers) ?? (matchers.every((matcher) => matcher.size >= 0) ? row(matchers) : undefined);
}

// Wildcards with the same rejected characters become a character count without those.
function glueAsEvery(matchers: readonly Matcher[]): Matcher | undefined {
  const refused = matchers[0]?.refused;
  if (refused === undefined || matchers.some((matcher) => matcher.refused !== refused)) return undefined;
  const singles = matchers.filter((matcher) => matcher.kind === 'char').length;
  if (singles === 0) return matchers[0];
  const isOpen = singles < matchers.length;
  // The characters are searched for as one text, as in the library.
  const text = byteText(refused);
  return every([atLeast(singles), ...(isOpen ? [] : [atMost(singles)]), containsMatcher(text, true)]);
}

/**
 * Returns a simpler matcher for a tree with a literal text.
 * Mirrors: `optimizeMatcher`.
 */
function optimize(matcher: Matcher): Matcher {
  if (!isTree(matcher)) return matcher;
  const left = matcher.left && optimize(matcher.left);
  const right = matcher.right && optimize(matcher.right);
  const { text } = matcher.value;
  if (matcher.value.kind === 'text' && text !== undefined) {
    const simple = simplify(text, left, right);
    if (simple !== undefined) return simple;
  }
  return tree(matcher.value, left, right);
}

function isTree(matcher: Matcher): matcher is Tree {
  return matcher.kind === 'tree';
}

function simplify(text: string, left: Matcher | undefined, right: Matcher | undefined): Matcher | undefined {
  const sides = `${left?.kind ?? 'none'} ${right?.kind ?? 'none'}`;
  switch (sides) {
    case 'none none':
      return literal(text);
    case 'super super':
      return containsMatcher(text, false);
    case 'super none':
      return suffix(text, false);
    case 'none super':
      return prefix(text, false);
    case 'none suffix':
      return prefixSuffix(text, right?.text ?? '');
    case 'prefix none':
      return prefixSuffix(left?.text ?? '', text);
    case 'any none':
      return suffix(text, true);
    case 'none any':
      return prefix(text, true);
    default:
      return undefined;
  }
}
