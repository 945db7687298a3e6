// Lists the test files, grouped by the process they share.

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/**
 * The number of processes for the tests of each part. A process imports its part once, which takes two seconds of processor time; more
 * processes spread better over the cores.
 */
const processes: Readonly<Record<string, number>> = { 'test/render/': 8, 'test/emulator/': 4, 'test/': 1 };
/** The folder for the files that import all tests of a folder. */
const bundles = join(root, 'node_modules/.cache/drydock/test-bundles');

/** Returns the paths of all test files from the repository's root, sorted. */
export async function testFiles(): Promise<string[]> {
  // Node 20 accepts no glob after --test, and only finds .js files in a folder.
  const files = await readdir(join(root, 'test'), { recursive: true });
  return files
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `test/${file.replaceAll('\\', '/')}`)
    .sort();
}

/** Reports whether a test belongs to `test/e2e`: these need shells or take long, and `npm test` leaves them out. */
export function isEndToEnd(file: string): boolean {
  return file.startsWith('test/e2e/');
}

/** Returns the files for `node --test`: each runs the tests of several files in one process, except end-to-end tests and those that replace globals. */
export async function testEntries(files: readonly string[]): Promise<string[]> {
  const alone: string[] = [];
  const groups = new Map<string, string[]>(Object.keys(processes).map((part) => [part, []]));
  for (const file of files) {
    const text = await readFile(join(root, file), 'utf8');
    // msw replaces the `fetch` of its process.
    if (isEndToEnd(file) || /setupServer|\(globalThis,/.test(text)) alone.push(join(root, file));
    else groups.get(Object.keys(processes).find((part) => file.startsWith(part))!)?.push(file);
  }
  await mkdir(bundles, { recursive: true });
  const shared = [...groups].flatMap(([part, members]) => {
    const count = Math.min(processes[part]!, members.length);
    return Array.from({ length: count }, (_, at) =>
      bundleFile(
        `${part}${at + 1}`,
        members.filter((_file, index) => index % count === at),
      ),
    );
  });
  return [...(await Promise.all(shared)), ...alone];
}

async function bundleFile(name: string, members: readonly string[]): Promise<string> {
  const file = join(bundles, `${name.replaceAll('/', '-')}.test.mjs`);
  await writeFile(file, members.map((member) => `import '${pathToFileURL(join(root, member))}';\n`).join(''));
  return file;
}
