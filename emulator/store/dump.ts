// The state of a store as JSON and back: the content of snapshots, logs and state files, validated so that every route can rely on it.

import { checkJson, formatSchemaViolations } from './check.ts';
import type { Schema } from './compile.ts';
import { isObject, type Json, type JsonObject, orderLevels, parseJsonText } from './json.ts';
import { completeRow, definitions, type Id, type Kind, kindFields, kinds, type Rows } from './rows.ts';
import { createStore, type Store } from './store.ts';
import { missingReference } from './table.ts';

export interface StoreDump {
  readonly serial: number;
  readonly last: Readonly<Record<string, number>>;
  readonly rows: Readonly<Record<string, readonly JsonObject[]>>;
}

/** Thrown for an invalid state: the message contains the path. */
export class StateError extends Error {
  override readonly name = 'StateError';
}

export const rowSchemas = Object.fromEntries(kinds.map((kind) => [kind, rowSchema(kind)])) as Readonly<
  Record<Kind, Schema>
>;

function rowSchema(kind: Kind): Schema {
  const fields = Object.entries(kindFields(kind)).map(([name, { schema }]) => [name, schema]);
  const id = definitions[kind].ids === 'number' ? { type: 'integer', minimum: 1 } : { type: 'string', minLength: 1 };
  const properties = { id, ...Object.fromEntries(fields) };
  return { type: 'object', required: ['id'], properties, additionalProperties: false };
}

/** Returns the whole state as JSON: the rows of every kind and the counters. */
export function dumpStore(store: Store): StoreDump {
  const last = Object.fromEntries(kinds.map((kind) => [kind, store.table(kind).last]));
  const rows = Object.fromEntries(kinds.map((kind) => [kind, store.table(kind).all()]));
  return { serial: store.serial, last, rows };
}

export function buildStore({ serial, last, rows }: StoreDump): Store {
  const store = createStore();
  store.raiseSerial(serial);
  for (const kind of kinds) {
    const table = store.table(kind);
    for (const row of rows[kind] ?? []) table.insert(row);
    table.raiseLast(last[kind] ?? 0);
  }
  return store;
}

/** Restores a store from any JSON value. Throws a `StateError` for an invalid state. */
export function loadStore(dump: unknown): Store {
  const { serial, last, rows } = record(dump, 'state');
  const store = createStore();
  store.raiseSerial(whole(serial, 'serial'));
  const [lasts, tables] = [record(last, 'last'), record(rows, 'rows')];
  for (const kind of kinds) {
    for (const [at, value] of list(tables[kind] ?? [], `rows.${kind}`).entries()) {
      const row = soundRow(store, kind, value, `rows.${kind}[${at}]`);
      if (store.table(kind).has(row.id)) refuse(`rows.${kind}[${at}].id`, `${JSON.stringify(row.id)} is there twice`);
      store.table(kind).insert(row);
    }
    store.table(kind).raiseLast(whole(lasts[kind] ?? 0, `last.${kind}`));
  }
  for (const kind of kinds) {
    for (const [at, row] of store.table(kind).all().entries()) {
      checkReferences(store, kind, row, `rows.${kind}[${at}]`);
    }
  }
  return store;
}

/** Writes or removes a row without notifying listeners. Throws a `StateError` and changes nothing if it is invalid. */
export function applyRow(store: Store, kind: string, id: Id, value: unknown): void {
  if (!Object.hasOwn(definitions, kind)) refuse('kind', `there is no kind ${JSON.stringify(kind)}`);
  write(store, kind as Kind, id, value);
}

function write<K extends Kind>(store: Store, kind: K, id: Id, value: unknown): void {
  const table = store.table(kind);
  if (value === undefined || value === null) {
    table.discard(id);
    return;
  }
  const row = soundRow(store, kind, value, kind);
  checkReferences(store, kind, row, kind);
  if (row.id !== id) refuse(`${kind}.id`, `expected ${JSON.stringify(id)}`);
  table.put(row);
}

// A row of the right type, with unique values that no other row has.
function soundRow<K extends Kind>(store: Store, kind: K, value: unknown, place: string): Rows[K] {
  const faults = checkJson(rowSchemas[kind], value);
  if (faults.length > 0) {
    throw new StateError(
      formatSchemaViolations(
        place,
        faults.map(({ path, message }) => ({ path: join(place, path), message })),
      ),
    );
  }
  const given = value as Rows[K];
  const row = completeRow(kind, given.id, given);
  for (const [name, { holdsJson }] of Object.entries(kindFields(kind))) {
    if (holdsJson && !isDocument(String(row[name as keyof Rows[K]])))
      refuse(`${place}.${name}`, 'is not the JSON of an object');
  }
  const clash = store.table(kind).clash(row);
  if (clash) refuse(place, `${kind} ${JSON.stringify(clash.id)} has the same ${clash.name}`);
  return row;
}

function isDocument(text: string): boolean {
  try {
    return isObject(parseJsonText(text, orderLevels));
  } catch {
    return false;
  }
}

function checkReferences<K extends Kind>(store: Store, kind: K, row: Rows[K], place: string): void {
  const missing = missingReference(kind, row, (target, id) => store.table(target).has(id));
  if (missing) throw new StateError(`${place}.${missing}`);
}

function join(place: string, path: string): string {
  return path === '' || path.startsWith('[') ? `${place}${path}` : `${place}.${path}`;
}

function refuse(place: string, message: string): never {
  throw new StateError(`${place}: ${message}`);
}

function record(value: unknown, place: string): JsonObject {
  return isObject(value as Json) ? (value as JsonObject) : refuse(place, 'expected an object');
}

function list(value: unknown, place: string): readonly unknown[] {
  return Array.isArray(value) ? value : refuse(place, 'expected a list');
}

function whole(value: unknown, place: string): number {
  return Number.isSafeInteger(value) && (value as number) >= 0
    ? (value as number)
    : refuse(place, 'expected a whole number');
}
