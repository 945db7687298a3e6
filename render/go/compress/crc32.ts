// The checksum of gzip. Mirrors: Go, hash/crc32, crc32.go, the IEEE polynomial.

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

/** Returns the CRC-32 of bytes as an unsigned number. */
export function crc32(bytes: Uint8Array): number {
  const table = checksums();
  let rest = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) {
    rest = table[(rest ^ bytes[i]!) & 0xff]! ^ (rest >>> 8);
  }
  return ~rest >>> 0;
}
