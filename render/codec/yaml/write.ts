// The YAML writer: the style of strings, lines, indentation, folding of long lines.
// Mirrors: go-yaml v2 and v3 (sigs.k8s.io/yaml 1.4.0), emitterc.go, `analyze_scalar`, `select_scalar_style`, `write_indent`, `write_indicator`,
// `write_*_scalar`; encode.go, `stringv`.

import { BACKSLASH, HYPHEN, isBlank, isBreak, LF, QUOTE, SPACE } from './cursor.ts';
import { needsQuotes } from './scalar.ts';

/** The emitter: `compact` is go-yaml v2, used by `toYaml`; `pretty` is go-yaml v3, used by `toYamlPretty`. */
export type YamlForm = 'compact' | 'pretty';

type ScalarStyle = 'plain' | 'single' | 'double' | 'literal';

interface ScalarPlan {
  readonly style: ScalarStyle;
  /** Whether it contains any line break, so that it cannot be a simple key. */
  readonly multiline: boolean;
  /** Whether it is plain ASCII without escapes or quotes. */
  readonly isSimple: boolean;
}

const simplePlan: ScalarPlan = { style: 'plain', multiline: false, isSimple: true };

/** Returns how to write a string. `isKey`: it is followed by a `:` on the same line. */
export function planScalar(text: string, form: YamlForm, isKey: boolean): ScalarPlan {
  const quoted = text === '' || needsQuotes(text);
  if (!quoted && isSimple(text)) return simplePlan;
  const multiline = lineBreak.test(text);
  return { style: chooseStyle(text, { form, isKey, quoted, multiline }), multiline, isSimple: false };
}

interface Circumstances {
  readonly form: YamlForm;
  readonly isKey: boolean;
  /** Whether it would be read as another type without quotes. */
  readonly quoted: boolean;
  readonly multiline: boolean;
}

// CR and NEL are line breaks too, but neither can be written literally.
const lineBreak = /[\n\r\x85\u2028\u2029]/;
const spaceBeforeBreak = / [\n\r\x85\u2028\u2029]/;
const spaceAfterBreak = /[\n\r\x85\u2028\u2029] /;
const edge = /^[ \u2028\u2029]|[ \u2028\u2029]$/;
// Characters that `isPrintable` does not accept.
const special = /[^\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;
const specialButTab = /[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;

function chooseStyle(text: string, { form, isKey, quoted, multiline }: Circumstances): ScalarStyle {
  if (isKey && multiline) return 'double';
  if (text.includes('\n')) {
    const isSpecial = (form === 'pretty' ? specialButTab : special).test(text);
    return isSpecial || isKey || text.endsWith(' ') || spaceBeforeBreak.test(text) ? 'double' : 'literal';
  }
  if (quoted || special.test(text)) return 'double';
  if (multiline && (spaceBeforeBreak.test(text) || spaceAfterBreak.test(text))) return 'double';
  return multiline || edge.test(text) || hasIndicators(text) ? 'single' : 'plain';
}

// Reports whether an ASCII text is valid without quotes, unless it would be read as another type.
function isSimple(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < SPACE || unit > 126) return false;
  }
  return text.charCodeAt(0) !== SPACE && text.charCodeAt(text.length - 1) !== SPACE && !hasIndicators(text);
}

const firstIndicators = '#,[]{}&*!|>\'"%@`';

// Reports whether a text contains syntax that is invalid in a plain scalar outside of brackets.
function hasIndicators(text: string): boolean {
  const first = text.charCodeAt(0);
  if (first === HYPHEN || first === 63) {
    if (isBlankOrNone(text, 1) || text.startsWith('---')) return true;
  } else if (firstIndicators.includes(text.charAt(0)) || text.startsWith('...')) return true;
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1))
    if (isBlankOrNone(text, at + 1)) return true;
  for (let at = text.indexOf('#', 1); at >= 0; at = text.indexOf('#', at + 1)) {
    const previous = text.charCodeAt(at - 1);
    if (isBlank(previous) || isBreak(previous)) return true;
  }
  return false;
}

function isBlankOrNone(text: string, at: number): boolean {
  return at === text.length || isBlank(text.charCodeAt(at));
}

/** Reports whether the code unit can be written literally. A lone surrogate cannot and is escaped. */
function isPrintable(unit: number): boolean {
  if (unit < 0x7f) return unit >= SPACE || unit === LF;
  return unit >= 0xa0 && (unit < 0xd800 || (unit >= 0xe000 && unit < 0xfffe && unit !== 0xfeff));
}

// A text is folded at a space after this many characters, in the compact form only.
const widths: Readonly<Record<YamlForm, number>> = { compact: 80, pretty: Number.POSITIVE_INFINITY };

const indentations: string[] = [];
for (let size = 0; size < 64; size++) indentations.push(' '.repeat(size));

/** The written text, and the state of the writer. */
export class YamlWriter {
  text = '';
  /** The column of the lines of the open collection; -1 outside of all. */
  indent = -1;
  readonly #width: number;
  #column = 0;
  // Whether the last character is white space or the start of a line.
  #blank = true;
  // Whether this line has only indentation and indicators.
  #fresh = true;

  constructor(form: YamlForm) {
    this.#width = widths[form];
  }

  /** Whether the line contains only indentation and the indicators of enclosing collections. */
  get isFresh(): boolean {
    return this.#fresh;
  }

  /** Moves to the start of a line of the open collection, on a new line if necessary. */
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

  /** Writes an indicator after white space: `-`, `?`, or a `:` on its own line. A collection can start after it. */
  lead(indicator: string): void {
    this.#separate();
    this.#put(indicator);
    this.#blank = false;
  }

  /** Writes the `:` after a simple key. */
  colon(): void {
    this.#put(':');
    this.#blank = false;
    this.#fresh = false;
  }

  word(text: string): void {
    this.#separate();
    this.#put(text);
    this.#end();
  }

  /** Writes a scalar in a style. A scalar that must not be folded stays on its line. */
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

  // Literal text has no surrogate pairs: units are characters.
  #put(text: string): void {
    this.text += text;
    this.#column += text.length;
  }

  // Ends a scalar: white space must follow it.
  #end(): void {
    this.#blank = false;
    this.#fresh = false;
  }

  #plain(text: string, mayBreak: boolean): void {
    this.#separate();
    this.#fold(text, mayBreak);
    this.#end();
  }

  // Writes a text whose single spaces can become line breaks, except at its start or end.
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
    // LS and PS are the only line breaks that can occur here. They are kept, and what follows is indented.
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
    // If a text begins with a byte order mark, go-yaml treats every character of it as one.
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

// The indentation indicator for a text that begins with white space, and the chomping indicator for its end.
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
