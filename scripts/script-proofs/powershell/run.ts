// Runs a script of PowerShell from the command line: `run.ts EDITION SCRIPT WORDS`, with the interpreter of the proofs.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { runPowerShell } from './interpret.ts';
import type { Edition } from './native.ts';
import { powerShellTree } from './parser.ts';

const [edition = '7.4', path = '', ...args] = process.argv.slice(2);
const treeOf = await powerShellTree();
const { code } = runPowerShell(treeOf(readFileSync(path, 'utf8').replace(/^\ufeff/, '')), {
  path: resolve(path),
  args,
  env: process.env,
  cwd: process.cwd(),
  edition: edition as Edition,
  write: (stream, text) => void writeSync(stream, text),
  // `-NoProfile -File SCRIPT WORDS`, as the script starts itself.
  start: (words) => {
    const [, , script = '', ...more] = words;
    const again = [...process.execArgv, process.argv[1] as string, edition, script, ...more];
    return spawnSync(process.execPath, again, { stdio: 'inherit' }).status ?? -1;
  },
});
process.exitCode = code;
