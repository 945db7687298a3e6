// A process that runs jobs of families and reports the results. fuzz.ts starts and supervises it.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { helmBinary } from '../../scripts/dev/tools/helm-binary.ts';
import { families } from './families.ts';
import type { Job, Outcome, Tools } from './family.ts';

/** The report of a job: its result, or a failure of the job itself. */
export interface JobReport {
  readonly outcome?: Outcome;
  readonly failure?: string;
  /** The peak memory of the process so far, in bytes. */
  readonly peakBytes: number;
}

const folder = mkdtempSync(join(tmpdir(), 'drydock-fuzz-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
process.on('disconnect', () => process.exit());

const { charts, alone, major } = JSON.parse(process.argv[2] as string) as Pick<Tools, 'charts' | 'alone' | 'major'>;
const { helm } = await helmBinary(major);

async function run(job: Job): Promise<JobReport> {
  const family = families.find(({ name }) => name === job.family);
  const peak = (): number => process.resourceUsage().maxRSS * 1024;
  try {
    const outcome = await family?.run(job, { helm, major, folder, charts, alone });
    return { outcome, peakBytes: peak() } as JobReport;
  } catch (error) {
    return { failure: (error as Error).stack ?? String(error), peakBytes: peak() };
  }
}

process.on('message', (job: Job) => {
  void run(job).then((reported) => process.send?.(reported));
});
process.send?.('ready');
