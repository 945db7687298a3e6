// The suites in the files of a chart and of its subcharts.
// Mirrors: helm-unittest 1.1.0, pkg/unittest, test_runner.go, `getV3TestSuites`, and files.go.

import { resolve } from 'node:path';
import type { Chart } from '../chart/chart.ts';
import { shownPath } from '../core/paths.node.ts';
import { readTextFile } from '../go/os.node.ts';
import { isAbs, join } from '../go/path.ts';
import { compareStrings, type GoMap } from '../go/value.ts';
import { coalesceTables } from '../values/coalesce.ts';
import { helmOfUnittest, suiteFailure } from './render.ts';
import { readSuites, type TestSuite } from './suite.ts';
import { parseSuiteYaml } from './yaml.ts';

/** Where suites are looked for, and how they are read. */
export interface SuiteSearch {
  readonly cwd: string;
  /** Patterns of files, from the chart on. */
  readonly patterns: readonly string[];
  /** Values files as the command line names them. */
  readonly values: readonly string[];
  readonly strict: boolean;
  readonly withSubcharts: boolean;
  /** Called with a file that cannot be read as suites. */
  readonly onBroken: (file: string, message: string) => void;
  /** Called with what is left out. */
  readonly onWarning: (line: string) => void;
}

/** Returns the suites of the chart at a path. Rejects with GoError. */
export function findSuites(path: string, chart: Chart, search: SuiteSearch): Promise<readonly TestSuite[]> {
  const values = search.withSubcharts ? valuesOf(path, chart, search) : undefined;
  return suitesOf({ path, route: chart.metadata.name, chart }, values, search);
}

interface Placed {
  readonly path: string;
  readonly route: string;
  readonly chart: Chart;
}

async function suitesOf(placed: Placed, values: GoMap | undefined, search: SuiteSearch): Promise<readonly TestSuite[]> {
  const { path, route, chart } = placed;
  const suites = [...(await ownSuites(path, route, search))];
  if (!search.withSubcharts) return suites;
  for (const child of chart.children) {
    const { name } = child.metadata;
    if (values !== undefined && !isEnabled(chart, name, values)) continue;
    const inner = { path: join(path, 'charts', name), route: join(route, 'charts', name), chart: child };
    try {
      suites.push(...(await suitesOf(inner, values, search)));
    } catch (error) {
      search.onWarning(`Failed to get test suites for subchart ${name}: ${suiteFailure(error)}`);
    }
  }
  return suites;
}

async function ownSuites(path: string, chartRoute: string, search: SuiteSearch): Promise<readonly TestSuite[]> {
  const { cwd, strict } = search;
  const valuesFiles: string[] = [];
  for (const value of search.values) {
    const files = isAbs(value) ? [value] : await chartFiles('.', [value], cwd);
    valuesFiles.push(...files.map((file) => resolve(cwd, file)));
  }
  const suites: TestSuite[] = [];
  for (const file of await chartFiles(path, search.patterns, cwd)) {
    try {
      suites.push(
        ...readSuites(readTextFile(file, cwd), {
          chartRoute,
          strict,
          valuesFiles,
          file: shownPath(resolve(cwd, file), { cwd }),
        }),
      );
    } catch (error) {
      search.onBroken(file, suiteFailure(error));
      throw error;
    }
  }
  return suites;
}

// The values that decide which subcharts are on. Where a file is not there, all of them are.
function valuesOf(path: string, chart: Chart, { cwd, values, onWarning }: SuiteSearch): GoMap | undefined {
  let merged = chart.values;
  for (const file of values) {
    try {
      const value = parseSuiteYaml(readTextFile(isAbs(file) ? file : join(path, file), cwd));
      if (!(value instanceof Map)) continue;
      coalesceTables(value, merged, { merge: true, warn: () => {}, helm: helmOfUnittest });
      merged = value;
    } catch (error) {
      const reason = `failed to read values file ${file}: ${suiteFailure(error)}`;
      onWarning(`Failed to merge values for condition evaluation: ${reason}. All subchart tests will be included.`);
      return undefined;
    }
  }
  return merged;
}

// Mirrors: `isSubchartEnabled`: a condition counts before tags, and what is not a boolean says nothing.
function isEnabled(parent: Chart, name: string, values: GoMap): boolean {
  const declared = parent.metadata.dependencies.find((dependency) => (dependency.alias || dependency.name) === name);
  if (declared === undefined) return true;
  if (declared.condition !== '') {
    let found: unknown = values;
    for (const key of declared.condition.split('.')) found = found instanceof Map ? found.get(key) : undefined;
    return found !== false;
  }
  const tags = values.get('tags');
  if (declared.tags.length === 0 || !(tags instanceof Map)) return true;
  return declared.tags.some((tag) => tags.get(tag) === true);
}

/** Returns the files below a chart that patterns name, in their order. What begins with `/` is a path, not a pattern. */
async function chartFiles(chart: string, patterns: readonly string[], cwd: string): Promise<readonly string[]> {
  const { glob } = await import('tinyglobby');
  const files: string[] = [];
  for (const pattern of new Set(patterns)) {
    if (isAbs(pattern)) {
      files.push(pattern);
      continue;
    }
    // The path of the chart is not a pattern, unless the pattern includes it.
    const folder = pattern.includes(`${chart}/`) ? '.' : chart;
    const found = await glob(pattern, { cwd: resolve(cwd, folder), dot: true, expandDirectories: false });
    files.push(...found.sort(compareStrings).map((path) => join(folder, path)));
  }
  return files;
}
