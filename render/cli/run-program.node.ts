// Runs TypeScript and JavaScript files of a project, such as its configuration and custom routes.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageFolder } from '../core/own-files.node.ts';

// Modules that these files can import even if drydock is only installed globally.
const ownModules: Readonly<Record<string, readonly [built: string, source: string]>> = {
  'drydock/config': ['dist/config.js', 'emulator/cli/config.ts'],
  'drydock/emulator': ['dist/emulator.js', 'emulator/index.ts'],
};

/** Returns the default export of a file. Rejects with the error that the file throws. */
export async function importProgram(file: string): Promise<unknown> {
  if (!file.endsWith('ts')) {
    const module = (await import(pathToFileURL(file).href)) as { readonly default?: unknown };
    return module.default;
  }
  // Node 20 cannot run TypeScript and later versions run a subset, so jiti runs it on all versions.
  const { createJiti } = await import('jiti/static');
  const folder = packageFolder();
  const alias = Object.entries(ownModules).map(([name, [built, source]]) => {
    const file = join(folder, built);
    return [name, existsSync(file) ? file : join(folder, source)];
  });
  const jiti = createJiti(pathToFileURL(file).href, { alias: Object.fromEntries(alias), fsCache: false });
  return jiti.import(file, { default: true });
}
