// Definitions of kinds of rows: each field defines its value in a row, its form in a fixture, and its references.

import type { Schema } from './compile.ts';
import type { Json, JsonObject } from './json.ts';
import { fixtureTime } from './time-patterns.ts';

/** Free-form JSON in a row. The data library merges objects but replaces lists, so the object is the only item of a list. */
export type Box<Value = Json> = readonly [Value];

/** The kinds of rows that other rows refer to. */
export type Target = 'user' | 'organization' | 'cluster';

/** A field of a kind: `Value` in a row, `Written` in a fixture (never if fixtures do not have it). */
export interface Field<Value, Written = Value, Needed extends boolean = boolean> {
  /** The default value in a row. */
  readonly empty: Value;
  /** The schema of the value in a row. */
  readonly schema: Schema;
  /** The schema of the value in a fixture, with its description; undefined if fixtures do not have it. */
  readonly written: Schema | undefined;
  /** Whether fixtures require it. */
  readonly needed: Needed;
  /** Whether the value is a JSON object as text. */
  readonly holdsJson?: true;
  /** The kinds that the value, an id or a list of ids, refers to; a fixture has names instead. */
  readonly refers?: readonly Target[];
  /** For types only. */
  readonly as?: Written;
}

export type Fields = Readonly<Record<string, Field<unknown, unknown>>>;

/** The type of rows with the fields. */
export type RowOf<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends Field<infer Value, infer _> ? Value : never;
};

type WrittenOf<F> = F extends Field<infer _, infer Written> ? Written : never;
type WrittenFields<F extends Fields> = {
  [Name in keyof F]: [WrittenOf<F[Name]>] extends [never] ? never : Name;
}[keyof F];
type Needed<F extends Fields> = {
  [Name in WrittenFields<F>]: F[Name] extends { needed: true } ? Name : never;
}[WrittenFields<F>];

/** The type of fixtures with the fields. */
export type FixtureOf<F extends Fields> = { readonly [Name in Needed<F>]: WrittenOf<F[Name]> } & {
  readonly [Name in Exclude<WrittenFields<F>, Needed<F>>]?: WrittenOf<F[Name]>;
};

export const word: Schema = { type: 'string', minLength: 1 };

/** The schema of a time in a fixture: ISO 8601, or relative to the world's clock, such as `now-3d`. */
export const moment: Schema = { type: 'string', pattern: fixtureTime };

export function textField(description: string, more: Schema = {}): Field<string, string, false> {
  const schema = { type: 'string' };
  return { empty: '', schema, written: { description, ...schema, ...more }, needed: false };
}

export function choice<const Word extends string>(
  description: string,
  words: readonly Word[],
): Field<string, Word, false> {
  return { empty: '', schema: { type: 'string' }, written: { description, enum: words }, needed: false };
}

/** Returns a time field, ISO 8601. Fixtures can use times relative to the clock. */
export function timeField(description: string): Field<string, string, false> {
  return { empty: '', schema: { type: 'string' }, written: { description, ...moment }, needed: false };
}

export function flagField(description: string): Field<boolean, boolean, false> {
  const schema = { type: 'boolean' };
  return { empty: false, schema, written: { description, ...schema }, needed: false };
}

export function count(description: string, minimum = 0): Field<number, number, false> {
  const written = { description, type: 'integer', minimum };
  return { empty: 0, schema: { type: 'integer' }, written, needed: false };
}

export function list<Item>(
  description: string,
  items: Schema,
  more: Schema = {},
): Field<readonly Item[], readonly Item[], false> {
  const schema = { type: 'array', items };
  return { empty: [], schema, written: { description, ...schema, ...more }, needed: false };
}

/** Returns an optional object field: a list of one or none, because the data library cannot remove an object. */
export function maybe<Item>(description: string, items: Schema): Field<readonly Item[], Item, false> {
  const schema = { type: 'array', items, maxItems: 1 };
  return { empty: [], schema, written: { description, ...items }, needed: false };
}

export function object<Written = JsonObject>(
  description: string,
  more: Schema = {},
): Field<Box<JsonObject>, Written, false> {
  const written = { description, type: 'object', ...more };
  const schema = { type: 'array', items: { type: 'object' }, minItems: 1, maxItems: 1 };
  return { empty: [{}], schema, written, needed: false };
}

/** Returns a field for a JSON object stored as text: it may be megabytes, and most readers of the row do not need it. */
export function document(description: string, more: Schema = {}): Field<string, JsonObject, false> {
  const written = { description, type: 'object', ...more };
  return { empty: '{}', schema: { type: 'string' }, written, needed: false, holdsJson: true };
}

/** Creates the field of the owning row: its id, in a fixture its name. */
export function owner(kind: Target, description: string): Field<number, string, true> {
  return { ...refersTo([kind], description), needed: true };
}

/** Returns a reference to a row of one of the kinds: its id, in a fixture its name. */
export function refersTo(kinds: readonly Target[], description: string): Field<number, string, false> {
  const schema = { type: 'integer' };
  return { empty: 0, schema, written: { description, ...word }, needed: false, refers: kinds };
}

/** Returns references to several people: their ids, in a fixture their logins. */
export function people(description: string): Field<readonly number[], readonly string[], false> {
  const schema = { type: 'array', items: { type: 'integer' } };
  const written = { description, type: 'array', items: word, uniqueItems: true };
  return { empty: [], schema, written, needed: false, refers: ['user'] };
}

/** Makes a field required in fixtures. */
export function needed<Value, Written>(field: Field<Value, Written>): Field<Value, Written, true> {
  return { ...field, needed: true };
}

/** Removes a field from fixtures, because it is derived from others. */
export function unwritten<Value>(field: Field<Value, unknown>): Field<Value, never, false> {
  const { empty, refers, written } = field;
  // The description is for readers of the row.
  const schema = written?.description ? { ...field.schema, description: written.description } : field.schema;
  return { ...{ empty, schema, written: undefined, needed: false }, ...(refers && { refers }) };
}

/** Returns the lookup key, or keys, of a row. */
export type KeyOf<Row> = (row: Row) => string | number | readonly (string | number)[];

/** The type of ids: generated numbers, or texts from the rows themselves. */
export type IdOf<Ids extends 'number' | 'text'> = Ids extends 'number' ? number : string;

/** The definition of a kind of row, from which its type, model, validation, keys and fixtures are derived. */
export interface Definition<Ids extends 'number' | 'text', F extends Fields, Names extends string> {
  readonly description: string;
  readonly ids: Ids;
  readonly fields: F;
  readonly keys: Readonly<Record<Names, KeyOf<RowOf<F> & { readonly id: IdOf<Ids> }>>>;
  readonly unique: readonly NoInfer<Names>[];
}

/** Returns a definition unchanged, with inferred types. */
export function define<Ids extends 'number' | 'text', F extends Fields, Names extends string>(
  definition: Definition<Ids, F, Names>,
): Definition<Ids, F, Names> {
  return definition;
}

/** Returns the canonical spelling of a case-insensitive name or address. */
export function fold(name: string): string {
  return name.toLowerCase();
}
