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
  /** The next seed. */
  seed: number;
  jobs: number;
  inputs: number;
  rejected: number;
  longestMs: number;
}

const jobLimitMs = 300_000;
/** A process of this size is replaced after its job, so that the garbage of many jobs does not count as the memory of one. */
const restartBytes = 0.75 * largeBytes;
const seed = Number(flags.seed ?? Date.now() % 1_000_000_000);
const maxInputs = Number(flags.count ?? Number.POSITIVE_INFINITY);
const minutes = Number(flags.minutes ?? (flags.count === undefined ? 1 : Number.POSITIVE_INFINITY));
const end = Date.now() + minutes * 60_000;
const tallies = families
  .filter(({ name }) => flags.family === undefined || flags.family.includes(name))
  .map((family): Tally => ({ family, seed, jobs: 0, inputs: 0, rejected: 0, longestMs: 0 }));
const findings: Finding[] = [];
let peakBytes = 0;
let started = 0;

/** Returns a job of the family that is furthest behind its share. The order is the same on every machine. */
function nextJob(): { readonly tally: Tally; readonly job: Job } | undefined {
  if (Date.now() >= end || started >= maxInputs) return undefined;
  const behind = ({ jobs, family }: Tally): number => (jobs + 1) / family.share;
  const tally = tallies.reduce((first, each) => (behind(each) < behind(first) ? each : first));
  const count = Math.min(tally.family.batch, maxInputs - started);
  const job = { family: tally.family.name, seed: tally.seed, count };
  tally.seed += count;
  tally.jobs++;
  started += count;
  return { tally, job };
}

/** Returns the result of a job from a worker; undefined if the worker died or hung. */
function ask(worker: ChildProcess, job: Job): Promise<JobReport | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => worker.kill('SIGKILL'), jobLimitMs);
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

function addFinding(finding: Finding): void {
  findings.push(finding);
  const { family, seed: own, kind, text, row } = finding;
  console.log(`\n${family}, seed ${own}, ${kind}:`);
  if (row === undefined) console.log(text);
  else for (const [name, value] of Object.entries(row)) console.log(`  ${name}: ${JSON.stringify(value)}`);
}

async function runWorker(): Promise<void> {
  let worker = await startWorker();
  for (let next = nextJob(); next !== undefined; next = nextJob()) {
    const { tally, job } = next;
    const reported = await ask(worker, job);
    if (reported === undefined) {
      const text = `the process died or did not end: find the input with --family ${job.family} --seed N --count 1, up to seed ${tally.seed - 1}`;
      addFinding({ family: job.family, seed: job.seed, kind: 'hangs', text });
      worker = await startWorker();
      continue;
    }
    const { outcome, failure } = reported;
    peakBytes = Math.max(peakBytes, reported.peakBytes);
    if (failure !== undefined) addFinding({ family: job.family, seed: job.seed, kind: 'crashes', text: failure });
    tally.inputs += outcome?.inputs ?? 0;
    tally.rejected += outcome?.rejected ?? 0;
    tally.longestMs = Math.max(tally.longestMs, outcome?.longestMs ?? 0);
    for (const finding of outcome?.findings ?? []) addFinding(finding);
    if (reported.peakBytes < restartBytes) continue;
    worker.disconnect();
    worker = await startWorker();
  }
  worker.disconnect();
}

function printTable(seconds: number): void {
  for (const { family, inputs, rejected, longestMs, seed: last } of tallies.filter((each) => each.inputs > 0)) {
    const seeds = `seeds ${seed} to ${last - 1}`;
    console.log(`${family.name}: ${inputs} inputs, ${rejected} rejected, longest ${longestMs.toFixed()} ms, ${seeds}`);
  }
  const total = tallies.reduce((sum, { inputs }) => sum + inputs, 0);
  const memory = `largest process ${Math.round(peakBytes / 2 ** 20)} MB`;
  const how = flags.alone ? ' without Helm' : '';
  console.log(`fuzz: ${total} inputs${how} in ${seconds.toFixed()} s, ${memory}, ${findings.length} findings`);
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
