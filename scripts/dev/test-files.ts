// Which test files there are, and how they share processes.

import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/**
 * Folders whose files each have a process of their own: they start shells and servers, which wait for each other less in parallel, or
 * change process-wide settings. The files of every other folder share one process, which imports the engine once: with a process per
 * file, half of the time went into imports.
 */
const separate = [
  'test',
  'test/emulator',
  'test/emulator/cli',
  'test/emulator/persistence',
  'test/render',
  'test/render/cli',
];
/** Where the files that import those of a folder are written. */
const bundles = join(root, 'node_modules/.cache/drydock/test-bundles');

/** Returns the paths of all test files from the repository's root, sorted. */
export async function testFiles(): Promise<string[]> {
  // Node 20 takes no glob after --test, and looks only for .js files in a folder.
  const files = await readdir(join(root, 'test'), { recursive: true });
  return files
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `test/${file.replaceAll('\\', '/')}`)
    .sort();
}

/** Reports whether a test belongs to `test/e2e`: it runs every shell, or takes long by nature, and `npm test` leaves it out. */
export function isEndToEnd(file: string): boolean {
  return file.startsWith('test/e2e/');
}

/** Returns the files to hand to `node --test`, those with a process of their own first, since they take longest. */
export async function testEntries(files: readonly string[]): Promise<string[]> {
  const alone: string[] = [];
  const folders = new Map<string, string[]>();
  for (const file of files) {
    const folder = dirname(file);
    if (separate.includes(folder) || isEndToEnd(file)) alone.push(join(root, file));
    else folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  await mkdir(bundles, { recursive: true });
  return [...alone, ...(await Promise.all([...folders].map(([folder, members]) => bundleFile(folder, members))))];
}

async function bundleFile(folder: string, members: readonly string[]): Promise<string> {
  const file = join(bundles, `${folder.replaceAll('/', '-')}.test.mjs`);
  await writeFile(file, members.map((member) => `import '${pathToFileURL(join(root, member))}';\n`).join(''));
  return file;
}
