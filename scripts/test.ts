// Runs the tests: every test/**/*.test.ts, or those whose path contains one of the given words (`npm test -- yaml`).
// `npm test -- --row PATTERN` runs the rows alone that Helm answered and whose text matches, each as a test of its own.

import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const filter = { row: { type: 'string' } } as const;
const { values, positionals } = parseArgs({ options: filter, strict: false, allowPositionals: true });
const row = typeof values.row === 'string' ? values.row : undefined;
const words = row === undefined ? positionals : ['render/rows', 'render/vectors'];
// Whatever else looks like a flag is one of Node's.
const flags = process.argv.slice(2).filter((word) => word.startsWith('-') && !word.startsWith('--row'));

// Node 20 takes no glob after --test, and looks for .js files alone in a folder.
const files = (await readdir(join(root, 'test'), { recursive: true }))
  .filter((file) => file.endsWith('.test.ts') && (words.length === 0 || words.some((word) => file.includes(word))))
  .sort()
  .map((file) => join('test', file));
if (files.length === 0) {
  console.error(`no test file matches ${words.join(', ')}`);
  process.exit(1);
}
const concurrency = `--test-concurrency=${availableParallelism()}`;
const child = spawn(process.execPath, ['--import', 'tsx', '--test', concurrency, ...flags, ...files], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ...(row === undefined ? {} : { DRYDOCK_TEST_ROW: row }) },
});
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
