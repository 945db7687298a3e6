// The values of a test: its files and what it sets, merged and placed where the tested chart expects them.
// Mirrors: helm-unittest 1.1.0, pkg/unittest, test_job.go, `getUserValues`.

import { dir, isAbs, join } from '../go/path.ts';
import { GoError, type GoMap, type GoValue } from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';
import { Coalescing } from '../values/coalesce.ts';
import { valuesAtPath } from './set-path.ts';
import type { TestJob, TestSuite } from './suite.ts';
import { asHelmValues, parseSuiteYaml, wrongTypeError } from './yaml.ts';

/** Returns the values of a test as Helm reads them. Throws GoError. */
export function valuesOfTest(
  job: TestJob,
  suite: TestSuite,
  [read, helm]: readonly [(path: string) => string, Helm],
): GoMap {
  const route = suite.chartRoute.split('/').filter((_, i) => i % 2 === 0);
  let base: GoMap = new Map();
  const add = (values: GoMap): void => {
    const merging = new Coalescing({ merge: true, warn: () => {}, helm });
    base = merging.fill(scoped(values, route), base);
  };
  for (const path of job.values) add(readValues(path, isAbs(path) ? path : join(dir(suite.file), path), read));
  for (const set of [suite.set, job.set]) for (const [path, value] of set) add(valuesAtPath(path, value));
  return asHelmValues(base);
}

function readValues(path: string, file: string, read: (path: string) => string): GoMap {
  const text = read(file);
  let value: GoValue;
  try {
    value = parseSuiteYaml(text);
    if (value !== null && !(value instanceof Map)) throw wrongTypeError(value, 'map[string]interface {}');
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    throw new GoError(`failed to parse ${path}: ${error.message}`);
  }
  return value ?? new Map();
}

// A sub-chart's values are in its section of its parents' values, except for global ones.
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
