// Compares drydock with Helm on generated input, and tests that no input crashes or blocks it.
// `npm run fuzz -- [--minutes N] [--count N] [--seed S] [--explore S] [--family F…] [--charts DIR…] [--write] [--alone] [--helm 4]`, in two processes.
// A new difference is minimized and printed as a row; `--write` adds it to fixtures/functions/found.yaml, which fails until it is fixed.
// `--alone` runs without Helm and looks for crashes, hangs and memory only. Findings of `--explore`, from its seed, are reported but fail
// nothing: CI tries new inputs every day.

import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readRowFiles, writeRowFile } from '../support/rows.ts';
import { families } from './families.ts';
import { type Family, type Finding, type Job, largeBytes } from './family.ts';
import type { Told } from './worker.ts';

const { values: flags } = parseArgs({
  options: {
    minutes: { type: 'string' },
    count: { type: 'string' },
    seed: { type: 'string' },
    explore: { type: 'string' },
    family: { type: 'string', multiple: true },
    charts: { type: 'string', multiple: true },
    processes: { type: 'string', default: '2' },
    write: { type: 'boolean', default: false },
    alone: { type: 'boolean', default: false },
    helm: { type: 'string', default: '3' },
    list: { type: 'boolean', default: false },
  },
});

/** The results of a family so far. */
interface Tally {
  readonly family: Family;
  /** Whether its findings fail the run. */
  readonly counts: boolean;
  readonly first: number;
  seed: number;
  jobs: number;
  inputs: number;
  refused: number;
  seconds: number;
  longestMs: number;
  findings: number;
}

const jobLimitMs = 300_000;
const seed = Number(flags.seed ?? Date.now() % 1_000_000_000);
const most = flags.count === undefined ? Number.POSITIVE_INFINITY : Number(flags.count);
const minutes =
  flags.minutes === undefined ? (flags.count === undefined ? 1 : Number.POSITIVE_INFINITY) : Number(flags.minutes);
// The fixed cost of a batch (a start of Helm, a second run) matters less in large ones; short runs include all families.
const times = minutes > 3 && most > 100_000 ? 4 : 1;
const end = Date.now() + minutes * 60_000;
const chosen = families.filter(({ name, share }) =>
  flags.family === undefined ? share > 0 : flags.family.includes(name),
);

function tally(family: Family, first: number, counts: boolean): Tally {
  return { family, counts, first, seed: first, jobs: 0, inputs: 0, refused: 0, seconds: 0, longestMs: 0, findings: 0 };
}

const tallies = [
  ...chosen.map((family) => tally(family, seed, true)),
  ...(flags.explore === undefined ? [] : chosen.map((family) => tally(family, Number(flags.explore), false))),
];
const findings: Finding[] = [];
let peakBytes = 0;
let drawn = 0;

/** A job and its family. */
interface Turn {
  readonly tally: Tally;
  readonly job: Job;
}

/** Returns the next job: of the family furthest behind its share. The order is the same on every machine. */
function nextTurn(): Turn | undefined {
  if (Date.now() >= end || drawn >= most) return undefined;
  const behind = ({ jobs, family }: Tally): number => (jobs + 1) / (family.share || 1);
  const least = tallies.reduce((first, each) => (behind(each) < behind(first) ? each : first));
  const count = Math.min(least.family.batch * times, most - drawn);
  const job = { family: least.family.name, seed: least.seed, count };
  least.seed += count;
  least.jobs++;
  drawn += count;
  return { tally: least, job };
}

function start(): ChildProcess {
  return fork(
    fileURLToPath(new URL('worker.ts', import.meta.url)),
    [JSON.stringify({ charts: flags.charts ?? [], alone: flags.alone, major: Number(flags.helm) })],
    {
      execArgv: ['--import', 'tsx', '--max-old-space-size=400'],
    },
  );
}

/** Returns the result of a job from a worker; undefined if the worker died or hung. */
function ask(worker: ChildProcess, job: Job): Promise<Told | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => worker.kill('SIGKILL'), job.count === 1 ? 30_000 : jobLimitMs);
    const finish = (reported?: Told): void => {
      clearTimeout(timer);
      worker.removeAllListeners();
      resolve(reported);
    };
    worker.once('message', (reported: Told) => finish(reported));
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

