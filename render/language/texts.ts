// The files of a chart's folder as texts, and the spans that errors refer to.

import type { Place } from '../core/errors.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import { offsetOf, spanOfLine } from './keys.ts';
import type { TextSpan } from './template-nodes.ts';

/** A part of one of the files. */
export interface FileSpan extends TextSpan {
  /** Relative to the chart's folder. */
  readonly path: string;
}

/** The texts of a snapshot. */
export class ChartTexts {
  readonly #files: ReadonlyMap<string, Uint8Array | string>;
  readonly #texts = new Map<string, string>();

  constructor(files: ReadonlyMap<string, Uint8Array | string>) {
    this.#files = files;
  }

  has(path: string): boolean {
    return this.#files.has(path);
  }

  /** Returns a file's text; empty if it does not exist. */
  text(path: string): string {
    const known = this.#texts.get(path);
    if (known !== undefined) return known;
    const data = this.#files.get(path) ?? '';
    const text = typeof data === 'string' ? data : decodeUtf8(data);
    this.#texts.set(path, text);
    return text;
  }

  /** Returns the path of a file by its name in errors and templates, with or without the chart's name in front, or undefined. */
  pathOf(name: string): string | undefined {
    return [name, name.slice(name.indexOf('/') + 1)].find((path) => this.has(path));
  }

  /** Returns the span from a place to the end of its line. */
  spanAt({ file, line, column }: Place): FileSpan | undefined {
    const path = this.pathOf(file);
    if (path === undefined || line === undefined) return undefined;
    const whole = spanOfLine(this.text(path), line);
    const start = column === undefined ? whole.start : offsetOf(this.text(path), line, column);
    return start < whole.end ? { path, start, end: whole.end } : { path, ...whole };
  }
}
