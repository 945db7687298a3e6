// Compiles schemas; the only file that uses the validator (ajv). It generates code at run time, which a strict content security policy
// forbids: in bundles, scripts/build/ready-validators.ts substitutes generated functions.

import { Ajv } from 'ajv';
import type { Json, JsonObject } from './json.ts';
import { validatorOptions } from './validator-options.ts';

/** A JSON Schema (the 2020-12 subset shared with OpenAPI 3.1). A `title` is its name in the OpenAPI document. */
export type Schema = JsonObject;

/** The type of the values that match a schema, as far as types can express it. */
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

/** A violation as the validator reports it: the places (JSON pointers into value and schema), and the keyword. */
export interface SchemaError {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string | undefined;
}

/** Reports whether a value matches a schema; if not, `errors` has the violations until the next call. */
export interface Validate {
  (value: unknown): boolean;
  errors?: readonly SchemaError[] | null;
}

// Created on first use: it takes a while, and most calls need none.
let ajv: Ajv | undefined;

export function compileSchema(schema: Schema): Validate {
  ajv ??= new Ajv(validatorOptions);
  return ajv.compile(schema);
}
