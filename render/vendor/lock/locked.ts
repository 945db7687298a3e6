// Charts pinned by a lock file: each archive is read once, and must have the digest in the lock file.

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Chart } from '../../chart/chart.ts';
import { loadArchive } from '../../chart/load.ts';
import { checkRef, notFound, type Registry } from '../../chart/registry.ts';
import { RenderError } from '../../core/errors.ts';
import { findLocked, type Lock, type LockedChart } from './lock.ts';

/** Returns the SHA-256 of bytes in the format of lock files: `sha256:` and 64 digits. */
export function archiveDigest(data: Uint8Array): string {
  return `sha256:${bytesToHex(sha256(data))}`;
}

/**
 * Returns a registry over a lock file. `read` returns the bytes of an archive by its path below the folder, or undefined. Charts that are
 * not in the lock file are CHART_NOT_FOUND.
 */
export function lockedRegistry(lock: Lock, read: (archive: string) => Uint8Array | undefined): Registry {
  const charts = new Map<string, Chart>();
  return {
    resolve: async (ref) => {
      checkRef(ref);
      const locked = findLocked(lock, ref);
      if (locked === undefined) throw notFound(ref, { places: ['the lock'] });
      const known = charts.get(locked.archive);
      if (known !== undefined) return known;
      const data = read(locked.archive);
      if (data === undefined) throw missingArchive(locked, locked.archive);
      const chart = loadLocked(data, locked, locked.archive);
      charts.set(locked.archive, chart);
      return chart;
    },
  };
}

/** Returns the chart of a pinned archive; `path` is the archive's in messages. Throws CHART_INVALID. */
export function loadLocked(data: Uint8Array, locked: LockedChart, path: string): Chart {
  const digest = archiveDigest(data);
  if (digest !== locked.digest) {
    throw new RenderError('CHART_INVALID', `${path} is not the archive that drydock.lock pins: it has ${digest}`, {
      place: { file: path },
      hint: 'Run `drydock vendor ORDER`, which brings the pinned one, or `drydock vendor ORDER --update` to pin another.',
    });
  }
  const chart = loadArchive(data);
  const { name, version } = chart.metadata;
  if (name === locked.name) return chart;
  throw new RenderError('CHART_INVALID', `${path} holds the chart ${name} ${version}, and not ${locked.name}`, {
    place: { file: path },
    hint: 'Write the name of the chart that the source has, and run `drydock vendor ORDER` again.',
  });
}

/** Returns the error for a missing archive of a lock file. Nothing else may be used instead. */
export function missingArchive({ name, version }: LockedChart, path: string): RenderError {
  return new RenderError(
    'CHART_INVALID',
    `the archive of chart ${name} ${version} that drydock.lock names is not there: ${path}`,
    {
      place: { file: path },
      hint: 'Run `drydock vendor ORDER`, which brings it.',
    },
  );
}