function note(tally: Tally, finding: Finding): void {
  findings.push(finding);
  tally.findings++;
  const { family, seed: own, kind, text, row } = finding;
  console.log(`\n${family}, seed ${own}, ${kind}:`);
  if (row === undefined) console.log(text);
  else for (const [name, value] of Object.entries(row)) console.log(`  ${name}: ${JSON.stringify(value)}`);
}

function take({ tally, job }: Turn, reported: Told): void {
  const { outcome, failure } = reported;
  peakBytes = Math.max(peakBytes, reported.peakBytes);
  if (failure !== undefined) note(tally, { family: job.family, seed: job.seed, kind: 'crashes', text: failure });
  tally.inputs += outcome?.inputs ?? job.count;
  tally.refused += outcome?.refused ?? 0;
  tally.longestMs = Math.max(tally.longestMs, outcome?.longestMs ?? 0);
  for (const finding of outcome?.findings ?? []) note(tally, finding);
}

async function runLane(): Promise<void> {
  let worker = await ready();
  const open: Turn[] = [];
  for (let turn = nextTurn(); turn !== undefined; turn = open.pop() ?? nextTurn()) {
    const { tally, job } = turn;
    const began = performance.now();
    const reported = await ask(worker, job);
    tally.seconds += (performance.now() - began) / 1000;
    if (reported !== undefined) {
      take(turn, reported);
      continue;
    }
    worker = await ready();
    const half = Math.floor(job.count / 2);
    const text = 'the process died of it, or never ended';
    if (half === 0) note(tally, { family: job.family, seed: job.seed, kind: 'hangs', text });
    else
      open.push(
        { tally, job: { ...job, count: half } },
        { tally, job: { ...job, seed: job.seed + half, count: job.count - half } },
      );
  }
  worker.disconnect();
}

function printTable(seconds: number): void {
  const columns = ['inputs', 'refused', 'a minute', 'longest', 'findings'].map((name) => name.padStart(10)).join('');
  console.log(`\n${'family'.padEnd(14)}${columns}  seeds`);
  for (const each of tallies.filter(({ inputs }) => inputs > 0)) {
    const rate = Math.round((each.inputs / each.seconds) * 60);
    const cells = [each.inputs, each.refused, rate, `${each.longestMs.toFixed()} ms`, each.findings];
    const line = cells.map((cell) => `${cell}`.padStart(10)).join('');
    console.log(`${each.family.name.padEnd(14)}${line}  ${each.first}..${each.seed - 1}`);
  }
  const total = tallies.reduce((sum, { inputs }) => sum + inputs, 0);
  const rate = `${Math.round((total / seconds) * 60)} a minute`;
  const memory = `largest process ${Math.round(peakBytes / 2 ** 20)} MB`;
  console.log(
    `fuzz: ${total} inputs${flags.alone ? ', Helm not asked,' : ''} in ${seconds.toFixed()} s (${rate}), ${memory}, ${findings.length} findings`,
  );
}

/** Adds new findings to fixtures/functions/found.yaml; returns their number. */
async function writeFindings(findings: readonly Finding[]): Promise<number> {
  const file = (await readRowFiles()).find(({ path }) => path === 'functions/found.yaml')!;
  const known = new Set(file.rows.map(({ template }) => template));
  const rows = findings.flatMap(({ row }) => (row === undefined || known.has(row.template) ? [] : [row]));
  const fresh = rows.map(({ template, want }) =>
    want.startsWith('Error: ') ? { template, error: want.slice('Error: '.length) } : { template, want },
  );
  if (fresh.length > 0) await writeRowFile({ ...file, rows: [...file.rows, ...fresh] });
  return fresh.length;
}

if (flags.list) {
  for (const { name, about } of families) console.log(`${name.padEnd(14)}${about}`);
} else {
  const began = performance.now();
  await Promise.all(Array.from({ length: Number(flags.processes) }, runLane));
  printTable((performance.now() - began) / 1000);
  if (peakBytes > largeBytes) console.log(`a process took more than ${largeBytes / 2 ** 20} MB`);
  if (flags.write) await writeFindings(findings);
  const isFailed = tallies.some(({ counts, findings: found }) => counts && found > 0);
  process.exitCode = isFailed || peakBytes > largeBytes ? 1 : 0;
}
