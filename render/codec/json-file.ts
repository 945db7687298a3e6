// Parses JSON files with the place of errors.

import { checkArguments, text } from '../core/arguments.ts';
import { messageOf } from '../core/errors.ts';
import { GoError } from '../go/value.ts';
import { parseJson } from './json.ts';

/** The value of a JSON text, or why it is invalid. */
export interface JsonRead {
  readonly value?: unknown;
  /** The error with its place: `FILE:LINE:COLUMN: MESSAGE`. */
  readonly fault?: string;
}

/** Parses JSON; `file` names it in the error. A byte order mark is skipped. Throws ARGUMENT_INVALID. */
export function readJson(file: string, content: string): JsonRead {
  checkArguments('readJson', ['file', file, text], ['content', content, text]);
  const json = content.replace(/^\ufeff/, '');
  try {
    return { value: JSON.parse(json) as unknown };
  } catch (error) {
    const { line, column } = placeOf(json);
    return { fault: `${file}:${line}:${column}: ${messageOf(error)}` };
  }
}

// `JSON.parse` reports a place for some errors only.
function placeOf(json: string): { readonly line: number; readonly column: number } {
  try {
    parseJson(json);
  } catch (error) {
    if (error instanceof GoError) return { line: error.place.line ?? 1, column: error.place.column ?? 1 };
  }
  return { line: 1, column: 1 };
}
