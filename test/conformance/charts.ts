// Finds charts in folders, adds the dependencies that `helm dependency build` would fetch, and lists their cases.

import { cp, readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { parse } from 'yaml';
import { parseConstraint, parseVersion, satisfies } from '../../render/go/semver.ts';

/** A rendering: a chart folder and a values file of its `ci/`, if any. */
export interface ConformanceCase {
  readonly id: string;
  readonly chart: string;
  readonly valuesFile: string | undefined;
}

/** A dependency that a chart declares but does not contain. */
interface MissingDependency {
  readonly name: string;
  readonly range: string;
  readonly repository: string;
}

interface FoundChart {
  readonly path: string;
  readonly name: string;
  readonly version: string;
  readonly missing: readonly MissingDependency[];
}

/** Returns the folder of every chart below `root` that is not a subchart of another one. */
export async function findCharts(root: string): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
  if (entries.some((entry) => entry.name === 'Chart.yaml' && entry.isFile())) return [root];
  const found: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!entry.isDirectory() || entry.name === '.git' || entry.name === 'node_modules') continue;
    found.push(...(await findCharts(join(root, entry.name))));
  }
  return found;
}

interface Declared {
  readonly name?: unknown;
  readonly version?: unknown;
  readonly dependencies?: readonly { readonly [field in 'name' | 'version' | 'repository']?: unknown }[] | null;
}

async function readYaml(path: string): Promise<Declared> {
  const text = await readFile(path, 'utf8').catch(() => '');
  try {
    return (parse(text, { logLevel: 'silent', uniqueKeys: false }) as Declared | null) ?? {};
  } catch {
    return {}; // Both programs report the error when they load the chart.
  }
}

/** Reads the chart in a folder. */
export async function describe(path: string): Promise<FoundChart> {
  const chart = await readYaml(join(path, 'Chart.yaml'));
  const old = await readYaml(join(path, 'requirements.yaml'));
  const present = (await readdir(join(path, 'charts')).catch(() => [])).map((name) =>
    name.replace(/-\d[^/]*\.tgz$/, ''),
  );
  const missing = [...(chart.dependencies ?? []), ...(old.dependencies ?? [])]
    .map((entry) => ({
      name: String(entry?.name),
      range: String(entry?.version ?? ''),
      repository: String(entry?.repository ?? ''),
    }))
    .filter(({ name }) => !present.includes(name));
  return { path, name: String(chart.name ?? basename(path)), version: String(chart.version ?? ''), missing };
}

/** Returns the chart whose version is in range, otherwise the first: both programs render a wrong version too. */
function choose(candidates: readonly FoundChart[], range: string): FoundChart | undefined {
  const fits = ({ version }: FoundChart): boolean => {
    try {
      return satisfies(parseVersion(version), parseConstraint(range));
    } catch {
      return false;
    }
  };
  return candidates.find(fits) ?? candidates[0];
}

/** The charts in folders. */
export interface ChartCollection {
  /** The folders of the charts, each with the root below which it is. */
  readonly charts: readonly (readonly [root: string, path: string])[];
  /**
   * Returns the folder of a chart with the dependencies that it does not contain: a copy, if they are in the folder that their repository names,
   * beside the chart, or anywhere in the collection.
   */
  complete(path: string): Promise<string>;
}

/** Reads the charts below `roots`. Copies are created below `workspace`, once; nothing is written below `roots`. */
export async function readCollection(roots: readonly string[], workspace: string): Promise<ChartCollection> {
  const charts: (readonly [string, string])[] = [];
  const byName = new Map<string, FoundChart[]>();
  for (const root of roots) {
    for (const path of await findCharts(root)) {
      charts.push([root, path]);
      const chart = await describe(path);
      byName.set(chart.name, [...(byName.get(chart.name) ?? []), chart]);
    }
  }
  const find = async (path: string, wanted: MissingDependency): Promise<string | undefined> => {
    const { name, range, repository } = wanted;
    const near = repository.startsWith('file://')
      ? resolve(path, repository.slice('file://'.length))
      : join(path, '..', name);
    const isNear = (await stat(join(near, 'Chart.yaml')).catch(() => undefined)) !== undefined;
    const found = isNear ? near : choose(byName.get(name) ?? [], range)?.path;
    return found === path ? undefined : found;
  };
  const assemble = async (path: string, target: string, depth = 0): Promise<void> => {
    // Links are followed, because relative links do not work in the copy.
    await cp(path, target, { recursive: true, dereference: true });
    for (const wanted of depth > 4 ? [] : (await describe(path)).missing) {
      const found = await find(path, wanted);
      if (found !== undefined) await assemble(found, join(target, 'charts', wanted.name), depth + 1);
    }
  };
  const complete = async (path: string): Promise<string> => {
    const { missing } = await describe(path);
    const found = await Promise.all(missing.map((wanted) => find(path, wanted)));
    if (found.every((one) => one === undefined)) return path;
    const [root = ''] = charts.find(([, own]) => own === path) ?? [dirname(path)];
    const copy = join(workspace, basename(root), relative(root, path));
    if (!(await stat(copy).catch(() => undefined))) await assemble(path, copy);
    return copy;
  };
  return { charts, complete };
}

/** Returns all cases below `roots`: every chart, with its dependencies, with its defaults, and with each `ci/*values.yaml`. */
export async function listCases(roots: readonly string[], workspace: string): Promise<ConformanceCase[]> {
  const cases: ConformanceCase[] = [];
  const { charts, complete } = await readCollection(roots, workspace);
  for (const [root, path] of charts) {
    const id = join(basename(root), relative(root, path));
    const chart = await complete(path);
    cases.push({ id, chart, valuesFile: undefined });
    for (const name of (await readdir(join(chart, 'ci')).catch(() => [])).sort())
      if (name.endsWith('values.yaml')) cases.push({ id: `${id} ci/${name}`, chart, valuesFile: join('ci', name) });
  }
  return cases;
}
