// Plans a run of `drydock snapshot`: its inputs with their cases and the names of their snapshots, after filters and sharding.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative, resolve, sep } from 'node:path';
import { listNames } from '../core/counted.ts';
import { expandPatterns } from '../core/paths.node.ts';
import { UsageError } from '../core/usage-error.ts';
import { globTest } from '../diff/noise.ts';
import { casesOf } from '../inputs/cases.node.ts';
import { settingsForChart } from '../inputs/chart-settings.node.ts';
import { isChartInput } from '../inputs/files.node.ts';
import { decidingText } from './cache.node.ts';
import { changedInputs } from './changed.node.ts';
import type { SnapshotContext } from './compare-rendering.node.ts';
import type { BaseRevision, InputJob } from './input.node.ts';
import type { Shard, ShardMark } from './report.ts';

export interface SnapshotPlan {
  readonly jobs: readonly InputJob[];
  /** The names of the snapshots of all inputs, rendered or not. */
  readonly names: readonly string[];
  /** Whether all inputs were given, so that obsolete snapshots are known. */
  readonly isWhole: boolean;
  readonly shard: ShardMark | undefined;
}

export interface InputSelection {
  /** Orders, charts, folders of charts, and patterns. */
  readonly inputs: readonly string[];
  /** Texts and patterns for names of cases. Empty: all cases. */
  readonly filters: readonly string[];
  /** Only what can differ from this git revision. Default: everything. */
  readonly changedSince?: string | undefined;
  /** The configuration file, which decides about all inputs. Default none. */
  readonly config?: string | undefined;
  readonly shard?: Shard | undefined;
  readonly base?: BaseRevision | undefined;
}

/** Selects the cases of a run. Throws UsageError. */
export async function planRun(selection: InputSelection, context: SnapshotContext): Promise<SnapshotPlan> {
  const { changedSince, shard, base } = selection;
  const { settings, comparison, io } = context;
  const { inputs: current, isWhole } = await snapshotInputs(selection.inputs, io.cwd);
  const former = base === undefined ? [] : await inputsOfBase(base);
  // A pattern matches existing inputs; a path names the same input on both sides.
  const present =
    former.length === 0
      ? current
      : current.filter((input) => existsSync(resolve(io.cwd, input)) || !former.includes(input));
  const gone = former.filter((input) => !present.includes(input));
  const inputs = [...present, ...gone];
  const names = snapshotNames(inputs, io.cwd);
  const wanted =
    changedSince === undefined
      ? inputs
      : await changedInputs(inputs, names, { ...context, since: changedSince, config: selection.config });
  const sidesOf = (input: string): InputJob['sides'] => {
    if (base === undefined) return undefined;
    return gone.includes(input) ? 'gone' : former.includes(input) ? 'both' : 'new';
  };
  const filters = selection.filters.map(filterTest);
  const fits = (input: string, name: string): boolean => {
    const words = [`${names.get(input)}/${name}`, names.get(input)!, input];
    return filters.length === 0 || filters.some((test) => words.some(test));
  };
  const all = wanted.flatMap((input) => {
    const name = names.get(input)!;
    const own = gone.includes(input) ? [] : unitsOf(input, name, context);
    if (base === undefined || !former.includes(input)) return own;
    const theirs = unitsOf(input, name, {
      settings: base.settings,
      comparison,
      io: { ...io, cwd: base.cwd },
    });
    return [...own, ...theirs.filter((unit) => own.every((other) => other.name !== unit.name))];
  });
  const units = all.filter(({ input, name }) => fits(input, name));
  if (filters.length > 0 && units.length === 0) {
    const caseNames = all.map(({ input, name }) => `${names.get(input)}/${name}`);
    throw new UsageError(
      `--filter ${selection.filters.join(', ')} matches no case; there are ${listNames(caseNames, 5)}`,
    );
  }
  const own = shard === undefined ? units : (shardsOf(units, shard.total)[shard.index - 1] ?? []);
  const isSubset = own.length < all.length;
  const jobs = wanted.flatMap((input): InputJob[] => {
    const cases = own.filter((unit) => unit.input === input).map(({ name }) => name);
    if (cases.length === 0) return [];
    const sides = sidesOf(input);
    return [{ input, name: names.get(input)!, ...(isSubset ? { cases } : {}), ...(sides && { sides }) }];
  });
  return {
    jobs,
    names: present.map((input) => names.get(input)!),
    isWhole:
      isWhole && changedSince === undefined && filters.length === 0 && (shard === undefined || shard.index === 1),
    shard: shard && {
      ...shard,
      plan: planDigest(units, shard.total, [decidingText(settings, io), ...comparing(context), base?.commit ?? '']),
      order: units.map(({ input, name }) => [names.get(input)!, name] as const),
    },
  };
}

// A revision in which a pattern matches nothing has no inputs.
async function inputsOfBase(base: BaseRevision): Promise<readonly string[]> {
  const found: string[] = [];
  for (const word of base.inputs) {
    try {
      found.push(...(await snapshotInputs([word], base.cwd)).inputs);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
    }
  }
  return [...new Set(found)].filter((input) => existsSync(resolve(base.cwd, input)));
}

