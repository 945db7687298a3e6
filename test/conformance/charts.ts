// Finds charts in folders, adds the dependencies that `helm dependency build` would fetch, and lists their cases.

import { cp, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { parse } from 'yaml';
import { parseConstraint, parseVersion, satisfies } from '../../render/go/semver.ts';

/** A rendering: a chart folder and a values file of its `ci/`, if any. */
export interface ConformanceCase {
  readonly id: string;
  readonly chart: string;
  readonly valuesFile: string | undefined;
}

interface FoundChart {
  readonly path: string;
  readonly name: string;
  readonly version: string;
  readonly missing: readonly { readonly name: string; readonly range: string }[];
}

/** Returns the folder of every chart below `root` that is not a sub-chart of another one. */
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
  readonly dependencies?: readonly { readonly name?: unknown; readonly version?: unknown }[] | null;
}

async function readYaml(path: string): Promise<Declared> {
  const text = await readFile(path, 'utf8').catch(() => '');
  try {
    return (parse(text, { logLevel: 'silent', uniqueKeys: false }) as Declared | null) ?? {};
  } catch {
    return {}; // Both programs report the error when they load the chart.
  }
}

async function describe(path: string): Promise<FoundChart> {
  const chart = await readYaml(join(path, 'Chart.yaml'));
  const old = await readYaml(join(path, 'requirements.yaml'));
  const present = (await readdir(join(path, 'charts')).catch(() => [])).map((name) =>
    name.replace(/-\d[^/]*\.tgz$/, ''),
  );
  const missing = [...(chart.dependencies ?? []), ...(old.dependencies ?? [])]
    .map((entry) => ({ name: String(entry?.name), range: String(entry?.version ?? '') }))
    .filter(({ name }) => !present.includes(name));
  return { path, name: String(chart.name ?? basename(path)), version: String(chart.version ?? ''), missing };
}

type ChartsByName = ReadonlyMap<string, readonly FoundChart[]>;

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

/** Copies a chart and, below its `charts/`, every missing dependency that `byName` contains, recursively. */
async function assemble(chart: FoundChart, target: string, byName: ChartsByName, depth = 0): Promise<void> {
  // Links are followed, because relative links do not work in the copy.
  await cp(chart.path, target, { recursive: true, dereference: true });
  if (depth > 4) return;
  for (const { name, range } of chart.missing) {
    const dependency = choose(byName.get(name) ?? [], range);
    if (dependency === undefined || dependency.path === chart.path) continue;
    await mkdir(join(target, 'charts'), { recursive: true });
    await assemble(dependency, join(target, 'charts', name), byName, depth + 1);
  }
}

/**
 * Returns all cases below `roots`: every chart with its defaults, and with each `ci/*values.yaml`. Charts with missing dependencies are
 * assembled below `workspace`; nothing is written below `roots`.
 */
export async function listCases(roots: readonly string[], workspace: string): Promise<ConformanceCase[]> {
  const cases: ConformanceCase[] = [];
  const charts: { root: string; chart: FoundChart }[] = [];
  const byName = new Map<string, FoundChart[]>();
  for (const root of roots) {
    for (const path of await findCharts(root)) {
      const chart = await describe(path);
      charts.push({ root, chart });
      byName.set(chart.name, [...(byName.get(chart.name) ?? []), chart]);
    }
  }
  for (const { root, chart } of charts) {
    const id = join(basename(root), relative(root, chart.path));
    let path = chart.path;
    if (chart.missing.some(({ name }) => byName.has(name))) {
      path = join(workspace, id);
      if (!(await stat(path).catch(() => undefined))) {
        await mkdir(dirname(path), { recursive: true });
        await assemble(chart, path, byName);
      }
    }
    cases.push({ id, chart: path, valuesFile: undefined });
    for (const name of (await readdir(join(path, 'ci')).catch(() => [])).sort()) {
      if (name.endsWith('values.yaml'))
        cases.push({ id: `${id} ci/${name}`, chart: path, valuesFile: join('ci', name) });
    }
  }
  return cases;
}
