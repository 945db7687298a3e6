// Queries with the syntax of @mswjs/data: `{ where: { login: { equals: 'ada' } } }`.

import { didYouMean } from '../../../render/core/suggest.ts';
import { EmulatorError } from '../../core/errors.ts';

/** Comparisons for one value. All of them must hold. */
export interface FieldComparison<Value> {
  readonly equals?: Value;
  readonly notEquals?: Value;
  readonly in?: readonly Value[];
  readonly notIn?: readonly Value[];
  /** True if a string has this substring, or a list has this item. */
  readonly contains?: Value extends readonly (infer Item)[] ? Item : Value;
  readonly notContains?: Value extends readonly (infer Item)[] ? Item : Value;
  readonly gt?: Value;
  readonly gte?: Value;
  readonly lt?: Value;
  readonly lte?: Value;
  readonly between?: readonly [Value, Value];
  readonly notBetween?: readonly [Value, Value];
}

/** Conditions for an entity by field; for nested objects, conditions by their fields. */
export type Where<Entity> = {
  readonly [Name in keyof Entity]?:
    | FieldComparison<NonNullable<Entity[Name]>>
    | (NonNullable<Entity[Name]> extends readonly unknown[]
        ? never
        : NonNullable<Entity[Name]> extends object
          ? Where<NonNullable<Entity[Name]>>
          : never);
};

/** Selects, orders and limits entities. */
export interface Query<Entity> {
  readonly where?: Where<Entity>;
  readonly orderBy?: { readonly [Name in keyof Entity]?: 'asc' | 'desc' };
  readonly skip?: number;
  readonly take?: number;
}

type Compare = (value: unknown, wanted: never) => boolean;

const isWithin = (value: number, [from, to]: readonly [number, number]): boolean => value >= from && value <= to;

const has = (value: unknown, part: unknown): boolean =>
  Array.isArray(value) ? value.includes(part) : String(value ?? '').includes(String(part));

const comparisons: { readonly [Name in keyof Required<FieldComparison<unknown>>]: Compare } = {
  equals: (value, wanted) => value === wanted,
  notEquals: (value, wanted) => value !== wanted,
  in: (value, wanted: readonly unknown[]) => wanted.includes(value),
  notIn: (value, wanted: readonly unknown[]) => !wanted.includes(value),
  contains: has,
  notContains: (value, wanted) => !has(value, wanted),
  gt: (value: unknown, wanted: number) => (value as number) > wanted,
  gte: (value: unknown, wanted: number) => (value as number) >= wanted,
  lt: (value: unknown, wanted: number) => (value as number) < wanted,
  lte: (value: unknown, wanted: number) => (value as number) <= wanted,
  between: (value, wanted: readonly [number, number]) => isWithin(value as number, wanted),
  notBetween: (value, wanted: readonly [number, number]) => !isWithin(value as number, wanted),
};

const comparisonNames = Object.keys(comparisons);

interface Queried<Entity> {
  /** Name in errors, such as `db.cluster`. */
  readonly name: string;
  readonly entities: readonly Entity[];
  /** Names of all fields; undefined if any field may be queried. */
  readonly fields: readonly string[] | undefined;
  /** Converts an entity in a comparison to the name that fields hold. */
  readonly plain: (wanted: unknown) => unknown;
}

/** Returns the entities that match a query. Throws an `EmulatorError` (FILTER_INVALID) for an unknown field or comparison. */
export function runQuery<Entity extends object>(
  { name, entities, fields, plain }: Queried<Entity>,
  query: Query<Entity>,
): readonly Entity[] {
  const { where = {}, orderBy = {}, skip = 0, take = Number.POSITIVE_INFINITY } = query;
  if (fields) for (const field of [...Object.keys(where), ...Object.keys(orderBy)]) known(name, 'field', field, fields);
  const found = entities.filter((entity) => fits(name, entity, where as Readonly<Record<string, object>>, plain));
  const order = Object.entries(orderBy) as unknown as readonly (readonly [keyof Entity, 'asc' | 'desc'])[];
  if (order.length > 0) found.sort((one, other) => compareBy(order, one, other));
  return found.slice(skip, skip + take);
}

function fits(
  name: string,
  value: unknown,
  where: Readonly<Record<string, object>>,
  plain: (wanted: unknown) => unknown,
): boolean {
  return Object.entries(where).every(([field, condition]) => {
    const held = (value as Readonly<Record<string, unknown>> | undefined)?.[field];
    const isNested = typeof held === 'object' && held !== null && !Array.isArray(held) && !isComparison(condition);
    if (isNested) return fits(name, held, condition as Readonly<Record<string, object>>, plain);
    return Object.entries(condition).every(([comparison, wanted]) => {
      known(name, 'comparison', comparison, comparisonNames);
      return comparisons[comparison as keyof typeof comparisons](held, plain(wanted) as never);
    });
  });
}

function isComparison(condition: object): boolean {
  return Object.keys(condition).every((name) => comparisonNames.includes(name));
}

function compareBy<Entity>(
  order: readonly (readonly [keyof Entity, 'asc' | 'desc'])[],
  one: Entity,
  other: Entity,
): number {
  for (const [field, direction] of order) {
    const [a, b] = [one[field], other[field]];
    if (a !== b) return a < b === (direction === 'asc') ? -1 : 1;
  }
  return 0;
}

function known(model: string, what: string, name: string, names: readonly string[]): void {
  if (names.includes(name)) return;
  const message = `there is no ${what} ${JSON.stringify(name)}${didYouMean(name, names) || `; there are ${names.join(', ')}`}`;
  throw new EmulatorError('FILTER_INVALID', [{ path: model, message }]);
}
