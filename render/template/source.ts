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

  constructor(name: string, text: string) {
    this.name = name;
    this.text = text;
  }

  /** Gives the place of an offset (in UTF-16 units) into the text. */
  position(offset: number): Position {
    const start = offset === 0 ? 0 : this.text.lastIndexOf('\n', offset - 1) + 1;
    let line = 1;
    for (let at = this.text.indexOf('\n'); at >= 0 && at < start; at = this.text.indexOf('\n', at + 1)) line++;
    return { line, column: byteLength(this.text.slice(start, offset)), character: offset - start + 1 };
  }
}
