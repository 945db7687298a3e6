// Where snapshots are recorded: a file, or a folder.

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { checkArguments, filled } from '../core/arguments.ts';
import { makeFolder } from '../core/make-folder.node.ts';
import { decodeUtf8, encodeUtf8 } from '../go/utf8.ts';
import type { SnapshotStore } from './compare.ts';
import { readSnapshot, writeSnapshot } from './folder.node.ts';

/**
 * Returns the store of a single-file snapshot. Its only path is empty. Throws ARGUMENT_INVALID.
 * @example
 * const recorded = fileStore('snapshots/web.yaml').read().get('');
 */
export function fileStore(file: string): SnapshotStore {
  checkArguments('fileStore', ['file', file, filled]);
  const path = resolve(file);
  return {
    read: () => new Map(existsSync(path) ? [['', decodeUtf8(readFileSync(path))]] : []),
    write: (files) => {
      const text = files.get('');
      if (text === undefined) rmSync(path);
      else writeText(path, text);
    },
  };
}

/**
 * Returns the store of a snapshot folder. Files equal to another one are a line in `.same.json`; other files whose names start with a dot
 * are ignored. Throws ARGUMENT_INVALID.
 * @example
 * const recorded = folderStore('snapshots/shop').read(); // paths to texts
 */
export function folderStore(folder: string): SnapshotStore {
  checkArguments('folderStore', ['folder', folder, filled]);
  const root = resolve(folder);
  return {
    read: () => readSnapshot(root),
    write: (files, beside) => writeSnapshot(root, files, beside),
  };
}

function writeText(path: string, text: string): void {
  makeFolder(dirname(path));
  writeFileSync(path, encodeUtf8(text));
}
