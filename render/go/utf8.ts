// Go strings as bytes (unicode/utf8): our strings to UTF-8 and back.
//
// A Go string may hold bytes that are no UTF-8. Such a byte (0x80..0xFF) is kept as one lone surrogate U+DC80..U+DCFF;
// no other lone surrogate can come from Go, and any that does come is written as U+FFFD.

const nonAscii = /[^\x00-\x7f]/;
// With the `u` flag, a surrogate in a class does not match within a pair.
const strayByte = /[\udc80-\udcff]/u;
const encoder = new TextEncoder();
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reports whether every byte of the text is below 0x80, so that bytes and UTF-16 units are the same. */
export function isAscii(text: string): boolean {
  return !nonAscii.test(text);
}

/** Returns the bytes of a text. */
export function encodeUtf8(text: string): Uint8Array {
  return strayByte.test(text) ? encodeLoosely(text) : encoder.encode(text);
}

// A text with stray bytes is usually a binary file: it is encoded unit by unit.
function encodeLoosely(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3);
  let end = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) bytes[end++] = unit;
    else if (isStrayByte(unit)) bytes[end++] = unit - 0xdc00;
    else {
      const char = String.fromCodePoint(text.codePointAt(at)!);
      end += encoder.encodeInto(char, bytes.subarray(end)).written;
      at += char.length - 1;
    }
  }
  return bytes.slice(0, end);
}

/** Decodes bytes; each byte that is not part of valid UTF-8 becomes a lone surrogate. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return decodeLoosely(bytes);
  }
}

// Maximum number of arguments of a call, which are on the stack.
const chunk = 8192;

// As in the other direction: a unit for each stray byte, and the others decoded between them.
function decodeLoosely(bytes: Uint8Array): string {
  const units = new Uint16Array(Math.min(chunk, bytes.length) + 1);
  let text = '';
  let filled = 0;
  for (let at = 0; at < bytes.length; ) {
    const size = runeSize(bytes, at);
    if (size <= 1) units[filled++] = bytes[at]! + (size === 0 ? 0xdc00 : 0);
    else {
      const rune = strictDecoder.decode(bytes.subarray(at, at + size));
      for (let i = 0; i < rune.length; i++) units[filled++] = rune.charCodeAt(i);
    }
    at += size || 1;
    if (filled < chunk && at < bytes.length) continue;
    text += String.fromCharCode(...units.subarray(0, filled));
    filled = 0;
  }
  return text;
}

/**
 * Returns the size in bytes of the valid UTF-8 sequence at an offset, or 0 if it is invalid.
 * Mirrors: Go, unicode/utf8, `DecodeRune`.
 */
function runeSize(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const size = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  // The range of the second byte excludes overlong forms, surrogates and code points above U+10FFFF.
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  const second = bytes[at + 1] ?? 0;
  if (second < low || second > high) return 0;
  for (let i = 2; i < size; i++) if (((bytes[at + i] ?? 0) & 0xc0) !== 0x80) return 0;
  return size;
}

/** Returns the length in bytes, which is Go's `len` of a string. */
export function byteLength(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit < 0x800) length += 1;
    else if (isHighSurrogate(unit) && isLowSurrogate(text.charCodeAt(i + 1))) {
      length += 2;
      i++;
    } else if (!isStrayByte(unit)) length += 2;
  }
  return length;
}

/** Returns `text[start:end]` in bytes like Go, which can split a character. Offsets must be within the text. */
export function sliceBytes(text: string, start: number, end?: number): string {
  if (isAscii(text)) return text.slice(start, end);
  return decodeUtf8(encodeUtf8(text).subarray(start, end));
}

/** Joins strings that may start or end in the middle of a character. */
export function joinBytes(texts: readonly string[]): string {
  const text = texts.join('');
  return strayByte.test(text) ? decodeUtf8(encodeUtf8(text)) : text;
}

/** Returns a text with one character U+0000..U+00FF per byte, for searching bytes. `ofByteText` reverses it. */
export function byteText(text: string): string {
  if (isAscii(text)) return text;
  let bytes = '';
  for (const byte of encodeUtf8(text)) bytes += String.fromCharCode(byte);
  return bytes;
}

/** Reverses `byteText`. */
export function ofByteText(bytes: string): string {
  return isAscii(bytes) ? bytes : decodeUtf8(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
}

/** Reports whether the text is valid UTF-8. */
export function isValidUtf8(text: string): boolean {
  return !strayByte.test(text);
}

/** Replaces each byte that is not UTF-8 with U+FFFD, like a Go `[]rune` conversion. */
export function toValidUtf8(text: string): string {
  return isValidUtf8(text) ? text : text.replace(/[\udc80-\udcff]/gu, '\ufffd');
}

/** Returns the number of characters (Go runes); each invalid byte counts as one. */
export function runeCount(text: string): number {
  let count = text.length;
  for (let i = 0; i + 1 < text.length; i++) {
    if (isHighSurrogate(text.charCodeAt(i)) && isLowSurrogate(text.charCodeAt(i + 1))) {
      count--;
      i++;
    }
  }
  return count;
}

/** Reports whether a code unit or code point represents an invalid byte. */
export function isStrayByte(code: number): boolean {
  return code >= 0xdc80 && code <= 0xdcff;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
