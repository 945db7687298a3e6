// A compiled JSON Schema. Mirrors: github.com/xeipuuv/gojsonschema, subSchema.go, v1.2.0.

import type { Regexp } from '../../go/regexp/regexp.ts';
import { type GoValue, Int } from '../../go/value.ts';

/** The drafts that the validator distinguishes; `hybrid` reads all keywords and is used where no known `$schema` is named. */
export type Draft = 4 | 6 | 7 | 'hybrid';

/** A number of a schema or of values: an integer as `Int`, any other as a float64. */
export type SchemaNumber = number | Int;

/** One schema, ready to check values. */
export interface SchemaModel {
  /** Set for the schemas `true` and `false`, which say nothing else. */
  readonly pass?: boolean;
  readonly draft: Draft;
  /** The schema a `$ref` leads to; it alone counts. */
  reference?: SchemaModel;
  readonly types: string[];
  readonly properties: Map<string, SchemaModel>;
  readonly patternProperties: { readonly pattern: Regexp; readonly schema: SchemaModel }[];
  additionalProperties?: boolean | SchemaModel;
  propertyNames?: SchemaModel;
  readonly dependencies: Map<string, readonly string[] | SchemaModel>;
  /** The schema of all items, or none. */
  items?: SchemaModel;
  /** The schemas of the first items, one by one. */
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
  /** JSON text of the one value allowed. */
  constant?: string;
  /** JSON texts of the values allowed. */
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
