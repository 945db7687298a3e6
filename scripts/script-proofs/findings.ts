// What holds and what does not, as the checks of scripts print it.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The problems found so far. */
export class Findings {
  count = 0;

  /** Reports that something holds, or why it does not. */
  readonly report = (title: string, fault: string): void => {
    if (fault !== '') this.count++;
    console.log(`${fault === '' ? 'ok  ' : 'FAIL'} ${title}${fault === '' ? '' : `\n${fault}`}`);
  };

  /** Prints the result and sets the exit code. */
  end(proof: string): void {
    console.log(this.count === 0 ? `${proof}: all hold` : `${proof}: ${this.count} do not hold`);
    process.exitCode = this.count === 0 ? 0 : 1;
  }
}

/** Provides a folder for scripts and charts, which is removed when `work` is done. */
export async function inFolder(work: (home: string) => Promise<void>): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'drydock-scripts-'));
  try {
    await work(home);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
