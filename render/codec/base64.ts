// encoding/base64 and encoding/base32: the standard alphabets, with padding.
// Mirrors: Go 1.23, encoding/base64, `decodeQuantum`; encoding/base32, `decode`; with the offsets of their `CorruptInputError`s.

import { byteLength } from '../go/utf8.ts';
import { GoError } from '../go/value.ts';

const alphabet64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const alphabet32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const digits64 = digitTable(alphabet64);
const digits32 = digitTable(alphabet32);
const ascii = new TextDecoder();

function digitTable(alphabet: string): Int8Array {
  const digits = new Int8Array(128).fill(-1);
  for (let i = 0; i < alphabet.length; i++) digits[alphabet.charCodeAt(i)] = i;
  return digits;
}

function digitAt(digits: Int8Array, text: string, at: number): number {
  return digits[text.charCodeAt(at)] ?? -1;
}

/** Gives bytes as base64. */
export function encodeBase64(bytes: Uint8Array): string {
  return encode(bytes, alphabet64, 6, 4);
}

/** Gives bytes as base32. */
export function encodeBase32(bytes: Uint8Array): string {
  return encode(bytes, alphabet32, 5, 8);
}

function encode(bytes: Uint8Array, alphabet: string, digitBits: number, groupSize: number): string {
  const digitCount = Math.ceil((bytes.length * 8) / digitBits);
  const out = new Uint8Array(Math.ceil(digitCount / groupSize) * groupSize).fill('='.charCodeAt(0));
  const mask = (1 << digitBits) - 1;
  let [pending, pendingBits, end] = [0, 0, 0];
  for (let i = 0; i < bytes.length; i++) {
    pending = ((pending << 8) | (bytes[i] as number)) & 0xffff;
    pendingBits += 8;
    while (pendingBits >= digitBits) {
      pendingBits -= digitBits;
      out[end++] = alphabet.charCodeAt((pending >> pendingBits) & mask);
    }
  }
  if (pendingBits > 0) out[end] = alphabet.charCodeAt((pending << (digitBits - pendingBits)) & mask);
  return ascii.decode(out);
}

// Gives the bytes of a row of digits; bits that fill no byte are dropped.
function joinDigits(digits: Uint8Array, digitBits: number): Uint8Array {
  const bytes = new Uint8Array(Math.floor((digits.length * digitBits) / 8));
  let [pending, pendingBits, end] = [0, 0, 0];
  for (let i = 0; i < digits.length; i++) {
    pending = ((pending << digitBits) | (digits[i] as number)) & 0xffff;
    pendingBits += digitBits;
    if (pendingBits < 8) continue;
    pendingBits -= 8;
    bytes[end++] = (pending >> pendingBits) & 0xff;
  }
  return bytes;
}

function isNewline(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit === 10 || unit === 13;
}

/** Gives the bytes that a base64 text stands for; CR and LF do not count. Throws GoError `illegal base64 data at input byte N`. */
export function decodeBase64(text: string): Uint8Array {
  const digits = new Uint8Array(text.length);
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const digit = digitAt(digits64, text, at);
    if (digit >= 0) digits[count++] = digit;
    else if (!isNewline(text, at)) {
      checkPadding64(text, at, count % 4);
      return joinDigits(digits.subarray(0, count), 6);
    }
  }
  if (count % 4 !== 0) throw corrupt64(text, text.length - (count % 4));
  return joinDigits(digits.subarray(0, count), 6);
}

// Checks what stands at the first character that is no digit, behind so many digits of a group: padding, and nothing else.
function checkPadding64(text: string, start: number, groupDigits: number): void {
  const skipNewlines = (from: number): number => {
    let at = from;
    while (isNewline(text, at)) at++;
    return at;
  };
  if (text[start] !== '=' || groupDigits < 2) throw corrupt64(text, start);
  let at = skipNewlines(start + 1);
  if (groupDigits === 2) {
    if (at === text.length) throw corrupt64(text, at);
    if (text[at] !== '=') throw corrupt64(text, at - 1);
    at = skipNewlines(at + 1);
  }
  if (at < text.length) throw corrupt64(text, at);
}

function corrupt64(text: string, at: number): GoError {
  return new GoError(`illegal base64 data at input byte ${byteOffset(text, at)}`);
}

/** Gives the bytes that a base32 text stands for; CR and LF do not count. Throws GoError `illegal base32 data at input byte N`. */
export function decodeBase32(text: string): Uint8Array {
  const plain = text.replaceAll(/[\r\n]/g, '');
  const digits = new Uint8Array(plain.length);
  let count = 0;
  for (let at = 0; at < plain.length; at++) {
    const groupDigits = count % 8;
    if (plain[at] === '=' && groupDigits >= 2 && plain.length - at <= 8) {
      checkPadding32(plain, at, groupDigits);
      return joinDigits(digits.subarray(0, count), 5);
    }
    const digit = digitAt(digits32, plain, at);
    if (digit < 0) throw corrupt32(plain, at);
    digits[count++] = digit;
  }
  if (count % 8 !== 0) throw corrupt32(plain, plain.length - (count % 8));
  return joinDigits(digits.subarray(0, count), 5);
}

function checkPadding32(text: string, start: number, groupDigits: number): void {
  const rest = text.length - start - 1;
  const wanted = 7 - groupDigits;
  if (rest < wanted) throw corrupt32(text, text.length);
  for (let i = 0; i < wanted; i++) {
    if (text[start + 1 + i] !== '=') throw corrupt32(text, start + i);
  }
  if (groupDigits === 3 || groupDigits === 6) throw corrupt32(text, start);
}

function corrupt32(text: string, at: number): GoError {
  return new GoError(`illegal base32 data at input byte ${byteOffset(text, at)}`);
}

// Before the first fault there are digits and newlines only, but the text's own length may be asked for.
function byteOffset(text: string, at: number): number {
  return byteLength(text.slice(0, at));
}
