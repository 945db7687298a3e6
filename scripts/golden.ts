// Asks real Helm every golden case. `npm run golden` fails on any byte that differs from the recorded answers and from
// ours; `npm run golden -- --record` writes the answers anew.

import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { helmVersion } from '../render/helm-version.ts';
import {
  type Answer,
  chartsDirectory,
  commandOf,
  type GoldenCase,
  goldenDirectory,
  readCases,
  readRecord,
  recordOf,
} from '../test/support/golden.ts';
import { askHelm, helmBinary } from './tools/helm-binary.ts';

/** Gives the first line where two texts differ, for a person. */
function firstDifference(want: string, got: string): string | undefined {
  if (want === got) return undefined;
  const [a, b] = [want.split('\n'), got.split('\n')];
  const at = a.findIndex((line, i) => line !== b[i]);
  const line = at < 0 ? a.length : at;
  return `line ${line + 1}: want ${JSON.stringify(a[line])}, got ${JSON.stringify(b[line])}`;
}

function compare(want: Answer, got: Answer): string | undefined {
  if (want.exitCode !== got.exitCode) return `exit code: want ${want.exitCode}, got ${got.exitCode}\n${got.stderr}`;
  const stdout = firstDifference(want.stdout, got.stdout);
  if (stdout !== undefined) return `standard output, ${stdout}`;
  const stderr = firstDifference(want.stderr, got.stderr);
  return stderr === undefined ? undefined : `standard error, ${stderr}`;
}

async function record(golden: GoldenCase, answer: Answer): Promise<void> {
  const files = recordOf(golden);
  await mkdir(dirname(files.stdout), { recursive: true });
  if (answer.exitCode === 0) await writeFile(files.stdout, answer.stdout);
  if (answer.stderr !== '') await writeFile(files.stderr, answer.stderr);
}

const recording = process.argv.includes('--record');
const { helm } = await helmBinary();
const cases = await readCases();
if (recording) {
  for (const entry of await readdir(goldenDirectory, { withFileTypes: true })) {
    if (entry.isDirectory()) await rm(join(goldenDirectory, entry.name), { recursive: true });
  }
}
let failures = 0;
const report = (golden: GoldenCase, who: string, difference: string | undefined): void => {
  if (difference === undefined) return;
  failures++;
  console.error(`${golden.chart}/${golden.case}: ${who} differs: ${difference}`);
};
for (const golden of cases) {
  const [first, second] = [
    await askHelm(helm, commandOf(golden), chartsDirectory),
    await askHelm(helm, commandOf(golden), chartsDirectory),
  ];
  report(golden, 'the second run of Helm', compare(first, second));
  if (recording) {
    await record(golden, first);
    continue;
  }
  report(golden, 'the record', compare(first, await readRecord(golden)));
  // Loaded late: recording needs no engine of ours.
  const { runInProcess } = await import('../test/support/cli.ts');
  report(golden, 'drydock', compare(first, await runInProcess(commandOf(golden), chartsDirectory)));
}
if (recording) {
  const origin = {
    tool: 'helm',
    version: helmVersion,
    command: 'helm template NAME ./CHART ARGS',
    cases: cases.length,
  };
  await writeFile(join(goldenDirectory, 'origin.json'), `${JSON.stringify(origin, null, 2)}\n`);
}
console.log(`golden: ${cases.length} cases, ${failures} differences`);
process.exitCode = failures === 0 ? 0 : 1;
