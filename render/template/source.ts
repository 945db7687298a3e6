// A named text, and where in it an offset is: line from 1, column from 0 in bytes, as Go counts them in template errors.

import { byteLength } from '../go/utf8.ts';

/** A line from 1 and a column from 0; columns count bytes. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The text of one template file, under the name that errors show. */
export class Source {
  readonly name: string;
  readonly text: string;

  constructor(name: string, text: string) {
    this.name = name;
    this.text = text;
  }

  /** Gives the line and the column of an offset (in UTF-16 units) into the text. */
  position(offset: number): Position {
    const start = offset === 0 ? 0 : this.text.lastIndexOf('\n', offset - 1) + 1;
    let line = 1;
    for (let at = this.text.indexOf('\n'); at >= 0 && at < start; at = this.text.indexOf('\n', at + 1)) line++;
    return { line, column: byteLength(this.text.slice(start, offset)) };
  }
}
