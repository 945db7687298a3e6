// Where the reader of TOML text is, and the parts of TOML that need no context: blanks, comments, names and strings.
// Mirrors: BurntSushi/toml 1.4.0, lex.go (`next`, `lexComment`, `lexBareName`, `lexString` and its kin), parse.go (`replaceEscapes`).

import { quote, quoteRune } from '../../go/number.ts';
import { isStrayByte } from '../../go/utf8.ts';
import type { CodecRules } from '../rules.ts';

/** Throws the reader's error; `line` counts from 1. */
export type TomlFault = (line: number, message: string) => never;

/** A place in a TOML text. A character is '' at the end of the text. */
export class TomlCursor {
  readonly text: string;
  pos = 0;
  readonly #fail: TomlFault;
  /** Whether it is read as TOML 1.1. */
  readonly isNext: boolean | undefined;
  // Whether a line break that was taken counts for its own line.
  readonly #countsBreaks: boolean;
  // How many lines before its own an error at the text's end counts for, once the end was read.
  readonly #endOffset: number;
  // What was taken last, if nothing was looked at since.
  #last: string | undefined;
  #counted = { pos: 0, line: 1 };

  constructor(text: string, { tomlEnd, toml11 }: Pick<CodecRules, 'tomlEnd' | 'toml11'>, fail: TomlFault) {
    this.text = text;
    this.isNext = toml11;
    this.#countsBreaks = tomlEnd === 'last line';
    this.#endOffset = tomlEnd === 'line before' || text.endsWith('\n') ? 1 : 0;
    this.#fail = fail;
  }

  /** The line, counted from 1, on which the cursor is. */
  get line(): number {
    const start = this.#counted.pos <= this.pos ? this.#counted : { pos: 0, line: 1 };
    const line = start.line + this.text.slice(start.pos, this.pos).split('\n').length - 1;
    this.#counted = { pos: this.pos, line };
    return line;
  }

  /** Throws an error for this place; as of BurntSushi/toml 1.5 a line break that was taken is in its own line, where that `counts`. */
  fail(message: string, counts = false): never {
    const before = this.#last === '' ? this.#endOffset : counts && this.#countsBreaks && this.#last === '\n' ? 1 : 0;
    this.#fail(this.line - before, message);
  }

  /** Throws an error for the line before the one on which the cursor is, as behind a line break. */
  failBefore(message: string): never {
    this.#fail(this.line - 1, message);
  }

  /** Returns the next character and goes behind it. */
  next(): string {
    const char = this.peek();
    this.#last = char;
    this.pos += char.length;
    return char;
  }

  /** Returns the next character. */
  peek(): string {
    this.#last = undefined;
    const code = this.text.codePointAt(this.pos);
    if (code === undefined) return '';
    const hex = (value: number): string => value.toString(16).padStart(2, '0');
    if (isStrayByte(code)) this.fail(`invalid UTF-8 byte: 0x${hex(code - 0xdc00)}`);
    const isLoneReturn = code === 13 && this.text[this.pos + 1] !== '\n';
    if ((code < 32 && code !== 9 && code !== 10 && code !== 13) || code === 127 || isLoneReturn) {
      // A break is counted before what is behind it is looked at.
      this.fail(`TOML files cannot contain control characters: '0x${hex(code)}'`);
    }
    return String.fromCodePoint(code);
  }

  /** Goes one character back, which must be one of ASCII, or the text's end. */
  back(): void {
    if (this.#last !== '') this.pos--;
    this.#last = undefined;
  }

  /** Goes behind the next character if it is the wanted one; returns whether it was. */
  accept(wanted: string): boolean {
    if (this.peek() !== wanted) return false;
    this.pos += wanted.length;
    return true;
  }

  /** Skips spaces and tabs. */
  skipBlanks(): void {
    while (isTomlBlank(this.peek())) this.pos++;
  }

  /** Skips the rest of a line; its break stays. */
  skipComment(): void {
    this.#skipPlain();
    for (let char = this.peek(); char !== '' && !isTomlBreak(char); char = this.peek()) this.pos += char.length;
  }

  /** Takes the characters that a pattern for one of them allows. */
  takeWhile(allowed: { test(char: string): boolean }): string {
    const start = this.pos;
    for (let char = this.peek(); char !== '' && allowed.test(char); char = this.peek()) this.pos += char.length;
    return this.text.slice(start, this.pos);
  }

  /** Skips characters that mean nothing in any string. */
  #skipPlain(): void {
    plain.lastIndex = this.pos;
    plain.test(this.text);
    this.pos = plain.lastIndex;
  }

