// `--changed`: finds the inputs that may render differently than at a git revision.

import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { UsageError } from '../core/usage-error.ts';
import { settingsForChart } from '../inputs/chart-settings.node.ts';
import { isChartInput } from '../inputs/files.node.ts';
import { deepenHint, GitError, gitIn, isShallow } from '../inputs/git.node.ts';
import { chartPaths, InputPaths, isFolder, orderPaths } from '../inputs/paths.node.ts';
import type { RenderSettings, RunIo } from '../inputs/settings.ts';
import { lockName } from '../vendor/lock/lock.ts';
import type { ComparisonSettings } from './compare-rendering.node.ts';
import { valueSetsOf } from './matrix.node.ts';

interface ChangedOptions {
  readonly settings: RenderSettings;
  readonly comparison: Pick<ComparisonSettings, 'snapshots'>;
  readonly io: RunIo;
  /** A revision of git. */
  readonly since: string;
  /** The configuration file. Default none. */
  readonly config?: string | undefined;
}

// Inputs of all renderings: the configuration, and drydock itself.
const configures =
  /(?:^|[\\/])(?:drydock\.config\.\w+|package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?)$/;

/**
 * Returns the inputs with changes since a revision (default HEAD), in commits or in the working tree: in their own files, `file://`
 * dependencies, values files, objects for `lookup`, their snapshots, and targets of symbolic links. A submodule counts as changed as a
 * whole. Throws UsageError.
 */
export async function changedInputs(
  inputs: readonly string[],
  names: ReadonlyMap<string, string>,
  { settings, comparison, io, since, config }: ChangedOptions,
): Promise<string[]> {
  const { cwd } = io;
  const files = changedFiles(since, cwd);
  // Git reports a submodule by its folder.
  const isAmong = ({ paths }: InputPaths): boolean =>
    files.some((file) => hasFolderOf(file, paths)) ||
    [...paths].some((path) => files.some((file) => isWithin(path, file) && isFolder(file)));
  if (files.some((file) => configures.test(file)) || isAmong(sharedPaths(settings, config, cwd))) return [...inputs];
  const isOfOrders = files.some(isOfOrder);
  const chosen: string[] = [];
  for (const input of inputs) {
    const isChart = isChartInput(input, cwd);
    const own = settingsForChart(settings, input, cwd);
    const paths = isChart ? chartPaths(resolve(cwd, input), own.values) : await orderPaths(input, settings, io);
    for (const file of valueSetsOf(own).flat()) paths?.addValues(resolve(cwd, file));
    paths?.add(resolve(cwd, comparison.snapshots, `${names.get(input)}.snap`));
    if (paths === undefined || isAmong(paths) || (!isChart && isOfOrders)) chosen.push(input);
  }
  return chosen;
}

// Values files of all inputs, the folders of charts, and the configuration with its imports.
function sharedPaths(settings: RenderSettings, config: string | undefined, cwd: string): InputPaths {
  const paths = new InputPaths();
  const values = [...settings.values.map((list) => list.split(',')), ...valueSetsOf(settings)].flat();
  for (const file of values) paths.addValues(resolve(cwd, file.trim()));
  for (const folder of settings.charts) paths.add(resolve(cwd, folder));
  if (config !== undefined) paths.addCode(resolve(cwd, config));
  return paths;
}

function hasFolderOf(file: string, paths: ReadonlySet<string>): boolean {
  for (let path = file; ; path = dirname(path)) {
    if (paths.has(path)) return true;
    if (path === dirname(path)) return false;
  }
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder + sep);
}

function changedFiles(since: string, cwd: string): string[] {
  const run = gitIn(cwd);
  const git = (...args: string[]): string[] => {
    try {
      return run(args)
        .split(/[\0\n]/)
        .filter((name) => name !== '');
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      const hint = isShallow(run) ? `This clone is shallow: fetch the revision too (${deepenHint}).` : undefined;
      throw new UsageError(`--changed ${since}: ${error.message}`, hint);
    }
  };
  if (since.startsWith('-')) throw new UsageError(`--changed takes a revision of git, not "${since}"`);
  const [top = cwd] = git('rev-parse', '--show-toplevel');
  const root = realpathSync(resolve(top));
  const how = ['--name-only', '--no-renames', '--ignore-submodules=none', '-z'];
  const changed = git('-C', root, 'diff', ...how, since, '--');
  const added = git('-C', root, 'ls-files', '--others', '--exclude-standard', '-z');
  return [...changed, ...added].map((name) => resolve(root, name));
}

// An Order names charts, so any changed, added or removed chart, archive or lock file may affect it.
function isOfOrder(file: string): boolean {
  const isChartFile = /(?:^|[\\/])Chart\.ya?ml$|\.(?:tgz|tar\.gz)$/.test(file) || file.endsWith(`${sep}${lockName}`);
  return isChartFile || isFolder(file) || isBelowChart(file);
}

function isBelowChart(file: string): boolean {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, 'Chart.yaml'))) return true;
  }
  return false;
}
