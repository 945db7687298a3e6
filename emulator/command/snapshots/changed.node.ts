// Which inputs may render otherwise than at a revision of git, by what they are made of.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { parseYaml } from '../../../render/codec/yaml/parse.ts';
import { GoError } from '../../../render/go/value.ts';
import { member, textMember } from '../../../render/manifest/objects.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import { isChartInput } from '../rendering/traced-input.node.ts';
import { readCaseWords } from './case-words.ts';
import { valueSetsOf } from './cells.node.ts';

interface ChangedOptions {
  readonly flags: ParsedFlags;
  readonly cwd: string;
}

// What all inputs are rendered by: what is configured, and which drydock it is.
const configures =
  /(?:^|[\\/])(?:drydock\.config\.\w+|package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?)$/;

/**
 * Gives the inputs that something changed for since a revision (default HEAD), in commits or in the work tree: their own
 * files, charts that they depend on by `file://`, values files, objects for `lookup` that these name, their snapshots. A
 * submodule is changed as a whole. Throws UsageError.
 */
export function changedInputs(
  inputs: readonly string[],
  names: ReadonlyMap<string, string>,
  { flags, cwd }: ChangedOptions,
): string[] {
  const files = changedFiles(flags.text('changed') || 'HEAD', cwd);
  // Git names a submodule by its folder, and a link by its own name.
  const isBelow = (path: string): boolean =>
    [path, real(path)].some((folder) =>
      files.some((file) => isWithin(file, folder) || (isWithin(folder, file) && isFolder(file))),
    );
  const config = flags.text('config');
  if (files.some((file) => configures.test(file)) || (config !== undefined && isBelow(resolve(cwd, config)))) {
    return [...inputs];
  }
  const shared = [...valuesAndClusters(flags, cwd), ...flags.list('charts').map((path) => resolve(cwd, path))];
  if (shared.some(isBelow)) return [...inputs];
  const isInChart = files.some(isOfChart);
  return inputs.filter((input) => {
    const path = resolve(cwd, input);
    const snapshot = resolve(cwd, flags.text('snapshots') || 'snapshots', `${names.get(input)}.snap`);
    if (isBelow(path) || isBelow(snapshot)) return true;
    // An Order names charts by words; whichever of them changed may be one of its.
    return isChartInput(input, cwd) ? [...dependencies(real(path))].some(isBelow) : isInChart;
  });
}

// Values files that all cases are made of, and the files of objects that they name.
function valuesAndClusters(flags: ParsedFlags, cwd: string): string[] {
  const lists = [...flags.list('values').map((list) => list.split(',')), ...valueSetsOf(flags)];
  const files = lists.flat().map((path) => resolve(cwd, path));
  const named = files.filter((file) => existsSync(file) && !isFolder(file)).flatMap((file) => clustersOf(file));
  return [...files, ...named];
}

function clustersOf(file: string): string[] {
  return readCaseWords(readFileSync(file, 'utf8'), file).cluster.map((name) => resolve(dirname(file), name));
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder + sep);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function real(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

function changedFiles(since: string, cwd: string): string[] {
  const git = (...args: string[]): string[] => {
    try {
      const text = execFileSync('git', args, {
        cwd,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
        maxBuffer: 1 << 28,
      });
      return text.split(/[\0\n]/).filter((name) => name !== '');
    } catch (error) {
      const { code, stderr = '' } = error as { readonly code?: string; readonly stderr?: string };
      const reason =
        code === 'ENOENT'
          ? 'git is not on the PATH'
          : stderr
              .trim()
              .split('\n')[0]
              ?.replace(/^fatal: /, '');
      throw new UsageError(`--changed ${since}: ${reason || 'git knows no such revision'}`, shallowMend(cwd));
    }
  };
  if (since.startsWith('-')) throw new UsageError(`--changed takes a revision of git, not "${since}"`);
  const [top = cwd] = git('rev-parse', '--show-toplevel');
  const root = real(resolve(top));
  const how = ['--name-only', '--no-renames', '--ignore-submodules=none', '-z'];
  const changed = git('-C', root, 'diff', ...how, since, '--');
  const added = git('-C', root, 'ls-files', '--others', '--exclude-standard', '-z');
  return [...changed, ...added].map((name) => resolve(root, name));
}

// A CI often clones one commit alone, which knows no other.
function shallowMend(cwd: string): string | undefined {
  const asked = spawnSync('git', ['rev-parse', '--is-shallow-repository'], { cwd, encoding: 'utf8' });
  if (asked.stdout?.trim() !== 'true') return undefined;
  return 'This clone is shallow: fetch the revision too (`fetch-depth: 0` of actions/checkout, `GIT_DEPTH: 0` of GitLab, `git fetch --unshallow`).';
}

// Also where the chart is gone as a whole, or lies in an archive.
function isOfChart(file: string): boolean {
  return /(?:^|[\\/])Chart\.ya?ml$|\.(?:tgz|tar\.gz)$/.test(file) || isFolder(file) || chartAbove(file);
}

function chartAbove(file: string): boolean {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, 'Chart.yaml'))) return true;
  }
  return false;
}

// Folders of charts that a chart names by `file://`, and theirs.
function dependencies(chart: string, seen = new Set<string>()): ReadonlySet<string> {
  const file = join(chart, 'Chart.yaml');
  if (!existsSync(file)) return seen;
  for (const path of localDependencies(readFileSync(file, 'utf8'))) {
    const folder = real(resolve(chart, path));
    if (seen.has(folder)) continue;
    seen.add(folder);
    dependencies(folder, seen);
  }
  return seen;
}

function localDependencies(text: string): string[] {
  try {
    const listed = member(parseYaml(text), 'dependencies');
    if (!Array.isArray(listed)) return [];
    return listed.flatMap((one) => /^file:\/\/(.+)$/.exec(textMember(one, 'repository'))?.[1] ?? []);
  } catch (error) {
    if (error instanceof GoError) return [];
    throw error;
  }
}
