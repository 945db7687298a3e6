// The position of the YAML scanner, its errors and the character classes of YAML 1.1 in libyaml, over UTF-16 code units. The scanned text
// ends with a NUL, which is invalid in YAML and marks the end of the stream.
// Mirrors: go-yaml v2 (sigs.k8s.io/yaml 1.4.0), scannerc.go, `skip_line`, `read_line`, `set_scanner_error`.

import { GoError } from '../../go/value.ts';
import type { YamlSource } from './reader.ts';

export const NUL = 0;
export const TAB = 9;
export const LF = 10;
const CR = 13;
export const SPACE = 32;
export const QUOTE = 34;
export const HASH = 35;
export const PERCENT = 37;
export const APOSTROPHE = 39;
export const COMMA = 44;
export const HYPHEN = 45;
export const COLON = 58;
export const BACKSLASH = 92;

/** Reports whether the code unit breaks a line: LF, CR, NEL, LS or PS. */
export function isBreak(unit: number): boolean {
  return unit === LF || unit === CR || (unit >= 0x85 && (unit === 0x85 || unit === 0x2028 || unit === 0x2029));
}

/** Reports whether the code unit breaks a line or ends the text. */
export function isBreakOrEnd(unit: number): boolean {
  return unit === NUL || isBreak(unit);
}

export function isBlank(unit: number): boolean {
  return unit === SPACE || unit === TAB;
}

/** Reports whether the code unit is a space, a tab, a line break or the end of the text. */
export function isBlankOrEnd(unit: number): boolean {
  return unit === SPACE || unit === LF || unit === TAB || isBreakOrEnd(unit);
}

export function isDigitUnit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

/** Reports whether the code unit can be part of a name: an ASCII letter, a digit, `_` or `-`. */
export function isWord(unit: number): boolean {
  return (
    (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || isDigitUnit(unit) || unit === 95 || unit === HYPHEN
  );
}

export function isHex(unit: number): boolean {
  return isDigitUnit(unit) || (unit >= 65 && unit <= 70) || (unit >= 97 && unit <= 102);
}

/** Reports whether the code unit ends a plain scalar inside `[]` and `{}`: `, ? [ ] { }`. */
export function isFlowIndicator(unit: number): boolean {
  return unit === COMMA || unit === 63 || unit === 91 || unit === 93 || unit === 123 || unit === 125;
}

/** Reports whether `---` or `...`, followed by a blank or nothing, is at an offset. The caller checks that a line starts there. */
export function isDocumentMark(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit !== HYPHEN && unit !== 46) return false;
  return text.charCodeAt(at + 1) === unit && text.charCodeAt(at + 2) === unit && isBlankOrEnd(text.charCodeAt(at + 3));
}

/** The place of a token, from 0. */
export interface TokenPlace {
  readonly line: number;
  readonly column: number;
}

/** Throws the parser's error for a token. Go uses its line number from 0 as one from 1, and omits a 0. */
export function failAt({ line, column }: TokenPlace, problem: string): never {
  const message = line > 0 ? `yaml: line ${line}: ${problem}` : `yaml: ${problem}`;
  throw new GoError(message, { place: placeFromOne({ line, column }), problem });
}

/** Returns the place of a token, from 1. */
export function placeFromOne({ line, column }: TokenPlace): { readonly line: number; readonly column: number } {
  return { line: line + 1, column: column + 1 };
}

/** The message for a `<<` whose value is not a mapping. */
export const mergeProblem = 'yaml: map merge requires map or sequence of maps as the value';

/** Returns the same error with the place of a token. */
export function located({ message, kind }: GoError, at: TokenPlace): GoError {
  return new GoError(message, { place: placeFromOne(at), kind });
}

/** A position in a YAML text, moved by the parts of the scanner. */
export class YamlCursor {
  readonly text: string;
  readonly onlyLf: boolean;
  pos = 0;
  /** The line, from 0. */
  line = 0;
  /** Offset of the start of the line; `pos - lineStart` is the column. */
  lineStart = 0;
  /** Whether the last plain scalar ended before the current line. */
  freshLine = false;
  /** The column of the innermost block collection; -1 outside of all. */
  indent = -1;
  /** Number of open `[` and `{`. */
  flowLevel = 0;
  /** Whether double-quoted scalars accept JSON escapes that YAML 1.1 lacks: `\/`, and surrogate pairs. */
  takesJson = false;

  constructor(source: YamlSource) {
    this.text = source.text;
    this.onlyLf = source.onlyLf;
  }

  /** Returns the code unit at the cursor. */
  get unit(): number {
    return this.text.charCodeAt(this.pos);
  }

  /** Consumes the line break at the cursor and returns it as it appears in a scalar: LF, unless it is LS or PS. */
  readBreak(): string {
    const unit = this.text.charCodeAt(this.pos);
    if (!isBreak(unit)) return '';
    this.pos += unit === CR && this.text.charCodeAt(this.pos + 1) === LF ? 2 : 1;
    this.line++;
    this.lineStart = this.pos;
    return unit >= 0x2028 ? String.fromCharCode(unit) : '\n';
  }

  /** Returns the offset of the end of the line: of its line break, or of the end of the text. */
  lineEnd(from: number): number {
    const { text } = this;
    if (this.onlyLf) {
      const end = text.indexOf('\n', from);
      return end < 0 ? text.length - 1 : end;
    }
    let end = from;
    while (!isBreakOrEnd(text.charCodeAt(end))) end++;
    return end;
  }

  /** Throws the scanner's error at its position. On the first line Go prints no line number. */
  fail(problem: string, kind?: GoError['kind']): never {
    const message = this.line > 0 ? `yaml: line ${this.line + 1}: ${problem}` : `yaml: ${problem}`;
    throw new GoError(message, {
      place: { line: this.line + 1, column: this.pos - this.lineStart + 1 },
      problem,
      kind,
    });
  }
}
