// A named text, with offsets converted to places as Go's template errors count them and as editors do.

import { byteLength } from '../go/utf8.ts';

/** A place in a text. */
export interface Position {
  /** Line, from 1. */
  readonly line: number;
  /** Column in bytes, from 0, as Go counts. */
  readonly column: number;
  /** Column in UTF-16 units, from 1, as editors count. */
  readonly character: number;
}

/** The text of a template file, with the name that errors show. */
export class Source {
  readonly name: string;
  readonly text: string;
  // Computed on first use.
  #starts: readonly number[] | undefined;

  constructor(name: string, text: string) {
    this.name = name;
    this.text = text;
  }

  /** Returns the place of an offset in UTF-16 units. */
  position(offset: number): Position {
    const starts = this.#lineStarts();
    let line = 1;
    for (let high = starts.length + 1; high - line > 1; ) {
      const middle = (line + high) >> 1;
      if (starts[middle - 1]! <= offset) line = middle;
      else high = middle;
    }
    const start = starts[line - 1]!;
    return { line, column: byteLength(this.text.slice(start, offset)), character: offset - start + 1 };
  }

  /** Returns a line, from 1; empty if there is no such line. */
  line(line: number): string {
    const starts = this.#lineStarts();
    return this.text.slice(starts[line - 1] ?? this.text.length, (starts[line] ?? this.text.length + 1) - 1);
  }

  #lineStarts(): readonly number[] {
    this.#starts ??= lineStarts(this.text);
    return this.#starts;
  }
}

/** Returns the offsets at which the lines of a text start. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
