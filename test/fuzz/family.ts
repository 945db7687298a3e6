// The interface of families of generated inputs.

import type { HelmMajor } from '../../render/helm/helm.ts';

/** One run of a family: the inputs of `count` seeds, from `seed` on. */
export interface Job {
  readonly family: string;
  readonly seed: number;
  readonly count: number;
}

/** A row with the results of both programs. An error begins with `Error: `. */
export interface RowFinding {
  readonly template: string;
  readonly want: string;
  readonly got: string;
}

/** A failure: a result that differs from Helm's, a crash, a hang, an input that takes too long, or memory that is not freed. */
export interface Finding {
  readonly family: string;
  readonly seed: number;
  readonly kind: 'differs' | 'crashes' | 'slow' | 'large' | 'hangs';
  /** The input and the results. */
  readonly text: string;
  /** The row to record, for a family of rows. */
  readonly row?: RowFinding;
}

/** The result of a job. */
export interface Outcome {
  readonly inputs: number;
  /** The number of inputs that were rejected. */
  readonly rejected: number;
  readonly findings: readonly Finding[];
  /** The maximum processor time of one input, in milliseconds. */
  readonly longestMs: number;
}

/** The environment of a family. */
export interface Tools {
  readonly helm: string;
  /** The major version of Helm. */
  readonly major: HelmMajor;
  /** A temporary folder. */
  readonly folder: string;
  /** Folders of public charts. */
  readonly charts: readonly string[];
  /** Whether to look only for crashes and hangs, without running Helm. */
  readonly alone: boolean;
}

/** A family: generates inputs of one kind and compares their results. */
export interface Family {
  readonly name: string;
  /** The description in the list of families. */
  readonly about: string;
  /** The number of inputs in a job. */
  readonly batch: number;
  /** Its share of the jobs, relative to other families. */
  readonly share: number;
  run(job: Job, tools: Tools): Promise<Outcome>;
}

/** Returns the seed of one input of a job. */
export function seedOf(job: Job, index: number): number {
  return (job.seed + index) >>> 0;
}

/** The maximum processor time for an input, in milliseconds. */
export const slowMs = 2000;

/** The maximum memory of a process, in bytes. */
export const largeBytes = 512 * 1024 * 1024;

/** The result of one input. */
export interface Tried {
  /** The input and its environment. */
  readonly text: string;
  readonly rejected: boolean;
  /** The stack trace, or another failure that does not depend on Helm. */
  readonly crash?: string | undefined;
  readonly difference?: string | undefined;
}

/** Tries inputs one after the other, and slow ones again. `tryInput` returns undefined if it makes no input of a seed. */
export async function runInputs(job: Job, tryInput: (seed: number) => Promise<Tried | undefined>): Promise<Outcome> {
  const findings: Finding[] = [];
  let [inputs, rejected, longestMs] = [0, 0, 0];
  for (let at = 0; at < job.count; at++) {
    const seed = seedOf(job, at);
    const [tried, milliseconds] = await timed(() => tryInput(seed));
    if (tried === undefined) continue;
    const { text, crash, difference } = tried;
    const report = (kind: Finding['kind'], failure: string): void => {
      findings.push({ family: job.family, seed, kind, text: `${text}\n  ${failure}` });
    };
    if (crash !== undefined) report('crashes', crash);
    if (difference !== undefined) report('differs', difference);
    if (milliseconds > slowMs && (await timed(() => tryInput(seed)))[1] > slowMs)
      report('slow', `${milliseconds.toFixed()} ms`);
    inputs++;
    rejected += tried.rejected ? 1 : 0;
    longestMs = Math.max(longestMs, milliseconds);
  }
  return { inputs, rejected, findings, longestMs };
}

/** Returns a result and the processor time of this process. */
async function timed<Result>(run: () => Promise<Result>): Promise<readonly [Result, milliseconds: number]> {
  const before = process.cpuUsage();
  const result = await run();
  const { user, system } = process.cpuUsage(before);
  return [result, (user + system) / 1000];
}
