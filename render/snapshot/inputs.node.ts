// The inputs of `drydock snapshot`, and the names of their snapshots.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative, resolve, sep } from 'node:path';
import { UsageError } from '../core/usage-error.ts';
import { expandPatterns } from '../inputs/files.node.ts';

/** The inputs of a run. */
export interface SnapshotInputs {
  readonly inputs: readonly string[];
  /** Whether a pattern or a folder of charts was given, so that all inputs are known. */
  readonly isWhole: boolean;
}

/** Returns the inputs of arguments: a folder that is not a chart stands for the charts in it. Throws UsageError. */
export async function snapshotInputs(words: readonly string[], cwd: string): Promise<SnapshotInputs> {
  if (words.length === 0 || words.includes('-')) {
    throw new UsageError(
      '"drydock snapshot" takes files of Orders, chart folders or .tgz archives: their names name the snapshots',
    );
  }
  const found = await expandPatterns(words, cwd);
  const inputs = [...new Set(found.flatMap((input) => chartsIn(input, cwd)))];
  return { inputs, isWhole: inputs.some((input) => !words.includes(input)) };
}

function chartsIn(input: string, cwd: string): string[] {
  const folder = resolve(cwd, input);
  if (!existsSync(folder) || !statSync(folder).isDirectory() || existsSync(join(folder, 'Chart.yaml'))) return [input];
  const names = readdirSync(folder).filter((name) => isApplication(join(folder, name, 'Chart.yaml')));
  // A folder without charts is reported as a chart without a Chart.yaml.
  return names.length === 0 ? [input] : names.sort().map((name) => `${input.replace(/(?<![\\/])[\\/]+$/, '')}/${name}`);
}

// Library charts cannot be installed.
function isApplication(file: string): boolean {
  return existsSync(file) && !/^type:\s*["']?library\b/m.test(readFileSync(file, 'utf8'));
}

/**
 * Returns the name of each input's snapshot: `orders/shop.yaml` is shop, `charts/web/` is web, `web-1.2.0.tgz` is web-1.2.0; inputs with
 * the same name are named by their paths. Throws UsageError if two share that too.
 */
export function snapshotNames(inputs: readonly string[], cwd: string): ReadonlyMap<string, string> {
  const short = inputs.map(nameOf);
  const names = new Map<string, string>();
  inputs.forEach((input, i) => {
    const name = short[i]!;
    const isAlone = short.indexOf(name) === short.lastIndexOf(name);
    names.set(input, isAlone ? name : pathName(input, cwd));
  });
  const all = [...names.values()];
  const twice = all.find((name, index) => all.indexOf(name) !== index || name.startsWith('..'));
  if (twice !== undefined) {
    throw new UsageError(`two inputs are called ${basename(twice)}: give them different --snapshots in two runs`);
  }
  return names;
}

function nameOf(input: string): string {
  return withoutEnding(basename(resolve(input)));
}

function pathName(input: string, cwd: string): string {
  return withoutEnding(relative(cwd, resolve(cwd, input)).split(sep).join('/'));
}

function withoutEnding(path: string): string {
  return path.replace(/\.(ya?ml|json|tgz)$/, '') || 'snapshot';
}

/** Returns the snapshots in a folder with other names. */
export function orphans(folder: string, names: readonly string[]): string[] {
  const known = new Set(names.map((name) => `${name.split('/')[0]}${name.includes('/') ? '' : '.snap'}`));
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => name.endsWith('.snap') && !known.has(name));
}
