// The folder of a snapshot: its files, an index of files equal to another one, and a marker while it is being written.

import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { attempt } from '../core/catch.ts';
import { RenderError } from '../core/errors.ts';
import { memo } from '../core/lazy.ts';
import { makeFolder } from '../core/make-folder.node.ts';
import { decodeUtf8, encodeUtf8 } from '../go/utf8.ts';
import type { SnapshotFiles } from './compare.ts';

/** The index: the paths of files equal to another one, with the path of that one. */
const indexName = '.same.json';
/** Exists while files are written, and remains if writing is interrupted. */
const markName = '.updating';
/** A temporary name for the next file. */
const nextName = '.next';

/**
 * Returns the files of a snapshot by path, with `/`, each with the file on disk that has its text. Files whose names start with a dot are
 * excluded.
 */
export function snapshotPaths(root: string): ReadonlyMap<string, string> {
  const found = new Map(pathsBelow(root, '').map((path) => [path, join(root, path)] as const));
  for (const [path, same] of readIndex(root)) {
    const file = found.get(same);
    if (file !== undefined && !found.has(path)) found.set(path, file);
  }
  return found;
}

/** Returns the texts of a snapshot's files by path; empty if there is no snapshot yet. */
export function readSnapshot(root: string): SnapshotFiles {
  const textOf = memo((file: string) => decodeUtf8(readFileSync(file)));
  return new Map([...snapshotPaths(root)].map(([path, file]) => [path, textOf(file)]));
}

/** Throws MANIFEST_INVALID if the last update of a snapshot was interrupted: its files may be from two runs. */
export function checkWhole(root: string, name: string): void {
  if (!isTorn(root)) return;
  throw new RenderError('MANIFEST_INVALID', `an update of ${name} was interrupted, so its files may be of two runs`, {
    hint: 'Record it again with --update, or restore the folder from git.',
  });
}

export function isTorn(root: string): boolean {
  return existsSync(join(root, markName));
}

/** Replaces the files of a snapshot, and writes others beside them. Unchanged files are not written. */
export function writeSnapshot(root: string, files: SnapshotFiles, beside: SnapshotFiles): void {
  const wanted = new Map([...withoutSame(files), ...beside]);
  const present = pathsBelow(root, '');
  const changed = [...wanted].filter(([path, text]) => !holds(join(root, path), text));
  const removed = present.filter((path) => !wanted.has(path));
  if (!wanted.has(indexName) && existsSync(join(root, indexName))) removed.push(indexName);
  if (changed.length === 0 && removed.length === 0 && !isTorn(root)) return;
  const mark = join(root, markName);
  const next = join(root, nextName);
  makeFolder(root);
  writeFileSync(mark, '');
  for (const [path, text] of changed) {
    makeFolder(dirname(join(root, path)));
    writeFileSync(next, encodeUtf8(text));
    renameSync(next, join(root, path));
  }
  for (const path of removed) {
    rmSync(join(root, path));
    removeEmpty(dirname(join(root, path)), root);
  }
  // A killed update may have left it.
  rmSync(next, { force: true });
  rmSync(mark);
  removeEmpty(root, root);
}

// Of equal files the one with the shortest name has the text: `web.yaml`, not `web.kube-1.31.yaml`. Resources of Orders are separate files.
function withoutSame(files: SnapshotFiles): SnapshotFiles {
  const firsts = new Map<string, string>();
  const kept = new Map<string, string>();
  const same: string[] = [];
  for (const path of [...files.keys()].sort((a, b) => a.length - b.length || (a < b ? -1 : 1))) {
    const text = files.get(path)!;
    const first = path.includes('/') ? undefined : firsts.get(text);
    if (first === undefined) {
      firsts.set(text, path);
      kept.set(path, text);
    } else same.push(`  ${JSON.stringify(path)}: ${JSON.stringify(first)}`);
  }
  return same.length === 0 ? kept : kept.set(indexName, `{\n${same.sort().join(',\n')}\n}\n`);
}

// An index with merge conflicts is ignored: its files count as not recorded.
function readIndex(root: string): [path: string, same: string][] {
  const file = join(root, indexName);
  if (!existsSync(file)) return [];
  const value = attempt((): unknown => JSON.parse(decodeUtf8(readFileSync(file))), Error, undefined);
  const entries = Object.entries((value ?? {}) as Readonly<Record<string, unknown>>);
  return entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
}

function holds(file: string, text: string): boolean {
  return existsSync(file) && decodeUtf8(readFileSync(file)) === text;
}

function pathsBelow(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.name.startsWith('.')) return [];
    return entry.isDirectory() ? pathsBelow(root, path) : [path];
  });
}

function removeEmpty(folder: string, root: string): void {
  if (!folder.startsWith(root) || !existsSync(folder) || readdirSync(folder).length > 0) return;
  rmSync(folder, { recursive: true });
  if (folder !== root) removeEmpty(dirname(folder), root);
}
