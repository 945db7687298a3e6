// Compares a rendering with its recording: same, different, new or obsolete.

/** The files of a snapshot: paths with `/`, and texts. */
export type SnapshotFiles = ReadonlyMap<string, string>;

/** The state of a file: `new` was never recorded, `obsolete` is recorded and no longer rendered. */
export type SnapshotStatus = 'different' | 'new' | 'obsolete';

/** A file that differs from its recording, with both texts; empty for a missing side. */
export interface ChangedFile {
  readonly path: string;
  readonly status: SnapshotStatus;
  readonly before: string;
  readonly after: string;
}

/** Returns all files that differ from their recordings, by path. `missing` could not be rendered this time; their recordings are kept. */
export function changedFiles(
  recorded: SnapshotFiles,
  rendered: SnapshotFiles,
  missing: readonly string[] = [],
): readonly ChangedFile[] {
  const changes: ChangedFile[] = [];
  for (const path of [...new Set([...rendered.keys(), ...recorded.keys()])].sort()) {
    if (missing.includes(path)) continue;
    const [was, is] = [recorded.get(path), rendered.get(path)];
    const [before, after] = [was ?? '', is ?? ''];
    if (is === undefined) changes.push({ path, status: 'obsolete', before, after });
    else if (was === undefined) changes.push({ path, status: 'new', before, after });
    else if (!isSame(before, after)) changes.push({ path, status: 'different', before, after });
  }
  return changes;
}

/** Returns the recorded files with changes: files as rendered, without obsolete ones. */
export function applyChanges(recorded: SnapshotFiles, changes: readonly ChangedFile[]): SnapshotFiles {
  const files = new Map(recorded);
  for (const { path, status, after } of changes) {
    if (status === 'obsolete') files.delete(path);
    else files.set(path, after);
  }
  return files;
}

/** Describes the states of files. */
export const statusWords: Readonly<Record<SnapshotStatus, string>> = {
  different: 'is different',
  new: 'is not recorded',
  obsolete: 'is recorded, and nothing renders it any more',
};

// A checkout on Windows may have converted all line breaks of the recorded files, but not single ones.
function isSame(before: string, now: string): boolean {
  if (before === now) return true;
  const lines = before.split('\n').slice(0, -1);
  return lines.every((line) => line.endsWith('\r')) && before.replaceAll('\r\n', '\n') === now;
}
