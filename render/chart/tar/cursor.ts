// A place in a tar archive, and the reading of what follows it. Mirrors: Go 1.23, archive/tar, reader.go.

import type { ByteSource } from '../../go/compress/gzip.ts';
import { GoError } from '../../go/value.ts';
import { blockSize, headerFault } from './block.ts';

/** PAX records by their keys. */
export type PaxRecords = ReadonlyMap<string, string>;

/** Where one file of an archive lies, and the reading of what follows its header. */
export class TarCursor {
  readonly #source: ByteSource;
  at = 0;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  /** Returns the next bytes and goes on behind them. Throws GoError where they are not there. */
  take(size: number): Uint8Array {
    const bytes = this.peek(size);
    this.at += size;
    return bytes;
  }

  /** Returns the next bytes. Throws as `take`. */
  peek(size: number, at = this.at): Uint8Array {
    const { bytes, end } = this.#source;
    if (at + size > bytes.length) throw new GoError(end === 'EOF' ? 'unexpected EOF' : end);
    return bytes.subarray(at, at + size);
  }

  /** Reports whether the archive has cleanly ended here. */
  get isAtEnd(): boolean {
    return this.at >= this.#source.bytes.length && this.#source.end === 'EOF';
  }
}

/** Where the content of an entry lies. */
export interface Region {
  readonly start: number;
  readonly size: number;
  /** Where the next header is. */
  readonly end: number;
}

/** Returns where the content of an entry lies that begins at the cursor. Throws GoError for a size below zero. */
export function regionAt(cursor: TarCursor, type: string, size: number): Region {
  const stored = '123456'.includes(type) ? 0 : size;
  if (stored < 0) throw headerFault();
  const start = cursor.at;
  return { start, size: stored, end: start + Math.ceil(stored / blockSize) * blockSize };
}
