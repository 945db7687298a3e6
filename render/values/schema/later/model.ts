// A JSON Schema of any draft up to 2020-12, compiled.
// Mirrors: github.com/santhosh-tekuri/jsonschema/v6, schema.go, v6.0.2.

import type { JsonNumber } from '../../../codec/json.ts';
import type { Regexp } from '../../../go/regexp/regexp.ts';
import type { GoValue } from '../../../go/value.ts';
import type { SchemaNumber } from '../model.ts';
import type { DraftVersion } from './drafts.ts';

/** A number of values, or of a schema, which keeps its text. */
export type LaterNumber = SchemaNumber | JsonNumber;

/** A text of an `id` pattern, and its expression. */
export interface Pattern {
  readonly source: string;
  readonly regexp: Regexp;
}

/** One schema, ready to check values. What its draft and vocabularies do not know, or what it does not say, is absent. */
export interface LaterSchema {
  /** The document's address with the pointer to the schema. */
  readonly location: string;
  readonly draft: DraftVersion;
  /** The schema with an address of its own that this one belongs to. */
  resource: LaterSchema;
  /** Set for the schemas `true` and `false`, which say nothing else. */
  pass?: boolean;
  /** Of a resource: schemas by dynamic anchor. */
  readonly dynamicAnchors: Map<string, LaterSchema>;
  dynamicAnchor?: string;
  isRecursiveAnchor?: boolean;
  reference?: LaterSchema | undefined;
  recursiveReference?: LaterSchema | undefined;
  dynamicReference?: { readonly schema: LaterSchema; readonly anchor: string };
  /** In the order in which they are told. */
  types?: readonly string[];
  constant?: GoValue;
  allowed?: readonly GoValue[] | undefined;
  format?: string | undefined;
  allOf?: readonly LaterSchema[] | undefined;
  anyOf?: readonly LaterSchema[] | undefined;
  oneOf?: readonly LaterSchema[] | undefined;
  not?: LaterSchema | undefined;
  if?: LaterSchema | undefined;
  /** `then` and `else`. */
  consequence?: LaterSchema | undefined;
  alternative?: LaterSchema | undefined;
  minProperties?: number | undefined;
  maxProperties?: number | undefined;
  required?: readonly string[] | undefined;
  properties?: ReadonlyMap<string, LaterSchema> | undefined;
  patternProperties?: readonly { readonly regexp: Regexp; readonly schema: LaterSchema }[] | undefined;
  additionalProperties?: boolean | LaterSchema | undefined;
  propertyNames?: LaterSchema | undefined;
  dependencies?: ReadonlyMap<string, readonly string[] | LaterSchema> | undefined;
  dependentSchemas?: ReadonlyMap<string, LaterSchema> | undefined;
  dependentRequired?: ReadonlyMap<string, readonly string[]> | undefined;
  unevaluatedProperties?: LaterSchema | undefined;
  minItems?: number | undefined;
  maxItems?: number | undefined;
  uniqueItems?: boolean;
  /** The schemas of the first items, one by one. */
  firstItems?: readonly LaterSchema[] | undefined;
  /** The schema of all items behind those. */
  items?: boolean | LaterSchema | undefined;
  /** Whether `items` is the keyword `additionalItems`, which alone may forbid. */
  isAdditional?: boolean;
  contains?: LaterSchema | undefined;
  minContains?: number | undefined;
  maxContains?: number | undefined;
  unevaluatedItems?: LaterSchema | undefined;
  minLength?: number | undefined;
  maxLength?: number | undefined;
  pattern?: Pattern;
  minimum?: LaterNumber | undefined;
  maximum?: LaterNumber | undefined;
  exclusiveMinimum?: LaterNumber | undefined;
  exclusiveMaximum?: LaterNumber | undefined;
  multipleOf?: LaterNumber | undefined;
}
