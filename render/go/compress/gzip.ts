// Gzip streams with any number of members.
// Mirrors: Go 1.23, compress/gzip, gunzip.go.

import { GoError } from '../value.ts';
import { inflate } from './flate.ts';

/** The bytes of a stream, and why it ended: `EOF` for its regular end. */
export interface ByteSource {
  readonly bytes: Uint8Array;
  readonly end: string;
}

/** Go's message for an invalid header (`gzip.ErrHeader`). */
export const invalidHeader = 'gzip: invalid header';

/** The `end` of a stream that was abandoned because it exceeds the limit. */
export const limitReached = 'limit reached';

/** Reports whether data starts like gzip. */
export function isGzip(data: Uint8Array): boolean {
  return data[0] === 0x1f && data[1] === 0x8b && data[2] === 0x08;
}

/**
 * Returns the content of a stream, up to its end or its first error, but not much more than `limit` bytes. Throws GoError if the first
 * header is invalid; Go reads the rest on demand, so later errors are in `end`.
 */
export function gunzip(data: Uint8Array, limit: number): ByteSource {
  const header = readHeader(data, 0);
  if (typeof header === 'string') throw new GoError(header);
  return gunzipMembers(data, header, limit);
}

const headerSize = 10;
const trailerSize = 8;

function gunzipMembers(data: Uint8Array, firstStart: number, limit: number): ByteSource {
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let start: number | string = firstStart; ; ) {
    const member = inflate(data, start, limit - size);
    parts.push(member.bytes);
    size += member.bytes.length;
    if (member.fault !== undefined) return { bytes: join(parts, size), end: member.fault };
    if (size > limit) return { bytes: join(parts, size), end: limitReached };
    const fault = checkTrailer(data, member.end, member.bytes);
    if (fault !== undefined) return { bytes: join(parts, size), end: fault };
    const next = readHeader(data, member.end + trailerSize);
    if (typeof next === 'string') return { bytes: join(parts, size), end: next };
    start = next;
  }
}

function join(parts: readonly Uint8Array[], size: number): Uint8Array {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function checkTrailer(data: Uint8Array, at: number, bytes: Uint8Array): string | undefined {
  if (at + trailerSize > data.length) return 'unexpected EOF';
  const { checksum, size } = readTrailer(data, at);
  return checksum === crc32(bytes) && size === bytes.length ? undefined : 'gzip: invalid checksum';
}

function readTrailer(data: Uint8Array, at: number): { readonly checksum: number; readonly size: number } {
  const view = new DataView(data.buffer, data.byteOffset + at, trailerSize);
  return { checksum: view.getUint32(0, true), size: view.getUint32(4, true) };
}

const flags = { headerChecksum: 2, extra: 4, name: 8, comment: 16 };
// The size of Go's buffer for names and comments.
const maxText = 512;

/** Returns where a member's data starts, or Go's message for its header. */
function readHeader(data: Uint8Array, start: number): number | string {
  if (start + headerSize > data.length) return start >= data.length ? 'EOF' : 'unexpected EOF';
  if (!isGzip(data.subarray(start))) return invalidHeader;
  const flag = data[start + 3]!;
  let at = start + headerSize;
  if (flag & flags.extra) {
    if (at + 2 > data.length) return 'unexpected EOF';
    at += 2 + (data[at]! | (data[at + 1]! << 8));
    if (at > data.length) return 'unexpected EOF';
  }
  for (const text of [flags.name, flags.comment]) {
    if (!(flag & text)) continue;
    const zero = data.subarray(at, at + maxText).indexOf(0);
    if (zero < 0) return data.length - at < maxText ? 'unexpected EOF' : invalidHeader;
    at += zero + 1;
  }
  if (!(flag & flags.headerChecksum)) return at;
  if (at + 2 > data.length) return 'unexpected EOF';
  const headerChecksum = data[at]! | (data[at + 1]! << 8);
  return headerChecksum === (crc32(data.subarray(start, at)) & 0xffff) ? at + 2 : invalidHeader;
}

// Created when the first archive is read, because most renderings read none.
let known: Uint32Array | undefined;

function checksums(): Uint32Array {
  known ??= Uint32Array.from({ length: 256 }, (_, byte) => {
    let rest = byte;
    for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
    return rest;
  });
  return known;
}

/** Returns the CRC-32 of bytes as an unsigned number. Mirrors: Go, hash/crc32, crc32.go, the IEEE polynomial. */
function crc32(bytes: Uint8Array): number {
  const table = checksums();
  let rest = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) {
    rest = table[(rest ^ bytes[i]!) & 0xff]! ^ (rest >>> 8);
  }
  return ~rest >>> 0;
}
