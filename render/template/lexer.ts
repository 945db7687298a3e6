// The lexer: delimiters, trim markers, words. An invalid character is a token of kind `error`.
// Mirrors: Go, text/template/parse, lex.go, 1.23.

import { lettersEnd } from '../go/letters.ts';
import { quote } from '../go/number.ts';
import { isPrint } from '../go/unicode.ts';
import { byteLength, isStrayByte } from '../go/utf8.ts';
import type { TextNode } from './nodes.ts';
import { type GoRules, go123 } from './rules.ts';

const keywords = [
  ...(['block', 'break', 'continue', 'define', 'else', 'end', 'if', 'nil', 'range', 'template', 'with'] as const),
];
const keywordOf = new Map<string, Keyword>(keywords.map((word) => [word, word]));

type Keyword = (typeof keywords)[number];

/** The kind of a token. */
export type TokenKind =
  | Keyword
  | 'dot'
  | 'error'
  | 'eof'
  | 'text'
  | 'leftDelim'
  | 'rightDelim'
  | 'identifier'
  | 'field'
  | 'variable'
  | 'bool'
  | 'number'
  | 'complex'
  | 'charConstant'
  | 'string'
  | 'rawString'
  | 'leftParen'
  | 'rightParen'
  | 'pipe'
  | 'declare'
  | 'assign'
  | 'char';

/** A token within an action. The text of an `error` token is the message. A `field` has the fields chained to it: `.a.b`. */
interface ActionToken {
  readonly kind: Exclude<TokenKind, 'text'>;
  readonly offset: number;
  readonly text: string;
  /** Whether space precedes it. In Go, space is a token of its own. */
  readonly spaced: boolean;
}

/** An action's token, or text between actions, which becomes a node of the tree unchanged. */
export type Token = TextNode | ActionToken;

/** Formats a token as in Go's "unexpected …" errors. */
export function describeToken(token: Token): string {
  if (token.kind === 'eof') return 'EOF';
  if (token.kind === 'error') return token.text;
  if (token.kind === 'dot' || keywordOf.has(token.kind)) return `<${token.text}>`;
  // Go's lexer does not chain fields.
  const text = token.kind === 'field' ? `.${token.text.split('.')[1]}` : token.text;
  return byteLength(text) <= 10 ? quote(text) : `${quote([...text].slice(0, 10).join(''))}...`;
}

const leftDelim = '{{';
const rightDelim = '}}';
const markerLength = 2;

const decimal = String.raw`[0-9_]*(?:\.[0-9_]*)?(?:[eE][+-]?[0-9_]*)?`;
const hexadecimal = String.raw`0[xX][0-9a-fA-F_]*(?:\.[0-9a-fA-F_]*)?(?:[pP][+-]?[0-9_]*)?`;
const octal = String.raw`0[oO][0-7_]*(?:\.[0-7_]*)?`;
const binary = String.raw`0[bB][01_]*(?:\.[01_]*)?`;
// Accepts more than valid numbers; the parser checks them.
const number = new RegExp(`[+-]?(?:${hexadecimal}|${octal}|${binary}|${decimal})i?`, 'y');

const newline = 10;
const plus = 43;
const minus = 45;
const dot = 46;
const backslash = 92;
const closingBrace = 125;

// The classes of each ASCII character within an action. A table lookup is fast even in unoptimized code.
const letter = 1;
const word = 2;
const space = 4;
const sign = 8;
const ending = 16;
const shapes = new Uint8Array(128);
for (const [characters, shape] of [
  ['abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_', letter | word],
  ['0123456789', word],
  [' \t\r\n', space | ending],
  ['.|:()', sign | ending],
  [',', ending],
  ['$"=`\'', sign],
] as const) {
  for (let i = 0; i < characters.length; i++) shapes[characters.charCodeAt(i)] = shape;
}

/** Splits a text into tokens, one at a time. `error` and `eof` tokens are final. */
export class Lexer {
  readonly #text: string;
  #at = 0;
  #insideAction = false;
  #spaced = false;
  #parenDepth = 0;
  /** The comments read so far. */
  readonly #comments: { readonly start: number; readonly end: number }[] = [];

  readonly #countsCommentLines: boolean;

  constructor(text: string, { countsCommentLines }: GoRules = go123) {
    this.#text = text;
    this.#countsCommentLines = countsCommentLines;
  }

  next(): Token {
    return this.#insideAction ? this.#lexAction() : this.#lexText();
  }

