// `helm dependency list`: the dependencies that a chart declares, and what is in its charts/ folder.
// Mirrors: helm.sh/helm/v3/pkg/action, dependency.go, v3.17.3; github.com/gosuri/uitable, table.go, v0.0.4.

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Chart, type Dependency, nilList } from '../chart/chart.ts';
import { readChartPath } from '../chart/directory.node.ts';
import { attempt, catchGoError, orUndefined } from '../core/catch.ts';
import { RenderError } from '../core/errors.ts';
import { quote } from '../go/number.ts';
import { compilePattern, ext } from '../go/path.ts';
import { isStrictVersion, parseConstraint, parseVersion, satisfies } from '../go/semver.ts';
import { compareStrings } from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';

export interface DependencyListOptions {
  readonly helm: Helm;
  /** The folder that a relative path starts from. */
  readonly cwd: string;
  /** Maximum number of characters in a column. Default 80; 0 means no limit. */
  readonly maxColumnWidth?: number | undefined;
  /** Called with each line that Helm would log. */
  readonly onWarning: (line: string) => void;
}

/** Returns what `helm dependency list` prints for the chart at a path. Throws RenderError. */
export function dependencyTable(path: string, options: DependencyListOptions): string {
  const folder = join(path, 'charts');
  const chart = load(path, options);
  const declared = chart.metadata.dependencies;
  if (declared === nilList) return `WARNING: no dependencies at ${folder}\n`;
  const rows = declared.map((dependency) => {
    const { name, version, repository } = dependency;
    return [name, version, repository, statusOf(dependency, chart, folder, options)];
  });
  const table = formatTable([['NAME', 'VERSION', 'REPOSITORY', 'STATUS'], ...rows], options.maxColumnWidth ?? 80);
  return `${table}\n\n${listUndeclared(declared, folder, options)}`;
}

function load(path: string, { helm, cwd, onWarning }: DependencyListOptions): Chart {
  return readChartPath(resolve(cwd, path), { helm: helm.name, onWarning, detectsVersion: false }).load();
}

// Mirrors: `dependencyStatus`.
function statusOf(dependency: Dependency, chart: Chart, folder: string, options: DependencyListOptions): string {
  const { name } = dependency;
  const archives = orUndefined(() => namesIn(folder, `${name}-*.tgz`, options));
  if (archives === undefined) return 'bad pattern';
  const versioned = archives.filter((file) => isStrictVersion(file.slice(name.length + 1, -'.tgz'.length)));
  if (archives.length > 1 && versioned.length > 1) return 'too many matches';
  const [archive] = archives.length > 1 ? versioned : archives;
  if (archive !== undefined && existsSync(resolve(options.cwd, folder, archive))) {
    return archiveStatus(join(folder, archive), dependency, options);
  }
  const child = chart.children.findLast(({ metadata }) => metadata.name === name);
  return child === undefined ? 'missing' : (versionFault(child, dependency, options.helm) ?? 'unpacked');
}

function archiveStatus(path: string, dependency: Dependency, options: DependencyListOptions): string {
  return attempt(
    () => {
      const chart = load(path, options);
      if (chart.metadata.name !== dependency.name) return 'misnamed';
      return versionFault(chart, dependency, options.helm) ?? 'ok';
    },
    RenderError,
    'corrupt',
  );
}

function versionFault({ metadata }: Chart, { version }: Dependency, { semver }: Helm): string | undefined {
  if (metadata.version === version) return undefined;
  return catchGoError(
    () => {
      const constraint = parseConstraint(version, semver);
      return satisfies(parseVersion(metadata.version, semver), constraint) ? undefined : 'wrong version';
    },
    () => 'invalid version',
  );
}

// For a pattern within one folder. Throws GoError.
// Mirrors: path/filepath, `Glob`.
function namesIn(folder: string, pattern: string, { cwd }: DependencyListOptions): readonly string[] {
  const matches = compilePattern(pattern);
  matches('');
  const path = resolve(cwd, folder);
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(path).sort(compareStrings).filter(matches);
}

// Mirrors: `printMissing`.
function listUndeclared(declared: readonly Dependency[], folder: string, options: DependencyListOptions): string {
  const lines = namesIn(folder, '*', options).flatMap((name) => {
    const path = join(folder, name);
    const isFolder = statSync(resolve(options.cwd, path), { throwIfNoEntry: false })?.isDirectory() === true;
    if (!isFolder && ext(name) !== '.tgz') return [];
    return attempt(
      () => {
        const chart = load(path, options);
        const isDeclared = declared.some((dependency) => dependency.name === chart.metadata.name);
        return isDeclared ? [] : [`WARNING: ${quote(path)} is not in Chart.yaml.\n`];
      },
      RenderError,
      [`WARNING: ${quote(path)} is not a chart.\n`],
    );
  });
  return lines.join('');
}

// Mirrors: `Table.String` and `strutil.Resize`.
function formatTable(rows: readonly (readonly string[])[], most: number): string {
  const widths = rows[0]!.map((_, column) => {
    const longest = Math.max(...rows.map((row) => [...row[column]!].length));
    return most === 0 ? longest : Math.min(longest, most);
  });
  return rows.map((row) => row.map((cell, column) => fit(cell, widths[column]!)).join('\t')).join('\n');
}

function fit(text: string, width: number): string {
  const chars = [...text];
  if (width === 0 || chars.length <= width) return text.padEnd(text.length + width - chars.length);
  return `${chars.slice(0, Math.max(width - 3, 1)).join('')}...`;
}
