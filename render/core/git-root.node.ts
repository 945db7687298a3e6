// The Git repository around a path.

import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Returns the root of the Git repository that contains a path, or undefined. */
export function findGitRoot(start: string): string | undefined {
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}
