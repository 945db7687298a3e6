// Lists the test files, grouped by the process they share.

import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** The number of processes for folders whose tests take long. The tests of any other folder share one. */
const processes: Readonly<Record<string, number>> = {
  test: 2,
  // One process for each file, because msw replaces the `fetch` of a process.
  'test/emulator': Infinity,
  'test/render': 3,
  'test/render/cli': 3,
};
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

/**
 * Returns the files for `node --test`, longest first. The tests of a folder share a process, which imports the engine once: with a process
 * per file, a third of the time went into imports.
 */
export async function testEntries(files: readonly string[]): Promise<string[]> {
  const alone = files.filter(isEndToEnd).map((file) => join(root, file));
  const folders = new Map<string, string[]>();
  for (const file of files) {
    if (isEndToEnd(file)) continue;
    const folder = dirname(file);
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  await mkdir(bundles, { recursive: true });
  const isLong = ([folder]: readonly [string, unknown]): number => (folder in processes ? 0 : 1);
  const shared = [...folders]
    .sort((a, b) => isLong(a) - isLong(b))
    .flatMap(([folder, members]) => {
      const count = Math.min(processes[folder] ?? 1, members.length);
      return Array.from({ length: count }, (_, at) =>
        bundleFile(
          `${folder}-${at + 1}`,
          members.filter((_file, index) => index % count === at),
        ),
      );
    });
  return [...alone, ...(await Promise.all(shared))];
}

async function bundleFile(name: string, members: readonly string[]): Promise<string> {
  const file = join(bundles, `${name.replaceAll('/', '-')}.test.mjs`);
  await writeFile(file, members.map((member) => `import '${pathToFileURL(join(root, member))}';\n`).join(''));
  return file;
}
