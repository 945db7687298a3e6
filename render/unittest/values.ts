// The values of a test: its files and what it sets, merged and placed where the tested chart expects them.
// Mirrors: helm-unittest 1.1.0, pkg/unittest, test_job.go, `getUserValues`.

import { convertGoError } from '../core/catch.ts';
import { dir, isAbs, join } from '../go/path.ts';
import { GoError, type GoMap, type GoValue } from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';
import { coalesceTables } from '../values/coalesce.ts';
import { copyValue } from '../values/lookup.ts';
import type { TestJob, TestSuite } from './suite.ts';
import { asHelmValues, parseSuiteYaml } from './yaml.ts';

/** Returns the values of a test as Helm reads them. Throws GoError. */
export function valuesOfTest(
  job: TestJob,
  suite: TestSuite,
  [read, helm]: readonly [(path: string) => string, Helm],
): GoMap {
  const route = suite.chartRoute.split('/').filter((_, i) => i % 2 === 0);
  let base: GoMap = new Map();
  const add = (values: GoMap): void => {
    const merged = copyValue(scoped(values, route));
    coalesceTables(merged, base, { merge: true, warn: () => {}, helm });
    base = merged;
  };
  for (const path of job.values) add(readValues(path, isAbs(path) ? path : join(dir(suite.file), path), read));
  for (const set of [suite.set, job.set]) for (const [path, value] of set) add(valuesAtPath(path, value));
  return asHelmValues(base);
}

function readValues(path: string, file: string, read: (path: string) => string): GoMap {
  const text = read(file);
  return convertGoError(
    () => {
      const value = parseSuiteYaml(text) ?? new Map();
      if (!(value instanceof Map)) throw new GoError('values must be a mapping');
      return value;
    },
    ({ message }) => new GoError(`failed to parse ${path}: ${message}`),
  );
}

// A subchart's values are in its section of its parents' values, except for global ones.
function scoped(values: GoMap, route: readonly string[]): GoMap {
  let within = values;
  for (const name of route.slice(1).toReversed()) {
    const outer: GoMap = new Map();
    const global = within.get('global');
    if (global !== undefined) outer.set('global', global);
    within = outer.set(name, within);
  }
  return within;
}

// The keys of `set`: paths such as `image.tag`, `list[0].name` and `[a.b].c`.
// Mirrors: helm-unittest 1.1.0, pkg/unittest/valueutils, valueutils.go, `BuildValueOfSetPath`.

/** Returns values in which only the path is set. Throws GoError for an invalid path. */
function valuesAtPath(path: string, value: GoValue): GoMap {
  const steps = stepsOf(path);
  let built: GoValue = value;
  for (const step of steps.toReversed()) {
    if (typeof step === 'string') built = new Map([[step, built]]);
    else {
      const list: GoValue[] = new Array(step + 1).fill(null);
      list[step] = built;
      built = list;
    }
  }
  return built as GoMap;
}

// Maximum length of a list: a greater index would exhaust memory.
const maxIndex = 65_536;

function stepsOf(path: string): readonly (string | number)[] {
  const steps: (string | number)[] = [];
  const step = /(?:^|\.)(?:\[([^[\],{}=]+)\]|([^.[\],{}=]+))|\[\+?(\d+)\]/y;
  do {
    const [found, escaped, key, index] = step.exec(path) ?? [];
    if (found === undefined || Number(index ?? 0) > maxIndex) throw new GoError(`invalid path ${JSON.stringify(path)}`);
    steps.push(index === undefined ? (escaped ?? key ?? '') : Number(index));
  } while (step.lastIndex < path.length);
  return steps;
}
