// Standard base64 with padding.
// Mirrors: Go 1.23, encoding/base64, base64.go, `StdEncoding`.

import { GoError } from './value.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

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
  if (text.length % 4 === 0 && wellFormed.test(text)) return bytesOfUnits(atob(text));
  const bytes: number[] = [];
  const reader = new Base64Reader(text);
  for (let group = reader.group(); group.length > 0; group = reader.group()) {
    const [a = 0, b = 0, c = 0, d = 0] = group;
    bytes.push(...[(a << 2) | (b >> 4), ((b & 15) << 4) | (c >> 2), ((c & 3) << 6) | d].slice(0, group.length - 1));
  }
  return Uint8Array.from(bytes);
}

function bytesOfUnits(units: string): Uint8Array {
  const bytes = new Uint8Array(units.length);
  for (let i = 0; i < units.length; i++) bytes[i] = units.charCodeAt(i);
  return bytes;
}

class Base64Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads up to four characters as 6-bit numbers: fewer before padding, none at the end. */
  group(): number[] {
    const group: number[] = [];
    while (group.length < 4) {
      this.#skipBreaks();
      if (this.#at === this.#text.length) {
        if (group.length > 0) throw corrupt(this.#at - group.length);
        break;
      }
      const digit = alphabet.indexOf(this.#text.charAt(this.#at++));
      if (digit < 0) {
        this.#padding(group.length);
        break;
      }
      group.push(digit);
    }
    return group;
  }

  #padding(digits: number): void {
    if (this.#text.charAt(this.#at - 1) !== '=' || digits < 2) throw corrupt(this.#at - 1);
    if (digits === 2) {
      this.#skipBreaks();
      if (this.#at === this.#text.length) throw corrupt(this.#at);
      if (this.#text.charAt(this.#at) !== '=') throw corrupt(this.#at - 1);
      this.#at++;
    }
    this.#skipBreaks();
    if (this.#at < this.#text.length) throw corrupt(this.#at);
  }

  #skipBreaks(): void {
    while (this.#text.charAt(this.#at) === '\n' || this.#text.charAt(this.#at) === '\r') this.#at++;
  }
}

function corrupt(at: number): GoError {
  return new GoError(`illegal base64 data at input byte ${at}`);
}
