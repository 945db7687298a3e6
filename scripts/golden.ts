// Asks real Helm every golden case. `npm run golden` fails on any byte that differs from the recorded answers and from
// ours; `npm run golden -- --record` writes the answers anew. `--helm 3|4|both` says which Helm is asked, by default both.

import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  type Answer,
  chartsDirectory,
  commandOf,
  type GoldenCase,
  readCases,
  readRecord,
  recordOf,
  recordsOf,
} from '../test/support/golden.ts';
import { recordedHelms } from '../test/support/helms.ts';
import { askBounded, type HelmMajor, helmBinary, majorsOf } from './tools/helm-binary.ts';

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

async function record(golden: GoldenCase, helm: HelmMajor, answer: Answer): Promise<void> {
  const files = recordOf(golden, helm);
  await mkdir(dirname(files.stdout), { recursive: true });
  if (answer.exitCode === 0) await writeFile(files.stdout, answer.stdout);
  if (answer.stderr !== '') await writeFile(files.stderr, answer.stderr);
}

// The records of one Helm: those of the other may stand in a folder among them.
async function clear(helm: HelmMajor): Promise<void> {
  const others = majorsOf('both').filter((major) => major !== helm);
  for (const entry of await readdir(recordsOf(helm), { withFileTypes: true }).catch(() => [])) {
    const path = join(recordsOf(helm), entry.name);
    if (entry.isDirectory() && !others.some((major) => recordsOf(major) === path)) await rm(path, { recursive: true });
  }
}

const { values: flags } = parseArgs({
  options: { record: { type: 'boolean', default: false }, helm: { type: 'string', default: 'both' } },
});
const all = await readCases();
let failures = 0;
const report = (golden: GoldenCase, who: string, difference: string | undefined): void => {
  if (difference === undefined) return;
  failures++;
  console.error(`${golden.chart}/${golden.case}: ${who} differs: ${difference}`);
};

async function judge(major: HelmMajor): Promise<number> {
  const { helm } = await helmBinary(major);
  const cases = all.filter((golden) => golden.helm === undefined || golden.helm === major);
  if (flags.record) await clear(major);
  for (const golden of cases) {
    const command = commandOf(golden);
    const first = await askBounded(helm, command, { cwd: chartsDirectory });
    report(
      golden,
      `the second run of Helm ${major}`,
      compare(first, await askBounded(helm, command, { cwd: chartsDirectory })),
    );
    if (flags.record) {
      await record(golden, major, first);
      continue;
    }
    report(golden, `the record of Helm ${major}`, compare(first, await readRecord(golden, major)));
    // Loaded late: recording needs no engine of ours.
    const { runInProcess } = await import('../test/support/cli.ts');
    report(
      golden,
      'drydock',
      compare(first, await runInProcess([...command, '--helm', recordedHelms[major]], chartsDirectory)),
    );
  }
  if (flags.record) {
    const origin = {
      tool: 'helm',
      version: `v${recordedHelms[major]}`,
      command: 'helm template NAME ./CHART ARGS',
      cases: cases.length,
    };
    await writeFile(join(recordsOf(major), 'origin.json'), `${JSON.stringify(origin, null, 2)}\n`);
  }
  return cases.length;
}

let count = 0;
for (const major of majorsOf(flags.helm)) count += await judge(major);
console.log(`golden: ${count} cases, ${failures} differences`);
process.exitCode = failures === 0 ? 0 : 1;
