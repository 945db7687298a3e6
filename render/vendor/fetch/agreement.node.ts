// Checks that folder, lock file and Orders agree, without fetching or writing anything.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lockName } from '../lock/lock.ts';
import { archiveDigest } from '../lock/locked.ts';
import { readLockFile } from '../lock/registry.node.ts';
import { sourceKey } from '../lock/source.ts';
import type { Demand } from './demand.node.ts';
import { lockedFor, unusedOf } from './vendor.node.ts';

/** The disagreements, as sentences. */
export interface Agreement {
  /** Problems that prevent an Order from being rendered according to the lock file. */
  readonly faults: readonly string[];
  /** Charts in the lock file that no Order needs. */
  readonly unused: readonly string[];
}

/** Compares the required charts with the lock file and with the folder's content. Throws CHART_INVALID for an invalid lock file. */
export function compareCharts({ requests: asks, failures }: Demand, folder: string): Agreement {
  const file = join(dirname(folder), lockName);
  const lock = readLockFile(file) ?? { folder: '', charts: [] };
  const faults = failures.map(({ message }) => message);
  if (asks.length > 0 && !existsSync(file)) faults.push(`${file} is not there`);
  for (const { ref, by } of existsSync(file) ? asks : []) {
    const wanted = ref.version === '' ? '' : ` ${JSON.stringify(ref.version)}`;
    if (lockedFor(lock, ref) === undefined)
      faults.push(`${by}: ${ref.name}${wanted} of ${sourceKey(ref.sourceRef.name)} is not in ${lockName}`);
  }
  const seen = new Set<string>();
  for (const { archive, digest, name, version } of lock.charts) {
    const path = join(folder, archive);
    if (seen.has(path)) continue;
    seen.add(path);
    if (!existsSync(path)) faults.push(`${path} of ${name} ${version} is not there`);
    else if (archiveDigest(readFileSync(path)) !== digest)
      faults.push(`${path} of ${name} ${version} does not have the digest of ${lockName}`);
  }
  return { faults, unused: unusedOf(lock, asks).map(({ name, version, source }) => `${name} ${version} of ${source}`) };
}
