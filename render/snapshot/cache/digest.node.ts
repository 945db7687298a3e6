// Digests for cache keys.

import { createHash } from 'node:crypto';
import { encodeUtf8 } from '../../go/utf8.ts';

/** Returns the SHA-256 of a text or of bytes, in hex. */
export function contentDigest(content: string | Uint8Array): string {
  return createHash('sha256')
    .update(typeof content === 'string' ? encodeUtf8(content) : content)
    .digest('hex');
}

/** Returns one digest of several parts. Each is prefixed with its length, so that different lists cannot produce the same bytes. */
export function digestOfParts(parts: Iterable<string | Uint8Array>): string {
  const hash = createHash('sha256');
  for (const part of parts) {
    const bytes = typeof part === 'string' ? encodeUtf8(part) : part;
    hash.update(`${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}

/** Returns the digest of files: their names and contents, in order. */
export function digestOfFiles(files: ReadonlyMap<string, Uint8Array>): string {
  return digestOfParts([...files].flat());
}
