// Runs the tests: every test/**/*.test.ts, or those whose path contains one of the given words (`npm test -- yaml`).

import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const words = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const flags = process.argv.slice(2).filter((word) => word.startsWith('-'));

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
});
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
