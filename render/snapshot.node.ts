// The door `drydock/snapshot`: renderings against files in a repository, for tests of any runner and for the command.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { decodeUtf8, encodeUtf8 } from './go/utf8.ts';
import type { RenderedOrder } from './rendered-order.ts';
import {
  type CompareOptions,
  compareSnapshot,
  formatChanges,
  type SnapshotChange,
  type SnapshotFiles,
  type SnapshotStore,
} from './snapshot/compare.ts';
import { type OrderOutput, orderFiles } from './snapshot/order-files.ts';

/** Says how `matchSnapshot` compares. `update` is by default whether the environment says `UPDATE_SNAPSHOTS=1`. */
export interface MatchOptions extends CompareOptions {
  /** Which outputs of an Order are compared. Default all. */
  readonly outputs?: readonly OrderOutput[] | undefined;
}

/** The failure of `matchSnapshot`. Test runners show it as a failed assertion; its message holds the diff. */
export class SnapshotError extends Error {
  override readonly name = 'AssertionError';
  readonly code = 'ERR_ASSERTION';
  /** Every file that is not as recorded. */
  declare readonly changes: readonly SnapshotChange[];

  constructor(message: string, changes: readonly SnapshotChange[]) {
    super(message);
    // Runners print what can be listed of an error; the message tells it already.
    Object.defineProperty(this, 'changes', { value: changes });
  }
}

/**
 * Compares a rendering with its snapshot: a text with the file at `path`, an Order or several texts with the folder there.
 * That folder belongs to the snapshot: an update removes what is no longer rendered. Nothing is written unless asked for,
 * so a snapshot that was never recorded fails. Render with `seededHost()`, or random values differ each time.
 * Rejects with SnapshotError when anything differs.
 */
export async function matchSnapshot(
  rendered: string | SnapshotFiles | RenderedOrder,
  path: string,
  options: MatchOptions = {},
): Promise<void> {
  const isText = typeof rendered === 'string';
  const files = isText ? new Map([['', rendered]]) : 'order' in rendered ? orderFiles(rendered, options) : rendered;
  const update = options.update ?? /^(1|true|yes)$/i.test(process.env.UPDATE_SNAPSHOTS ?? '');
  const store = isText ? fileStore(path) : folderStore(path);
  const changes = compareSnapshot(files, store, { ...options, update });
  if (update || changes.length === 0) return;
  const mend = 'If this is meant, record it: run the test with UPDATE_SNAPSHOTS=1 and commit the files.';
  throw new SnapshotError(`the snapshot does not match\n\n${formatChanges(changes, path)}\n${mend}`, changes);
}

/** Gives the store of a snapshot that is one file. Its one path is empty. */
export function fileStore(file: string): SnapshotStore {
  const path = resolve(file);
  return {
    read: () => new Map(existsSync(path) ? [['', decodeUtf8(readFileSync(path))]] : []),
    write: (_path, text) => writeText(path, text),
    remove: () => rmSync(path),
  };
}

/** Gives the store of a snapshot that is a folder with all that it holds. Files whose name starts with a dot are left alone. */
export function folderStore(folder: string): SnapshotStore {
  const root = resolve(folder);
  return {
    read: () => new Map(listFiles(root, '').map((path) => [path, decodeUtf8(readFileSync(join(root, path)))] as const)),
    write: (path, text) => writeText(join(root, path), text),
    remove: (path) => {
      rmSync(join(root, path));
      removeEmpty(dirname(join(root, path)), root);
    },
  };
}

function listFiles(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.name.startsWith('.')) return [];
    return entry.isDirectory() ? listFiles(root, path) : [path];
  });
}

function writeText(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, encodeUtf8(text));
}

function removeEmpty(folder: string, root: string): void {
  if (!folder.startsWith(root) || readdirSync(folder).length > 0) return;
  rmSync(folder, { recursive: true });
  if (folder !== root) removeEmpty(dirname(folder), root);
}

export type {
  CompareOptions,
  SnapshotChange,
  SnapshotFiles,
  SnapshotStatus,
  SnapshotStore,
} from './snapshot/compare.ts';
export { type OrderOutput, orderFiles } from './snapshot/order-files.ts';
