// Reads tar archives: V7, ustar, STAR, PAX and GNU, without sparse files.
// Mirrors: Go 1.23, archive/tar, reader.go, format.go and strconv.go.

import { orUndefined } from '../core/catch.ts';
import type { ByteSource } from '../go/compress/gzip.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import { GoError } from '../go/value.ts';

/** An entry of an archive. `type` is the type flag, `0` for a file. */
export interface TarEntry {
  readonly name: string;
  readonly type: string;
  readonly isFolder: boolean;
  /** The size in the header, in bytes. Links and folders have no content, even if it is not 0. */
  readonly size: number;
  /** Returns the content. Throws GoError with Go's message if the archive ends too early. */
  readonly data: () => Uint8Array;
}

// The size of a block, in bytes.
const blockSize = 512;

/** Returns the entries in order, with long names. Throws GoError with Go's message, such as `archive/tar: invalid tar header`. */
export function* readTar(source: ByteSource): Generator<TarEntry> {
  const cursor = new TarCursor(source);
  let records: PaxRecords = new Map();
  let longName = '';
  for (let bytes = readHeaderBytes(cursor); bytes !== undefined; bytes = readHeaderBytes(cursor)) {
    const block = readBlock(bytes);
    let region = regionAt(cursor, block.type, block.size);
    switch (block.type) {
      case 'x':
        records = readRecords(readSpecial(cursor, region));
        break;
      case 'g':
        readRecords(readSpecial(cursor, region));
        // Go returns a global header to its caller and does not apply it to the files that follow.
        yield { name: block.name, type: 'g', isFolder: false, size: 0, data: () => new Uint8Array() };
        break;
      case 'L':
        longName = readText(readSpecial(cursor, region));
        break;
      case 'K':
        readSpecial(cursor, region);
        break;
      default: {
        const merged = mergeRecords(block, records);
        const name = longName || merged.name;
        const type = block.type === '\0' ? (name.endsWith('/') ? '5' : '0') : block.type;
        if (type === 'S') throw sparseFile();
        region = regionAt(cursor, type, merged.size);
        const { start, size } = region;
        const data = (): Uint8Array => cursor.peek(size, start);
        yield { name, type, isFolder: type === '5' || isFolderMode(block.mode), size: merged.size, data };
        // Unread content must be present as well.
        data();
      }
    }
    // Extended headers apply to the next entry only.
    if (!'xLK'.includes(block.type)) {
      records = new Map();
      longName = '';
    }
    cursor.at = region.end;
  }
}

/** A read position in an archive. */
class TarCursor {
  readonly #source: ByteSource;
  at = 0;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  /** Reads the next bytes. Throws GoError at the end of the archive. */
  take(size: number): Uint8Array {
    const bytes = this.peek(size, this.at);
    this.at += size;
    return bytes;
  }

  /** Returns bytes without reading them. Throws as `take`. */
  peek(size: number, at: number): Uint8Array {
    const { bytes, end } = this.#source;
    if (at + size > bytes.length) throw new GoError(end === 'EOF' ? 'unexpected EOF' : end);
    return bytes.subarray(at, at + size);
  }

  /** Reports whether the archive has ended properly. */
  get isAtEnd(): boolean {
    return this.at >= this.#source.bytes.length && this.#source.end === 'EOF';
  }
}

/** The region of an entry's content. */
interface Region {
  readonly start: number;
  readonly size: number;
  /** Offset of the next header. */
  readonly end: number;
}

// Returns the region of the content at the cursor. Throws GoError for a negative size.
function regionAt(cursor: TarCursor, type: string, size: number): Region {
  const stored = '123456'.includes(type) ? 0 : size;
  if (stored < 0) throw headerFault();
  const start = cursor.at;
  return { start, size: stored, end: start + Math.ceil(stored / blockSize) * blockSize };
}

function headerFault(): GoError {
  return new GoError('archive/tar: invalid tar header');
}

function sparseFile(): GoError {
  return new GoError('the archive contains a sparse file', { hint: 'Pack the chart without sparse files.' });
}