// `*` stands for any characters; without one, a part of the name is enough.
function filterTest(word: string): (text: string) => boolean {
  return (text) => (word.includes('*') ? globTest(word, text) : text.includes(word));
}

function unitsOf(input: string, name: string, { settings, comparison, io }: SnapshotContext): Unit[] {
  const { values } = settingsForChart(settings, input, io.cwd);
  const path = resolve(io.cwd, input);
  const folder = resolve(io.cwd, comparison.snapshots);
  const durations = readDurations(join(folder, 'durations.json'));
  const cases = isChartInput(input, io.cwd) ? casesOf(path, values).map((item) => item.name) : ['order'];
  return cases.map((item) => {
    const file = join(folder, `${name}.snap`, item === 'order' ? 'manifest.yaml' : `${item}.yaml`);
    // The duration of a new case is estimated from the size of its output.
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 1000;
    return { input, name: item, weight: durations[`${name}/${item}`] ?? Math.max(1, Math.round(size / 1000)) };
  });
}

function readDurations(file: string): Readonly<Record<string, number>> {
  if (!existsSync(file)) return {};
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const durations = Object.entries((value ?? {}) as Readonly<Record<string, unknown>>);
    return Object.fromEntries(
      durations.filter((entry): entry is [string, number] => typeof entry[1] === 'number' && entry[1] > 0),
    );
  } catch {
    throw new UsageError(`${file} is not valid JSON: renew it with drydock merge-reports --durations ${file}`);
  }
}

// The shards of a run agree on all work and its distribution.
function planDigest(units: readonly Unit[], total: number, flags: readonly string[]): string {
  const lines = shardsOf(units, total).map((shard) => shard.map(({ input, name }) => `${input}\n${name}`).join('\n'));
  return createHash('sha256')
    .update([...lines, ...flags].join('\n\n'))
    .digest('hex')
    .slice(0, 16);
}

// What affects the comparison and is not part of the text that decides a rendering. Places and parallelism can differ.
function comparing({ settings, comparison }: SnapshotContext): string[] {
  const { values, withApiVersions, withValues, forCharts } = settings;
  const { snapshots: _, explainsFailures: __, listsRandom: ___, ...compared } = comparison;
  return [values, withApiVersions, withValues, forCharts, compared].map((part) => JSON.stringify(part));
}

export interface SnapshotInputs {
  readonly inputs: readonly string[];
  /** Whether a pattern or a folder of charts was given, so that all inputs are known. */
  readonly isWhole: boolean;
}

/** Returns the inputs of arguments: a folder that is not a chart stands for the charts in it. Throws UsageError. */
async function snapshotInputs(words: readonly string[], cwd: string): Promise<SnapshotInputs> {
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

/** Reports whether a chart can be installed: a library cannot. */
export function isApplication(file: string): boolean {
  return existsSync(file) && !/^type:\s*["']?library\b/m.test(readFileSync(file, 'utf8'));
}

/**
 * Returns the name of each input's snapshot: `orders/shop.yaml` is shop, `charts/web/` is web, `web-1.2.0.tgz` is web-1.2.0; inputs with
 * the same name are named by their paths. Throws UsageError if two share that too.
 */
function snapshotNames(inputs: readonly string[], cwd: string): ReadonlyMap<string, string> {
  const short = inputs.map((input) => withoutEnding(basename(resolve(cwd, input))));
  const names = new Map<string, string>();
  inputs.forEach((input, i) => {
    const name = short[i]!;
    const isAlone = short.indexOf(name) === short.lastIndexOf(name);
    names.set(input, isAlone ? name : withoutEnding(relative(cwd, resolve(cwd, input)).split(sep).join('/')));
  });
  const all = [...names.values()];
  const twice = all.find((name, index) => all.indexOf(name) !== index || name.startsWith('..'));
  if (twice !== undefined) {
    throw new UsageError(`two inputs are called ${basename(twice)}: give them different --snapshots in two runs`);
  }
  return names;
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

interface Unit {
  readonly input: string;
  readonly name: string;
  /** Its duration, in any unit. */
  readonly weight: number;
}

/** Distributes units to shards: the largest first, each to the smallest shard. Deterministic. */
function shardsOf(units: readonly Unit[], total: number): readonly (readonly Unit[])[] {
  const shards = Array.from({ length: total }, () => ({ weight: 0, units: [] as Unit[] }));
  const keyOf = ({ input, name }: Unit): string => `${input}\n${name}`;
  const sorted = [...units].sort((a, b) => b.weight - a.weight || (keyOf(a) < keyOf(b) ? -1 : 1));
  for (const unit of sorted) {
    const least = shards.reduce((best, shard) => (shard.weight < best.weight ? shard : best));
    least.weight += unit.weight;
    least.units.push(unit);
  }
  return shards.map((shard) => shard.units);
}
