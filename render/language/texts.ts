// The files of a chart's folder as texts: the positions of keys and lines in them, and the spans that errors refer to.

import { listMembers } from '../codec/yaml/members.ts';
import type { Place } from '../core/errors.ts';
import { LimitReached } from '../core/limits.ts';
import type { Steps } from '../core/paths.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import { GoError } from '../go/value.ts';
import { lineStarts } from '../template/source.ts';
import type { TextSpan } from './template-nodes.ts';

/** A key without its quotes, and its path. */
export interface KeySpan extends TextSpan {
  readonly steps: Steps;
}

/** Returns the keys of a YAML or JSON text in order; none if it does not parse. */
export function listKeys(text: string): KeySpan[] {
  const starts = lineStarts(text);
  return membersOf(text).flatMap(({ steps, line, column }): KeySpan[] => {
    if (typeof steps.at(-1) !== 'string') return [];
    const at = (starts[line - 1] ?? 0) + column - 1;
    const quote = text[at];
    if (quote === '"' || quote === "'") {
      const end = endOfQuoted(text, at);
      return end === undefined ? [] : [{ steps, start: at + 1, end }];
    }
    const end = endOfPlain(text, at);
    return end === undefined ? [] : [{ steps, start: at, end }];
  });
}

function endOfQuoted(text: string, start: number): number | undefined {
  const quote = text[start];
  for (let at = start + 1; at < text.length && text[at] !== '\n'; at++) {
    if (quote === '"' && text[at] === '\\') at++;
    else if (text[at] === quote) return at;
  }
  return undefined;
}

function endOfPlain(text: string, start: number): number | undefined {
  let end = start;
  while (end < text.length && text[end] !== '\n' && !(text[end] === ':' && /[\s]|^$/.test(text[end + 1] ?? ''))) end++;
  if (text[end] !== ':') return undefined;
  while (end > start && /\s/.test(text[end - 1]!)) end--;
  return end;
}

function membersOf(text: string): ReturnType<typeof listMembers> {
  try {
    return listMembers(text);
  } catch (error) {
    if (error instanceof GoError || error instanceof LimitReached) return [];
    throw error;
  }
}

/** Returns the offset of a line and a column, both from 1, at most the end of that line. */
export function offsetOf(text: string, line: number, column: number): number {
  const starts = lineStarts(text);
  const start = starts[Math.min(line, starts.length) - 1] ?? 0;
  const end = (starts[line] ?? text.length + 1) - 1;
  return Math.min(start + column - 1, Math.max(start, end));
}

/** Returns the span of a line (from 1) without the white space at its ends. */
export function spanOfLine(text: string, line: number): TextSpan {
  const start = offsetOf(text, line, 1);
  const [whole = ''] = /^[^\n]*/.exec(text.slice(start)) ?? [];
  const indent = /^\s*/.exec(whole)?.[0].length ?? 0;
  return { start: start + Math.min(indent, whole.length), end: start + whole.trimEnd().length };
}

export interface FileSpan extends TextSpan {
  /** Relative to the chart's folder. */
  readonly path: string;
}

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
