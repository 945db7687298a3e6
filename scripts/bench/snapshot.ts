// Compares `drydock snapshot` on many cases of public charts with `helm template` run for each by `xargs -P2`: with an empty and
// a filled cache, on one core and on two, with peak memory.
// `npm run bench -- snapshot --charts DIR… [--cases N]`, after `npm run build`.

import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import type { ConformanceCase } from '../../test/conformance/charts.ts';
import { recordedHelms } from '../../test/support/rows.ts';
import { helmBinary } from '../dev/tools/helm-binary.ts';
import { temporaryFolder } from '../dev/tools/tools.ts';
import { builtCommand, type CommandLine, environment, publicCases, runOnce } from './measure.ts';

const { values: flags } = parseArgs({
  options: {
    charts: { type: 'string', multiple: true, default: [] },
    cases: { type: 'string', default: '1000' },
  },
});

const project = temporaryFolder('drydock-bench-snapshot-');
// Writes the peak memory in KB, which only the process itself knows at its end.
const memoryFile = join(project, 'memory');
const noteMemory = `data:text/javascript,import { writeFileSync } from 'node:fs';
process.on('exit', () => writeFileSync('${memoryFile}', String(process.resourceUsage().maxRSS)));`;

const drydock = (...args: readonly string[]): CommandLine => [
  process.execPath,
  ...['--import', noteMemory, builtCommand, 'snapshot', ...args, '--helm', recordedHelms[3]],
];

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

async function measureAll(): Promise<void> {
  const { helm } = await helmBinary();
  const inputs = new Map<string, ConformanceCase[]>();
  for (const [chart, cases] of chosenCharts(await publicCases(flags.charts), Number(flags.cases))) {
    const name = `${String(inputs.size).padStart(4, '0')}-${basename(chart)}`;
    symlinkSync(chart, join(project, name));
    inputs.set(name, cases);
  }
  // Drops charts that do not render, so that every later run compares the same cases.
  const [program, ...args] = drydock(...inputs.keys(), '--update', '--no-cache', '--json');
  const { stdout } = await execa(program, args, { cwd: project, env: environment, extendEnv: false, reject: false });
  const report = JSON.parse(stdout) as {
    readonly inputs: readonly { readonly input: string; readonly status: string }[];
  };
  for (const { input, status } of report.inputs) if (status === 'fault') inputs.delete(input);
  const names = [...inputs.keys()];
  const cases = [...inputs.values()].flat();
  const lines = cases.map(({ chart, valuesFile }) =>
    ['template', 'demo', chart, ...(valuesFile === undefined ? [] : ['-f', join(chart, valuesFile)])].join(' '),
  );
  writeFileSync(join(project, 'lines.txt'), `${lines.join('\n')}\n`);
  console.log(`${cases.length} cases of ${names.length} charts`);
  const xargs = `exec xargs -P2 -L1 ${helm} < lines.txt`;
  const runs: readonly (readonly [what: string, command: CommandLine, cores?: string])[] = [
    ['helm', ['bash', '--norc', '-c', xargs]],
    ['cold, 2 cores', drydock(...names, '--no-cache')],
    ['cold, 1 core', drydock(...names, '--no-cache'), '0'],
    ['cold, writing the cache', drydock(...names)],
    ['warm', drydock(...names)],
  ];
  const spent = new Map<string, { readonly clock: number; readonly processor: number }>();
  for (const [what, command, cores = '0,1'] of runs) {
    rmSync(memoryFile, { force: true });
    if (what === 'cold, writing the cache') rmSync(join(project, '.drydock'), { recursive: true, force: true });
    const { clock, processor } = await runOnce(['taskset', '-c', cores, ...command], project);
    spent.set(what, { clock, processor });
    const helmSpent = spent.get('helm')!;
    const memory = what === 'helm' ? '' : `, ${Math.round(Number(readFileSync(memoryFile, 'utf8')) / 1024)} MB`;
    const times = `${(helmSpent.clock / clock).toFixed(1)} times faster than helm, which takes`;
    const ratio =
      what === 'helm' ? '' : `; ${times} ${(helmSpent.processor / processor).toFixed(1)} times the processor time`;
    console.log(
      `${what}: ${(clock / 1000).toFixed(2)} s, processor time ${(processor / 1000).toFixed(2)} s${memory}${ratio}`,
    );
  }
}

await measureAll();
