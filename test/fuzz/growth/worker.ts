// A process that answers command lines one after the other and tells what each took; test/fuzz/growth/growth.ts starts it.

import { runInProcess } from '../../support/cli.ts';

/** A command line, and the folder in which it runs. */
export interface Asked {
  readonly args: readonly string[];
  readonly cwd: string;
}

/** What a command line took. */
export interface Took {
  /** Processor time in milliseconds. */
  readonly milliseconds: number;
  /** The most memory of the process until now, in bytes. */
  readonly peakBytes: number;
  readonly exitCode: number;
  readonly error: string;
}

async function run({ args, cwd }: Asked): Promise<Took> {
  const before = process.cpuUsage();
  const { exitCode, stderr } = await runInProcess(args, cwd).catch((error: Error) => ({
    exitCode: -1,
    stderr: error.stack ?? String(error),
  }));
  const { user, system } = process.cpuUsage(before);
  const peakBytes = process.resourceUsage().maxRSS * 1024;
  return { milliseconds: (user + system) / 1000, peakBytes, exitCode, error: stderr.slice(0, 2000) };
}

process.on('disconnect', () => process.exit());
process.on('message', (asked: Asked) => {
  void run(asked).then((took) => process.send?.(took));
});
process.send?.('ready');
