// Measures processor time of whole processes, run in turn, with a minimal environment; shared by the benchmarks.

import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { type ConformanceCase, listCases } from '../../test/conformance/charts.ts';
import { cacheDirectory } from '../dev/tools/pinned-package.ts';

/** The command of the last `npm run build`. */
export const builtCommand: string = fileURLToPath(new URL('../../dist/drydock.cjs', import.meta.url));

/** Returns the cases of the public charts below folders. */
export function publicCases(folders: readonly string[]): Promise<ConformanceCase[]> {
  return listCases(
    folders.map((folder) => resolve(folder)),
    join(cacheDirectory, 'conformance'),
  );
}

/** The time of several runs: median, spread, and for whole processes the elapsed time. */
export interface Figure {
  readonly median: number;
  readonly least: number;
  readonly most: number;
  readonly runs: number;
  readonly clock?: number;
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

/** Runs each command line `runs` times, alternately, and returns the figures in order. */
export async function measure(commands: readonly CommandLine[], runs: number): Promise<Figure[]> {
  const spent = commands.map((): Spent[] => []);
  for (let run = 0; run < runs; run++) {
    for (const [i, command] of commands.entries()) spent[i]?.push(await runOnce(command));
  }
  return spent.map((all) => ({
    ...figureOf(all.map(({ processor }) => processor)),
    clock: figureOf(all.map(({ clock }) => clock)).median,
  }));
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
