// What a kind of row is made of: each field says once what a row holds, how a fixture writes it and what it refers to.

import type { Schema } from './compile.ts';
import type { Json, JsonObject } from './json.ts';
import { fixtureTime } from './time-patterns.ts';

/** Free-form JSON in one row. The data library merges objects but replaces lists, so the object is the one item of a list. */
export type Box<Value = Json> = readonly [Value];

/** Names the kinds of rows that other rows refer to. */
export type Target = 'user' | 'organization' | 'cluster';

/** One field of a kind: `Value` in a row, `Written` in a fixture (never where fixtures do not say it). */
export interface Field<Value, Written = Value, Needed extends boolean = boolean> {
  /** What a row has that was made without the field. */
  readonly empty: Value;
  /** What the value in a row must be. */
  readonly schema: Schema;
  /** What the value in a fixture must be, with its description; undefined where fixtures do not say it. */
  readonly written: Schema | undefined;
  /** Whether no fixture may leave the field out. */
  readonly needed: Needed;
  /** Whether the value is the JSON of an object, as text. */
  readonly holdsJson?: true;
  /** The kinds of which the value is the id, or a list of ids; a fixture has their names in its place. */
  readonly refers?: readonly Target[];
  /** Only a type. */
  readonly as?: Written;
}

/** A table of fields by name. */
export type Fields = Readonly<Record<string, Field<unknown, unknown>>>;

/** The type of the rows that have the fields. */
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

/** The type of the fixtures that write the fields. */
export type FixtureOf<F extends Fields> = { readonly [Name in Needed<F>]: WrittenOf<F[Name]> } & {
  readonly [Name in Exclude<WrittenFields<F>, Needed<F>>]?: WrittenOf<F[Name]>;
};

/** The schema of a text that says something. */
export const word: Schema = { type: 'string', minLength: 1 };

/** The schema of a time in a fixture: ISO 8601, or relative to the clock of the world, such as `now-3d`. */
export const moment: Schema = { type: 'string', pattern: fixtureTime };

/** Returns a field of text; `more` narrows what fixtures may write. */
export function text(description: string, more: Schema = {}): Field<string, string, false> {
  const schema = { type: 'string' };
  return { empty: '', schema, written: { description, ...schema, ...more }, needed: false };
}

/** Returns a field of text out of a few. */
export function choice<const Word extends string>(
  description: string,
  words: readonly Word[],
): Field<string, Word, false> {
  return { empty: '', schema: { type: 'string' }, written: { description, enum: words }, needed: false };
}

/** Returns a field of a time, ISO 8601. Fixtures may write it relative to the clock. */
export function time(description: string): Field<string, string, false> {
  return { empty: '', schema: { type: 'string' }, written: { description, ...moment }, needed: false };
}

/** Returns a field that is true or false. */
export function flag(description: string): Field<boolean, boolean, false> {
  const schema = { type: 'boolean' };
  return { empty: false, schema, written: { description, ...schema }, needed: false };
}

/** Returns a field of a whole number, no less than `minimum`. */
export function count(description: string, minimum = 0): Field<number, number, false> {
  const written = { description, type: 'integer', minimum };
  return { empty: 0, schema: { type: 'integer' }, written, needed: false };
}

/** Returns a field of a list whose items fit a schema. */
export function list<Item>(
  description: string,
  items: Schema,
  more: Schema = {},
): Field<readonly Item[], readonly Item[], false> {
  const schema = { type: 'array', items };
  return { empty: [], schema, written: { description, ...schema, ...more }, needed: false };
}

/** Returns a field of an object that may be missing: a list of one or none, as the data library cannot take an object out. */
export function maybe<Item>(description: string, items: Schema): Field<readonly Item[], Item, false> {
  const schema = { type: 'array', items, maxItems: 1 };
  return { empty: [], schema, written: { description, ...items }, needed: false };
}

/** Returns a field of an object, free-form but for what `more` says. */
export function object<Written = JsonObject>(
  description: string,
  more: Schema = {},
): Field<Box<JsonObject>, Written, false> {
  const written = { description, type: 'object', ...more };
  const schema = { type: 'array', items: { type: 'object' }, minItems: 1, maxItems: 1 };
  return { empty: [{}], schema, written, needed: false };
}

/** Returns a field of a JSON object that a row holds as text: it may be of many megabytes, and few who find the row read it. */
export function document(description: string, more: Schema = {}): Field<string, JsonObject, false> {
  const written = { description, type: 'object', ...more };
  return { empty: '{}', schema: { type: 'string' }, written, needed: false, holdsJson: true };
}

/** Creates the field of the row that this one belongs to: its id, in a fixture its name. */
export function owner(kind: Target, description: string): Field<number, string, true> {
  return { ...refersTo([kind], description), needed: true };
}

/** Returns a field that refers to a row of one of the kinds: its id, in a fixture its name. */
export function refersTo(kinds: readonly Target[], description: string): Field<number, string, false> {
  const schema = { type: 'integer' };
  return { empty: 0, schema, written: { description, ...word }, needed: false, refers: kinds };
}

/** Returns a field that refers to several people, each once: their ids, in a fixture their logins. */
export function people(description: string): Field<readonly number[], readonly string[], false> {
  const schema = { type: 'array', items: { type: 'integer' } };
  const written = { description, type: 'array', items: word, uniqueItems: true };
  return { empty: [], schema, written, needed: false, refers: ['user'] };
}

/** Returns a field one that no fixture may leave out. */
export function needed<Value, Written>(field: Field<Value, Written>): Field<Value, Written, true> {
  return { ...field, needed: true };
}

/** Returns a field one that fixtures do not say: it follows from others. */
export function unwritten<Value>(field: Field<Value, unknown>): Field<Value, never, false> {
  const { empty, refers, written } = field;
  // The description is for those who read the row.
  const schema = written?.description ? { ...field.schema, description: written.description } : field.schema;
  return { ...{ empty, schema, written: undefined, needed: false }, ...(refers && { refers }) };
}

/** Returns the key, or keys, that a row is found by. */
export type KeyOf<Row> = (row: Row) => string | number | readonly (string | number)[];

/** The type of ids: numbers that the store gives out, or texts that come with the rows. */
export type IdOf<Ids extends 'number' | 'text'> = Ids extends 'number' ? number : string;

/** The one definition of a kind of row: from it follow its type, its model, its checks, its keys and its fixtures. */
export interface Definition<Ids extends 'number' | 'text', F extends Fields, Names extends string> {
  /** What one is, for people. */
  readonly description: string;
  readonly ids: Ids;
  readonly fields: F;
  readonly keys: Readonly<Record<Names, KeyOf<RowOf<F> & { readonly id: IdOf<Ids> }>>>;
  /** The keys that no two rows share. */
  readonly unique: readonly NoInfer<Names>[];
}

/** Returns a definition as it is, its types inferred. */
export function define<Ids extends 'number' | 'text', F extends Fields, Names extends string>(
  definition: Definition<Ids, F, Names>,
): Definition<Ids, F, Names> {
  return definition;
}

/** Returns the one spelling under which a name or an address is found: case does not count. */
export function fold(name: string): string {
  return name.toLowerCase();
}