  /** Takes a part of a key or of a table's name. */
  name(): string {
    const char = this.peek();
    if (char !== '"' && char !== "'") return this.takeWhile(/^[A-Za-z0-9_-]$/);
    this.pos++;
    return char === '"' ? this.basicString() : this.rawString();
  }

  /** Takes a string in `"`, behind the first one. */
  basicString(): string {
    const start = this.pos;
    for (;;) {
      this.#skipPlain();
      const char = this.next();
      if (char === '') this.fail(`unexpected EOF; expected '"'`);
      if (isTomlBreak(char)) this.failBefore('strings cannot contain newlines');
      if (char === '"') return this.#unescape(this.text.slice(start, this.pos - 1));
      if (char === '\\') this.#checkEscape(start);
    }
  }

  /** Takes a string in `'`, behind the first one. */
  rawString(): string {
    const start = this.pos;
    for (;;) {
      this.#skipPlain();
      const char = this.next();
      if (char === '') this.fail(`unexpected EOF; expected "'"`);
      if (isTomlBreak(char)) this.failBefore('strings cannot contain newlines');
      if (char === "'") return this.text.slice(start, this.pos - 1);
    }
  }

  /** Takes a string in three `"`, behind the first three. */
  multilineString(): string {
    const start = this.pos;
    for (;;) {
      this.#skipPlain();
      const char = this.next();
      if (char === '') this.fail(`unexpected EOF; expected '"""'`);
      if (char === '\\' && !isTomlBreak(this.peek())) this.#checkEscape(start);
      if (char === '"' && this.#endsMultiline('"', start)) break;
    }
    const body = dropFirstBreak(this.text.slice(start, this.pos - 3));
    // A backslash at a line's end takes the break and all blanks behind it.
    return this.#unescape(body.replaceAll(/\\(?:(\\)|[ \t\r]*\n[ \t\r\n]*)/g, (_, second) => (second ? '\\\\' : '')));
  }

  /** Takes a string in three `'`, behind the first three. */
  multilineRawString(): string {
    const start = this.pos;
    for (;;) {
      this.#skipPlain();
      const char = this.next();
      if (char === '') this.fail(`unexpected EOF; expected "'''"`);
      if (char === "'" && this.#endsMultiline("'", start)) return dropFirstBreak(this.text.slice(start, this.pos - 3));
    }
  }

  // Behind one quote: takes two more if they end the string. One or two quotes may stand right before the end.
  #endsMultiline(mark: string, start: number): boolean {
    if (this.peek() !== mark || this.text[this.pos + 1] !== mark) return false;
    this.pos += 2;
    // What cannot stand in a text is reported while the string is still being read.
    if (this.peek() !== mark) return true;
    const soFar = this.text.slice(start, this.pos);
    if (soFar.endsWith(mark.repeat(5)) && !(mark === '"' && soFar.endsWith('\\"""""'))) {
      const shown = mark.repeat(6);
      this.fail(`unexpected ${mark === '"' ? `'${shown}'` : `"${shown}"`}`);
    }
    this.pos -= 2;
    return false;
  }

  // Behind a backslash: takes what it escapes.
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

function dropFirstBreak(text: string): string {
  return text.replace(/^\r?\n/, '');
}

/** Reports whether the character is a space or a tab. */
export function isTomlBlank(char: string): boolean {
  return char === ' ' || char === '\t';
}

/** Reports whether the character is a line feed or a carriage return. */
export function isTomlBreak(char: string): boolean {
  return char === '\n' || char === '\r';
}

/** Returns a character as `%q` prints it; the text's end is a NUL. */
export function quoteTomlChar(char: string): string {
  return quoteRune(char.codePointAt(0) ?? 0, false);
}
