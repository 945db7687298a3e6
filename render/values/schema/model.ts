// A compiled JSON Schema. Mirrors: github.com/xeipuuv/gojsonschema, subSchema.go, v1.2.0.

import type { Regexp } from '../../go/regexp/regexp.ts';
import { type GoValue, Int } from '../../go/value.ts';

/** The drafts that the validator distinguishes. `hybrid` reads all keywords and is used without a known `$schema`. */
export type Draft = 4 | 6 | 7 | 'hybrid';

/** A number of a schema or a value: an integer as `Int`, any other as a float64. */
export type SchemaNumber = number | Int;

/** A compiled schema. */
export interface SchemaModel {
  /** Set for the schemas `true` and `false`, which have no keywords. */
  readonly pass?: boolean;
  readonly draft: Draft;
  /** The target of a `$ref`; other keywords have no effect. */
  reference?: SchemaModel;
  readonly types: string[];
  readonly properties: Map<string, SchemaModel>;
  readonly patternProperties: { readonly pattern: Regexp; readonly schema: SchemaModel }[];
  additionalProperties?: boolean | SchemaModel;
  propertyNames?: SchemaModel;
  readonly dependencies: Map<string, readonly string[] | SchemaModel>;
  /** The schema of all items, or none. */
  items?: SchemaModel;
  /** The schemas of the first items. */
  tuple: readonly SchemaModel[];
  additionalItems?: boolean | SchemaModel;
  multipleOf?: SchemaNumber;
  minimum?: SchemaNumber;
  exclusiveMinimum?: SchemaNumber;
  maximum?: SchemaNumber;
  exclusiveMaximum?: SchemaNumber;
  minLength?: number;
  maxLength?: number;
  pattern?: { readonly source: string; readonly regexp: Regexp };
  format?: string;
  minProperties?: number;
  maxProperties?: number;
  required: readonly string[];
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  contains?: SchemaModel;
  /** JSON text of the only allowed value. */
  constant?: string;
  /** JSON texts of the allowed values. */
  allowed: readonly string[];
  oneOf: readonly SchemaModel[];
  anyOf: readonly SchemaModel[];
  allOf: readonly SchemaModel[];
  not?: SchemaModel;
  if?: SchemaModel;
  then?: SchemaModel;
  else?: SchemaModel;
}

/** Reports whether a value of a document is a number. */
export function isSchemaNumber(value: GoValue | undefined): value is SchemaNumber {
  return typeof value === 'number' || value instanceof Int;
}
