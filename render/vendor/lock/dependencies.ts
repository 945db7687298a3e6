// The dependencies in a chart folder's Chart.yaml, and the versions selected by its Chart.lock.
// Mirrors: helm.sh/helm/v3, pkg/downloader/manager.go (`Build`) and internal/resolver, v3.17.3.

import type { Chart, Dependency } from '../../chart/chart.ts';
import { digestBytes } from '../../chart/digest.ts';
import type { ChartRef } from '../../chart/registry.ts';
import { emitJson } from '../../codec/json.ts';
import { emitYaml } from '../../codec/yaml/emit.ts';
import { parseYamlMap } from '../../codec/yaml/parse.ts';
import { orUndefined } from '../../core/catch.ts';
import { asLimit } from '../../core/limits.ts';
import { parseConstraint, parseVersion, satisfies } from '../../go/semver.ts';
import { encodeUtf8 } from '../../go/utf8.ts';
import { GoError, type GoValue } from '../../go/value.ts';

interface MissingDependency {
  readonly dependency: Dependency;
  /** Its source: a folder beside the chart, or a repository. */
  readonly from: { readonly path: string } | { readonly ref: ChartRef };
}

export interface HeldDependency {
  readonly dependency: Dependency;
  /** Whether `charts/` has it in a matching version; the other states are those of `helm dependency list`. */
  readonly status: 'ok' | 'missing' | 'wrong version';
  /** The version selected by the lock file, if it matches. */
  readonly picked: string | undefined;
  /** The versions of the chart in `charts/`. */
  readonly versions: readonly string[];
}

/**
 * Returns the state of each dependency of a chart; `chartLock` is the text of its lock file. The version in the lock file is required;
 * without a lock file, one that matches the constraint.
 */
export function heldDependencies(
  { children, metadata }: Chart,
  chartLock: string | undefined,
): readonly HeldDependency[] {
  const picks = readChartLockText(chartLock)?.dependencies ?? [];
  return metadata.dependencies.map((dependency) => {
    const versions = children.filter((child) => child.metadata.name === dependency.name).map(versionOf);
    const isLocal = dependency.repository === '' || dependency.repository.startsWith('file://');
    const picked = isLocal ? undefined : picks.find((pick) => fits(pick, dependency))?.version;
    const isHeld = versions.some((version) =>
      picked === undefined ? accepts(dependency.version, version) : version === picked,
    );
    return {
      dependency,
      picked,
      versions,
      status: isHeld ? 'ok' : versions.length === 0 ? 'missing' : 'wrong version',
    };
  });
}

function versionOf(chart: Chart): string {
  return chart.metadata.version;
}

/** Returns the sources of missing dependencies, or of those selected by `isDue`. */
export function missingDependencies(
  chart: Chart,
  chartLock: string | undefined,
  isDue: (held: HeldDependency) => boolean = ({ status }) => status === 'missing',
): readonly MissingDependency[] {
  return heldDependencies(chart, chartLock)
    .filter((held) => held.dependency.repository !== '' && isDue(held))
    .map(({ dependency, picked }) => {
      const { name, repository } = dependency;
      if (repository.startsWith('file://')) return { dependency, from: { path: repository.slice('file://'.length) } };
      const version = picked ?? dependency.version;
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

interface ChartLock {
  readonly dependencies: readonly Picked[];
  readonly digest: string;
}

/** Parses a lock file; undefined if there is none. Invalid YAML is ignored: loading the chart reports it. */
export function readChartLockText(text: string | undefined): ChartLock | undefined {
  if (text === undefined) return undefined;
  try {
    const lock = parseYamlMap(text);
    const list = lock.get('dependencies');
    const dependencies = (Array.isArray(list) ? list : []).map((item) => ({
      name: member(item, 'name'),
      repository: member(item, 'repository'),
      version: member(item, 'version'),
    }));
    return { dependencies, digest: member(lock, 'digest') };
  } catch (error) {
    if (error instanceof GoError || asLimit(error) !== undefined) return { dependencies: [], digest: '' };
    throw error;
  }
}

/**
 * Reports whether a lock file is for the declared dependencies, as `helm dependency build` checks.
 * Mirrors: helm.sh/helm/v3, internal/resolver, `HashReq` and `HashV2Req`, v3.17.3.
 */
export function isLockInSync({ metadata }: Chart, lock: ChartLock): boolean {
  // Helm resolves @name and alias:name with the user's repositories before it hashes; the lock file contains the result.
  const resolved = metadata.dependencies.map((dependency) => {
    const isNamed = /^(?:@|alias:)/.test(dependency.repository);
    const pick = isNamed ? lock.dependencies.find(({ name }) => name === dependency.name) : undefined;
    return pick === undefined ? dependency : { ...dependency, repository: pick.repository };
  });
  const digests = [metadata.dependencies, resolved].map((declared) => lockDigest(declared, lock.dependencies));
  if (metadata.apiVersion === 'v1')
    digests.push(digestBytes(encodeUtf8(`{"dependencies":${dependenciesJson(metadata.dependencies)}}`)));
  return digests.includes(lock.digest);
}

function lockDigest(declared: readonly Dependency[], locked: readonly Picked[]): string {
  return digestBytes(encodeUtf8(`[${dependenciesJson(declared)},${dependenciesJson(locked)}]`));
}

/** Returns the text of a lock file for the downloaded dependencies. */
export function writeChartLock({ metadata }: Chart, dependencies: readonly Picked[], generated: string): string {
  const digest = lockDigest(metadata.dependencies, dependencies);
  const list = dependencies.map(
    ({ name, repository, version }) =>
      new Map<string, GoValue>([
        ['name', name],
        ['repository', repository],
        ['version', version],
      ]),
  );
  return `${emitYaml(
    new Map<string, GoValue>([
      ['dependencies', list],
      ['digest', digest],
      ['generated', generated],
    ]),
  ).trimEnd()}\n`;
}

function dependenciesJson(items: readonly (Picked & Partial<Dependency>)[]): string {
  return `[${items.map(dependencyJson).join(',')}]`;
}

// The members in the order of Go's struct, without empty ones.
function dependencyJson(item: Picked & Partial<Dependency>): string {
  const { name, version, repository, condition = '', tags = [], enabled = false, importValues = [], alias = '' } = item;
  const members: (readonly [string, GoValue, boolean])[] = [
    ['name', name, true],
    ['version', version, version !== ''],
    ['repository', repository, true],
    ['condition', condition, condition !== ''],
    ['tags', [...tags], tags.length > 0],
    ['enabled', enabled, enabled],
    ['import-values', [...importValues], importValues.length > 0],
    ['alias', alias, alias !== ''],
  ];
  const written = members.filter(([, , isThere]) => isThere).map(([key, value]) => `"${key}":${emitJson(value)}`);
  return `{${written.join(',')}}`;
}

function member(item: GoValue, name: string): string {
  const value = item instanceof Map ? item.get(name) : undefined;
  return typeof value === 'string' ? value : '';
}

// An outdated Chart.lock is ignored.
function fits({ name, repository, version }: Picked, dependency: Dependency): boolean {
  const isNamed = /^(?:@|alias:)/.test(dependency.repository);
  if (name !== dependency.name || version === '') return false;
  return (isNamed || repository === dependency.repository) && accepts(dependency.version, version);
}

export function accepts(constraint: string, version: string): boolean {
  if (version === constraint || constraint === '') return true;
  return orUndefined(() => satisfies(parseVersion(version), parseConstraint(constraint))) ?? false;
}
