// Where a value was set: every place that has a say, the one that wins first.

import { type Chart, childPath } from '../chart/chart.ts';
import { findMember } from '../codec/yaml/places.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import { GoError, type GoMap, type GoValue } from '../go/value.ts';
import { mergeUserValues, type UserValues, type ValuesFile } from '../values/user.ts';

/** A place that sets a value. */
export interface Setter {
  /** A file, or what stood on the command line, such as `--set image.tag=1.2`. */
  readonly where: string;
  /** From 1; of a file. */
  readonly line?: number;
  /** From 1. */
  readonly column?: number;
}

/** The steps to a value from the root chart's values. */
export type Steps = readonly (string | number)[];

/** Gives the places that set a value among what a user gives, the last word first. */
export function userSetters(given: UserValues, steps: Steps): Setter[] {
  const flags = [
    ['set-literal', 'setLiteral'],
    ['set-file', 'setFile'],
    ['set-string', 'setString'],
    ['set', 'set'],
    ['set-json', 'setJson'],
  ] as const;
  const onLine = flags.flatMap(([flag, member]) =>
    (given[member] ?? [])
      .toReversed()
      .filter((text) => sets({ [member]: [text] }, steps))
      .map((text): Setter => ({ where: `--${flag} ${text}` })),
  );
  const object = given.values !== undefined && sets({ values: given.values }, steps) ? [{ where: 'values' }] : [];
  return [...onLine, ...object, ...(given.valuesFiles ?? []).toReversed().flatMap((file) => fileSetter(file, steps))];
}

// Those of a chart's own values and of its sub-charts' values, the outer ones first.
function chartSetters(chart: Chart, folder: string, steps: Steps): Setter[] {
  const data = chart.valuesData;
  const own = data === undefined ? [] : fileSetter({ name: `${folder}/values.yaml`, text: decodeUtf8(data) }, steps);
  const [first, ...rest] = steps;
  // Where a chart is used under another name, its section has that name.
  const names = new Set(
    chart.metadata.dependencies.filter(({ alias, name }) => (alias || name) === first).map(({ name }) => name),
  );
  const child = chart.children.find(({ metadata }) => metadata.name === first || names.has(metadata.name));
  if (rest.length === 0 || child === undefined) return own;
  return [...own, ...chartSetters(child, childPath(folder, child), rest)];
}

/**
 * Gives the places that set a value, the last word first. `user` gives those of the user; `folder` names the chart's files.
 * A global value of a sub-chart is set by the charts around it too, which have the last word.
 */
export function settersOf(
  chart: Chart,
  steps: Steps,
  { folder, user }: { readonly folder: string; readonly user: (steps: Steps) => readonly Setter[] },
): Setter[] {
  const at = steps.indexOf('global');
  const paths =
    at <= 0 ? [steps] : [...Array(at + 1).keys()].map((depth) => [...steps.slice(0, depth), ...steps.slice(at)]);
  const found = paths.flatMap((path) => [...user(path), ...chartSetters(chart, folder, path)]);
  const titles = found.map(({ where, line, column }) => `${where}:${line}:${column}`);
  return found.filter((_setter, index) => titles.indexOf(titles[index] as string) === index);
}

/** Gives the place of a value in a file of values. */
export function fileSetter({ name, text }: ValuesFile, steps: Steps): Setter[] {
  try {
    const { isWhole, line, column } = findMember(text, steps.map(String));
    return isWhole ? [{ where: name, line, column }] : [];
  } catch (error) {
    if (error instanceof GoError) return [];
    throw error;
  }
}

function sets(given: UserValues, steps: Steps): boolean {
  try {
    return holds(mergeUserValues({ ...given, readFile: () => '' }), steps);
  } catch {
    return false;
  }
}

/** Tells whether values hold something at the end of steps. */
export function holds(values: GoMap, steps: Steps): boolean {
  let value: GoValue | undefined = values;
  for (const step of steps) {
    if (value instanceof Map) value = value.get(String(step));
    else value = Array.isArray(value) ? value[Number(step)] : undefined;
    if (value === undefined) return false;
  }
  return true;
}
