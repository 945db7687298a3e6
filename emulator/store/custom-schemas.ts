// Compiles the schemas of custom routes and models. Only `define.ts` imports this file, so other bundles do not include the validator.
// In a page, it needs a content security policy that allows `eval`.

import { Ajv } from 'ajv';
import type { Schema, Validate } from './compile.ts';
import { validatorOptions } from './validator-options.ts';

export type Validators = ReadonlyMap<Schema, Validate>;

/** Compiles schemas. Throws the validator's error for an invalid schema. */
export function compileCustomSchemas(schemas: readonly Schema[]): Validators {
  const ajv = new Ajv(validatorOptions);
  // Copies, because a schema with the same `$id` may only be compiled once.
  return new Map(schemas.map((schema) => [schema, ajv.compile({ ...schema }) as Validate]));
}
