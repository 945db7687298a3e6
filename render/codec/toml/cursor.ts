// The position of the TOML parser, and context-free tokens: white space, comments, names and strings.
// Mirrors: BurntSushi/toml 1.4.0, lex.go (`next`, `lexComment`, `lexBareName`, `lexString` and others), parse.go (`replaceEscapes`).

import { quote, quoteRune } from '../../go/number.ts';
import { isStrayByte } from '../../go/utf8.ts';
import type { CodecRules } from '../rules.ts';

/** Throws the parser's error; `line` is from 1. */
export type TomlFault = (line: number, message: string) => never;

/** A position in a TOML text. The character at the end of the text is ''. */
export class TomlCursor {
  readonly text: string;
  pos = 0;
  readonly #fail: TomlFault;
  /** Whether TOML 1.1 is supported. */
  readonly isNext: boolean | undefined;
  // Whether a consumed line break belongs to its own line in errors.
  readonly #countsBreaks: boolean;
  // How many lines earlier an error at the end of the text is reported.
  readonly #endOffset: number;
  // The last consumed character, if nothing was peeked since.
  #last: string | undefined;
  #counted = { pos: 0, line: 1 };

  constructor(text: string, { tomlEnd, toml11 }: Pick<CodecRules, 'tomlEnd' | 'toml11'>, fail: TomlFault) {
    this.text = text;
    this.isNext = toml11;
    this.#countsBreaks = tomlEnd === 'last line';
    this.#endOffset = tomlEnd === 'line before' || text.endsWith('\n') ? 1 : 0;
    this.#fail = fail;
  }

  get line(): number {
    const start = this.#counted.pos <= this.pos ? this.#counted : { pos: 0, line: 1 };
    const line = start.line + this.text.slice(start.pos, this.pos).split('\n').length - 1;
    this.#counted = { pos: this.pos, line };
    return line;
  }

  /** Throws an error at this position. Since BurntSushi/toml 1.5 a consumed line break is on its own line if it `counts`. */
  fail(message: string, counts = false): never {
    const before = this.#last === '' ? this.#endOffset : counts && this.#countsBreaks && this.#last === '\n' ? 1 : 0;
    this.#fail(this.line - before, message);
  }

  /** Throws an error on the line before the current one, as after a line break. */
  failBefore(message: string): never {
    this.#fail(this.line - 1, message);
  }

  /** Consumes and returns the next character. */
  next(): string {
    const char = this.peek();
    this.#last = char;
    this.pos += char.length;
    return char;
  }

  peek(): string {
    this.#last = undefined;
    const code = this.text.codePointAt(this.pos);
    if (code === undefined) return '';
    const hex = (value: number): string => value.toString(16).padStart(2, '0');
    if (isStrayByte(code)) this.fail(`invalid UTF-8 byte: 0x${hex(code - 0xdc00)}`);
    const isLoneReturn = code === 13 && this.text[this.pos + 1] !== '\n';
    if ((code < 32 && code !== 9 && code !== 10 && code !== 13) || code === 127 || isLoneReturn) {
      // A line break is counted before the next character is peeked.
      this.fail(`TOML files cannot contain control characters: '0x${hex(code)}'`);
    }
    return String.fromCodePoint(code);
  }

  /** Moves back one character, which must be ASCII or the end of the text. */
  back(): void {
    if (this.#last !== '') this.pos--;
    this.#last = undefined;
  }

  /** Consumes the next character if it is the given one; returns whether it was. */
  accept(wanted: string): boolean {
    if (this.peek() !== wanted) return false;
    this.pos += wanted.length;
    return true;
  }

  skipBlanks(): void {
    while (isTomlBlank(this.peek())) this.pos++;
  }

  /** Skips the rest of a line, without its line break. */
  skipComment(): void {
    this.#skipPlain();
    for (let char = this.peek(); char !== '' && !isTomlBreak(char); char = this.peek()) this.pos += char.length;
  }

  /** Reads characters that match a pattern. */
  takeWhile(allowed: { test(char: string): boolean }): string {
    const start = this.pos;
    for (let char = this.peek(); char !== '' && allowed.test(char); char = this.peek()) this.pos += char.length;
    return this.text.slice(start, this.pos);
  }

  /** Skips characters without special meaning in any string. */
  #skipPlain(): void {
    plain.lastIndex = this.pos;
    plain.test(this.text);
    this.pos = plain.lastIndex;
  }

