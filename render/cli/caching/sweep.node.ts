// Limits the cache: removes entries that were not used for a month, and the oldest ones above a total size.

import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Limits of a cache. */
export interface SweepLimits {
  /** In bytes. The most recently used entries are kept. */
  readonly total: number;
  /** In milliseconds since an entry was written or used. */
  readonly age: number;
}

const defaults: SweepLimits = { total: 256 * 1024 * 1024, age: 30 * 24 * 3600 * 1000 };

// Temporary files of a killed process.
const asideAge = 3600 * 1000;

/** Removes entries until the rest is within the limits: by default 256 MB and a month. Entries that cannot be removed are kept. */
export function sweepEntries(folder: string, { total, age }: SweepLimits = defaults, now = Date.now()): void {
  const entries = entriesIn(folder).sort((a, b) => b.time - a.time);
  let sum = 0;
  for (const { path, size, time } of entries) {
    const isAside = /\.\d+-\d+$/.test(path);
    const isOld = now - time > (isAside ? asideAge : age);
    sum += isOld ? 0 : size;
    if (isOld || (sum > total && !isAside)) discard(path);
  }
}

interface Entry {
  readonly path: string;
  readonly size: number;
  readonly time: number;
}

// Another process may remove files at the same time.
function entriesIn(folder: string): Entry[] {
  const folders = namesIn(folder).filter((name) => /^[0-9a-f]{2}$/.test(name));
  const entries = folders.flatMap((inner) => namesIn(join(folder, inner)).map((name) => join(folder, inner, name)));
  return entries.flatMap((path) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats === undefined ? [] : [{ path, size: stats.size, time: stats.mtimeMs }];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function discard(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Read-only.
  }
}
