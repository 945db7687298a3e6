// What a family of generated inputs is to the command that runs it.

import type { HelmMajor } from '../../render/helm/helm.ts';

/** One run of a family: the inputs of `count` seeds, from `seed` on. */
export interface Job {
  readonly family: string;
  readonly seed: number;
  readonly count: number;
}

/** A row that both were asked, and their answers; an error begins with `Error: `. */
export interface RowFinding {
  readonly template: string;
  readonly want: string;
  readonly got: string;
}

/** Something that must not be: an answer other than Helm's, a crash, more than two seconds, more than 512 MB. */
export interface Finding {
  readonly family: string;
  readonly seed: number;
  readonly kind: 'differs' | 'crashes' | 'slow' | 'large' | 'hangs';
  /** What was given, and what came of it. */
  readonly text: string;
  /** There when the rows test can hold it. */
  readonly row?: RowFinding;
}

/** What came of a job. */
export interface Outcome {
  readonly inputs: number;
  /** How many of the inputs both refused. */
  readonly refused: number;
  readonly findings: readonly Finding[];
  /** The most processor time that one input took, in milliseconds. */
  readonly longestMs: number;
}

/** What a family may use. */
export interface Tools {
  readonly helm: string;
  /** Which Helm that is. */
  readonly major: HelmMajor;
  /** A folder of its own, that goes at the end. */
  readonly folder: string;
  /** Folders of public charts. */
  readonly charts: readonly string[];
  /** Whether Helm is not asked at all: what is looked for is what stops us. */
  readonly alone: boolean;
}

/** A kind of inputs, and the judge of what comes of them. */
export interface Family {
  readonly name: string;
  /** What the inputs are, for the list of families. */
  readonly about: string;
  /** How many inputs make a job. */
  readonly batch: number;
  /** Its part of the time, where a family of rows has one. */
  readonly share: number;
  run(job: Job, tools: Tools): Promise<Outcome>;
}

/** Returns the seed of one input of a job. */
export function seedOf(job: Job, index: number): number {
  return (job.seed + index) >>> 0;
}

/** The most processor time that an input may take, in milliseconds. */
export const slowMs = 2000;

/** The most memory that an input may take, in bytes. */
export const largeBytes = 512 * 1024 * 1024;