  /** Returns the line that Go reports for a token. Go 1.23 does not count lines inside comments, so lines after a comment are too small. */
  line(offset: number): number {
    let line = 1 + countNewlines(this.#text, 0, offset);
    if (this.#countsCommentLines) return line;
    for (const { start, end } of this.#comments) if (end <= offset) line -= countNewlines(this.#text, start, end);
    return line;
  }

  #token(kind: ActionToken['kind'], start: number, end: number): Token {
    this.#at = end;
    return { kind, offset: start, text: this.#text.slice(start, end), spaced: this.#spaced };
  }

  /** Reads text up to the next action and skips comments. */
  #lexText(): Token {
    const text = this.#text;
    for (;;) {
      const start = this.#at;
      const open = text.indexOf(leftDelim, start);
      if (open < 0) return start < text.length ? this.#textUpTo(text.length) : this.#token('eof', start, start);
      const inside = open + leftDelim.length;
      const trimmed = text.charCodeAt(inside) === minus && isSpace(text.charCodeAt(inside + 1));
      const end = trimmed ? this.#trimRight(start, open) : open;
      if (end > start) {
        const token = this.#textUpTo(end);
        this.#at = open;
        return token;
      }
      const first = trimmed ? inside + markerLength : inside;
      if (!text.startsWith('/*', first)) {
        this.#at = first;
        this.#insideAction = true;
        this.#parenDepth = 0;
        return { kind: 'leftDelim', offset: open, text: leftDelim, spaced: false };
      }
      const wrong = this.#skipComment(first);
      if (wrong !== undefined) return this.#error(first, wrong);
    }
  }

  #textUpTo(end: number): TextNode {
    const start = this.#at;
    this.#at = end;
    return { kind: 'text', offset: start, text: this.#text.slice(start, end) };
  }

  /** Skips a comment and its right delimiter. Returns what is wrong with it, or undefined. */
  #skipComment(start: number): string | undefined {
    const close = this.#text.indexOf('*/', start + 2);
    if (close < 0) return 'unclosed comment';
    this.#at = close + 2;
    if (this.#rightDelimLength(this.#at) === 0) return 'comment ends before closing delimiter';
    this.#comments.push({ start, end: this.#at });
    this.#passRightDelim();
    return undefined;
  }

  #trimRight(start: number, end: number): number {
    let at = end;
    while (at > start && isSpace(this.#text.charCodeAt(at - 1))) at--;
    return at;
  }

  /** Returns the length of the right delimiter at an offset, with its trim marker; 0 if there is none. */
  #rightDelimLength(at: number): number {
    const text = this.#text;
    if (isRightDelim(text, at)) return rightDelim.length;
    const trims =
      isSpace(text.charCodeAt(at)) && text.charCodeAt(at + 1) === minus && isRightDelim(text, at + markerLength);
    return trims ? markerLength + rightDelim.length : 0;
  }

  /** Skips the right delimiter and the space that its trim marker removes. */
  #passRightDelim(): void {
    const length = this.#rightDelimLength(this.#at);
    this.#at += length;
    if (length > rightDelim.length) this.#at = spaceEnd(this.#text, this.#at);
    this.#insideAction = false;
  }

  #lexAction(): Token {
    const text = this.#text;
    const start = this.#skipSpace();
    if (start >= text.length) return this.#error(start, 'unclosed action');
    const code = text.charCodeAt(start);
    const shape = code < 0x80 ? shapes[code]! : 0;
    if ((shape & letter) !== 0) return this.#lexIdentifier(start, wordEnd(text, start));
    if ((shape & space) !== 0 || code === closingBrace) {
      const length = this.#rightDelimLength(start);
      if (length > 0) return this.#lexRightDelim(start + length - rightDelim.length);
    }
    return (shape & sign) === 0 ? this.#lexWord(start, code) : this.#lexSign(start, text[start]!);
  }

