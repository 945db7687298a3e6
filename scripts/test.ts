// Runs the tests: every test/**/*.test.ts, or those whose path contains one of the given words (`npm test -- yaml`).
// `npm test -- --row PATTERN` runs the rows alone that Helm answered and whose text matches, each as a test of its own.
// The tests of a room share a process, which imports the engine once: a process for each file spent half of the time on imports.

import { spawn } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const filter = { row: { type: 'string' } } as const;
const { values, positionals } = parseArgs({ options: filter, strict: false, allowPositionals: true });
const row = typeof values.row === 'string' ? values.row : undefined;
const words = row === undefined ? positionals : ['render/rows', 'render/vectors'];
// Whatever else looks like a flag is one of Node's.
const flags = process.argv.slice(2).filter((word) => word.startsWith('-') && !word.startsWith('--row'));

/**
 * Folders whose files have a process each: they start shells and servers, which wait for each other less in parallel, or change
 * what a process has.
 */
const apart = ['.', 'emulator', 'emulator/command', 'emulator/keep', 'render', 'render/scripts'];
/** Where the files are that import those of a room. */
const roomsFolder = join(root, 'node_modules/.cache/drydock/test-rooms');

/** Gives the file that runs all tests of a room. */
async function roomFile(folder: string, members: readonly string[]): Promise<string> {
  const file = join(roomsFolder, `${folder.replaceAll('/', '-')}.test.mjs`);
  await writeFile(file, members.map((member) => `import '${pathToFileURL(join(root, 'test', member))}';\n`).join(''));
  return file;
}

/** Gives the files to run, those with a process of their own first, since they take longest. */
async function entries(members: readonly string[]): Promise<string[]> {
  const alone: string[] = [];
  const rooms = new Map<string, string[]>();
  for (const member of members) {
    const folder = dirname(member).replaceAll('\\', '/');
    if (apart.includes(folder)) alone.push(join('test', member));
    else rooms.set(folder, [...(rooms.get(folder) ?? []), member]);
  }
  await mkdir(roomsFolder, { recursive: true });
  return [...alone, ...(await Promise.all([...rooms].map(([folder, files]) => roomFile(folder, files))))];
}

// Node 20 takes no glob after --test, and looks for .js files alone in a folder.
const files = (await readdir(join(root, 'test'), { recursive: true }))
  .filter((file) => file.endsWith('.test.ts') && (words.length === 0 || words.some((word) => file.includes(word))))
  .sort();
if (files.length === 0) {
  console.error(`no test file matches ${words.join(', ')}`);
  process.exit(1);
}
const concurrency = `--test-concurrency=${availableParallelism()}`;
const child = spawn(process.execPath, ['--import', 'tsx', '--test', concurrency, ...flags, ...(await entries(files))], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ...(row === undefined ? {} : { DRYDOCK_TEST_ROW: row }) },
});
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
