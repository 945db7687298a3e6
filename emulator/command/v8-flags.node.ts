// How V8 works for what a process does. By Node's major version: V8 complains on standard error of a flag that it does not know.

import { setFlagsFromString } from 'node:v8';

/** Names what a process is about to do. */
export type Life = 'brief' | 'long' | 'many-renderings';

// Code is optimized only where it has run long: by V8's own measure a tenth of a brief process compiles what then hardly runs.
const optimizeAfter = (budget: number): string => `--interrupt-budget=${budget}`;
const optimizeLate = '--invocation-count-for-turbofan=30000';
// Node 22 has no compiler between the first and the last.
const optimizeHalfLate = '--invocation-count-for-maglev=2000';
// A nursery that grows at once is collected a third as often; factors of 6, 7 or 10 are worse than both.
const growNurseryBy = (factor: number): string => `--semi-space-growth-factor=${factor}`;
// What code calls is not compiled into it.
const compileAlone = '--no-turbo-inlining';
// The old generation may grow by so much before V8 looks what of it lives.
const growBy = (percent: number): string => `--heap-growing-percent=${percent}`;

/**
 * - `brief`: for a process that soon ends, in which else a third of all time goes into compiling.
 * - `long`: for a server. Under load, what it logs outlives the nursery; V8 would let that grow to several times what lives before
 *   it looks, which took 160 to 190 MB. It looks when half as much has come on top; a look takes a few milliseconds.
 * - `many-renderings`: for hundreds of them. What was left behind took 480 to 820 MB in two threads, and takes 350 to 470; and
 *   optimizing code, in each thread anew, took a tenth of the time.
 */
const flags: Readonly<Record<Life, Readonly<Record<string, readonly string[]>>>> = {
  brief: {
    20: [growNurseryBy(8), compileAlone, optimizeAfter(1_000_000)],
    22: [growNurseryBy(16), compileAlone, optimizeLate],
    24: [growNurseryBy(16), compileAlone, optimizeLate, optimizeHalfLate],
    26: [growNurseryBy(16), compileAlone, optimizeLate, optimizeHalfLate],
  },
  long: { 20: [growBy(50)], 22: [growBy(50)], 24: [growBy(50)], 26: [growBy(50)] },
  'many-renderings': { 20: [growBy(70), optimizeAfter(400_000)], 22: [growBy(70)], 24: [growBy(70)], 26: [growBy(70)] },
};

/** Tells V8 what this process, and the threads that it starts from now on, are about to do. Other runtimes are told nothing. */
export function tellV8(life: Life): void {
  // They have V8's words, and not always what they stand for.
  if (process.versions.bun !== undefined || 'Deno' in globalThis) return;
  const [major = ''] = process.versions.node.split('.');
  for (const flag of flags[life][major] ?? []) setFlagsFromString(flag);
}
