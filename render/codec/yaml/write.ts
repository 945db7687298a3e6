// The writer of YAML text: lines, indentation, scalars in each style, long lines folded.
// Mirrors: go-yaml v2 and v3 (sigs.k8s.io/yaml 1.4.0), emitterc.go, `write_indent`, `write_indicator`, `write_*_scalar`.

import { BACKSLASH, isBreak, QUOTE, SPACE } from './chars.ts';
import { isPrintable, type ScalarStyle, type YamlForm } from './style.ts';

// A text is broken at a space behind this many characters, in the compact form only.
const widths: Readonly<Record<YamlForm, number>> = { compact: 80, pretty: Number.POSITIVE_INFINITY };

const indentations: string[] = [];
for (let size = 0; size < 64; size++) indentations.push(' '.repeat(size));

/** A YAML text as it is written, and what the writer must remember of it. */
export class YamlWriter {
  /** What is written so far. */
  text = '';
  /** The column at which the lines of the open collection begin; -1 outside of all. */
  indent = -1;
  readonly #width: number;
  #column = 0;
  // Whether a blank, or a line's beginning, is what came last.
  #blank = true;
  // Whether there is nothing but indentation and indicators on this line.
  #fresh = true;

  constructor(form: YamlForm) {
    this.#width = widths[form];
  }

  /** Whether the line holds nothing but indentation and the indicators of what surrounds this place. */
  get isFresh(): boolean {
    return this.#fresh;
  }

  /** Goes to where a line of the open collection begins, on a new line unless this one is good. */
  newLine(): void {
    const indent = Math.max(this.indent, 0);
    if (!this.#fresh || this.#column > indent || (this.#column === indent && !this.#blank)) {
      this.text += '\n';
      this.#column = 0;
    }
    if (this.#column < indent) {
      const size = indent - this.#column;
      this.text += indentations[size] ?? ' '.repeat(size);
      this.#column = indent;
    }
    this.#blank = true;
    this.#fresh = true;
  }

  /** Writes an indicator that is behind a blank: `-`, `?`, or a `:` on a line of its own. What follows may begin a collection here. */
  lead(indicator: string): void {
    this.#separate();
    this.#put(indicator);
    this.#blank = false;
  }

  /** Writes the `:` behind a simple key. */
  colon(): void {
    this.#put(':');
    this.#blank = false;
    this.#fresh = false;
  }

  /** Writes a text as it is, behind a blank. */
  word(text: string): void {
    this.#separate();
    this.#put(text);
    this.#end();
  }

  /** Writes a scalar in a style. A scalar that may not be broken stays on its line. */
  scalar(text: string, style: ScalarStyle, mayBreak: boolean): void {
    const outer = this.indent;
    this.indent = outer < 0 ? 2 : outer + 2;
    if (style === 'plain') this.#plain(text, mayBreak);
    else if (style === 'literal') this.#literal(text);
    else if (style === 'single') this.#single(text, mayBreak);
    else this.#double(text, mayBreak);
    this.indent = outer;
  }

  #separate(): void {
    if (this.#blank) return;
    this.text += ' ';
    this.#column++;
  }

