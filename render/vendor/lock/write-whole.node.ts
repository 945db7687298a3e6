// Files that are there whole or not at all.

import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../core/make-folder.node.ts';

/** Writes a file that is there whole or not at all, even if the machine stops in the middle. Makes its folder. */
export function writeWhole(path: string, data: Uint8Array | string): void {
  makeFolder(dirname(path));
  const aside = join(dirname(path), `.${crypto.randomUUID()}.tmp`);
  try {
    const file = openSync(aside, 'wx', 0o644);
    try {
      const bytes = typeof data === 'string' ? Buffer.from(data, 'utf8') : data;
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(aside, path);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
}
