// The command line that runs a script of PowerShell with the interpreter of the proofs.

import { fileURLToPath } from 'node:url';
import type { Edition } from './native.ts';

const runner = fileURLToPath(new URL('./run.ts', import.meta.url));

/** Gives the words of a PowerShell, to which the script and its words are added. */
export const powerShell = (edition: Edition): readonly string[] => [
  process.execPath,
  '--liftoff-only',
  '--import',
  import.meta.resolve('tsx'),
  runner,
  edition,
];

/** Gives a word of a command line as PowerShell has it: `--delete-pvcs` is `-DeletePvcs`. */
export const parameterOf = (word: string): string =>
  word.startsWith('--')
    ? word
        .replace(/^--/, '-')
        .replace(/-([a-z])/g, (_all, letter: string, at: number) => `${at === 0 ? '-' : ''}${letter.toUpperCase()}`)
    : word;
