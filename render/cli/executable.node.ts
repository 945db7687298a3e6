// The main program of the single executable, which contains Node and the package. Node loads modules from files only, so the package is
// unpacked on the first start, into a folder that only this user can write to, or else into a temporary folder for one run.

import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { getAsset } from 'node:sea';
import { gunzipSync } from 'node:zlib';
import { makeFolder } from '../core/make-folder.node.ts';
import { codeFolder } from './code-folder.node.ts';

/** The digest of the contained package, set by the build. */
declare const PACKAGE_DIGEST: string;

createRequire(join(packageFolder(), 'dist/'))('./drydock.cjs');

function packageFolder(): string {
  const cache = codeFolder();
  if (cache === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'drydock-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    unpack(folder);
    return folder;
  }
  const folder = join(cache, `package-${PACKAGE_DIGEST}`);
  if (existsSync(folder)) return folder;
  // Unpacked to a temporary name and renamed, so that another process never sees an incomplete folder.
  const aside = `${folder}.${process.pid}`;
  unpack(aside);
  try {
    renameSync(aside, folder);
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    // Another process was faster.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/**
 * Writes the files of the package into a folder: the format is a gzipped list of paths and lengths as one line of JSON, followed by the
 * contents.
 */
function unpack(folder: string): void {
  const bytes = gunzipSync(new Uint8Array(getAsset('package')));
  const start = bytes.indexOf('\n') + 1;
  const files: readonly (readonly [path: string, length: number])[] = JSON.parse(bytes.subarray(0, start).toString());
  let at = start;
  for (const [path, length] of files) {
    const file = join(folder, path);
    makeFolder(dirname(file));
    writeFileSync(file, bytes.subarray(at, at + length));
    at += length;
  }
}
