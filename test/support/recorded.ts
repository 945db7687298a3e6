// The recorded results in fixtures/codec: small texts, most of them hostile, with the result of real Helm.

import { readFileSync } from 'node:fs';
import { GoError } from '../../render/go/value.ts';

/** Returns the rows of one file. */
export function readRecorded<Row extends readonly string[]>(name: string): readonly Row[] {
  return JSON.parse(readFileSync(new URL(`../../fixtures/codec/${name}.json`, import.meta.url), 'utf8')) as Row[];
}

/** Returns the result of a function, or the message of the Go error that it throws. */
export function orGoError(run: () => string): string {
  try {
    return run();
  } catch (error) {
    if (error instanceof GoError) return error.message;
    throw error;
  }
}
