// What a thread of `drydock snapshot` runs: inputs, one after the other, as they are handed to it.

import { parentPort, workerData } from 'node:worker_threads';
import { readRule } from '../diffing/rules.ts';
import { flagsOfPlain } from '../made-flags.ts';
import { styleOf } from '../style.ts';
import { SnapshotCoverage } from './coverage.node.ts';
import { compareInput } from './input.node.ts';
import { keepingOf } from './keeping.node.ts';
import type { JobAnswer, JobQuestion, ThreadData } from './pool.node.ts';

const { flags: plain, cwd, env, isTerminal, refused, quiet } = workerData as ThreadData;
const flags = flagsOfPlain(plain);
let told = '';
const style = (stream: 'stdout' | 'stderr') => styleOf({ isTerminal: isTerminal[stream], refused }, env);
const io = {
  cwd,
  env,
  quiet,
  stdin: async () => '',
  stdout: () => {},
  stderr: (text: string) => {
    told += text;
  },
  out: style('stdout'),
  err: style('stderr'),
};
const run = {
  flags,
  io,
  coverage: new SnapshotCoverage(flags, io, false),
  rules: flags.list('ignore').map(readRule),
  keeping: keepingOf(flags, io),
};

async function answer({ at, job }: JobQuestion): Promise<JobAnswer> {
  told = '';
  try {
    return { at, outcome: await compareInput(job, run), told };
  } catch (error) {
    // Wrong usage, or a fault of drydock: the thread that asked tells it, as it would its own.
    const { name, message, stack } = error as Error;
    return { at, failure: { name, message, stack: stack ?? '' }, told };
  }
}

parentPort?.on('message', (question: JobQuestion) => {
  void answer(question).then((found) => parentPort?.postMessage(found));
});
