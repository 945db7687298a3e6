// Standard base64 with padding.
// Mirrors: Go 1.23, encoding/base64, base64.go, `StdEncoding`.

import { GoError } from './value.ts';

/** Returns the bytes as base64, padded. */
export function encodeBase64(bytes: Uint8Array): string {
  let units = '';
  // In slices, because a call accepts a limited number of arguments.
  for (let at = 0; at < bytes.length; at += 8192) units += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(units);
}

// For a text whose length is a multiple of four. A pattern that repeats groups of four would use JavaScript's stack.
const wellFormed = /^[A-Za-z0-9+/]*={0,2}$/;

/** Decodes base64, skipping line breaks. Throws `GoError` with the offset of the first invalid byte. */
export function decodeBase64(text: string): Uint8Array {
  const plain = text.replaceAll(/[\r\n]/g, '');
  if (plain.length % 4 !== 0 || !wellFormed.test(plain)) {
    throw new GoError(`illegal base64 data at input byte ${faultOffset(text)}`);
  }
  const units = atob(plain);
  const bytes = new Uint8Array(units.length);
  for (let i = 0; i < units.length; i++) bytes[i] = units.charCodeAt(i);
  return bytes;
}

function faultOffset(text: string): number {
  let digits = 0;
  for (let at = skipBreaks(text, 0); at < text.length; at = skipBreaks(text, at + 1)) {
    if (/[A-Za-z0-9+/]/.test(text[at]!)) {
      digits = (digits + 1) % 4;
      continue;
    }
    if (text[at] !== '=' || digits < 2) return at;
    const next = skipBreaks(text, at + 1);
    if (digits === 3 || next === text.length) return next;
    return text[next] === '=' ? skipBreaks(text, next + 1) : next - 1;
  }
  return text.length - digits;
}

function skipBreaks(text: string, start: number): number {
  let at = start;
  while (text[at] === '\n' || text[at] === '\r') at++;
  return at;
}
