// The position of the YAML scanner: offset, line, and indentation.
// Mirrors: go-yaml v2 (sigs.k8s.io/yaml 1.4.0), scannerc.go, `skip_line`, `read_line`, `set_scanner_error`.

import { GoError } from '../../go/value.ts';
import { CR, isBreak, isBreakOrEnd, LF } from './chars.ts';
import type { YamlSource } from './reader.ts';

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
