// Runs the tests: `npm test` runs every test/**/*.test.ts outside test/e2e, `npm test -- WORD...` those whose path contains a word
// (`npm test -- yaml`, `npm test -- test/e2e/`). `npm test -- --row PATTERN` runs only the rows recorded from Helm whose text
// matches, each as a test of its own.

import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isEndToEnd, testEntries, testFiles } from './test-files.ts';

const filter = { row: { type: 'string' } } as const;
const { values, positionals } = parseArgs({ options: filter, strict: false, allowPositionals: true });
const row = typeof values.row === 'string' ? values.row : undefined;
const words = row === undefined ? positionals : ['render/rows', 'render/vectors'];
// Other flags are passed to Node.
const flags = process.argv.slice(2).filter((word) => word.startsWith('-') && !word.startsWith('--row'));

const files = (await testFiles()).filter((file) =>
  words.length === 0 ? !isEndToEnd(file) : words.some((word) => file.includes(word)),
);
if (files.length === 0) {
  console.error(`no test file matches ${words.join(', ')}`);
  process.exit(1);
}
const concurrency = `--test-concurrency=${availableParallelism()}`;
const child = spawn(
  process.execPath,
  ['--import', 'tsx', '--test', concurrency, ...flags, ...(await testEntries(files))],
  {
    stdio: 'inherit',
    env: { ...process.env, ...(row === undefined ? {} : { DRYDOCK_TEST_ROW: row }) },
  },
);
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
