// Times in fixtures: absolute, or relative to the clock of the world.

import type { Schema } from './compile.ts';
import { type Fixtures, fixtureSchemas } from './fixtures.ts';
import { isObject, type Json } from './json.ts';
import { fixtureTime, relativeTime } from './time-patterns.ts';

const milliseconds: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

const relative = new RegExp(relativeTime);

// Paths of the times in a fixture of each kind. History entries are free-form.
const timePaths: Readonly<Partial<Record<string, readonly (readonly string[])[]>>> = {
  ...Object.fromEntries(Object.entries(fixtureSchemas).map(([kind, { items }]) => [kind, pathsOf(items as Schema)])),
  history: [['entry', 'time']],
};

function pathsOf(schema: Schema, path: readonly string[] = []): readonly (readonly string[])[] {
  if (schema.pattern === fixtureTime) return [path];
  const properties = (schema.properties ?? {}) as Readonly<Record<string, Schema>>;
  return Object.entries(properties).flatMap(([name, inner]) => pathsOf(inner, [...path, name]));
}

/** Returns validated fixtures with absolute times. `now` is the time of the world in milliseconds since 1970. */
export function resolveTimes(fixtures: Fixtures, now: number): Fixtures {
  const resolved = Object.entries(fixtures).map(([kind, rows]) => {
    const paths = timePaths[kind] ?? [];
    const resolveRow = (row: Json): Json => paths.reduce((value, path) => resolveAt(value, path, now), row);
    return [kind, paths.length > 0 && Array.isArray(rows) ? rows.map(resolveRow) : rows];
  });
  return Object.fromEntries(resolved) as Fixtures;
}

function resolveAt(value: Json | undefined, [name, ...rest]: readonly string[], now: number): Json {
  if (name === undefined) return typeof value === 'string' && relative.test(value) ? timeOf(value, now) : value!;
  if (!isObject(value) || value[name] === undefined) return value!;
  return { ...value, [name]: resolveAt(value[name], rest, now) };
}

// Whole seconds, because services that store times in seconds return no fractions.
function timeOf(text: string, now: number): string {
  let time = now;
  for (const [, sign, count, unit = ''] of text.matchAll(/([+-])(\d+)([smhdw])/g)) {
    time += (sign === '-' ? -1 : 1) * Number(count) * milliseconds[unit]!;
  }
  const [first, last] = [Date.UTC(1970), Date.parse('9999-12-31T23:59:59Z')];
  return new Date(Math.min(Math.max(time, first), last)).toISOString().replace(/\.\d+/, '');
}
