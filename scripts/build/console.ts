// Writes the files of the console into dist/ as they are served: compressed, with a content hash in the name.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleConsole } from '../../emulator/console/bundle.node.ts';

/** Bundles the console into a folder; returns the source files it contains, for the license notices. */
export async function buildConsole(folder: string): Promise<readonly string[]> {
  const { script, style, early, files, inputs } = await bundleConsole(11);
  await mkdir(folder, { recursive: true });
  for (const [name, packed] of files) await writeFile(join(folder, `${name}.br`), packed);
  await writeFile(join(folder, 'index.json'), `${JSON.stringify({ script, style, early })}\n`);
  return inputs;
}
