// Schemas into functions, and the one file that knows the validator (ajv). It writes code at run time, which a page
// with a strict content policy forbids: in bundles, scripts/build/ready-validators.ts puts functions made beforehand in its place.

import { Ajv } from 'ajv';
import type { Json, JsonObject } from './json.ts';
import { validatorOptions } from './validator-options.ts';

/** A JSON Schema (2020-12 subset that OpenAPI 3.1 shares). A `title` names it in the OpenAPI document. */
export type Schema = JsonObject;

/** Returns the type of the values that fit a schema, as far as types can say. */
export type ValueOf<S> = S extends { readonly enum: readonly (infer One)[] }
  ? One
  : S extends { readonly type: 'string' }
    ? string
    : S extends { readonly type: 'integer' | 'number' }
      ? number
      : S extends { readonly type: 'boolean' }
        ? boolean
        : S extends { readonly type: 'array'; readonly items: infer Item }
          ? readonly ValueOf<Item>[]
          : S extends { readonly type: 'object' }
            ? ObjectOf<S>
            : Json;

type Required<S> = S extends { readonly required: readonly (infer Name)[] } ? Name : never;
type ObjectOf<S> = S extends { readonly additionalProperties: true }
  ? JsonObject
  : S extends { readonly properties: infer P }
    ? { readonly [Name in keyof P & Required<S>]: ValueOf<P[Name]> } & {
        readonly [Name in Exclude<keyof P, Required<S>>]?: ValueOf<P[Name]>;
      }
    : JsonObject;

/**
 * One way in which a value breaks a schema, as the validator reports it: where (JSON pointers into both), by which keyword.
 */
export interface SchemaError {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string | undefined;
}

/** Reports whether a value fits a schema; when it does not, `errors` says why until the next call. */
export interface Validate {
  (value: unknown): boolean;
  errors?: readonly SchemaError[] | null;
}

// Made when first needed: it takes a while, and most calls need none.
let ajv: Ajv | undefined;

/** Returns the function that checks values by a schema. */
export function compileSchema(schema: Schema): Validate {
  ajv ??= new Ajv(validatorOptions);
  return ajv.compile(schema);
}
