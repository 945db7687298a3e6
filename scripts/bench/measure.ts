// How the bench measures: processor time of whole processes, the programs in turn, in a bare environment.

import { execa } from 'execa';

/** Is what several runs of one thing took, in milliseconds of processor time (user and system). */
export interface Figure {
  readonly median: number;
  readonly least: number;
  readonly most: number;
  readonly runs: number;
}

/** A program and its arguments. */
export type CommandLine = readonly [program: string, ...args: string[]];

// NODE_EXTRA_CA_CERTS makes Node 20 read every certificate as it starts, which takes longer than a rendering.
const { PATH, HOME, TMPDIR, XDG_CACHE_HOME } = process.env;
const environment = { PATH, HOME, TMPDIR, XDG_CACHE_HOME, TZ: 'UTC', KUBECONFIG: '/dev/null' };

/** Gives the figure of several times. */
export function figureOf(times: readonly number[]): Figure {
  const sorted = [...times].sort((a, b) => a - b);
  const [least = 0] = sorted;
  return { median: sorted[sorted.length >> 1] ?? 0, least, most: sorted.at(-1) ?? 0, runs: sorted.length };
}

/** Runs each command line so many times, one after the other in turn, and gives the figures in their order. */
export async function measure(commands: readonly CommandLine[], runs: number): Promise<Figure[]> {
  const times = commands.map((): number[] => []);
  for (let run = 0; run < runs; run++) {
    for (const [i, command] of commands.entries()) times[i]?.push(await processorTime(command));
  }
  return times.map(figureOf);
}

/** Gives the processor time of one process and of what it starts, in milliseconds. */
async function processorTime(command: CommandLine): Promise<number> {
  // A shell tells what its children took; Node does not.
  const script = '"$@" >/dev/null 2>&1; times';
  const { stdout } = await execa('sh', ['-c', script, 'sh', ...command], { env: environment, extendEnv: false });
  const children = stdout.split('\n')[1] ?? '';
  let milliseconds = 0;
  for (const [, minutes = '0', seconds = '0'] of children.matchAll(/(\d+)m([\d.]+)s/g)) {
    milliseconds += (Number(minutes) * 60 + Number(seconds)) * 1000;
  }
  return milliseconds;
}
