// The patterns of `.Files.Glob`: `*` and `?` do not match `/`, `**` does, `[a-z]`, `[!abc]`, `{a,b}`, `\` escapes.
// Mirrors: gobwas/glob, syntax and compiler, v0.2.3, with the separator `/`.

import {
  any,
  atLeast,
  atMost,
  char,
  choiceMatcher,
  containsMatcher,
  every,
  literal,
  type Matcher,
  nothing,
  prefix,
  prefixSuffix,
  row,
  suffix,
  superAny,
  type Tree,
  toByteText,
  tree,
} from './glob-matchers.ts';
import { runeOf } from './unicode.ts';
import { encodeUtf8 } from './utf8.ts';
import { GoError } from './value.ts';

/** A piece of a pattern. */
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
  return (name) => matcher.match(toByteText(encodeUtf8(name)));
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
      return literal(toByteText(encodeUtf8(piece.text)));
    case 'list': {
      const codes = [...piece.chars].map(runeOf);
      if (codes.length === 1 && !piece.negated) return literal(toByteText(encodeUtf8(piece.chars)));
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
  const text = toByteText(encodeUtf8(refused));
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
