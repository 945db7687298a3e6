// Reads tar archives: V7, ustar, STAR, PAX and GNU, including sparse files.
// Mirrors: Go 1.23, archive/tar, reader.go.

import type { ByteSource } from '../../go/compress/gzip.ts';
import { decodeUtf8 } from '../../go/utf8.ts';
import { GoError } from '../../go/value.ts';
import { type Block, blockSize, headerFault, readBlock, readInteger, readText } from './block.ts';
import { type PaxRecords, type Region, regionAt, TarCursor } from './cursor.ts';
import { readSparseFile } from './sparse.ts';

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
        yield globalHeader(block.name);
        break;
      case 'L':
        longName = readText(readSpecial(cursor, region));
        break;
      case 'K':
        readSpecial(cursor, region);
        break;
      default: {
        const read = readEntry(cursor, { bytes, block, records, longName });
        region = read.region;
        yield read.entry;
        // Unread content must be present as well.
        cursor.peek(region.size, region.start);
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

// Go returns a global header to its caller and does not apply it to the files that follow.
function globalHeader(name: string): TarEntry {
  return { name, type: 'g', isFolder: false, size: 0, data: () => new Uint8Array() };
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

/** The headers before the content of a file. */
interface Headers {
  readonly bytes: Uint8Array;
  readonly block: Block;
  readonly records: PaxRecords;
  readonly longName: string;
}

function readEntry(cursor: TarCursor, headers: Headers): { readonly entry: TarEntry; readonly region: Region } {
  const { block, records, bytes } = headers;
  const merged = mergeRecords(block, records);
  const name = headers.longName || merged.name;
  const type = block.type === '\0' ? (name.endsWith('/') ? '5' : '0') : block.type;
  const region = regionAt(cursor, type, merged.size);
  const sparse = readSparseFile(cursor, { region, type, bytes, records, size: merged.size });
  const entry = {
    name: sparse?.name ?? name,
    type,
    isFolder: type === '5' || isFolderMode(block.mode),
    size: sparse?.size ?? merged.size,
    data: sparse?.data ?? (() => cursor.peek(region.size, region.start)),
  };
  return { entry, region: sparse?.region ?? region };
}

// The mode is truncated to 32 bits; a folder may have no other type bit.
function isFolderMode(mode: number): boolean {
  return Number(BigInt.asUintN(32, BigInt(mode)) & ~0o7777n) === 0o040000;
}

// Empty values keep the value of the header.
function mergeRecords(block: Block, records: PaxRecords): { readonly name: string; readonly size: number } {
  for (const key of ['uid', 'gid']) readRecordInteger(records.get(key), 0);
  for (const key of ['atime', 'mtime', 'ctime']) checkTime(records.get(key) ?? '');
  return { name: records.get('path') || block.name, size: readRecordInteger(records.get('size'), block.size) };
}

function readRecordInteger(text: string | undefined, fallback: number): number {
  return text === undefined || text === '' ? fallback : readInteger(text);
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
  const sparse: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const blank = bytes.indexOf(0x20, at);
    if (blank < 0) throw headerFault();
    const length = readInteger(decodeUtf8(bytes.subarray(at, blank)));
    const end = at + length;
    if (length < 5 || end > bytes.length || end <= blank + 1 || bytes[end - 1] !== 0x0a) throw headerFault();
    const [, key, value] = /^([^=]+)=(.*)$/s.exec(decodeUtf8(bytes.subarray(blank + 1, end - 1))) ?? [];
    if (key === undefined || value === undefined || !isValidRecord(key, value)) throw headerFault();
    // Sparse format 0.0 repeats its keys; as a list it is format 0.1.
    if (key === 'GNU.sparse.offset' || key === 'GNU.sparse.numbytes') {
      const expected = sparse.length % 2 === 0 ? 'GNU.sparse.offset' : 'GNU.sparse.numbytes';
      if (key !== expected || value.includes(',')) throw headerFault();
      sparse.push(value);
    } else records.set(key, value);
    at = end;
  }
  return sparse.length === 0 ? records : records.set('GNU.sparse.map', sparse.join(','));
}

function isValidRecord(key: string, value: string): boolean {
  return !(['path', 'linkpath', 'uname', 'gname'].includes(key) ? value : key).includes('\0');
}
