// encoding/base32: the standard alphabet, with padding.
// Mirrors: Go 1.23, encoding/base32, `EncodeToString`, `decode` with the offsets of its `CorruptInputError`.

import { byteLength } from '../go/utf8.ts';
import { GoError } from '../go/value.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const digitBits = 5;
const groupSize = 8;

/** Returns bytes as base32. */
export function encodeBase32(bytes: Uint8Array): string {
  let text = '';
  let [pending, pendingBits] = [0, 0];
  for (const byte of bytes) {
    pending = ((pending << 8) | byte) & 0xfff;
    pendingBits += 8;
    while (pendingBits >= digitBits) {
      pendingBits -= digitBits;
      text += alphabet[(pending >> pendingBits) & 31];
    }
  }
  if (pendingBits > 0) text += alphabet[(pending << (digitBits - pendingBits)) & 31];
  return text.padEnd(Math.ceil(text.length / groupSize) * groupSize, '=');
}

/** Decodes base32; CR and LF are ignored. Throws GoError `illegal base32 data at input byte N`. */
export function decodeBase32(text: string): Uint8Array {
  const plain = text.replaceAll(/[\r\n]/g, '');
  const bytes: number[] = [];
  let [pending, pendingBits] = [0, 0];
  for (let at = 0; at < plain.length; at++) {
    const groupDigits = at % groupSize;
    if (plain[at] === '=' && groupDigits >= 2 && plain.length - at <= groupSize) {
      checkPadding(plain, at, groupDigits);
      return Uint8Array.from(bytes);
    }
    const digit = alphabet.indexOf(plain.charAt(at));
    if (digit < 0) throw corrupt(plain, at);
    pending = ((pending << digitBits) | digit) & 0xfff;
    pendingBits += digitBits;
    if (pendingBits < 8) continue;
    pendingBits -= 8;
    bytes.push((pending >> pendingBits) & 0xff);
  }
  if (plain.length % groupSize !== 0) throw corrupt(plain, plain.length - (plain.length % groupSize));
  return Uint8Array.from(bytes);
}

function checkPadding(text: string, start: number, groupDigits: number): void {
  const wanted = groupSize - 1 - groupDigits;
  if (text.length - start - 1 < wanted) throw corrupt(text, text.length);
  for (let i = 0; i < wanted; i++) {
    if (text[start + 1 + i] !== '=') throw corrupt(text, start + i);
  }
  if (groupDigits === 3 || groupDigits === 6) throw corrupt(text, start);
}

function corrupt(text: string, at: number): GoError {
  return new GoError(`illegal base32 data at input byte ${byteLength(text.slice(0, at))}`);
}
