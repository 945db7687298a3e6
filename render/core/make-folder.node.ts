// Making folders. Node's own way to make several at a time never ends below /proc.

import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { codeOf } from './errors.ts';

/**
 * Creates a folder and those above it that are missing; `path` starts from `cwd`. Throws Node's error of the one folder that
 * cannot be made, whose `path` is written as the caller's is.
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
    // Somebody else may have been quicker.
    if (codeOf(error) !== 'EEXIST') throw Object.assign(error as Error, { path });
  }
}
