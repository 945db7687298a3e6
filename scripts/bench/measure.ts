// Measures the time of whole processes, run in turn, with a minimal environment.

import { basename, join } from 'node:path';
import { execa } from 'execa';
import type { ConformanceCase } from '../../test/conformance/charts.ts';
import { recordedHelms } from '../../test/support/rows.ts';
import type { Figure, Row } from './table.ts';

/** The programs to measure, and how often. */
export interface Bench {
  readonly helm: string;
  /** The path of the built command. */
  readonly drydock: string;
  readonly runs: number;
  /** The cases of the public charts, and the maximum number of them that `snapshot` compares. */
  readonly cases: readonly ConformanceCase[];
  readonly caseCount: number;
}

/** The time of one process, in milliseconds. */
export interface Spent {
  /** Of all processors, user and system. */
  readonly processor: number;
  readonly clock: number;
  readonly exitCode: number;
}

/** A program and its arguments. */
export type CommandLine = readonly [program: string, ...args: string[]];

// NODE_EXTRA_CA_CERTS makes Node 20 read every certificate on startup, which takes longer than a rendering.
const { PATH, HOME, TMPDIR, XDG_CACHE_HOME } = process.env;
/** The environment of measured processes. */
export const environment: NodeJS.ProcessEnv = {
  PATH,
  HOME,
  TMPDIR,
  XDG_CACHE_HOME,
  TZ: 'UTC',
  KUBECONFIG: '/dev/null',
};

/** Returns the figure for several times. */
export function figureOf(times: readonly number[]): Figure {
  const sorted = [...times].sort((a, b) => a - b);
  const [least = 0] = sorted;
  return { median: sorted[sorted.length >> 1] ?? 0, least, most: sorted.at(-1) ?? 0, runs: sorted.length };
}

/** Runs one process in a folder and returns its time, including that of its children. */
export async function runOnce(command: CommandLine, cwd = '.'): Promise<Spent> {
  // Node does not report the times of a child, and sh only in hundredths of a second; bash does in milliseconds. --norc: bash would take
  // Node's sockets for a remote login and read the user's startup files.
  const script = 'TIMEFORMAT="%3U %3S %3R"; { time "$@" >/dev/null 2>&1; } 2>&1; echo "$?"';
  const options = { cwd, env: environment, extendEnv: false };
  const { stdout } = await execa('bash', ['--norc', '-c', script, 'bash', ...command], options);
  const [user, system, clock, exitCode] = stdout.split(/\s+/).map(Number);
  if (user === undefined || system === undefined || clock === undefined || exitCode === undefined) {
    throw new Error(`bash did not report the time of ${command[0]}: ${stdout}`);
  }
  return { processor: (user + system) * 1000, clock: clock * 1000, exitCode };
}

/** Runs each command line `runs` times, alternately, and returns the figures in order. */
async function measure(commands: readonly CommandLine[], runs: number): Promise<Figure[]> {
  const spent = commands.map((): Spent[] => []);
  for (let run = 0; run < runs; run++) {
    for (const [i, command] of commands.entries()) spent[i]?.push(await runOnce(command));
  }
  return spent.map((all) => ({
    ...figureOf(all.map(({ processor }) => processor)),
    clock: figureOf(all.map(({ clock }) => clock)).median,
  }));
}

/** The goals for whole processes, as multiples of Helm's time. */
const wholeGoals: Readonly<Record<string, number>> = { web: 1.5, 'ingress-nginx': 1.5, 'kube-prometheus-stack': 1.4 };

/** Measures `drydock template` and `helm template` alternately. Missing charts are reported and skipped. */
export async function measureWhole({ helm, drydock, runs, cases }: Bench): Promise<Row[]> {
  const known = ['fixtures/charts/web', ...cases.map(({ chart }) => chart)];
  const rows: Row[] = [];
  for (const [name, goal] of Object.entries(wholeGoals)) {
    const chart = known.find((path) => basename(path) === name);
    const args = ['template', 'demo', join(chart ?? '')];
    if (chart === undefined || (await runOnce([helm, ...args])).exitCode !== 0) {
      console.log(`skipped: ${name}, which is in no folder of --charts, or does not render with Helm`);
      continue;
    }
    const own: CommandLine = [process.execPath, drydock, ...args, '--helm', recordedHelms[3]];
    // The first runs fill the compile cache.
    await measure([own], 6);
    const [other, figure] = await measure([[helm, ...args], own], runs);
    rows.push({ section: 'whole', what: `\`template\` of ${name}`, drydock: figure!, other: other!, goal });
  }
  return rows;
}