  /** Reads a part of a key or of a table name. */
  name(): string {
    const char = this.peek();
    if (char !== '"' && char !== "'") return this.takeWhile(/^[A-Za-z0-9_-]$/);
    this.pos++;
    return this.string(char);
  }

  /** Reads a string after its opening quotes: one, or three of a multi-line string. A literal string has no escapes. */
  string(mark: '"' | "'", isMultiline = false): string {
    const start = this.pos;
    for (;;) {
      this.#skipPlain();
      const char = this.next();
      if (char === '') this.fail(`unexpected EOF; expected ${inOtherQuotes(mark.repeat(isMultiline ? 3 : 1))}`);
      if (!isMultiline && isTomlBreak(char)) this.failBefore('strings cannot contain newlines');
      if (char === mark && (!isMultiline || this.#endsMultiline(mark, start))) break;
      const isEscape = char === '\\' && mark === '"' && !(isMultiline && isTomlBreak(this.peek()));
      if (isEscape) this.#checkEscape(start);
    }
    const body = this.text.slice(start, this.pos - (isMultiline ? 3 : 1));
    const text = isMultiline ? body.replace(/^\r?\n/, '') : body;
    if (mark === "'") return text;
    // A backslash at the end of a line skips the line break and all following white space.
    const endings = /\\(?:(\\)|[ \t\r]*\n[ \t\r\n]*)/g;
    return this.#unescape(isMultiline ? text.replaceAll(endings, (_, second) => (second ? '\\\\' : '')) : text);
  }

  // After one quote: reads two more if they end the string. One or two quotes can come directly before the end.
  #endsMultiline(mark: string, start: number): boolean {
    if (this.peek() !== mark || this.text[this.pos + 1] !== mark) return false;
    this.pos += 2;
    // Invalid characters are reported while the string is being read.
    if (this.peek() !== mark) return true;
    const soFar = this.text.slice(start, this.pos);
    if (soFar.endsWith(mark.repeat(5)) && !(mark === '"' && soFar.endsWith('\\"""""'))) {
      this.fail(`unexpected ${inOtherQuotes(mark.repeat(6))}`);
    }
    this.pos -= 2;
    return false;
  }

  // Reads an escape after its backslash.
  #checkEscape(start: number): void {
    const char = this.next();
    if (char === '') this.failBefore("invalid escape in string '\\\0'");
    const kind = (this.isNext ? 'uUx' : 'uU').indexOf(char);
    if (kind < 0) {
      if (!(this.isNext ? 'btnfr" \t\\e' : 'btnfr" \t\\').includes(char))
        this.fail(`invalid escape in string '\\${char}'`);
      return;
    }
    const digits = [4, 8, 2][kind]!;
    for (let i = 0; i < digits; i++) {
      if (/^[0-9a-fA-F]$/.test(this.next())) continue;
      const found = quote(this.text.slice(start, this.pos));
      this.fail(
        `expected ${['four', 'eight', 'two'][kind]} hexadecimal digits after '\\${char}', but got ${found} instead`,
      );
    }
  }

  #unescape(text: string): string {
    if (!text.includes('\\')) return text;
    return text.replaceAll(
      /\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|([\s\S]))/g,
      (_, short, long, byte, char) => {
        const hex = (short ?? long ?? byte) as string | undefined;
        if (hex !== undefined) {
          const code = Number.parseInt(hex, 16);
          const isValid = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
          if (!isValid) this.fail(`Escaped character '\\u${hex}' is not valid UTF-8.`);
          return String.fromCodePoint(code);
        }
        if (char === ' ' || char === '\t') this.fail(`invalid escape: '\\${char}'`);
        return escapes.get(char as string) ?? (char as string);
      },
    );
  }
}

const plain = /[\t !#-&(-[\]-~\u0080-\udbff\ue000-\uffff]*/y;

const escapes: ReadonlyMap<string, string> = new Map([
  ['b', '\b'],
  ['t', '\t'],
  ['n', '\n'],
  ['f', '\f'],
  ['r', '\r'],
  ['e', '\x1b'],
]);

function inOtherQuotes(marks: string): string {
  return marks.startsWith('"') ? `'${marks}'` : `"${marks}"`;
}

export function isTomlBlank(char: string): boolean {
  return char === ' ' || char === '\t';
}

export function isTomlBreak(char: string): boolean {
  return char === '\n' || char === '\r';
}

/** Formats a character like `%q`; the end of the text is a NUL. */
export function quoteTomlChar(char: string): string {
  return quoteRune(char.codePointAt(0) ?? 0, false);
}
