// Creates folders. Node's recursive mkdir does not terminate below /proc.

import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { codeOf } from './errors.ts';

/**
 * Creates a folder and its missing parents; `path` is relative to `cwd`. Throws Node's error of the folder that cannot be created, with its
 * `path` written like the caller's.
 * Mirrors: Go, os, `MkdirAll`.
 */
export function makeFolder(path: string, cwd = '.'): void {
  const full = resolve(cwd, path);
  const stats = statSync(full, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return;
  if (stats !== undefined) {
    const error = new Error(`ENOTDIR: not a directory, mkdir '${path}'`);
    throw Object.assign(error, { code: 'ENOTDIR', syscall: 'mkdir', path });
  }
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent, cwd);
  try {
    mkdirSync(full);
  } catch (error) {
    // Another process may have created it.
    if (codeOf(error) !== 'EEXIST') throw Object.assign(error as Error, { path });
  }
}
