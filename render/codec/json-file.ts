// Parses JSON files with the place of errors.

import { messageOf } from '../core/errors.ts';
import { GoError } from '../go/value.ts';
import { parseJson } from './json.ts';

/** Parses JSON. Returns the value, or the error with its place: `FILE:LINE:COLUMN: MESSAGE`. */
export function readJson(file: string, text: string): { readonly value?: unknown; readonly fault?: string } {
  const json = text.replace(/^\ufeff/, '');
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
