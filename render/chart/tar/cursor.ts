// A read position in a tar archive.
// Mirrors: Go 1.23, archive/tar, reader.go.

import type { ByteSource } from '../../go/compress/gzip.ts';
import { GoError } from '../../go/value.ts';
import { blockSize, headerFault } from './block.ts';

/** PAX records by their keys. */
export type PaxRecords = ReadonlyMap<string, string>;

/** The position of a file in an archive after its header. */
export class TarCursor {
  readonly #source: ByteSource;
  at = 0;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  /** Reads the next bytes. Throws GoError at the end of the archive. */
  take(size: number): Uint8Array {
    const bytes = this.peek(size);
    this.at += size;
    return bytes;
  }

  /** Returns the next bytes without reading them. Throws as `take`. */
  peek(size: number, at = this.at): Uint8Array {
    const { bytes, end } = this.#source;
    if (at + size > bytes.length) throw new GoError(end === 'EOF' ? 'unexpected EOF' : end);
    return bytes.subarray(at, at + size);
  }

  /** Reports whether the archive has ended properly. */
  get isAtEnd(): boolean {
    return this.at >= this.#source.bytes.length && this.#source.end === 'EOF';
  }
}

/** The region of an entry's content. */
export interface Region {
  readonly start: number;
  readonly size: number;
  /** Offset of the next header. */
  readonly end: number;
}

/** Returns the region of the content at the cursor. Throws GoError for a negative size. */
export function regionAt(cursor: TarCursor, type: string, size: number): Region {
  const stored = '123456'.includes(type) ? 0 : size;
  if (stored < 0) throw headerFault();
  const start = cursor.at;
  return { start, size: stored, end: start + Math.ceil(stored / blockSize) * blockSize };
}
