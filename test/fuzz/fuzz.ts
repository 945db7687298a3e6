// Compares drydock with Helm on generated inputs and tests that no input crashes or blocks it.
// `npm run fuzz -- [--minutes N] [--count N] [--seed S] [--family F…] [--charts DIR…] [--write] [--alone] [--helm 4]`
// New differences are minimized and printed as rows; `--write` adds them to fixtures/functions/found.yaml, whose test fails until they are fixed.
// `--alone` does not run Helm and only looks for crashes, hangs and memory use.

import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readRowFiles, writeRowFile } from '../support/rows.ts';
import { families } from './families.ts';
import { type Family, type Finding, type Job, largeBytes } from './family.ts';
import type { JobReport } from './worker.ts';

const { values: flags } = parseArgs({
  options: {
    minutes: { type: 'string' },
    count: { type: 'string' },
    seed: { type: 'string' },
    family: { type: 'string', multiple: true },
    charts: { type: 'string', multiple: true },
    write: { type: 'boolean', default: false },
    alone: { type: 'boolean', default: false },
    helm: { type: 'string', default: '3' },
    list: { type: 'boolean', default: false },
  },
});

/** The results of a family so far. */
interface Tally {
  readonly family: Family;
  seed: number;
  jobs: number;
  inputs: number;
  rejected: number;
  seconds: number;
  longestMs: number;
  findings: number;
}

const jobLimitMs = 300_000;
const seed = Number(flags.seed ?? Date.now() % 1_000_000_000);
const maxInputs = flags.count === undefined ? Number.POSITIVE_INFINITY : Number(flags.count);
const minutes =
  flags.minutes === undefined ? (flags.count === undefined ? 1 : Number.POSITIVE_INFINITY) : Number(flags.minutes);
const end = Date.now() + minutes * 60_000;
const chosen = families.filter(({ name, share }) =>
  flags.family === undefined ? share > 0 : flags.family.includes(name),
);

const tallies = chosen.map(
  (family): Tally => ({ family, seed, jobs: 0, inputs: 0, rejected: 0, seconds: 0, longestMs: 0, findings: 0 }),
);
const findings: Finding[] = [];
let peakBytes = 0;
let started = 0;

/** A job and its family. */
interface Assignment {
  readonly tally: Tally;
  readonly job: Job;
}

/** Returns the next job, of the family that is furthest behind its share. The order is the same on every machine. */
function nextAssignment(): Assignment | undefined {
  if (Date.now() >= end || started >= maxInputs) return undefined;
  const behind = ({ jobs, family }: Tally): number => (jobs + 1) / (family.share || 1);
  const least = tallies.reduce((first, each) => (behind(each) < behind(first) ? each : first));
  const count = Math.min(least.family.batch, maxInputs - started);
  const job = { family: least.family.name, seed: least.seed, count };
  least.seed += count;
  least.jobs++;
  started += count;
  return { tally: least, job };
}

/** Returns the result of a job from a worker; undefined if the worker died or hung. */
function ask(worker: ChildProcess, job: Job): Promise<JobReport | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => worker.kill('SIGKILL'), job.count === 1 ? 30_000 : jobLimitMs);
    const finish = (reported?: JobReport): void => {
      clearTimeout(timer);
      worker.removeAllListeners();
      resolve(reported);
    };
    worker.once('message', (reported: JobReport) => finish(reported));
    worker.once('exit', () => finish());
    worker.send(job);
  });
}

async function startWorker(): Promise<ChildProcess> {
  const settings = { charts: flags.charts ?? [], alone: flags.alone, major: Number(flags.helm) };
  const worker = fork(fileURLToPath(new URL('worker.ts', import.meta.url)), [JSON.stringify(settings)], {
    execArgv: ['--import', 'tsx', '--max-old-space-size=400'],
  });
  await new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve());
    worker.once('exit', () => reject(new Error('the worker did not start')));
  });
  worker.removeAllListeners();
  return worker;
}