  /** Skips space, except one that belongs to a trim marker. Returns where the next token starts. */
  #skipSpace(): number {
    const text = this.#text;
    let end = spaceEnd(text, this.#at);
    if (end > this.#at && text.charCodeAt(end) === minus && isRightDelim(text, end + 1)) end--;
    this.#spaced = end > this.#at;
    this.#at = end;
    return end;
  }

  #lexSign(start: number, char: string): Token {
    switch (char) {
      case '.':
        return this.#lexWord(start, dot);
      case '$':
        return this.#lexName(start, 'variable');
      case '"':
        return this.#lexQuoted(start, '"', 'string', 'unterminated quoted string');
      case '|':
        return this.#token('pipe', start, start + 1);
      case '(':
        this.#parenDepth++;
        return this.#token('leftParen', start, start + 1);
      case ')':
        this.#parenDepth--;
        if (this.#parenDepth < 0) return this.#error(start, 'unexpected right paren');
        return this.#token('rightParen', start, start + 1);
      case ':':
        if (this.#text[start + 1] !== '=') return this.#error(start, 'expected :=');
        return this.#token('declare', start, start + 2);
      case '=':
        return this.#token('assign', start, start + 1);
      case '`':
        return this.#lexRawString(start);
      default:
        return this.#lexQuoted(start, "'", 'charConstant', 'unterminated character constant');
    }
  }

  #lexRightDelim(offset: number): Token {
    if (this.#parenDepth > 0) return this.#error(this.#at, 'unclosed left paren');
    this.#passRightDelim();
    return { kind: 'rightDelim', offset, text: rightDelim, spaced: this.#spaced };
  }

  #lexWord(start: number, first: number): Token {
    const text = this.#text;
    if (first === dot && start + 1 < text.length && !isDigit(text.charCodeAt(start + 1))) {
      return this.#lexName(start, 'field');
    }
    if (first === dot || first === plus || first === minus || isDigit(first)) return this.#lexNumber(start);
    const end = wordEnd(text, start);
    if (end > start) return this.#lexIdentifier(start, end);
    const code = text.codePointAt(start)!;
    if (code < 0x80 && isPrint(code)) return this.#token('char', start, start + 1);
    return this.#error(start, `unrecognized character in action: ${formatCharacter(code)}`);
  }

  #lexIdentifier(start: number, end: number): Token {
    if (!this.#endsName(end)) return this.#badCharacter(start, end);
    const text = this.#text.slice(start, end);
    const kind = text === 'true' || text === 'false' ? 'bool' : (keywordOf.get(text) ?? 'identifier');
    this.#at = end;
    return { kind, offset: start, text, spaced: this.#spaced };
  }

  /** Reads `.name` with the fields chained to it, `$name`, or the sign alone. */
  #lexName(start: number, kind: 'field' | 'variable'): Token {
    if (this.#endsName(start + 1)) return this.#token(kind === 'field' ? 'dot' : kind, start, start + 1);
    const end = wordEnd(this.#text, start + 1);
    if (!this.#endsName(end)) return this.#badCharacter(start, end);
    return this.#token(kind, start, kind === 'field' ? this.#chainEnd(end) : end);
  }

  /** Returns where the fields that follow a field end. */
  #chainEnd(start: number): number {
    const text = this.#text;
    let end = start;
    while (text.charCodeAt(end) === dot && !isDigit(text.charCodeAt(end + 1))) {
      const next = wordEnd(text, end + 1);
      if (next === end + 1 || !this.#endsName(next)) break;
      end = next;
    }
    return end;
  }

  /** Reports whether a name may end at an offset: before space, the end of the text, one of `. , | : ( )` or a delimiter. */
  #endsName(at: number): boolean {
    const text = this.#text;
    if (at >= text.length) return true;
    const code = text.charCodeAt(at);
    return code < 0x80 && (shapes[code]! & ending) !== 0 ? true : isRightDelim(text, at);
  }

  #lexNumber(start: number): Token {
    const text = this.#text;
    let end = matchEnd(number, text, start);
    let kind: 'complex' | 'number' = 'number';
    if (!startsWord(text, end) && (text[end] === '+' || text[end] === '-')) {
      end = matchEnd(number, text, end);
      kind = 'complex';
    }
    const wordGoesOn = startsWord(text, end);
    if (!wordGoesOn && (kind === 'number' || text[end - 1] === 'i')) return this.#token(kind, start, end);
    const shown = text.slice(start, end) + (wordGoesOn ? String.fromCodePoint(text.codePointAt(end)!) : '');
    return this.#error(start, `bad number syntax: ${quote(shown)}`);
  }

  #lexQuoted(start: number, mark: string, kind: ActionToken['kind'], unterminated: string): Token {
    const text = this.#text;
    const last = mark.charCodeAt(0);
    for (let at = start + 1; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === last) return this.#token(kind, start, at + 1);
      if (code === backslash) at++;
      if (text.charCodeAt(at) === newline) break;
    }
    return this.#error(start, unterminated);
  }

  #lexRawString(start: number): Token {
    const end = this.#text.indexOf('`', start + 1);
    if (end < 0) return this.#error(start, 'unterminated raw quoted string');
    return this.#token('rawString', start, end + 1);
  }

  #badCharacter(start: number, at: number): Token {
    return this.#error(start, `bad character ${formatCharacter(this.#text.codePointAt(at)!)}`);
  }

  #error(offset: number, text: string): Token {
    return { kind: 'error', offset, text, spaced: this.#spaced };
  }
}

function isRightDelim(text: string, at: number): boolean {
  return text.charCodeAt(at) === closingBrace && text.charCodeAt(at + 1) === closingBrace;
}

function isSpace(code: number): boolean {
  return code < 0x80 && (shapes[code]! & space) !== 0;
}

/** Returns where the space from an offset on ends. */
function spaceEnd(text: string, start: number): number {
  let at = start;
  let code = text.charCodeAt(at);
  while (code < 0x80 && (shapes[code]! & space) !== 0) code = text.charCodeAt(++at);
  return at;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function startsWord(text: string, at: number): boolean {
  return wordEnd(text, at) > at;
}

/** Returns where the letters, digits and underscores from an offset on end. */
function wordEnd(text: string, start: number): number {
  let at = start;
  let code = text.charCodeAt(at);
  // Behind the end of the text it is not a number.
  while (code < 0x80 && (shapes[code]! & word) !== 0) code = text.charCodeAt(++at);
  return code < 0x80 || at >= text.length ? at : lettersEnd(text, at);
}

function countNewlines(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', start); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

function matchEnd(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  pattern.test(text);
  return pattern.lastIndex;
}

/** Prints a character as Go's `%#U` does: `U+002D '-'`. */
function formatCharacter(code: number): string {
  const rune = isStrayByte(code) ? 0xfffd : code;
  const hex = rune.toString(16).toUpperCase().padStart(4, '0');
  return isPrint(rune) ? `U+${hex} '${String.fromCodePoint(rune)}'` : `U+${hex}`;
}
