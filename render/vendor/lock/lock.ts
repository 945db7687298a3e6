// drydock.lock: the archive for each chart in Orders. Reading reports all problems; the format is readable for people.

import type { ChartRef } from '../../chart/registry.ts';
import { pickCandidate } from '../../chart/registry.ts';
import { parseYamlMap } from '../../codec/yaml/parse.ts';
import { andMore } from '../../core/counted.ts';
import { RenderError } from '../../core/errors.ts';
import { limitIn } from '../../core/limits.ts';
import { uniqueBy } from '../../core/unique-by.ts';
import { compareStrings, GoError, type GoValue } from '../../go/value.ts';
import { type LockedChart, type LockedSchema, type LockField, lockFields, schemaFields } from './lock-fields.ts';
import { sourceKey } from './source.ts';

export type { LockedChart, LockedSchema } from './lock-fields.ts';

/** The name of the file that holds a lock. */
export const lockName = 'drydock.lock';

/** A lock file: the folder of charts beside it, and its sorted entries. */
export interface Lock {
  readonly folder: string;
  readonly charts: readonly LockedChart[];
  /** Schemas that values.schema.json files refer to by URL. Default none. */
  readonly schemas?: readonly LockedSchema[];
}

/** Returns charts once for each request: the last of several. */
export function distinctCharts<T extends Pick<LockedChart, 'source' | 'name' | 'asked'>>(charts: readonly T[]): T[] {
  return uniqueBy(charts, ({ source, name, asked }) => JSON.stringify([source, name, asked]));
}

/** Returns the sort order of charts: by source, name and request. */
export function compareLocked(a: LockedChart, b: LockedChart): number {
  return compareStrings(a.source, b.source) || compareStrings(a.name, b.name) || compareStrings(a.asked, b.asked);
}

/** Formats a lock file: one line for each fact, deterministic. */
export function formatLock({ folder, charts, schemas = [] }: Lock): string {
  const lines = [
    '# yaml-language-server: $schema=./node_modules/drydock/dist/schemas/lock.schema.json',
    '# Which archive stands for each chart. `drydock vendor` writes it: keep it with the Orders.',
    'lockVersion: 1',
    `folder: ${scalar(folder)}`,
    charts.length === 0 ? 'charts: []' : 'charts:',
    ...[...charts].sort(compareLocked).flatMap((chart) => entryLines(chart, lockFields)),
  ];
  if (schemas.length > 0) {
    const sorted = [...schemas].sort((a, b) => compareStrings(a.url, b.url));
    lines.push('schemas:', ...sorted.flatMap((schema) => entryLines(schema, schemaFields)));
  }
  return `${lines.join('\n')}\n`;
}

function entryLines<Entry extends object>(entry: Entry, fields: readonly LockField<Entry>[]): string[] {
  const known = fields.filter(({ name }) => entry[name] !== undefined);
  return known.map(({ name }, index) => `  ${index === 0 ? '-' : ' '} ${name}: ${scalar(String(entry[name]), name)}`);
}

// Unquoted if every YAML parser reads it as a text.
function scalar(text: string, name?: string): string {
  const isPlain = /^[A-Za-z][\w./:@%~+-]*$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$|:$/i.test(text);
  return isPlain && name !== 'version' && name !== 'asked' ? text : JSON.stringify(text);
}

/** Parses a lock file; `file` is its name in messages. Throws CHART_INVALID with all problems. */
export function parseLock(text: string, file = lockName): Lock {
  const faults: string[] = [];
  const root = readMap(text, file);
  const version = root.get('lockVersion');
  if (String(version ?? '') !== '1') {
    throw lockInvalid(file, [`lockVersion is ${shown(version)}, and this drydock knows 1`]);
  }
  const folder = root.get('folder');
  if (typeof folder !== 'string' || !/^[^/\\\p{Cc}]+$/u.test(folder) || /^\.\.?$/.test(folder)) {
    faults.push('folder must be the name of a folder beside the lock');
  }
  const entries = <Entry>(key: string, fields: readonly LockField<Entry>[], otherwise?: []): Entry[] => {
    const list = root.get(key) ?? otherwise;
    if (!Array.isArray(list)) faults.push(`${key} must be a list`);
    return (Array.isArray(list) ? list : []).map((item, index) =>
      readEntry(item, `${key}[${index}]`, { fields, faults }),
    );
  };
  const charts = entries('charts', lockFields);
  const schemas = entries('schemas', schemaFields, []);
  if (faults.length > 0) throw lockInvalid(file, faults);
  const sorted = { folder: folder as string, charts: charts.sort(compareLocked) };
  return schemas.length === 0 ? sorted : { ...sorted, schemas };
}

function readMap(text: string, file: string): ReadonlyMap<string, GoValue> {
  try {
    return parseYamlMap(text);
  } catch (error) {
    if (!(error instanceof GoError)) throw limitIn(file, error);
    const isConflict = /^(?:<{7}|={7}|>{7})/m.test(text);
    const fault = isConflict ? 'holds the marks of a merge that is not finished' : error.message;
    throw lockInvalid(file, [fault], error.place);
  }
}

function readEntry<Entry>(
  item: GoValue,
  path: string,
  { fields, faults }: { readonly fields: readonly LockField<Entry>[]; readonly faults: string[] },
): Entry {
  const members: ReadonlyMap<string, GoValue> = item instanceof Map ? item : new Map();
  if (!(item instanceof Map)) faults.push(`${path} must be a mapping`);
  const entry: Record<string, string> = {};
  for (const field of item instanceof Map ? fields : []) {
    const value = members.get(field.name);
    const fault = faultOf(field, value);
    if (fault !== undefined) faults.push(`${path}.${field.name} ${fault}`);
    else if (typeof value === 'string') entry[field.name] = value;
  }
  return entry as Entry;
}

function faultOf(
  { pattern, must, isRequired }: Pick<LockField, 'pattern' | 'must' | 'isRequired'>,
  value: GoValue | undefined,
): string | undefined {
  if (value === undefined) return isRequired ? 'is missing' : undefined;
  if (typeof value !== 'string') return `must be ${must} in quotes`;
  return new RegExp(pattern, 'u').test(value)
    ? undefined
    : `must be ${must}, not ${JSON.stringify(value.length > 200 ? `${value.slice(0, 200)}…` : value)}`;
}

function shown(value: GoValue | undefined): string {
  return value === undefined ? 'missing' : JSON.stringify(String(value));
}

function lockInvalid(
  file: string,
  faults: readonly string[],
  at: { readonly line?: number; readonly column?: number } = {},
): RenderError {
  const more = andMore(faults.length - 1);
  return new RenderError('CHART_INVALID', `${file}: ${faults[0]}${more}`, {
    place: { file, ...at },
    issues: faults.map((message) => ({ path: file, message, severity: 'error' as const })),
    hint: 'Take the last good one, or remove it and run `drydock vendor` again.',
  });
}

/**
 * Returns the lock entry for a reference: with this source and name, and exactly this request, else the best version that matches.
 * Undefined if there is none.
 */
export function findLocked(lock: Lock, ref: ChartRef): LockedChart | undefined {
  const fitting = ofSource(lock, ref);
  return fitting.find(({ asked }) => asked === ref.version) ?? pickCandidate(fitting, ref.version);
}

/** Returns all lock entries with the source and the name of a reference. */
export function ofSource(lock: Lock, ref: ChartRef): readonly LockedChart[] {
  const source = sourceKey(ref.sourceRef.name);
  return lock.charts.filter((chart) => chart.source === source && chart.name === ref.name);
}
