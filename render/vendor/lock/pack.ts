// Creates bundles and chart archives deterministically.

import { encodeUtf8 } from '../../go/utf8.ts';
import { orderName } from './bundle.ts';
import { formatLock, type Lock, lockName } from './lock.ts';
import { packFiles } from './tar-write.ts';

/** Returns the archive of an Order's text, a lock file, and the archives in the lock file by their paths below its folder. */
export function packBundle(order: string, lock: Lock, archives: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const files = new Map<string, Uint8Array>([
    [orderName, encodeUtf8(order)],
    [lockName, encodeUtf8(formatLock(lock))],
  ]);
  for (const [path, data] of archives) files.set(`${lock.folder}/${path}`, data);
  return packFiles(files);
}

/** Returns the archive of a chart from its files by path. */
export function packChart(name: string, files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  return packFiles(new Map([...files].map(([path, data]) => [`${name}/${path}`, data])));
}
