// The files of this package, located from its sources or its bundles.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Returns the folder that holds drydock's package.json. */
export function packageFolder(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (readManifest(folder)?.name === 'drydock') return folder;
    if (folder === dirname(folder)) throw new Error('the package.json of drydock is not there');
  }
}

/** Returns the version of drydock. */
export function ownVersion(): string {
  return readManifest(packageFolder())?.version ?? '';
}

function readManifest(folder: string): { readonly name?: string; readonly version?: string } | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: string; version?: string };
  } catch {
    return undefined;
  }
}
