// ASN.1 in DER, for the types in keys and certificates, and PEM blocks.
// Mirrors: Go 1.23, encoding/asn1 and golang.org/x/crypto/cryptobyte; encoding/pem, pem.go, `Encode` and `Decode`.

import { bytesToNumberBE, concatBytes, numberToVarBytesBE } from '@noble/curves/utils.js';
import { orUndefined } from '../../core/catch.ts';
import { escapePattern } from '../../core/escape-pattern.ts';
import { decodeBase64, encodeBase64 } from '../../go/base64.ts';
import { encodeUtf8, isValidUtf8 } from '../../go/utf8.ts';
import { GoError } from '../../go/value.ts';

/** Tags of the supported types. */
export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  sequence: 0x30,
  set: 0x31,
  printableString: 0x13,
  utcTime: 0x17,
  generalizedTime: 0x18,
} as const;

/** Returns an element: tag, length, content. */
export function element(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return concatBytes(Uint8Array.of(tag, ...encodeLength(length)), ...parts);
}

function encodeLength(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes = numberToVarBytesBE(length);
  return [0x80 + bytes.length, ...bytes];
}

export function sequence(...parts: readonly Uint8Array[]): Uint8Array {
  return element(tags.sequence, ...parts);
}

/** Returns a non-negative INTEGER. */
export function derInteger(value: bigint): Uint8Array {
  const bytes = numberToVarBytesBE(value);
  return element(tags.integer, bytes[0]! >= 0x80 ? Uint8Array.of(0, ...bytes) : bytes);
}

/** Returns a BIT STRING; `unused` is the number of unused bits at its end. */
export function bitString(bytes: Uint8Array, unused = 0): Uint8Array {
  return element(tags.bitString, Uint8Array.of(unused), bytes);
}

export function octetString(bytes: Uint8Array): Uint8Array {
  return element(tags.octetString, bytes);
}

/** Returns an OBJECT IDENTIFIER from its dotted form. */
export function objectIdentifier(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return element(tags.objectIdentifier, Uint8Array.from([first * 40 + second, ...rest].flatMap(base128)));
}

function base128(value: number): number[] {
  const bytes = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift(128 + (rest % 128));
  return bytes;
}

/** Returns a tagged element: explicit or implicit `[number]`, constructed by default. */
export function tagged(number: number, content: Uint8Array, constructed = true): Uint8Array {
  return element((constructed ? 0xa0 : 0x80) + number, content);
}

/** Returns a text as PrintableString if possible, else as UTF8String. Throws `GoError` for invalid UTF-8. */
export function derText(value: string): Uint8Array {
  if (/^[A-Za-z0-9 '()+,\-./:=?]*$/.test(value)) return element(tags.printableString, encodeUtf8(value));
  if (!isValidUtf8(value)) throw new GoError('asn1: string not valid UTF-8');
  return element(tags.utf8String, encodeUtf8(value));
}

/** Returns a time in whole seconds: UTCTime in the years 1950 to 2049, else GeneralizedTime. */
export function derTime(milliseconds: number): Uint8Array {
  const digits = new Date(milliseconds).toISOString().replace(/\.\d+|[-:T]/g, '');
  const year = Number(digits.slice(0, 4));
  return year >= 1950 && year < 2050
    ? element(tags.utcTime, encodeUtf8(digits.slice(2)))
    : element(tags.generalizedTime, encodeUtf8(digits));
}

interface DerElement {
  readonly tag: number;
  readonly content: Uint8Array;
  /** Tag, length and content. */
  readonly raw: Uint8Array;
}

/** Reads elements in sequence. */
export class DerReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get left(): boolean {
    return this.#at < this.#bytes.length;
  }

  /** Reports whether an element with the tag comes next. */
  has(tag: number): boolean {
    return this.#bytes[this.#at] === tag;
  }

  /** Returns the next element, with the given tag if any. Throws `GoError` with `failure` otherwise. */
  element(tag: number | undefined, failure: string): DerElement {
    const next = this.#peek();
    if (next === undefined || (tag !== undefined && next.tag !== tag)) throw new GoError(failure);
    this.#at += next.raw.length;
    return next;
  }

  /** Returns a reader of the content of the next element. */
  inside(tag: number, failure: string): DerReader {
    return new DerReader(this.element(tag, failure).content);
  }

  /** Returns the next INTEGER as an unsigned number. */
  integer(failure: string): bigint {
    return bytesToNumberBE(this.element(tags.integer, failure).content);
  }

  /** Returns the next OBJECT IDENTIFIER in dotted form. */
  objectIdentifier(failure: string): string {
    const numbers: number[] = [];
    let number = 0;
    for (const byte of this.element(tags.objectIdentifier, failure).content) {
      number = number * 128 + (byte % 128);
      if (byte >= 128) continue;
      if (numbers.length > 0) numbers.push(number);
      else numbers.push(Math.min(2, Math.floor(number / 40)), number - 40 * Math.min(2, Math.floor(number / 40)));
      number = 0;
    }
    return numbers.join('.');
  }

  #peek(): DerElement | undefined {
    const tag = this.#bytes[this.#at];
    let length = this.#bytes[this.#at + 1];
    if (tag === undefined || length === undefined) return undefined;
    let start = this.#at + 2;
    if (length >= 0x80) {
      const size = length - 0x80;
      if (size < 1 || size > 4) return undefined;
      length = Number(bytesToNumberBE(this.#bytes.subarray(start, start + size)));
      start += size;
    }
    const end = start + length;
    if (end > this.#bytes.length) return undefined;
    return { tag, content: this.#bytes.subarray(start, end), raw: this.#bytes.subarray(this.#at, end) };
  }
}

interface PemBlock {
  /** The label after `BEGIN`, such as `CERTIFICATE`. */
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** Returns the text of a block in lines of 64 characters, with a final line break. */
export function encodePem(type: string, bytes: Uint8Array): string {
  const lines = encodeBase64(bytes).match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${type}-----`, ...lines, `-----END ${type}-----`, ''].join('\n');
}

const begin = /^-----BEGIN (.*)-----[ \t]*\r?$/gm;

/** Returns the first well-formed block of a text, or undefined. Surrounding text and headers are skipped. */
export function decodePem(text: string): PemBlock | undefined {
  for (const match of text.matchAll(begin)) {
    const type = match[1]!;
    const body = text.slice(match.index + match[0].length);
    const end = new RegExp(`^-----END ${escapePattern(type)}-----[ \\t]*\\r?$`, 'm').exec(body);
    const bytes = end === null ? undefined : decodeBody(body.slice(0, end.index));
    if (bytes !== undefined) return { type, bytes };
  }
  return undefined;
}

function decodeBody(body: string): Uint8Array | undefined {
  const lines = body.split('\n').filter((line) => !line.includes(':'));
  return orUndefined(() => decodeBase64(lines.join('').replace(/[ \t\r]/g, '')));
}
