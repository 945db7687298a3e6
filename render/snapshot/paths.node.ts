// The files of a snapshot on disk.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Gives the paths of the files in the folder of a snapshot, with `/`. Those whose name starts with a dot are none. */
export function snapshotPaths(root: string, folder = ''): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.name.startsWith('.')) return [];
    return entry.isDirectory() ? snapshotPaths(root, path) : [path];
  });
}
