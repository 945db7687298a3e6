// `--changed`: finds the inputs that may render differently than at a git revision.

import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { UsageError } from '../core/usage-error.ts';
import { settingsForChart } from '../inputs/chart-settings.node.ts';
import { isChartInput } from '../inputs/files.node.ts';
import { deepenHint, GitError, gitIn, isShallow } from '../inputs/git.node.ts';
import { affects, chartPaths, InputPaths, isFolder, orderPaths } from '../inputs/paths.node.ts';
import type { RenderSettings } from '../inputs/settings.ts';
import { lockName } from '../vendor/lock/lock.ts';
import type { SnapshotContext } from './compare-rendering.node.ts';
import { valueSetsOf } from './matrix.node.ts';

interface ChangedOptions extends SnapshotContext {
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
  const isChanged = (paths: InputPaths): boolean => files.some((file) => affects(file, paths.paths));
  const shared = sharedPaths(settings, cwd);
  if (config !== undefined) shared.addCode(resolve(cwd, config));
  if (files.some((file) => configures.test(file)) || isChanged(shared)) return [...inputs];
  const isOfOrders = files.some(isOfOrder);
  const chosen: string[] = [];
  for (const input of inputs) {
    const paths = await inputPaths({ input, name: names.get(input)! }, { settings, comparison, io });
    const isOfOthers = isOfOrders && !isChartInput(input, cwd);
    if (paths === undefined || isChanged(paths) || isOfOthers) chosen.push(input);
  }
  return chosen;
}

/** Returns the paths of the files of an input and of its snapshot; undefined for an unreadable Order. Throws UsageError. */
export async function inputPaths(
  { input, name }: { readonly input: string; readonly name: string },
  { settings, comparison, io }: SnapshotContext,
): Promise<InputPaths | undefined> {
  const { cwd } = io;
  const own = settingsForChart(settings, input, cwd);
  const paths = isChartInput(input, cwd)
    ? chartPaths(resolve(cwd, input), own.values)
    : await orderPaths(input, settings, io);
  for (const file of valueSetsOf(own).flat()) paths?.addValues(resolve(cwd, file));
  paths?.add(resolve(cwd, comparison.snapshots, `${name}.snap`));
  return paths;
}

/** Returns the paths of the values files of all inputs, and of the folders of charts. Throws UsageError. */
export function sharedPaths(settings: RenderSettings, cwd: string): InputPaths {
  const paths = new InputPaths();
  const values = [...settings.values.map((list) => list.split(',')), ...valueSetsOf(settings)].flat();
  for (const file of values) paths.addValues(resolve(cwd, file.trim()));
  for (const folder of settings.charts) paths.add(resolve(cwd, folder));
  return paths;
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
