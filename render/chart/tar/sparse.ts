// Sparse files of tar archives: the old GNU header and the PAX formats 0.0, 0.1 and 1.0.
// Mirrors: Go 1.23, archive/tar, reader.go, `handleSparseFile` and `sparseFileReader`.

import { decodeUtf8 } from '../../go/utf8.ts';
import { GoError } from '../../go/value.ts';
import { blockSize, formatOf, headerFault, readInteger, readNumber } from './block.ts';
import type { PaxRecords, Region, TarCursor } from './cursor.ts';

/** An entry that may be a sparse file. */
export interface SparseCandidate {
  readonly region: Region;
  readonly type: string;
  /** The header block. */
  readonly bytes: Uint8Array;
  readonly records: PaxRecords;
  readonly size: number;
}

/** The differences of a sparse file from a plain file. */
export interface SparseFile {
  /** Undefined if the headers have no other name. */
  readonly name: string | undefined;
  /** The size of the file including holes, in bytes. */
  readonly size: number;
  /** The region of its data, without the map. */
  readonly region: Region;
  readonly data: () => Uint8Array;
}

/** A piece of data: its offset in the file, and its size in bytes. */
type Piece = readonly [offset: number, length: number];

/** Where the map comes from; the rest of the region is data. */
interface SparseMap {
  readonly pieces: readonly Piece[];
  readonly region: Region;
}

/** Returns the sparse file of the entry whose header is before the cursor; undefined for a plain file. Throws GoError. */
export function readSparseFile(cursor: TarCursor, candidate: SparseCandidate): SparseFile | undefined {
  const { type, bytes, records, size } = candidate;
  if (type === 'S') {
    if (formatOf(bytes) !== 'GNU') throw headerFault();
    const realSize = readNumber(bytes.subarray(483, 495));
    return sparseFile(cursor, { name: undefined, size: realSize, type, map: readOldMap(cursor, candidate) });
  }
  const version = versionOf(records);
  if (version === undefined) return undefined;
  const sizeText = records.get('GNU.sparse.size') || records.get('GNU.sparse.realsize') || '';
  const realSize = sizeText === '' ? size : readInteger(sizeText);
  const map =
    version === 1 ? readLeadingMap(cursor, candidate.region) : { pieces: readMap(records), region: candidate.region };
  return sparseFile(cursor, { name: records.get('GNU.sparse.name') || undefined, size: realSize, type, map });
}

// Formats 0.0 and 0.1 initially had no version.
function versionOf(records: PaxRecords): 0 | 1 | undefined {
  const major = records.get('GNU.sparse.major') ?? '';
  const minor = records.get('GNU.sparse.minor') ?? '';
  if (major === '0' && (minor === '0' || minor === '1')) return 0;
  if (major === '1' && minor === '0') return 1;
  if (major !== '' || minor !== '') return undefined;
  return (records.get('GNU.sparse.map') ?? '') === '' ? undefined : 0;
}

interface Sparse {
  readonly name: string | undefined;
  readonly size: number;
  readonly type: string;
  readonly map: SparseMap;
}

function sparseFile(cursor: TarCursor, { name, size, type, map }: Sparse): SparseFile {
  if ('123456'.includes(type) || !isValid(map.pieces, size)) throw headerFault();
  return { name, size, region: map.region, data: () => fill(cursor, map, size) };
}

function isValid(pieces: readonly Piece[], size: number): boolean {
  if (size < 0) return false;
  let end = 0;
  for (const [offset, length] of pieces) {
    if (offset < 0 || length < 0 || offset + length > size || end > offset) return false;
    end = offset + length;
  }
  return true;
}

function fill(cursor: TarCursor, { pieces, region }: SparseMap, size: number): Uint8Array {
  const file = new Uint8Array(size);
  let used = 0;
  for (const [offset, length] of pieces) {
    if (used + length > region.size) throw new GoError('archive/tar: sparse file references non-existent data');
    file.set(cursor.peek(length, region.start + used), offset);
    used += length;
  }
  if (used < region.size) throw new GoError('archive/tar: sparse file contains unreferenced data');
  return file;
}

// Four pieces are in the header, 21 in each block that extends it, before the data.
function readOldMap(cursor: TarCursor, { bytes, region }: SparseCandidate): SparseMap {
  const pieces: Piece[] = [];
  let list = bytes.subarray(386, 483);
  const start = cursor.at;
  for (;;) {
    for (let at = 0; at + 24 < list.length && list[at] !== 0; at += 24) {
      pieces.push([readNumber(list.subarray(at, at + 12)), readNumber(list.subarray(at + 12, at + 24))]);
    }
    if (list.at(-1)! === 0) break;
    list = cursor.take(blockSize).subarray(0, 21 * 24 + 1);
  }
  const moved = cursor.at - start;
  return { pieces, region: { start: cursor.at, size: region.size, end: region.end + moved } };
}

function readMap(records: PaxRecords): Piece[] {
  const count = readInteger(records.get('GNU.sparse.numblocks') ?? '');
  const text = records.get('GNU.sparse.map') ?? '';
  const numbers = text === '' ? [] : text.split(',');
  if (count < 0 || numbers.length !== 2 * count) throw headerFault();
  return piecesOf(numbers);
}

// Format 1.0 has its map as lines before the data, in whole blocks.
function readLeadingMap(cursor: TarCursor, region: Region): SparseMap {
  let text = '';
  let at = region.start;
  const lines = (count: number): string[] => {
    for (;;) {
      const found = text.split('\n');
      if (found.length > count) return found.slice(0, count);
      if (at + blockSize > region.start + region.size) {
        cursor.peek(region.size, region.start);
        throw new GoError('unexpected EOF');
      }
      text += decodeUtf8(cursor.peek(blockSize, at));
      at += blockSize;
    }
  };
  const [first = ''] = lines(1);
  const count = readInteger(first);
  if (count < 0) throw headerFault();
  const numbers = lines(1 + 2 * count).slice(1);
  return { pieces: piecesOf(numbers), region: { start: at, size: region.start + region.size - at, end: region.end } };
}

function piecesOf(numbers: readonly string[]): Piece[] {
  const pieces: Piece[] = [];
  for (let i = 0; i < numbers.length; i += 2) {
    pieces.push([readInteger(numbers[i]!), readInteger(numbers[i + 1]!)]);
  }
  return pieces;
}
