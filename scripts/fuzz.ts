// Proof: what is generated is answered as Helm answers it, and nothing that is generated stops us.
// `npm run fuzz -- [--minutes N | --count N] [--seed S] [--family F…] [--charts DIR…] [--write]`, in two processes.
// A new difference is made small and printed as a row; `--write` adds it to fixtures/functions/found.yaml, which fails until it is mended.

import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { families } from './fuzz/families.ts';
import type { Family, Finding, Job } from './fuzz/family.ts';
import { writeFindings } from './fuzz/findings.ts';
import type { Told } from './fuzz/worker.ts';

const { values: flags } = parseArgs({
  options: {
    minutes: { type: 'string' },
    count: { type: 'string' },
    seed: { type: 'string' },
    family: { type: 'string', multiple: true },
    charts: { type: 'string', multiple: true },
    processes: { type: 'string', default: '2' },
    write: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
});

/** Is what is known of a family until now. */
interface Tally {
  readonly family: Family;
  seed: number;
  inputs: number;
  refused: number;
  seconds: number;
  longestMs: number;
  findings: number;
}

const jobLimitMs = 300_000;
const first = Number(flags.seed ?? Date.now() % 1_000_000_000);
const most = flags.count === undefined ? Number.POSITIVE_INFINITY : Number(flags.count);
const minutes =
  flags.minutes === undefined ? (flags.count === undefined ? 1 : Number.POSITIVE_INFINITY) : Number(flags.minutes);
const end = Date.now() + minutes * 60_000;
const chosen = families.filter(({ name, share }) =>
  flags.family === undefined ? share > 0 : flags.family.includes(name),
);
const tallies = chosen.map(
  (family): Tally => ({ family, seed: first, inputs: 0, refused: 0, seconds: 0, longestMs: 0, findings: 0 }),
);
const findings: Finding[] = [];
let peakBytes = 0;
let drawn = 0;

/** Gives the next job: of the family that is most behind its share of the time. */
function nextJob(): Job | undefined {
  if (Date.now() >= end || drawn >= most) return undefined;
  const tally = tallies.reduce((least, each) =>
    each.seconds / (each.family.share || 1) < least.seconds / (least.family.share || 1) ? each : least,
  );
  const count = Math.min(tally.family.batch, most - drawn);
  const job = { family: tally.family.name, seed: tally.seed, count };
  tally.seed += count;
  drawn += count;
  // Taken as spent until it is known, so that two processes do not take one family at the start.
  tally.seconds += 0.01;
  return job;
}

function start(): ChildProcess {
  return fork(fileURLToPath(new URL('fuzz/worker.ts', import.meta.url)), [JSON.stringify(flags.charts ?? [])], {
    execArgv: ['--import', 'tsx', '--max-old-space-size=1024'],
  });
}

/** Gives what a worker tells of a job; undefined when it died of it, or never ended. */
function ask(worker: ChildProcess, job: Job): Promise<Told | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => worker.kill('SIGKILL'), job.count === 1 ? 30_000 : jobLimitMs);
    const finish = (told?: Told): void => {
      clearTimeout(timer);
      worker.removeAllListeners();
      resolve(told);
    };
    worker.once('message', (told: Told) => finish(told));
    worker.once('exit', () => finish());
    worker.send(job);
  });
}

async function ready(): Promise<ChildProcess> {
  const worker = start();
  await new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve());
    worker.once('exit', () => reject(new Error('the worker does not start')));
  });
  worker.removeAllListeners();
  return worker;
}

function note(finding: Finding): void {
  findings.push(finding);
  const { family, seed, kind, text, row } = finding;
  console.log(`\n${family}, seed ${seed}, ${kind}:`);
  if (row === undefined) console.log(text);
  else for (const [name, value] of Object.entries(row)) console.log(`  ${name}: ${JSON.stringify(value)}`);
}

async function runLane(): Promise<void> {
  let worker = await ready();
  const open: Job[] = [];
  for (let job = nextJob(); job !== undefined; job = open.pop() ?? nextJob()) {
    const tally = tallies.find(({ family }) => family.name === job.family) as Tally;
    const began = performance.now();
    const told = await ask(worker, job);
    tally.seconds += (performance.now() - began) / 1000;
    if (told === undefined) {
      worker = await ready();
      const half = Math.floor(job.count / 2);
      if (half === 0)
        note({ family: job.family, seed: job.seed, kind: 'hangs', text: 'the process died of it, or never ended' });
      else open.push({ ...job, count: half }, { ...job, seed: job.seed + half, count: job.count - half });
      continue;
    }
    peakBytes = Math.max(peakBytes, told.peakBytes);
    if (told.failure !== undefined) note({ family: job.family, seed: job.seed, kind: 'crashes', text: told.failure });
    tally.inputs += told.outcome?.inputs ?? job.count;
    tally.refused += told.outcome?.refused ?? 0;
    tally.longestMs = Math.max(tally.longestMs, told.outcome?.longestMs ?? 0);
    for (const finding of told.outcome?.findings ?? []) {
      tally.findings++;
      note(finding);
    }
  }
  worker.disconnect();
}

if (flags.list) {
  for (const { name, about } of families) console.log(`${name.padEnd(14)}${about}`);
} else {
  const began = performance.now();
  await Promise.all(Array.from({ length: Number(flags.processes) }, runLane));
  const seconds = (performance.now() - began) / 1000;
  const total = tallies.reduce((sum, { inputs }) => sum + inputs, 0);
  console.log(
    `\n${'family'.padEnd(14)}${'inputs'.padStart(9)}${'refused'.padStart(9)}${'a minute'.padStart(10)}${'longest'.padStart(10)}  findings  seeds`,
  );
  for (const { family, inputs, refused, seconds: own, longestMs, findings: found, seed } of tallies) {
    if (inputs === 0) continue;
    const rate = Math.round((inputs / own) * 60);
    const cells = [
      `${inputs}`.padStart(9),
      `${refused}`.padStart(9),
      `${rate}`.padStart(10),
      `${longestMs.toFixed()} ms`.padStart(10),
      `${found}`.padStart(10),
    ];
    console.log(`${family.name.padEnd(14)}${cells.join('')}  ${first}..${seed - 1}`);
  }
  const rate = Math.round((total / seconds) * 60);
  console.log(
    `fuzz: ${total} inputs in ${seconds.toFixed()} s (${rate} a minute), seed ${first}, largest process ${Math.round(peakBytes / 2 ** 20)} MB, ${findings.length} findings`,
  );
  if (flags.write) await writeFindings(findings);
  process.exitCode = findings.length === 0 ? 0 : 1;
}