  // What is written as it is has no surrogate pairs: units are characters.
  #put(text: string): void {
    this.text += text;
    this.#column += text.length;
  }

  // Ends a scalar: nothing may follow it without a blank between.
  #end(): void {
    this.#blank = false;
    this.#fresh = false;
  }

  #plain(text: string, mayBreak: boolean): void {
    this.#separate();
    this.#fold(text, mayBreak);
    this.#end();
  }

  // Writes a text whose single spaces may become line breaks, but not one at its beginning or end.
  #fold(text: string, mayBreak: boolean): void {
    if (!mayBreak || this.#column + text.length <= this.#width) {
      this.#put(text);
      return;
    }
    let start = 0;
    for (let at = text.indexOf(' ', 1); at > 0 && at < text.length - 1; at = text.indexOf(' ', at + 1)) {
      if (text.charCodeAt(at + 1) === SPACE || text.charCodeAt(at - 1) === SPACE) continue;
      this.#put(text.slice(start, at));
      start = at;
      if (this.#column <= this.#width) continue;
      this.newLine();
      start++;
    }
    this.#put(text.slice(start));
  }

  #single(text: string, mayBreak: boolean): void {
    this.#separate();
    this.#put("'");
    // LS and PS are the only line breaks that can occur here. They stay, and what follows is indented.
    for (const part of text.split(/([\u2028\u2029]+)/)) {
      const isBreaks = isBreak(part.charCodeAt(0));
      if (this.#column === 0 && part !== '') this.#pad();
      this.#fold(isBreaks ? part : part.replaceAll("'", "''"), mayBreak);
      if (isBreaks) this.#column = 0;
    }
    this.#put("'");
    this.#end();
  }

  #double(text: string, mayBreak: boolean): void {
    this.#separate();
    this.#put('"');
    // Where a text begins with a byte order mark, go-yaml takes every character of it for one.
    const allEscaped = text.charCodeAt(0) === 0xfeff;
    let start = 0;
    let at = 0;
    while (at < text.length) {
      const unit = text.charCodeAt(at);
      if (allEscaped || !isPrintable(unit) || isBreak(unit) || unit === QUOTE || unit === BACKSLASH) {
        this.#put(text.slice(start, at));
        const code = text.codePointAt(at)!;
        this.#put(escapeCode(code));
        at += code > 0xffff ? 2 : 1;
        start = at;
        continue;
      }
      if (unit === SPACE && mayBreak && at > 0 && at < text.length - 1 && text.charCodeAt(at - 1) !== SPACE) {
        this.#put(text.slice(start, at));
        start = at;
        if (this.#column > this.#width) {
          this.newLine();
          start++;
          if (text.charCodeAt(start) === SPACE) this.#put('\\');
        }
      }
      at++;
    }
    this.#put(text.slice(start));
    this.#put('"');
    this.#end();
  }

  #literal(text: string): void {
    this.#separate();
    this.text += `|${blockHints(text)}\n${text.replace(lineBeginnings, `$&${' '.repeat(this.indent)}`)}`;
    this.#blank = true;
    this.#fresh = isBreak(text.charCodeAt(text.length - 1));
    this.#column = this.#fresh ? 0 : this.indent + 1;
  }

  #pad(): void {
    this.#put(' '.repeat(this.indent));
  }
}

const lineBeginnings = /(?:^|[\n\u2028\u2029])(?=[^\n\u2028\u2029])/g;

// The indentation indicator for a text that begins blank, and the chomping indicator for how it ends.
function blockHints(text: string): string {
  const first = text.charCodeAt(0);
  const indentation = first === SPACE || isBreak(first) ? '2' : '';
  if (!isBreak(text.charCodeAt(text.length - 1))) return `${indentation}-`;
  return text.length === 1 || isBreak(text.charCodeAt(text.length - 2)) ? `${indentation}+` : indentation;
}

const escapes: ReadonlyMap<number, string> = new Map([
  [0x00, '\\0'],
  [0x07, '\\a'],
  [0x08, '\\b'],
  [0x09, '\\t'],
  [0x0a, '\\n'],
  [0x0b, '\\v'],
  [0x0c, '\\f'],
  [0x0d, '\\r'],
  [0x1b, '\\e'],
  [0x22, '\\"'],
  [0x5c, '\\\\'],
  [0x85, '\\N'],
  [0xa0, '\\_'],
  [0x2028, '\\L'],
  [0x2029, '\\P'],
]);

function escapeCode(code: number): string {
  const hex = (size: number): string => code.toString(16).toUpperCase().padStart(size, '0');
  const short = escapes.get(code);
  if (short !== undefined) return short;
  if (code <= 0xff) return `\\x${hex(2)}`;
  return code <= 0xffff ? `\\u${hex(4)}` : `\\U${hex(8)}`;
}
