// A named text, and where in it an offset is: as Go counts it in template errors, and as an editor does.

import { byteLength } from '../go/utf8.ts';

/** A place in a text. */
export interface Position {
  /** From 1. */
  readonly line: number;
  /** From 0, in bytes, as Go counts. */
  readonly column: number;
  /** From 1, in UTF-16 units, as editors count. */
  readonly character: number;
}

/** The text of one template file, under the name that errors show. */
export class Source {
  readonly name: string;
  readonly text: string;
  // Found when a place is first needed.
  #starts: readonly number[] | undefined;

  constructor(name: string, text: string) {
    this.name = name;
    this.text = text;
  }

  /** Returns the place of an offset (in UTF-16 units) into the text. */
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

  /** Returns a line of the text, from 1; an empty one where there is none. */
  line(line: number): string {
    const starts = this.#lineStarts();
    return this.text.slice(starts[line - 1] ?? this.text.length, (starts[line] ?? this.text.length + 1) - 1);
  }

  #lineStarts(): readonly number[] {
    this.#starts ??= lineStarts(this.text);
    return this.#starts;
  }
}

/** Returns where the lines of a text start. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
