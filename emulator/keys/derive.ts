// Bytes derived from a seed and a label: the source of every id, token and key of the emulator. Not for real secrets.

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** Returns `length` bytes, the same for the same seed and label on every platform. */
export function deriveBytes(seed: string, label: string, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = 0, block = 0; at < length; at += 32, block++) {
    bytes.set(sha256(utf8ToBytes(`${seed}\0${label}\0${block}`)).subarray(0, length - at), at);
  }
  return bytes;
}

/** Returns a version 4 UUID in lower case. */
export function deriveUuid(seed: string, label: string): string {
  const bytes = deriveBytes(seed, label, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytesToHex(bytes);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Returns an access token: 40 hexadecimal digits. */
export function deriveToken(seed: string, label: string): string {
  return bytesToHex(deriveBytes(seed, label, 20));
}
