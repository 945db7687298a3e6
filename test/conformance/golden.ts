// Runs real Helm for every golden case. `npm run conformance -- golden` fails if a byte differs from the recorded output or from
// drydock's. `--helm 3.22,4.3` selects the versions; the default is the recorded ones. `npm run conformance -- golden --record`
// records the output again, `--record --others` that of the other versions where it differs.

import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type HelmVersion, helmVersions } from '../../render/core/helm-version.ts';
import { majorOf } from '../../render/helm/versions.ts';
import {
  askBounded,
  type HelmMajor,
  helmBinary,
  helmProgram,
  versionsOf,
} from '../../scripts/dev/tools/helm-binary.ts';
import { runInProcess } from '../support/cli.ts';
import {
  type Answer,
  chartsDirectory,
  commandOf,
  compareAnswers,
  type GoldenCase,
  type OtherAnswer,
  otherAnswersFile,
  readCases,
  readRecord,
  readRecords,
  recordOf,
  recordsOf,
} from '../support/golden.ts';
import { recordedHelms } from '../support/rows.ts';

async function record(golden: GoldenCase, helm: HelmMajor, answer: Answer): Promise<void> {
  const files = recordOf(golden, helm);
  await mkdir(dirname(files.stdout), { recursive: true });
  if (answer.exitCode === 0) await writeFile(files.stdout, answer.stdout);
  if (answer.stderr !== '') await writeFile(files.stderr, answer.stderr);
}

// The recordings of one Helm; those of the other may be in a folder among them.
async function clear(helm: HelmMajor): Promise<void> {
  const others = ([3, 4] as const).filter((major) => major !== helm);
  for (const entry of await readdir(recordsOf(helm), { withFileTypes: true }).catch(() => [])) {
    const path = join(recordsOf(helm), entry.name);
    if (entry.isDirectory() && !others.some((major) => recordsOf(major) === path)) await rm(path, { recursive: true });
  }
}

const { values: flags } = parseArgs({
  options: {
    record: { type: 'boolean', default: false },
    helm: { type: 'string', default: 'both' },
    others: { type: 'boolean', default: false },
  },
});
const all = await readCases();
let failures = 0;
const report = (golden: GoldenCase, what: string, difference: string | undefined): void => {
  if (difference === undefined) return;
  failures++;
  console.error(`${golden.chart}/${golden.case}: ${what} differs: ${difference}`);
};

async function verify(version: HelmVersion): Promise<number> {
  const helm = await helmProgram(version);
  const recorded = await readRecords();
  const cases = casesFor(majorOf(version));
  for (const golden of cases) {
    const command = commandOf(golden);
    const answer = await askBounded(helm, command, { cwd: chartsDirectory });
    report(golden, `the recorded output of Helm ${version}`, compareAnswers(answer, await recorded(golden, version)));
    report(
      golden,
      'drydock',
      compareAnswers(answer, await runInProcess([...command, '--helm', version], chartsDirectory)),
    );
  }
  return cases.length;
}

const casesFor = (major: HelmMajor): GoldenCase[] =>
  all.filter((golden) => golden.helm === undefined || golden.helm === major);

async function recordAll(major: HelmMajor): Promise<number> {
  const { helm } = await helmBinary(major);
  const cases = casesFor(major);
  await clear(major);
  for (const golden of cases) {
    const command = commandOf(golden);
    const answer = await askBounded(helm, command, { cwd: chartsDirectory });
    const again = await askBounded(helm, command, { cwd: chartsDirectory });
    report(golden, `the second run of Helm ${major}`, compareAnswers(answer, again));
    await record(golden, major, answer);
  }
  const origin = {
    tool: 'helm',
    version: `v${recordedHelms[major]}`,
    command: 'helm template NAME ./CHART ARGS',
    cases: cases.length,
  };
  await writeFile(join(recordsOf(major), 'origin.json'), `${JSON.stringify(origin, null, 2)}\n`);
  return cases.length;
}

// Runs one of the other versions and adds its output to `answers` if it differs from that of the recorded version.
async function recordOther(version: HelmVersion, answers: OtherAnswer[]): Promise<number> {
  const major = majorOf(version);
  const helm = await helmProgram(version);
  const cases = casesFor(major);
  for (const golden of cases) {
    const { exitCode, stdout, stderr } = await askBounded(helm, commandOf(golden), { cwd: chartsDirectory });
    // If Helm prints a manifest with an error, only the error is recorded.
    const answer = { exitCode, stdout: exitCode === 0 ? stdout : '', stderr };
    if (compareAnswers(await readRecord(golden, major), answer) === undefined) continue;
    const { chart, case: name } = golden;
    const isSame = (one: OtherAnswer): boolean =>
      one.chart === chart && one.case === name && !compareAnswers(one, answer);
    const at = answers.findIndex(isSame);
    if (at < 0) answers.push({ chart, case: name, versions: [version], ...answer });
    else answers[at] = { ...answers[at]!, versions: [...answers[at]!.versions, version] };
  }
  return cases.length;
}

async function recordOthers(): Promise<number> {
  const recorded: readonly HelmVersion[] = Object.values(recordedHelms);
  const answers: OtherAnswer[] = [];
  let cases = 0;
  for (const version of helmVersions) if (!recorded.includes(version)) cases += await recordOther(version, answers);
  await writeFile(otherAnswersFile, `${JSON.stringify(answers, null, 1)}\n`);
  return cases;
}

let count = 0;
if (flags.record && flags.others) count = await recordOthers();
else if (flags.record) for (const major of [3, 4] as const) count += await recordAll(major);
else for (const version of versionsOf(flags.helm)) count += await verify(version);
console.log(`golden: ${count} cases, ${failures} differences`);
process.exitCode = failures === 0 ? 0 : 1;
