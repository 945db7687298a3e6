// A JSON Schema of any draft up to 2020-12, compiled.
// Mirrors: github.com/santhosh-tekuri/jsonschema/v6, schema.go, v6.0.2.

import type { JsonNumber } from '../../../codec/json.ts';
import type { Regexp } from '../../../go/regexp/regexp.ts';
import type { GoValue } from '../../../go/value.ts';
import type { SchemaNumber } from '../model.ts';
import type { DraftVersion } from './drafts.ts';

/** A number of a value or a schema with its text. */
export type Draft2020Number = SchemaNumber | JsonNumber;

/** A text of an `id` pattern, and its regular expression. */
export interface Pattern {
  readonly source: string;
  readonly regexp: Regexp;
}

/** A compiled schema. Keywords that are absent, or unknown to its draft and vocabularies, are undefined. */
export interface Draft2020Schema {
  /** The URL of the document with the pointer to the schema. */
  readonly location: string;
  readonly draft: DraftVersion;
  /** The enclosing schema with its own address. */
  resource: Draft2020Schema;
  /** Set for the schemas `true` and `false`, which have no keywords. */
  pass?: boolean;
  /** For a resource: schemas by dynamic anchor. */
  readonly dynamicAnchors: Map<string, Draft2020Schema>;
  dynamicAnchor?: string;
  isRecursiveAnchor?: boolean;
  reference?: Draft2020Schema | undefined;
  recursiveReference?: Draft2020Schema | undefined;
  dynamicReference?: { readonly schema: Draft2020Schema; readonly anchor: string };
  /** In the order in which violations are reported. */
  types?: readonly string[];
  constant?: GoValue;
  allowed?: readonly GoValue[] | undefined;
  format?: string | undefined;
  allOf?: readonly Draft2020Schema[] | undefined;
  anyOf?: readonly Draft2020Schema[] | undefined;
  oneOf?: readonly Draft2020Schema[] | undefined;
  not?: Draft2020Schema | undefined;
  if?: Draft2020Schema | undefined;
  /** `then` and `else`. */
  consequence?: Draft2020Schema | undefined;
  alternative?: Draft2020Schema | undefined;
  minProperties?: number | undefined;
  maxProperties?: number | undefined;
  required?: readonly string[] | undefined;
  properties?: ReadonlyMap<string, Draft2020Schema> | undefined;
  patternProperties?: readonly { readonly regexp: Regexp; readonly schema: Draft2020Schema }[] | undefined;
  additionalProperties?: boolean | Draft2020Schema | undefined;
  propertyNames?: Draft2020Schema | undefined;
  dependencies?: ReadonlyMap<string, readonly string[] | Draft2020Schema> | undefined;
  dependentSchemas?: ReadonlyMap<string, Draft2020Schema> | undefined;
  dependentRequired?: ReadonlyMap<string, readonly string[]> | undefined;
  unevaluatedProperties?: Draft2020Schema | undefined;
  minItems?: number | undefined;
  maxItems?: number | undefined;
  uniqueItems?: boolean;
  /** The schemas of the first items. */
  firstItems?: readonly Draft2020Schema[] | undefined;
  /** The schema of the remaining items. */
  items?: boolean | Draft2020Schema | undefined;
  /** Whether `items` is the keyword `additionalItems`. */
  isAdditional?: boolean;
  contains?: Draft2020Schema | undefined;
  minContains?: number | undefined;
  maxContains?: number | undefined;
  unevaluatedItems?: Draft2020Schema | undefined;
  minLength?: number | undefined;
  maxLength?: number | undefined;
  pattern?: Pattern;
  minimum?: Draft2020Number | undefined;
  maximum?: Draft2020Number | undefined;
  exclusiveMinimum?: Draft2020Number | undefined;
  exclusiveMaximum?: Draft2020Number | undefined;
  multipleOf?: Draft2020Number | undefined;
}
