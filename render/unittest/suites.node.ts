// The suites of a chart and of its subcharts: those in files, and those that a chart of suites renders.
// Mirrors: helm-unittest 1.1.0, pkg/unittest, test_runner.go, `getV3TestSuites`, and test_suite.go, `RenderTestSuiteFiles`; files.go; Go,
// path/filepath, match.go, `Glob`; github.com/yargevad/filepathx, `Glob` with its `**`.

import { existsSync, readdirSync, statSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import type { Chart } from '../chart/chart.ts';
import { loadChartPath } from '../chart/directory.node.ts';
import { realHost } from '../core/host.ts';
import { renderTemplates } from '../engine/engine.ts';
import { readTextFile } from '../go/os.node.ts';
import { compilePattern, dir, isAbs, join } from '../go/path.ts';
import { compareStrings, GoError, type GoMap } from '../go/value.ts';
import { coalesceTables } from '../values/coalesce.ts';
import { composeValues } from '../values/compose.ts';
import { helmOfUnittest, suiteFailure } from './render.ts';
import { readSuite, readSuites, type TestSuite } from './suite.ts';
import { parseSuiteYaml, splitSuiteDocuments } from './yaml.ts';

/** Where suites are looked for, and how they are read. */
export interface SuiteSearch {
  readonly cwd: string;
  /** Patterns of files, from the chart on. */
  readonly patterns: readonly string[];
  /** Values files as the command line names them. */
  readonly values: readonly string[];
  /** The folder of a chart that renders suites, from the chart on; empty for none. */
  readonly testsChart: string;
  readonly strict: boolean;
  readonly withSubcharts: boolean;
  /** Called with a file that cannot be read as suites. */
  readonly onBroken: (file: string, message: string) => void;
  /** Called with what is left out. */
  readonly onWarning: (line: string) => void;
}

/** Returns the suites of the chart at a path. Throws GoError, and RenderError for suites that do not render. */
export async function findSuites(path: string, chart: Chart, search: SuiteSearch): Promise<readonly TestSuite[]> {
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
  const valuesFiles = search.values.flatMap((value) => valuesPaths(value, cwd));
  const source = { chartRoute, strict, valuesFiles };
  const folder = search.testsChart === '' ? '' : join(path, search.testsChart);
  const rendered = folder !== '' && existsSync(resolve(cwd, folder)) ? await renderedSuites(folder, source, cwd) : [];
  const suites: TestSuite[] = [];
  for (const file of chartFiles(path, search.patterns, cwd)) {
    try {
      suites.push(...readSuites(readTextFile(file, cwd), { ...source, file: shown(file, cwd), isRendered: false }));
    } catch (error) {
      search.onBroken(file, suiteFailure(error));
      throw error;
    }
  }
  return [...suites, ...rendered];
}

function shown(path: string, cwd: string): string {
  return relative(cwd, resolve(cwd, path)).split(sep).join('/');
}

function valuesPaths(value: string, cwd: string): readonly string[] {
  if (isAbs(value)) return [value];
  return chartFiles('.', [value], cwd).map((path) => resolve(cwd, path));
}

type Source = Pick<Parameters<typeof readSuite>[1], 'chartRoute' | 'strict' | 'valuesFiles'>;

async function renderedSuites(folder: string, source: Source, cwd: string): Promise<readonly TestSuite[]> {
  if (!existsSync(resolve(cwd, folder, 'Chart.yaml'))) {
    throw new GoError(`stat ${join(folder, 'Chart.yaml')}: no such file or directory`);
  }
  const chart = await loadChartPath(resolve(cwd, folder));
  const { name } = chart.metadata;
  const files = renderTemplates(composeValues(chart, new Map(), { helm: helmOfUnittest }), {
    release: { name: 'TEST-SUITE-RELEASE', namespace: 'NAMESPACE', revision: 1, isUpgrade: false, isInstall: false },
    capabilities: { kubeVersion: helmOfUnittest.kubeVersion, apiVersions: helmOfUnittest.apiVersions() },
    helm: helmOfUnittest,
    host: realHost(),
  });
  const [suites, faults]: [TestSuite[], string[]] = [[], []];
  for (const [template, text] of [...files].sort(([a], [b]) => compareStrings(a, b))) {
    const before = suites.length;
    const parts = splitSuiteDocuments(text).filter((part) => part.trim() !== '');
    for (const [i, part] of parts.entries()) {
      try {
        const file = shown(join(folder, template.replace(name, '')), cwd);
        const suite = readSuite(part, { ...source, file, isRendered: true });
        if (suite !== undefined) suites.push({ ...suite, snapshotId: suite.snapshotId || String(i) });
      } catch (error) {
        faults.push(`test suite template (${template}) error: chart ${i} error: ${suiteFailure(error)}`);
      }
    }
    if (suites.length === before) faults.push(`test suite template (${template}) file did not render a manifest`);
  }
  if (faults.length > 0) throw new GoError(faults.join('\n'));
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
function chartFiles(chart: string, patterns: readonly string[], cwd: string): readonly string[] {
  const inner = patterns.filter((pattern, i) => pattern !== patterns[i - 1]);
  return inner.flatMap((pattern) => {
    if (isAbs(pattern)) return [pattern];
    return glob(pattern.includes(`${chart}/`) ? pattern : join(`${chart}/`, pattern), cwd);
  });
}

/** Returns the paths that a pattern names; `**` stands for any folders, and for what lies in them. */
function glob(pattern: string, cwd: string): readonly string[] {
  if (!pattern.includes('**')) return globOnce(pattern, cwd);
  let found: readonly string[] = [''];
  for (const part of pattern.split('**')) {
    const hits = new Set<string>();
    for (const before of found) {
      for (const path of globOnce(before + part, cwd)) for (const below of walk(path, cwd)) hits.add(below);
    }
    found = [...hits];
  }
  return found;
}

function globOnce(pattern: string, cwd: string): readonly string[] {
  if (!/[*?[\\]/.test(pattern)) return existsSync(resolve(cwd, pattern)) ? [pattern] : [];
  const at = pattern.lastIndexOf('/');
  const [folder, name] = [pattern.slice(0, at + 1), pattern.slice(at + 1)];
  const matches = compilePattern(name);
  matches('');
  const folders = at < 0 ? ['.'] : at === 0 ? ['/'] : globOnce(folder.slice(0, -1), cwd);
  return folders.flatMap((path) =>
    namesIn(resolve(cwd, path))
      .filter(matches)
      .map((found) => join(path, found)),
  );
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort(compareStrings);
  } catch {
    return [];
  }
}

function walk(path: string, cwd: string): readonly string[] {
  const isFolder = statSync(resolve(cwd, path), { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder) return [path];
  return [path, ...namesIn(resolve(cwd, path)).flatMap((name) => walk(join(path, name), cwd))];
}

/** Returns the folder of snapshots beside a suite's file. */
export function snapshotFolder(file: string): string {
  return join(dir(file), '__snapshot__');
}
