// Schemas that values.schema.json files refer to by URL, from the files that a drydock.lock pins.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RenderError } from '../../core/errors.ts';
import { decodeUtf8 } from '../../go/utf8.ts';
import type { LockedSchema } from './lock.ts';
import { archiveDigest } from './locked.ts';
import { findLockFolder, type LockHome, lockHomes } from './registry.node.ts';

/** The schemas of locks. */
export interface LockedSchemas {
  /** Throws CHART_INVALID if the file of a schema is missing or not the one that the lock pins. */
  readonly source: (url: string) => string | undefined;
  /** Which schemas there are, with their digests: two equal texts mean the same schemas. */
  readonly digest: string;
  /** The locks that count. */
  readonly files: readonly string[];
}

/** Returns the schemas of the nearest lock of each folder: the one in it or above it in the project. Throws CHART_INVALID. */
export function schemasFor(folders: readonly string[]): LockedSchemas {
  const found = folders.flatMap((folder) => findLockFolder(folder) ?? []);
  const homes = lockHomes([...new Set(found)]);
  const pinned = new Map<string, readonly [LockedSchema, LockHome]>();
  for (const home of homes) {
    for (const schema of home.lock.schemas ?? []) {
      if (!pinned.has(schema.url)) pinned.set(schema.url, [schema, home]);
    }
  }
  return {
    source: (url) => {
      const [schema, home] = pinned.get(url) ?? [];
      return schema && home && readPinned(schema, home.folder);
    },
    digest: JSON.stringify([...pinned.values()].map(([{ url, digest }]) => [url, digest])),
    files: homes.map(({ file }) => file),
  };
}

function readPinned({ url, file, digest }: LockedSchema, folder: string): string {
  const path = join(folder, file);
  const data = existsSync(path) ? readFileSync(path) : undefined;
  if (data !== undefined && archiveDigest(data) === digest) return decodeUtf8(data);
  const what = data === undefined ? 'is not there' : 'is not the file that drydock.lock pins';
  throw new RenderError('CHART_INVALID', `${path} of the schema ${url} ${what}`, {
    place: { file: path },
    hint: 'Run `drydock vendor` with the chart or the Order, which downloads it again.',
  });
}
