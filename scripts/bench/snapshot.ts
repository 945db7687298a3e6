// Compares `drydock snapshot` on many cases of public charts with `helm template` run for each by `xargs -P2`: with an empty and
// a filled cache, on one core and on two, with peak memory.
// `npm run bench -- snapshot --charts DIR… [--cases N] [--runs N]`; `--dist FILE` uses another drydock.cjs than that of the build.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type ConformanceCase, listCases } from '../../test/conformance/charts.ts';
import { recordedHelms } from '../../test/support/rows.ts';
import { helmBinary } from '../dev/tools/helm-binary.ts';
import { cacheDirectory } from '../dev/tools/pinned-package.ts';
import { figureOf } from './measure.ts';

const { values: flags } = parseArgs({
  options: {
    charts: { type: 'string', multiple: true, default: [] },
    cases: { type: 'string', default: '1000' },
    runs: { type: 'string', default: '1' },
    dist: { type: 'string', default: fileURLToPath(new URL('../../dist/drydock.cjs', import.meta.url)) },
  },
});

/** The result of one run. */
interface Run {
  readonly seconds: number;
  /** Of all processors, user and system, including child processes. */
  readonly processor: number;
  readonly megabytes: number;
  readonly exitCode: number;
  readonly stdout: string;
}

const project = mkdtempSync(join(tmpdir(), 'drydock-bench-snapshot-'));
const { PATH, HOME } = process.env;

function run(program: string, args: readonly string[], cores: '0' | '0,1' = '0,1'): Promise<Run> {
  const start = performance.now();
  const child: ChildProcess = spawn('taskset', ['-c', cores, program, ...args], {
    cwd: project,
    env: { PATH, HOME, TZ: 'UTC', KUBECONFIG: '/dev/null' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let megabytes = 0;
  let processor = 0;
  let stdout = '';
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  // The kernel tracks the peak memory of a process, but only while it runs.
  const watch = setInterval(() => {
    megabytes = Math.max(megabytes, peakMegabytes(child.pid));
    processor = Math.max(processor, processorSeconds(child.pid));
  }, 20);
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', (exitCode) => {
      clearInterval(watch);
      done({ seconds: (performance.now() - start) / 1000, processor, megabytes, exitCode: exitCode ?? 1, stdout });
    });
  });
}

function peakMegabytes(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmHWM:\s*(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

// Includes the children that the process waited for.
function processorSeconds(pid: number | undefined): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const members = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return members.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
  } catch {
    return 0;
  }
}

/** Returns charts with the wanted number of cases, spread over all: the files in `ci/` are the cases, or else the defaults. */
function chosenCharts(all: readonly ConformanceCase[], wanted: number): Map<string, ConformanceCase[]> {
  const byChart = new Map<string, ConformanceCase[]>();
  for (const one of all) byChart.set(one.chart, [...(byChart.get(one.chart) ?? []), one]);
  const charts = [...byChart].map(([chart, cases]) => {
    const own = cases.filter(({ valuesFile }) => valuesFile !== undefined);
    return [chart, own.length > 0 ? own : cases] as const;
  });
  const step = Math.max(1, all.length / (wanted * 1.5));
  const chosen = new Map<string, ConformanceCase[]>();
  let count = 0;
  for (let at = 0; at < charts.length && count < wanted; at += step) {
    const [chart, cases] = charts[Math.floor(at)] as (typeof charts)[number];
    chosen.set(chart, cases);
    count += cases.length;
  }
  return chosen;
}

const drydock = (args: readonly string[], cores: '0' | '0,1' = '0,1'): Promise<Run> =>
  run(process.execPath, [resolve(flags.dist), 'snapshot', ...args, '--helm', recordedHelms[3]], cores);

async function measureAll(): Promise<void> {
  const { helm } = await helmBinary();
  const all = await listCases(
    flags.charts.map((folder) => resolve(folder)),
    join(cacheDirectory, 'conformance'),
  );
  const chosen = chosenCharts(all, Number(flags.cases));
  const inputs = new Map<string, ConformanceCase[]>();
  for (const [chart, cases] of chosen) {
    const name = `${String(inputs.size).padStart(4, '0')}-${basename(chart)}`;
    symlinkSync(chart, join(project, name));
    inputs.set(name, cases);
  }
  // Drops charts that do not render, so that every later run compares the same cases.
  const { stdout } = await drydock([...inputs.keys(), '--update', '--no-cache', '--json']);
  const report = JSON.parse(stdout) as {
    readonly inputs: readonly { readonly input: string; readonly status: string }[];
  };
  for (const { input, status } of report.inputs) if (status === 'fault') inputs.delete(input);
  const names = [...inputs.keys()];
  const cases = [...inputs.values()].flat();
  const lines = cases.map(({ chart, valuesFile }) => {
    return ['template', 'demo', chart, ...(valuesFile === undefined ? [] : ['-f', join(chart, valuesFile)])].join(' ');
  });
  writeFileSync(join(project, 'lines.txt'), `${lines.join('\n')}\n`);
  console.log(`${cases.length} cases of ${names.length} charts`);
  const times: Record<string, number[]> = {};
  const spent: Record<string, number[]> = {};
  let most = 0;
  const collect = async (what: string, start: () => Promise<Run>): Promise<void> => {
    const { seconds, processor, megabytes } = await start();
    times[what] = [...(times[what] ?? []), seconds];
    spent[what] = [...(spent[what] ?? []), processor];
    if (what !== 'helm') most = Math.max(most, megabytes);
    const memory = what === 'helm' ? '' : `, ${megabytes.toFixed(0)} MB`;
    console.log(`${what}: ${seconds.toFixed(2)} s, processor time ${processor.toFixed(2)} s${memory}`);
  };
  for (let time = 0; time < Number(flags.runs); time++) {
    const xargs = `exec xargs -P2 -L1 ${helm} < lines.txt > /dev/null`;
    await collect('helm', () => run('bash', ['--norc', '-c', xargs]));
    await collect('cold, 2 cores', () => drydock([...names, '--no-cache']));
    await collect('cold, 1 core', () => drydock([...names, '--no-cache'], '0'));
    rmSync(join(project, '.drydock'), { recursive: true, force: true });
    await collect('cold, writing the cache', () => drydock(names));
    await collect('warm', () => drydock(names));
  }
  const median = (what: string): number => figureOf(times[what] ?? []).median;
  const speedup = (what: string): string => `${(median('helm') / median(what)).toFixed(1)} times faster than helm`;
  for (const what of ['cold, 2 cores', 'cold, writing the cache', 'warm']) console.log(`${what}: ${speedup(what)}`);
  const ratio = (what: string): string =>
    (figureOf(spent.helm ?? []).median / figureOf(spent[what] ?? []).median).toFixed(1);
  console.log(
    `processor time: helm takes ${ratio('cold, 2 cores')} times as much as cold, ${ratio('warm')} times as warm`,
  );
  console.log(`2 cores: ${(median('cold, 1 core') / median('cold, 2 cores')).toFixed(2)} times faster than 1`);
  console.log(`memory: at most ${most.toFixed(0)} MB`);
}

try {
  await measureAll();
} finally {
  rmSync(project, { recursive: true, force: true });
}
