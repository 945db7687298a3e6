// The state of a store as JSON and back: what snapshots and the state file hold, checked so that every route can trust it.

import { emptyRow, fieldsOf, kinds } from './models.ts';
import { type Id, isObject, type JsonObject, type Kind } from './rows.ts';
import { Store } from './store.ts';

/** Is the state of a store as JSON. */
export interface StoreDump {
  readonly serial: number;
  readonly last: Readonly<Record<string, number>>;
  readonly rows: Readonly<Record<string, readonly JsonObject[]>>;
}

/** Gives the whole state as JSON: the rows of every kind and the counters. */
export function dumpStore(store: Store): StoreDump {
  const last: Record<string, number> = {};
  const rows: Record<string, readonly JsonObject[]> = {};
  for (const kind of kinds) {
    last[kind] = store.table(kind).last;
    rows[kind] = store.table(kind).all() as unknown as readonly JsonObject[];
  }
  return { serial: store.serial, last, rows };
}

/** Builds a store from a dump. Throws a plain error that names the place when the dump is not one. */
export function loadStore(dump: unknown): Store {
  const { serial, last, rows } = record(dump, 'state');
  const store = new Store();
  store.raiseSerial(whole(serial, 'serial'));
  const [lasts, tables] = [record(last, 'last'), record(rows, 'rows')];
  for (const kind of kinds) {
    for (const [at, row] of list(tables[kind] ?? [], `rows.${kind}`).entries()) {
      loadRow(store, kind, row, `rows.${kind}[${at}]`);
    }
    store.table(kind).raiseLast(whole(lasts[kind] ?? 0, `last.${kind}`));
  }
  for (const [kind, references] of Object.entries(allReferences) as [Kind, References][]) {
    checkReferences(store, kind, references);
  }
  return store;
}

// Which field of a row is the id of a row of which kind.
type References = Readonly<Record<string, readonly Kind[]>>;
const allReferences: { readonly [K in Kind]?: References } = {
  email: { user: ['user'] },
  token: { user: ['user'] },
  membership: { user: ['user'], organization: ['organization'] },
  team: { organization: ['organization'] },
  follow: { follower: ['user'], followee: ['user'] },
  cluster: { owner: ['user', 'organization'] },
  credential: { owner: ['user'] },
  subscription: { subscriber: ['user'] },
  order: { owner: ['user'] },
};

function checkReferences(store: Store, kind: Kind, references: References): void {
  for (const [at, row] of store.table(kind).all().entries()) {
    for (const [field, targets] of Object.entries(references)) {
      const id = (row as unknown as JsonObject)[field] as Id;
      if (targets.some((target) => store.table(target).get(id))) continue;
      throw new Error(`rows.${kind}[${at}].${field}: there is no ${targets.join(' or ')} ${JSON.stringify(id)}`);
    }
  }
}

// Free-form objects, which the library could not replace whole, are kept as lists of one.
const freeForm: { readonly [K in Kind]?: string } = {
  cluster: 'status',
  credential: 'spec',
  order: 'order',
  history: 'entry',
};

// A field must be of the type that the model's empty value has: the library itself would take anything.
function loadRow(store: Store, kind: Kind, value: unknown, place: string): void {
  const row = record(value, place);
  const empty = emptyRow(kind) as unknown as JsonObject;
  for (const [field, content] of Object.entries(row)) {
    const like = fieldsOf(kind).includes(field) ? empty[field] : undefined;
    if (like === undefined) throw new Error(`${place}.${field}: a ${kind} has no such field`);
    if (shapeOf(content) !== shapeOf(like)) throw new Error(`${place}.${field}: expected ${shapeOf(like)}`);
  }
  const holder = freeForm[kind];
  const held = holder === undefined ? [] : (row[holder] as readonly unknown[] | undefined);
  if (holder !== undefined && !(held?.length === 1 && isObject(held[0] as never))) {
    throw new Error(`${place}.${holder}: expected a list of one object`);
  }
  const table = store.table(kind);
  if (!row.id) throw new Error(`${place}.id: is missing`);
  if (table.get(row.id as Id)) throw new Error(`${place}.id: ${JSON.stringify(row.id)} is there twice`);
  table.add(row as never);
}

function shapeOf(value: unknown): string {
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

function record(value: unknown, place: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new Error(`${place}: expected an object`);
}

function list(value: unknown, place: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new Error(`${place}: expected a list`);
}

function whole(value: unknown, place: string): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw new Error(`${place}: expected a whole number`);
}
