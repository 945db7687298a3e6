// The program of a thread of `drydock snapshot`: processes inputs in sequence.

import { parentPort, workerData } from 'node:worker_threads';
import { readRule } from '../diffing/sides.node.ts';
import { flagsOfPlain } from '../made-flags.node.ts';
import { styleOf } from '../style.ts';
import { SnapshotCoverage } from './coverage.node.ts';
import type { InputJob } from './input.node.ts';
import { answerJob, type ThreadData } from './pool.node.ts';
import { openRunCache } from './run-cache.node.ts';

const { flags: plain, cwd, env, isTerminal, refused, quiet, base } = workerData as ThreadData;
const flags = flagsOfPlain(plain);
const style = (stream: 'stdout' | 'stderr') => styleOf({ isTerminal: isTerminal[stream], refused }, env);
const io = {
  cwd,
  env,
  // The main thread has loaded the configuration.
  program: { commands: [] },
  quiet,
  stdin: async () => '',
  stdout: () => {},
  stderr: () => {},
  out: style('stdout'),
  err: style('stderr'),
};
const run = {
  flags,
  io,
  coverage: new SnapshotCoverage(flags, io, false),
  rules: flags.list('ignore').map(readRule),
  cache: openRunCache(flags, io),
  base,
};

parentPort?.on('message', async ({ job }: { readonly job: InputJob }) => {
  parentPort?.postMessage({ type: 'done', answer: await answerJob(job, run) });
});
