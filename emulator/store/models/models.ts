// Models for the rows of a world, with the methods of @mswjs/data. Entities use the format of fixtures, with logins and slugs instead of
// ids, and are validated like fixtures.

import { EmulatorError } from '../../core/errors.ts';
import { addValidators, checkJson } from '../check.ts';
import { FixtureError } from '../fixtures.ts';
import { deepFreeze, type JsonObject, parseJsonText } from '../json.ts';
import type { Id, Kind, Rows } from '../rows.ts';
import { type Query, runQuery } from './query.ts';
import { entityFields, plainName, readEntity, rules } from './rules.ts';
import type { CustomModel, Model, ModelName, ModelSource, Models, Row, Strict, Values } from './types.ts';
import { removeEntity, saveEntity } from './write.ts';

const modelNames = Object.keys(rules) as readonly ModelName[];

/** Returns the models of a world. Every call works on its current store. */
export function createModels(source: ModelSource): Models {
  const models = Object.fromEntries(modelNames.map((name) => [name, createModel(source, name)]));
  const model: Models['model'] = (definition) => createCustomModel(source, definition) as never;
  return { ...models, model } as unknown as Models;
}

/** What differs between models, apart from queries. */
interface ModelParts {
  /** Name in errors, such as `db.cluster`. */
  readonly name: string;
  /** Names of all fields; undefined if any field may be queried. */
  readonly fields: readonly string[] | undefined;
  readonly list: () => readonly Row[];
  /** Creates a row, or replaces the row with the given id. */
  readonly save: (values: Values, id?: Id) => Row;
  readonly remove: (row: Row) => void;
}

function modelOf({ name, fields, list, save, remove }: ModelParts): Model<Values, Row> {
  const find = (query: Query<Row>): readonly Row[] =>
    runQuery({ name, entities: list(), fields, plain: plainName }, query);
  const first = (call: string, { where = {}, strict }: Pick<Query<Row>, 'where'> & Strict): Row | undefined => {
    const [row] = find({ where, take: 1 });
    if (row || !strict) return row;
    const message = `no row matches ${JSON.stringify(where)}`;
    throw new EmulatorError('FILTER_INVALID', [{ path: `${name}.${call}`, message }]);
  };
  const change = (row: Row, data: Values): Row => {
    const { id, ...values } = row;
    const changes = Object.entries(data).map(([field, value]) => [
      field,
      typeof value === 'function' ? (value(row[field], row) as unknown) : value,
    ]);
    return save({ ...values, ...Object.fromEntries(changes) }, id);
  };
  const removed = (row: Row): Row => {
    remove(row);
    return row;
  };
  return {
    create: (values = {}) => save(values),
    findFirst: (query) => first('findFirst', query) ?? null,
    findMany: (query = {}) => find(query),
    getAll: list,
    count: ({ where = {} } = {}) => find({ where }).length,
    update: ({ data, ...query }) => {
      const row = first('update', query);
      return row ? change(row, data) : null;
    },
    updateMany: ({ data, where }) => find({ where }).map((row) => change(row, data)),
    delete: (query) => {
      const row = first('delete', query);
      return row ? removed(row) : null;
    },
    deleteMany: ({ where = {} }) => find({ where }).map(removed),
  };
}

function createModel(source: ModelSource, name: ModelName): Model<Values, Row> {
  const rule = rules[name];
  const { kind } = rule;
  return modelOf({
    name: `db.${name}`,
    fields: ['id', ...entityFields(kind), ...(rule.fields ?? [])],
    list: () => {
      const { store } = source;
      const rows: readonly Rows[Kind][] = store.table(kind).all();
      return rows.map((row) => readEntity(store, rule, row));
    },
    // `primary` is read-only.
    save: ({ primary: _, ...values }, id) => saveEntity(source, name, values, id),
    remove: (row) => {
      if (row.primary === true) {
        const message = `${JSON.stringify(row.email)} is the primary address of ${String(row.user)}: change it in db.person`;
        throw new FixtureError([{ path: `db.${name}.delete`, message }]);
      }
      removeEntity(source, kind, row.id);
    },
  });
}

// Rows of custom models are stored as records.
function createCustomModel(source: ModelSource, definition: CustomModel): Model<Values, Row> {
  const { name, schema, unique = [], defaults = {} } = definition;
  const path = `db.model(${name})`;
  addValidators(definition.validators);
  const list = (): readonly Row[] =>
    source.store.record
      .many('model', name)
      .map(({ id, value }) => deepFreeze({ id, ...(parseJsonText(value) as JsonObject) }) as Row);
  return modelOf({
    name: path,
    fields: undefined,
    list,
    save: (values, id) => {
      const { id: _, ...held } = { ...(id === undefined && defaults), ...(values as JsonObject) };
      const call = `${path}.${id === undefined ? 'create' : 'update'}`;
      const faults = checkJson(schema, held);
      const taken = unique
        .filter((field) => held[field] !== undefined)
        .filter((field) => list().some((row) => row.id !== id && row[field] === held[field]))
        .map((field) => ({ path: field, message: `${JSON.stringify(held[field])} is taken` }));
      const issues = [...faults, ...taken].map((issue) => ({
        ...issue,
        path: issue.path === '' ? call : `${call}: ${issue.path}`,
      }));
      if (issues.length > 0) throw new FixtureError(issues);
      const row = { model: name, value: JSON.stringify(held) };
      const saved = id === undefined ? source.store.record.add(row) : source.store.record.change(id, row);
      return deepFreeze({ id: saved.id, ...held }) as Row;
    },
    remove: ({ id }) => void source.store.record.remove(id),
  });
}
