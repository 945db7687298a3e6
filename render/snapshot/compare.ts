// A rendering against what was recorded of it: same, different, new or gone. It knows no disk; a store is handed in.

import { escapePattern } from '../core/escape-pattern.ts';
import { diffLines } from './diff.ts';

/** The files of a snapshot: paths with `/` between their parts, and texts. */
export type SnapshotFiles = ReadonlyMap<string, string>;

/** Keeps one snapshot. */
export interface SnapshotStore {
  /** Returns everything that is recorded; nothing if there is no snapshot yet. */
  read(): SnapshotFiles;
  /** Replaces everything that is recorded. `beside` are files that are not part of the snapshot, such as its record. */
  write(files: SnapshotFiles, beside?: SnapshotFiles): void;
}

/** Names the state of a file of a snapshot: `new` was never recorded, `obsolete` is recorded and no longer rendered. */
export type SnapshotStatus = 'different' | 'new' | 'obsolete';

/** One file that is not as recorded. */
export interface SnapshotChange {
  readonly path: string;
  readonly status: SnapshotStatus;
  /** The hunks of a unified diff, recorded to rendered; empty unless `different`. */
  readonly diff: string;
}

/** Describes how to compare. */
export interface CompareOptions {
  /** YAML keys whose values do not count, such as `helm.sh/chart`: both sides hold `<masked>` in their place. Default none. */
  readonly mask?: readonly string[] | undefined;
  /** Paths that could not be rendered this time: what is recorded of them stays. Default none. */
  readonly missing?: readonly string[] | undefined;
  /** Records the rendering: writes what is different or new, removes what is obsolete. Default false: nothing is written. */
  readonly update?: boolean | undefined;
}

/** One file that is not as recorded, with both texts; empty where there is none. */
export interface ChangedFile extends Pick<SnapshotChange, 'path' | 'status'> {
  readonly before: string;
  readonly after: string;
}

/** Compares a rendering with its snapshot and gives every change, by path; with `update` they are recorded. */
export function compareSnapshot(
  rendered: SnapshotFiles,
  store: SnapshotStore,
  options: CompareOptions = {},
): readonly SnapshotChange[] {
  return changedFiles(rendered, store, options).map(({ path, status, before, after }) => {
    return { path, status, diff: status === 'different' ? diffLines(before, after) : '' };
  });
}

/** Returns every file that is not as recorded, by path, as it counts: masked; with `update` they are recorded. */
export function changedFiles(
  rendered: SnapshotFiles,
  store: SnapshotStore,
  { mask = [], missing = [], update = false }: CompareOptions = {},
): readonly ChangedFile[] {
  const recorded = store.read();
  const changes: ChangedFile[] = [];
  for (const path of [...new Set([...rendered.keys(), ...recorded.keys()])].sort()) {
    if (missing.includes(path)) continue;
    const [was, is] = [recorded.get(path), rendered.get(path)];
    const [before, after] = [maskKeys(was ?? '', mask), maskKeys(is ?? '', mask)];
    if (is === undefined) changes.push({ path, status: 'obsolete', before, after });
    else if (was === undefined) changes.push({ path, status: 'new', before, after });
    else if (!isSame(before, after)) changes.push({ path, status: 'different', before, after });
  }
  if (update) writeChanges(changes, store);
  return changes;
}

/** Records changes: files as they are rendered, without those that nothing renders any more. */
export function writeChanges(changes: readonly ChangedFile[], store: SnapshotStore, beside?: SnapshotFiles): void {
  const files = new Map(store.read());
  for (const { path, status, after } of changes) {
    if (status === 'obsolete') files.delete(path);
    else files.set(path, after);
  }
  store.write(files, beside);
}

/** Returns changes as a text for people: a line for each, with the diff below it. */
export function formatChanges(changes: readonly SnapshotChange[], name: string): string {
  const words: Readonly<Record<SnapshotStatus, string>> = {
    different: 'is different',
    new: 'is not recorded',
    obsolete: 'is recorded, and nothing renders it any more',
  };
  return changes
    .map(({ path, status, diff }) => {
      const file = path === '' ? name : `${name}/${path}`;
      return `${file} ${words[status]}\n${diff === '' ? '' : `--- recorded\n+++ rendered\n${diff}`}`;
    })
    .join('');
}

// A checkout on Windows may have given every line of the recorded files another end. Some lines alone were recorded like that.
function isSame(before: string, now: string): boolean {
  if (before === now) return true;
  const lines = before.split('\n').slice(0, -1);
  return lines.every((line) => line.endsWith('\r')) && before.replaceAll('\r\n', '\n') === now;
}

// What is indented below a masked line belongs to its value: a block scalar, a text that was folded.
function maskKeys(text: string, keys: readonly string[]): string {
  if (keys.length === 0) return text;
  const names = keys.map((key) => escapePattern(key)).join('|');
  const line = new RegExp(`^([ ]*(?:- )*)((["']?)(?:${names})\\3:) .*$`);
  const kept: string[] = [];
  let limit = Number.POSITIVE_INFINITY;
  let blanks: string[] = [];
  for (const full of text.split('\n')) {
    const indent = full.search(/\S/);
    if (indent < 0) {
      blanks.push(full);
      continue;
    }
    if (indent > limit) {
      blanks = [];
      continue;
    }
    const [, before, key] = line.exec(full) ?? [];
    kept.push(...blanks, before === undefined ? full : `${before}${key} <masked>`);
    limit = before === undefined ? Number.POSITIVE_INFINITY : before.length;
    blanks = [];
  }
  return [...kept, ...blanks].join('\n');
}