// Two zero blocks end an archive, and so does the end of the data between two entries or in the padding.
function readHeaderBytes(cursor: TarCursor): Uint8Array | undefined {
  if (cursor.isAtEnd) return undefined;
  const bytes = cursor.take(blockSize);
  if (!isZero(bytes)) return bytes;
  if (cursor.isAtEnd || isZero(cursor.take(blockSize))) return undefined;
  throw headerFault();
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

const maxSpecialSize = 1024 * 1024;

function readSpecial(cursor: TarCursor, { start, size }: Region): Uint8Array {
  if (size > maxSpecialSize) {
    cursor.peek(maxSpecialSize + 1, start);
    throw new GoError('archive/tar: header field too long');
  }
  return cursor.peek(size, start);
}

// The mode is truncated to 32 bits; a folder may have no other type bit.
function isFolderMode(mode: number): boolean {
  return Number(BigInt.asUintN(32, BigInt(mode)) & ~0o7777n) === 0o040000;
}

type PaxRecords = ReadonlyMap<string, string>;

// Empty values keep the value of the header.
function mergeRecords(block: Block, records: PaxRecords): { readonly name: string; readonly size: number } {
  const number = (key: string): number | undefined => {
    const text = records.get(key) ?? '';
    return text === '' ? undefined : readInteger(text);
  };
  number('uid');
  number('gid');
  for (const key of ['atime', 'mtime', 'ctime']) checkTime(records.get(key) ?? '');
  return { name: records.get('path') || block.name, size: number('size') ?? block.size };
}

function checkTime(text: string): void {
  if (text === '') return;
  const [, seconds = '', fraction = ''] = /^([^.]*)(?:\.(.*))?$/s.exec(text) ?? [];
  readInteger(seconds);
  if (!/^\d*$/.test(fraction)) throw headerFault();
}

// PAX records: `LENGTH key=value\n`, where the length in bytes includes its own digits.
function readRecords(bytes: Uint8Array): PaxRecords {
  const records = new Map<string, string>();
  for (let at = 0; at < bytes.length; ) {
    const blank = bytes.indexOf(0x20, at);
    if (blank < 0) throw headerFault();
    const length = readInteger(decodeUtf8(bytes.subarray(at, blank)));
    const end = at + length;
    if (length < 5 || end > bytes.length || end <= blank + 1 || bytes[end - 1] !== 0x0a) throw headerFault();
    const [, key, value] = /^([^=]+)=(.*)$/s.exec(decodeUtf8(bytes.subarray(blank + 1, end - 1))) ?? [];
    if (key === undefined || value === undefined || !isValidRecord(key, value)) throw headerFault();
    if (key.startsWith('GNU.sparse.')) throw sparseFile();
    records.set(key, value);
    at = end;
  }
  return records;
}

function isValidRecord(key: string, value: string): boolean {
  return !(['path', 'linkpath', 'uname', 'gname'].includes(key) ? value : key).includes('\0');
}

/** The fields of a header block that Helm needs. */
interface Block {
  readonly name: string;
  /** The type flag of the header. */
  readonly type: string;
  readonly mode: number;
  readonly size: number;
}

/** The formats of a header block. */
type Format = 'V7' | 'ustar' | 'STAR' | 'GNU';

// Throws GoError if a field is malformed, including those that Helm does not need.
function readBlock(bytes: Uint8Array): Block {
  const format = formatOf(bytes);
  const number = (start: number, length: number): number => readNumber(bytes.subarray(start, start + length));
  const name = readText(bytes.subarray(0, 100));
  const size = number(124, 12);
  const mode = number(100, 8);
  // User, group and modification time.
  number(108, 8);
  number(116, 8);
  number(136, 12);
  if (format !== 'V7') for (const start of [329, 337]) number(start, 8);
  if (format === 'STAR') for (const start of [476, 488]) number(start, 12);
  const prefix = readPrefix(bytes, format);
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    type: String.fromCharCode(bytes[156]!),
    mode,
    size,
  };
}

function readPrefix(bytes: Uint8Array, format: Format): string {
  if (format === 'ustar') return readText(bytes.subarray(345, 500));
  if (format === 'STAR') return readText(bytes.subarray(345, 476));
  // Old Go wrote a prefix in place of GNU's times, which makes the times invalid.
  if (format === 'V7' || [345, 357].every((start) => isTime(bytes.subarray(start, start + 12)))) return '';
  const prefix = readText(bytes.subarray(345, 500));
  return /^[\x01-\x7f]*$/.test(prefix) ? prefix : '';
}

function isTime(field: Uint8Array): boolean {
  return field[0] === 0 || orUndefined(() => readNumber(field)) !== undefined;
}

// Throws GoError if the checksum is wrong.
function formatOf(bytes: Uint8Array): Format {
  checkSum(bytes);
  const magic = decodeUtf8(bytes.subarray(257, 265));
  if (magic.startsWith('ustar\0')) return decodeUtf8(bytes.subarray(508, 512)) === 'tar\0' ? 'STAR' : 'ustar';
  return magic === 'ustar  \0' ? 'GNU' : 'V7';
}

// The checksum field itself counts as spaces; some writers sum signed bytes.
function checkSum(bytes: Uint8Array): void {
  const expected = readOctal(bytes.subarray(148, 156));
  let unsigned = 0;
  let signed = 0;
  for (let i = 0; i < blockSize; i++) {
    const byte = i >= 148 && i < 156 ? 32 : bytes[i]!;
    unsigned += byte;
    signed += (byte << 24) >> 24;
  }
  if (expected !== unsigned && expected !== signed) throw headerFault();
}

// A number is octal text, or base 256 if the top bit is set.
function readNumber(field: Uint8Array): number {
  const lead = field[0]!;
  return (lead & 0x80) !== 0 ? readBinary(field, lead) : readOctal(field);
}

// Spaces and zero bytes may surround the digits.
function readOctal(field: Uint8Array): number {
  const text = decodeUtf8(field)
    .replace(/^[ \0]+|(?<![ \0])[ \0]+$/g, '')
    .replace(/\0.*/s, '');
  if (text === '') return 0;
  // The largest field of an archive has twelve digits, far below 64 bits.
  if (!/^[0-7]+$/.test(text)) throw headerFault();
  return Number.parseInt(text, 8);
}

function readBinary(field: Uint8Array, lead: number): number {
  const flip = (lead & 0x40) !== 0 ? 0xffn : 0n;
  let value = 0n;
  field.forEach((byte, i) => {
    const digit = BigInt(byte) ^ flip;
    value = (value << 8n) | (i === 0 ? digit & 0x7fn : digit);
  });
  if (value >= 1n << 63n) throw headerFault();
  return Number(flip === 0n ? value : -value - 1n);
}

// Parses a decimal text like `strconv.ParseInt`.
function readInteger(text: string): number {
  if (!/^[-+]?\d+$/.test(text)) throw headerFault();
  const value = BigInt(text.replace('+', ''));
  if (BigInt.asIntN(64, value) !== value) throw headerFault();
  return Number(value);
}

// Returns a text up to its first zero byte.
function readText(field: Uint8Array): string {
  const end = field.indexOf(0);
  return decodeUtf8(end < 0 ? field : field.subarray(0, end));
}
