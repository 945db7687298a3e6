// The part of the benchmark that compares `drydock snapshot` on many cases of public charts with `helm template` run for each by `xargs -P2`:
// with an empty and a filled cache.

import { symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { execa } from 'execa';
import type { ConformanceCase } from '../../test/conformance/charts.ts';
import { recordedHelms } from '../../test/support/rows.ts';
import { temporaryFolder } from '../dev/tools/tools.ts';
import { type Bench, type CommandLine, environment, figureOf, runOnce } from './measure.ts';
import type { Row } from './table.ts';

/** Returns charts with the wanted number of cases, spread over all: the files in `ci/` are the cases, or else the defaults. */
function chosenCharts({ cases: all, caseCount }: Bench): (readonly [chart: string, cases: ConformanceCase[]])[] {
  const byChart = new Map<string, ConformanceCase[]>();
  for (const one of all) byChart.set(one.chart, [...(byChart.get(one.chart) ?? []), one]);
  const charts = [...byChart].map(([chart, cases]) => {
    const own = cases.filter(({ valuesFile }) => valuesFile !== undefined);
    return [chart, own.length > 0 ? own : cases] as const;
  });
  const step = Math.max(1, all.length / (caseCount * 1.5));
  return charts.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
}

/** Measures a comparison without a cache and one in which nothing has changed, on two cores. */
export async function measureSnapshot(bench: Bench): Promise<Row[]> {
  if (bench.cases.length === 0) {
    console.log('skipped: snapshot; select folders of charts with --charts DIR…');
    return [];
  }
  const project = temporaryFolder('drydock-bench-snapshot-');
  const drydock = (...args: readonly string[]): CommandLine => [
    process.execPath,
    ...[bench.drydock, 'snapshot', ...args, '--helm', recordedHelms[3]],
  ];
  const inputs = new Map<string, ConformanceCase[]>();
  for (const [chart, cases] of chosenCharts(bench)) {
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
  const lines = [...inputs.values()].flat().map(({ chart, valuesFile }) => {
    const values = valuesFile === undefined ? [] : ['-f', join(chart, valuesFile)];
    return `${['template', 'demo', chart, ...values].join(' ')}\n`;
  });
  writeFileSync(join(project, 'lines.txt'), lines.join(''));
  const clockOf = async (command: CommandLine) => {
    const { clock } = await runOnce(['taskset', '-c', '0,1', ...command], project);
    return figureOf([clock]);
  };
  const other = await clockOf(['bash', '--norc', '-c', `exec xargs -P2 -L1 ${bench.helm} < lines.txt`]);
  const cold = await clockOf(drydock(...inputs.keys(), '--no-cache'));
  await clockOf(drydock(...inputs.keys()));
  const warm = await clockOf(drydock(...inputs.keys()));
  const what = `\`snapshot\` of ${lines.length} cases, elapsed time`;
  return [
    { section: 'snapshot', what: `${what}, without a cache`, drydock: cold, other, goal: 1 / 4 },
    { section: 'snapshot', what: `${what}, nothing changed`, drydock: warm, other, goal: 1 / 40 },
  ];
}
