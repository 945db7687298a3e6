// Reads tar archives: ustar, PAX and GNU long names. Mirrors: Go 1.23, archive/tar, reader.go.

import { decodeUtf8 } from '../go/utf8.ts';
import { GoError } from '../go/value.ts';

/** Is one entry of an archive; `type` is the letter of the header, `0` for a file. */
export interface TarEntry {
  readonly name: string;
  readonly type: string;
  readonly isFolder: boolean;
  /** The size the header tells, in bytes. */
  readonly size: number;
  /** The content; reading it throws GoError `unexpected EOF` when the archive ends too early. */
  readonly data: () => Uint8Array;
}

/** Is the bytes of an archive, and why there are no more of them: `EOF` for a clean end. Only who needs more asks why. */
export interface TarSource {
  readonly bytes: Uint8Array;
  readonly end: string;
}

const blockSize = 512;

/** Gives the entries in order, long names resolved. Throws GoError with Go's text, such as `archive/tar: invalid tar header`. */
export function* readTar(source: TarSource): Generator<TarEntry> {
  let at = 0;
  let long: { name?: string; size?: number } = {};
  for (;;) {
    const block = readBlock(source, at);
    if (block === undefined) return;
    at += blockSize;
    const header = readHeader(block);
    const size = long.size ?? header.size;
    const padded = Math.ceil(size / blockSize) * blockSize;
    const start = at;
    const data = (): Uint8Array => take(source, start, size);
    at += padded;
    if (header.type === 'x') long = { ...long, ...readRecords(data()) };
    else if (header.type === 'L') long = { ...long, name: textOf(data()) };
    else if (header.type !== 'K') {
      const name = long.name ?? header.name;
      const type = entryType(header.type, name);
      yield { name, type, isFolder: type === '5' || (header.mode & 0o170000) === 0o040000, size, data };
      long = {};
    }
  }
}

function take(source: TarSource, start: number, size: number): Uint8Array {
  const { bytes } = source;
  if (start + size > bytes.length) throw new GoError(source.end === 'EOF' ? 'unexpected EOF' : source.end);
  return bytes.subarray(start, start + size);
}

// Two blocks of zeros end an archive, and so does the end of the bytes between two entries or in the padding.
function readBlock(source: TarSource, at: number): Uint8Array | undefined {
  if (atEnd(source, at)) return undefined;
  const block = take(source, at, blockSize);
  if (!isZero(block)) return block;
  if (atEnd(source, at + blockSize)) return undefined;
  if (isZero(take(source, at + blockSize, blockSize))) return undefined;
  throw invalidHeader();
}

function atEnd(source: TarSource, at: number): boolean {
  return at >= source.bytes.length && source.end === 'EOF';
}

function isZero(block: Uint8Array): boolean {
  return block.every((byte) => byte === 0);
}

function invalidHeader(): GoError {
  return new GoError('archive/tar: invalid tar header');
}

interface Header {
  readonly name: string;
  readonly type: string;
  readonly mode: number;
  readonly size: number;
}

function readHeader(block: Uint8Array): Header {
  checkSum(block);
  const type = String.fromCharCode(block[156] as number);
  // Links, devices, folders and pipes have no content, whatever their header says.
  const size = '123456'.includes(type) ? 0 : readNumber(block.subarray(124, 136));
  if (size < 0) throw invalidHeader();
  const mode = readNumber(block.subarray(100, 108));
  const name = textOf(block.subarray(0, 100));
  const magic = decodeUtf8(block.subarray(257, 265));
  if (magic !== 'ustar\x0000') return { name, type, mode, size };
  const isStar = decodeUtf8(block.subarray(508, 512)) === 'tar\0';
  const prefix = textOf(block.subarray(345, isStar ? 476 : 500));
  return { name: prefix === '' ? name : `${prefix}/${name}`, type, mode, size };
}

// The sum counts its own field as blanks; some writers sum signed bytes.
function checkSum(block: Uint8Array): void {
  const expected = readNumber(block.subarray(148, 156));
  let unsigned = 0;
  let signed = 0;
  for (let i = 0; i < blockSize; i++) {
    const byte = i >= 148 && i < 156 ? 32 : (block[i] as number);
    unsigned += byte;
    signed += (byte << 24) >> 24;
  }
  if (expected !== unsigned && expected !== signed) throw invalidHeader();
}

// Octal text between blanks and zeros, or base 256 when the top bit is set.
function readNumber(field: Uint8Array): number {
  const lead = field[0] as number;
  if ((lead & 0x80) !== 0) return readBinary(field, lead);
  const text = decodeUtf8(field)
    .replace(/^[ \0]+|[ \0]+$/g, '')
    .replace(/\0.*/s, '');
  if (text === '') return 0;
  if (!/^[0-7]+$/.test(text)) throw invalidHeader();
  return Number.parseInt(text, 8);
}

function readBinary(field: Uint8Array, lead: number): number {
  const negative = (lead & 0x40) !== 0;
  let value = negative ? -1n : 0n;
  field.forEach((byte, i) => {
    value = (value << 8n) | BigInt(i === 0 ? (negative ? byte : byte & 0x7f) : byte);
  });
  return Number(negative ? BigInt.asIntN(field.length * 8, value) : value);
}

function textOf(field: Uint8Array): string {
  const end = field.indexOf(0);
  return decodeUtf8(end < 0 ? field : field.subarray(0, end));
}

function entryType(type: string, name: string): string {
  if (type !== '\0') return type;
  return name.endsWith('/') ? '5' : '0';
}

// PAX records: `LENGTH key=value\n`, the length in bytes and its own digits included.
function readRecords(bytes: Uint8Array): { name?: string; size?: number } {
  const found: { name?: string; size?: number } = {};
  for (let at = 0; at < bytes.length; ) {
    const length = Number.parseInt(decodeUtf8(bytes.subarray(at, at + 20)), 10);
    const record = decodeUtf8(bytes.subarray(at, at + length));
    const match = /^\d+ ([^=]+)=(.*)\n$/s.exec(record);
    if (match === null) throw invalidHeader();
    const [, key, value] = match as unknown as [string, string, string];
    if (key === 'path' && value !== '') found.name = value;
    if (key === 'size') found.size = Number(value);
    at += length;
  }
  return found;
}
