// Creates bundles and chart archives deterministically.

import { gzipSync } from 'fflate';
import { encodeUtf8 } from '../../go/utf8.ts';
import { compareStrings } from '../../go/value.ts';
import { orderName } from './bundle.ts';
import { formatLock, type Lock, lockName } from './lock.ts';

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

// Writes tar archives, the same bytes for the same files: no times, no owners, no order but that of the names.
// Mirrors: POSIX.1-1988 ustar, with GNU's long names.

const block = 512;

/** Returns a gzipped tar archive of files by their paths, the same bytes every time. */
function packFiles(files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const [name, data] of [...files].sort(([a], [b]) => compareStrings(a, b))) {
    const path = encodeUtf8(name);
    if (path.length > 100) {
      const long = encodeUtf8(`${name}\0`);
      parts.push(header(encodeUtf8('././@LongLink'), long.length, 'L'), padded(long));
    }
    parts.push(header(path.subarray(0, 100), data.length, '0'), padded(data));
  }
  parts.push(new Uint8Array(2 * block));
  return gzipSync(joined(parts), { level: 9, mtime: 0 });
}

function header(name: Uint8Array, size: number, type: string): Uint8Array {
  const bytes = new Uint8Array(block);
  const put = (at: number, text: string): void => bytes.set(encodeUtf8(text), at);
  const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, '0')}\0`;
  bytes.set(name, 0);
  put(100, octal(0o644, 8));
  put(108, octal(0, 8));
  put(116, octal(0, 8));
  put(124, octal(size, 12));
  put(136, octal(0, 12));
  put(148, '        ');
  put(156, type);
  put(257, 'ustar\x0000');
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  put(148, `${sum.toString(8).padStart(6, '0')}\0 `);
  return bytes;
}

function padded(data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(data.length / block) * block);
  bytes.set(data);
  return bytes;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
