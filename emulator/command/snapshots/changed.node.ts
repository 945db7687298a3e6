// Which inputs may render otherwise than at a revision of git, by what they are made of.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { parseYaml } from '../../../render/codec/yaml/parse.ts';
import { GoError } from '../../../render/go/value.ts';
import { member, textMember } from '../../../render/manifest/objects.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import { isChartInput } from '../rendering/traced-input.node.ts';
import { valueSetsOf } from './cells.node.ts';

interface ChangedOptions {
  readonly flags: ParsedFlags;
  readonly cwd: string;
}

/**
 * Gives the inputs that something changed for since a revision (default HEAD), in commits or in the work tree: their own
 * files, charts that they depend on by `file://`, values files, their snapshots. Throws UsageError.
 */
export function changedInputs(
  inputs: readonly string[],
  names: ReadonlyMap<string, string>,
  { flags, cwd }: ChangedOptions,
): string[] {
  const files = changedFiles(flags.text('changed') || 'HEAD', cwd);
  const isBelow = (folder: string): boolean => files.some((file) => file === folder || file.startsWith(folder + sep));
  const isConfig = (file: string): boolean => /(?:^|[\\/])(?:drydock\.config\.\w+|package-lock\.json)$/.test(file);
  // What all inputs are rendered with.
  if (files.some(isConfig)) return [...inputs];
  const values = [...flags.list('values').flatMap((list) => list.split(',')), ...valueSetsOf(flags).flat()];
  const shared = [...values, ...flags.list('charts')];
  if (shared.some((path) => isBelow(real(resolve(cwd, path))))) return [...inputs];
  const isInChart = files.some((file) => chartAbove(file));
  return inputs.filter((input) => {
    const path = real(resolve(cwd, input));
    const snapshot = real(resolve(cwd, flags.text('snapshots') || 'snapshots', `${names.get(input)}.snap`));
    if (isBelow(path) || isBelow(snapshot)) return true;
    // An Order names charts by words; whichever of them changed may be one of its.
    return isChartInput(input, cwd) ? [...dependencies(path)].some(isBelow) : isInChart;
  });
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
      throw new UsageError(`--changed ${since}: ${reason || 'git knows no such revision'}`);
    }
  };
  if (since.startsWith('-')) throw new UsageError(`--changed takes a revision of git, not "${since}"`);
  const [top = cwd] = git('rev-parse', '--show-toplevel');
  const root = real(resolve(top));
  const changed = git('-C', root, 'diff', '--name-only', '--no-renames', '-z', since, '--');
  const added = git('-C', root, 'ls-files', '--others', '--exclude-standard', '-z');
  return [...changed, ...added].map((name) => resolve(root, name));
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
