// Schemas of an application into functions: nobody could make those beforehand, so the validator itself is here. Only what an
// application defines imports this file; a page that defines something needs a content policy that lets code be made.

import { Ajv } from 'ajv';
import type { Schema, Validate } from './compile.ts';
import { validatorOptions } from './validator-options.ts';

/** The functions that check values by schemas of an application. */
export type Validators = ReadonlyMap<Schema, Validate>;

/** Returns the functions for some schemas. Throws the validator's error for one that is none. */
export function compileOwnSchemas(schemas: readonly Schema[]): Validators {
  const ajv = new Ajv(validatorOptions);
  // Compiled as copies: two that have the same `$id` do not meet.
  return new Map(schemas.map((schema) => [schema, ajv.compile({ ...schema }) as Validate]));
}
