// A compiled JSON Schema. Mirrors: github.com/xeipuuv/gojsonschema, subSchema.go, v1.2.0.

import type { Regexp } from '../../go/regexp/regexp.ts';
import { type GoValue, Int } from '../../go/value.ts';

/** The drafts the validator tells apart; `hybrid` reads all keywords and stands in where no known `$schema` is named. */
export type Draft = 4 | 6 | 7 | 'hybrid';

/** A number of a schema or of values: an integer as `Int`, any other as a float64. */
export type SchemaNumber = number | Int;

/** One schema, ready to check values. */
export interface Schema {
  /** Set for the schemas `true` and `false`, which say nothing else. */
  readonly pass?: boolean;
  readonly draft: Draft;
  /** The schema a `$ref` leads to; it alone counts. */
  reference?: Schema;
  readonly types: string[];
  readonly properties: Map<string, Schema>;
  readonly patternProperties: { readonly pattern: Regexp; readonly schema: Schema }[];
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  readonly dependencies: Map<string, readonly string[] | Schema>;
  /** The schema of all items, or none. */
  items?: Schema;
  /** The schemas of the first items, one by one. */
  tuple: readonly Schema[];
  additionalItems?: boolean | Schema;
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
  contains?: Schema;
  /** JSON text of the one value allowed. */
  constant?: string;
  /** JSON texts of the values allowed. */
  allowed: readonly string[];
  oneOf: readonly Schema[];
  anyOf: readonly Schema[];
  allOf: readonly Schema[];
  not?: Schema;
  if?: Schema;
  then?: Schema;
  else?: Schema;
}

/** Reports whether a value of a document is a number. */
export function isNumber(value: GoValue | undefined): value is SchemaNumber {
  return typeof value === 'number' || value instanceof Int;
}
