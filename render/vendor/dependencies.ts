// What the Chart.yaml of a chart folder asks of repositories, and which version its Chart.lock has picked.
// Mirrors: helm.sh/helm/v3, pkg/downloader/manager.go (`Build`) and internal/resolver, v3.17.3.

import type { Chart, Dependency } from '../chart/chart.ts';
import type { ChartRef } from '../chart/registry.ts';
import { parseYamlMap } from '../codec/yaml/parse.ts';
import { parseConstraint, parseVersion, satisfies } from '../go/semver.ts';
import { GoError, type GoValue } from '../go/value.ts';

/** A dependency that its chart does not hold. */
export interface MissingDependency {
  readonly dependency: Dependency;
  /** Where to take it from: a folder beside the chart, or a repository. */
  readonly from: { readonly path: string } | { readonly ref: ChartRef };
}

/** Gives the dependencies that a chart declares and does not hold, wherever they would come from. */
export function lackingDependencies({ children, metadata }: Chart): readonly Dependency[] {
  const held = new Set(children.map((child) => child.metadata.name));
  return metadata.dependencies.filter(({ name }) => !held.has(name));
}

/** Gives those of them that name where they come from; `chartLock` is the text of its Chart.lock. */
export function missingDependencies(chart: Chart, chartLock: string | undefined): readonly MissingDependency[] {
  const picked = readPicked(chartLock);
  return lackingDependencies(chart)
    .filter(({ repository }) => repository !== '')
    .map((dependency) => {
      const { name, repository } = dependency;
      if (repository.startsWith('file://')) return { dependency, from: { path: repository.slice('file://'.length) } };
      const version = picked.find((pick) => fits(pick, dependency))?.version ?? dependency.version;
      const isOci = repository.startsWith('oci://');
      return {
        dependency,
        from: { ref: { name, version, sourceRef: { kind: isOci ? 'HelmRepository' : '', name: repository } } },
      };
    });
}

interface Picked {
  readonly name: string;
  readonly repository: string;
  readonly version: string;
}

// Of a lock that nobody can read nothing is taken: loading the chart tells its fault.
function readPicked(text: string | undefined): readonly Picked[] {
  if (text === undefined) return [];
  try {
    const list = parseYamlMap(text).get('dependencies');
    return (Array.isArray(list) ? list : []).map((item) => ({
      name: member(item, 'name'),
      repository: member(item, 'repository'),
      version: member(item, 'version'),
    }));
  } catch (error) {
    if (error instanceof GoError) return [];
    throw error;
  }
}

function member(item: GoValue, name: string): string {
  const value = item instanceof Map ? item.get(name) : undefined;
  return typeof value === 'string' ? value : '';
}

// A Chart.lock that Chart.yaml has outgrown does not count.
function fits({ name, repository, version }: Picked, dependency: Dependency): boolean {
  if (name !== dependency.name || repository !== dependency.repository || version === '') return false;
  try {
    return version === dependency.version || satisfies(parseVersion(version), parseConstraint(dependency.version));
  } catch (error) {
    if (error instanceof GoError) return false;
    throw error;
  }
}
