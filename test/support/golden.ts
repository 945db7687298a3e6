// Reads the golden cases and the recorded results of real Helm.

import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { HelmVersion } from '../../render/core/helm-version.ts';
import { majorOf } from '../../render/helm/versions.ts';

/** The folder in which every golden command runs. */
export const chartsDirectory = fileURLToPath(new URL('../../fixtures/charts', import.meta.url));

/** The folder of the recorded output. */
const goldenDirectory = fileURLToPath(new URL('../../fixtures/golden', import.meta.url));

/** One command, run with Helm and with drydock. */
export interface GoldenCase {
  readonly chart: string;
  readonly case: string;
  /** The release name. Default `demo`. */
  readonly name?: string;
  /** The only major version of Helm to run. Default both. */
  readonly helm?: GoldenHelm;
  readonly args: readonly string[];
}

/** The result of a program. */
export interface Answer {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Returns all cases of fixtures/golden/cases.yaml. */
export async function readCases(): Promise<GoldenCase[]> {
  return parse(await readFile(join(goldenDirectory, 'cases.yaml'), 'utf8')) as GoldenCase[];
}

/** Returns the command line of a case, without the program's name: `template NAME ./CHART ARGS`. */
export function commandOf(golden: GoldenCase): string[] {
  return ['template', golden.name ?? 'demo', `./${golden.chart}`, ...golden.args];
}

/** A major version of Helm. */
export type GoldenHelm = 3 | 4;

/** Returns the folder of the results of a major version. */
export function recordsOf(helm: GoldenHelm): string {
  return helm === 3 ? goldenDirectory : join(goldenDirectory, 'helm-4');
}

/** Returns the files with the output of a major version for a case. */
export function recordOf(golden: GoldenCase, helm: GoldenHelm): { readonly stdout: string; readonly stderr: string } {
  const stem = join(recordsOf(helm), golden.chart, golden.case);
  return { stdout: `${stem}.yaml`, stderr: `${stem}.err` };
}

/** Returns the recorded result of a major version for a case. A failure has no standard output. */
export async function readRecord(golden: GoldenCase, helm: GoldenHelm = 3): Promise<Answer> {
  const files = recordOf(golden, helm);
  const absent = (): undefined => undefined;
  const stdout = await readFile(files.stdout, 'utf8').catch(absent);
  const stderr = await readFile(files.stderr, 'utf8').catch(absent);
  if (stdout === undefined && stderr === undefined) {
    throw new Error(
      `${dirname(files.stdout)}: no recorded output of ${golden.case}; run \`npm run conformance -- golden --record\``,
    );
  }
  return { exitCode: stdout === undefined ? 1 : 0, stdout: stdout ?? '', stderr: stderr ?? '' };
}

/** The result of versions for which only differences from their major version are stored. */
export interface OtherAnswer extends Answer, Pick<GoldenCase, 'chart' | 'case'> {
  readonly versions: readonly HelmVersion[];
}

/** The results of other versions that differ from that of their major version. */
export const otherAnswersFile = join(goldenDirectory, 'versions.json');

/** Returns a function that finds the result of any version for a case. */
export async function readRecords(): Promise<(golden: GoldenCase, version: HelmVersion) => Promise<Answer>> {
  const others = JSON.parse(await readFile(otherAnswersFile, 'utf8')) as readonly OtherAnswer[];
  return async (golden, version) => {
    const { chart, case: name } = golden;
    const other = others.find((one) => one.chart === chart && one.case === name && one.versions.includes(version));
    return other ?? readRecord(golden, majorOf(version));
  };
}

/** Returns the first difference between the results of two programs; undefined if there is none. */
export function compareAnswers(want: Answer, got: Answer): string | undefined {
  if (want.exitCode !== got.exitCode) return `exit code: want ${want.exitCode}, got ${got.exitCode}\n${got.stderr}`;
  const stdout = firstDifference(want.stdout, got.stdout);
  if (stdout !== undefined) return `standard output, ${stdout}`;
  const stderr = firstDifference(want.stderr, got.stderr);
  return stderr === undefined ? undefined : `standard error, ${stderr}`;
}

function firstDifference(want: string, got: string): string | undefined {
  if (want === got) return undefined;
  const [a, b] = [want.split('\n'), got.split('\n')];
  const at = a.findIndex((line, i) => line !== b[i]);
  const line = at < 0 ? a.length : at;
  return `line ${line + 1}: want ${JSON.stringify(a[line])}, got ${JSON.stringify(b[line])}`;
}
