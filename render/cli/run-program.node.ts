// Programs of a project that the command runs: a configuration, or routes. TypeScript too.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageFolder } from './own-files.node.ts';

// What such a program may import of a drydock that is installed for all projects, and not found from within one.
const ownModules: Readonly<Record<string, readonly [built: string, source: string]>> = {
  'drydock/config': ['dist/config.js', 'emulator/cli/config.ts'],
  'drydock/emulator': ['dist/emulator.js', 'emulator/index.ts'],
};

/** Returns what a program exports as its default. Rejects with whatever it throws. */
export async function runProgram(file: string): Promise<unknown> {
  if (!file.endsWith('ts')) {
    const module = (await import(pathToFileURL(file).href)) as { readonly default?: unknown };
    return module.default;
  }
  // Node 20 runs no TypeScript, and later ones a part of it: jiti runs all of it on each of them.
  const { createJiti } = await import('jiti/static');
  const folder = packageFolder();
  const alias = Object.entries(ownModules).map(([name, [built, source]]) => {
    const file = join(folder, built);
    return [name, existsSync(file) ? file : join(folder, source)];
  });
  const jiti = createJiti(pathToFileURL(file).href, { alias: Object.fromEntries(alias), fsCache: false });
  return jiti.import(file, { default: true });
}