function addFinding(tally: Tally, finding: Finding): void {
  findings.push(finding);
  tally.findings++;
  const { family, seed: own, kind, text, row } = finding;
  console.log(`\n${family}, seed ${own}, ${kind}:`);
  if (row === undefined) console.log(text);
  else for (const [name, value] of Object.entries(row)) console.log(`  ${name}: ${JSON.stringify(value)}`);
}

function addReport({ tally, job }: Assignment, reported: JobReport): void {
  const { outcome, failure } = reported;
  peakBytes = Math.max(peakBytes, reported.peakBytes);
  if (failure !== undefined) addFinding(tally, { family: job.family, seed: job.seed, kind: 'crashes', text: failure });
  tally.inputs += outcome?.inputs ?? job.count;
  tally.rejected += outcome?.rejected ?? 0;
  tally.longestMs = Math.max(tally.longestMs, outcome?.longestMs ?? 0);
  for (const finding of outcome?.findings ?? []) addFinding(tally, finding);
}

async function runWorker(): Promise<void> {
  let worker = await startWorker();
  const open: Assignment[] = [];
  for (let next = nextAssignment(); next !== undefined; next = open.pop() ?? nextAssignment()) {
    const { tally, job } = next;
    const began = performance.now();
    const reported = await ask(worker, job);
    tally.seconds += (performance.now() - began) / 1000;
    if (reported !== undefined) {
      addReport(next, reported);
      continue;
    }
    worker = await startWorker();
    const half = Math.floor(job.count / 2);
    const text = 'the process died or did not end';
    if (half === 0) addFinding(tally, { family: job.family, seed: job.seed, kind: 'hangs', text });
    else
      open.push(
        { tally, job: { ...job, count: half } },
        { tally, job: { ...job, seed: job.seed + half, count: job.count - half } },
      );
  }
  worker.disconnect();
}

function printTable(seconds: number): void {
  const columns = ['inputs', 'rejected', 'per min', 'longest', 'findings'].map((name) => name.padStart(10)).join('');
  console.log(`\n${'family'.padEnd(14)}${columns}  seeds`);
  for (const each of tallies.filter(({ inputs }) => inputs > 0)) {
    const rate = Math.round((each.inputs / each.seconds) * 60);
    const cells = [each.inputs, each.rejected, rate, `${each.longestMs.toFixed()} ms`, each.findings];
    const line = cells.map((cell) => `${cell}`.padStart(10)).join('');
    console.log(`${each.family.name.padEnd(14)}${line}  ${seed}..${each.seed - 1}`);
  }
  const total = tallies.reduce((sum, { inputs }) => sum + inputs, 0);
  const rate = `${Math.round((total / seconds) * 60)} per minute`;
  const memory = `largest process ${Math.round(peakBytes / 2 ** 20)} MB`;
  console.log(
    `fuzz: ${total} inputs${flags.alone ? ' without Helm' : ''} in ${seconds.toFixed()} s (${rate}), ${memory}, ${findings.length} findings`,
  );
}

/** Adds new findings to fixtures/functions/found.yaml. */
async function writeFindings(): Promise<void> {
  const file = (await readRowFiles()).find(({ path }) => path === 'functions/found.yaml')!;
  const known = new Set(file.rows.map(({ template }) => template));
  const rows = findings.flatMap(({ row }) => (row === undefined || known.has(row.template) ? [] : [row]));
  const added = rows.map(({ template, want }) =>
    want.startsWith('Error: ') ? { template, error: want.slice('Error: '.length) } : { template, want },
  );
  if (added.length > 0) await writeRowFile({ ...file, rows: [...file.rows, ...added] });
}

if (flags.list) {
  for (const { name, about } of families) console.log(`${name.padEnd(14)}${about}`);
} else {
  const began = performance.now();
  await Promise.all([runWorker(), runWorker()]);
  printTable((performance.now() - began) / 1000);
  if (peakBytes > largeBytes) console.log(`a process used more than ${largeBytes / 2 ** 20} MB`);
  if (flags.write) await writeFindings();
  process.exitCode = findings.length > 0 || peakBytes > largeBytes ? 1 : 0;
}
