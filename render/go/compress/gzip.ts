// Gzip streams with any number of members, with Go's errors for corrupt, truncated or concatenated streams.
// Mirrors: Go 1.23, compress/gzip, gunzip.go; compress/flate, inflate.go.

import { GoError } from '../value.ts';

/** The bytes of a stream, and why it ended: `EOF` for its regular end. */
export interface ByteSource {
  readonly bytes: Uint8Array;
  readonly end: string;
}

/** Go's message for an invalid header (`gzip.ErrHeader`). */
export const invalidHeader = 'gzip: invalid header';

/** The `end` of a stream that was abandoned because it exceeds the limit. */
export const limitReached = 'limit reached';

/** Reports whether data starts like gzip. */
export function isGzip(data: Uint8Array): boolean {
  return data[0] === 0x1f && data[1] === 0x8b && data[2] === 0x08;
}

/** Why a stream ends, with Go's message. */
class Fault extends GoError {}

const headerSize = 10;
const trailerSize = 8;

/**
 * Returns the content of a stream, up to its end or its first error, but not much more than `limit` bytes. Throws GoError if the first
 * header is invalid; Go reads the rest on demand, so later errors are in `end`.
 */
export function gunzip(data: Uint8Array, limit: number): ByteSource {
  const output = new Output();
  let start = readHeader(data, 0);
  try {
    for (;;) {
      const bits = new BitReader(data, start);
      output.start = output.size;
      while (output.size <= limit && readBlock(bits, output)) {}
      if (output.size > limit) throw new Fault(limitReached);
      checkTrailer(data, bits.at, output.buffer.subarray(output.start, output.size));
      start = readHeader(data, bits.at + trailerSize);
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { bytes: output.take(), end: error.message };
  }
}

function checkTrailer(data: Uint8Array, at: number, bytes: Uint8Array): void {
  if (at + trailerSize > data.length) throw new Fault('unexpected EOF');
  const trailer = new DataView(data.buffer, data.byteOffset + at, trailerSize);
  const isSame = trailer.getUint32(0, true) === crc32(bytes) && trailer.getUint32(4, true) === bytes.length;
  if (!isSame) throw new Fault('gzip: invalid checksum');
}

const flags = { headerChecksum: 2, extra: 4, name: 8, comment: 16 };
// The size of Go's buffer for names and comments.
const maxText = 512;

/** Returns where a member's data starts. Throws Fault for its header. */
function readHeader(data: Uint8Array, start: number): number {
  if (start >= data.length) throw new Fault('EOF');
  const need = (end: number): void => {
    if (end > data.length) throw new Fault('unexpected EOF');
  };
  need(start + headerSize);
  if (!isGzip(data.subarray(start))) throw new Fault(invalidHeader);
  const flag = data[start + 3]!;
  let at = start + headerSize;
  if (flag & flags.extra) {
    need(at + 2);
    at += 2 + (data[at]! | (data[at + 1]! << 8));
    need(at);
  }
  for (const text of [flags.name, flags.comment]) {
    if (!(flag & text)) continue;
    const zero = data.subarray(at, at + maxText).indexOf(0);
    if (zero < 0) throw new Fault(data.length - at < maxText ? 'unexpected EOF' : invalidHeader);
    at += zero + 1;
  }
  if (!(flag & flags.headerChecksum)) return at;
  need(at + 2);
  const headerChecksum = data[at]! | (data[at + 1]! << 8);
  if (headerChecksum !== (crc32(data.subarray(start, at)) & 0xffff)) throw new Fault(invalidHeader);
  return at + 2;
}

// Created when the first archive is read, because most renderings read none.
let known: Uint32Array | undefined;

function checksums(): Uint32Array {
  known ??= Uint32Array.from({ length: 256 }, (_, byte) => {
    let rest = byte;
    for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
    return rest;
  });
  return known;
}

/** Returns the CRC-32 of bytes as an unsigned number. Mirrors: Go, hash/crc32, crc32.go, the IEEE polynomial. */
function crc32(bytes: Uint8Array): number {
  const table = checksums();
  let rest = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) {
    rest = table[(rest ^ bytes[i]!) & 0xff]! ^ (rest >>> 8);
  }
  return ~rest >>> 0;
}

/** The bytes that were decompressed. */
class Output {
  buffer = new Uint8Array(1 << 16);
  size = 0;
  /** Where the current member starts. */
  start = 0;

  append(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.buffer.set(bytes, this.size);
    this.size += bytes.length;
  }

  take(): Uint8Array {
    return this.buffer.subarray(0, this.size);
  }

  /** Reserves space for a number of bytes. */
  reserve(count: number): void {
    if (this.size + count <= this.buffer.length) return;
    const grown = new Uint8Array(Math.max(this.buffer.length * 2, this.size + count));
    grown.set(this.take());
    this.buffer = grown;
  }
}

/** The bits of the input, lowest first. A byte is read only when needed, because errors contain the number of bytes read. */
class BitReader {
  readonly #input: Uint8Array;
  readonly #start: number;
  at: number;
  #bits = 0;
  #count = 0;

  constructor(input: Uint8Array, start: number) {
    this.#input = input;
    this.#start = start;
    this.at = start;
  }

  corrupt(): Fault {
    return new Fault(`flate: corrupt input before offset ${this.at - this.#start}`);
  }

  need(count: number): void {
    while (this.#count < count) {
      if (this.at >= this.#input.length) throw new Fault('unexpected EOF');
      this.#bits |= this.#input[this.at++]! << this.#count;
      this.#count += 8;
    }
  }

  read(count: number): number {
    this.need(count);
    const value = this.#bits & ((1 << count) - 1);
    this.#bits >>>= count;
    this.#count -= count;
    return value;
  }

  /**
   * Reads a code, starting with the bits of the shortest one.
   * Mirrors: `huffSym`.
   */
  symbol({ min, mask, table }: HuffmanCode): number {
    for (let length = min; ; ) {
      if (this.#count < length) this.need(length);
      const entry = table[this.#bits & mask]!;
      length = entry & 15;
      if (length > this.#count) continue;
      if (length === 0) throw this.corrupt();
      this.#bits >>>= length;
      this.#count -= length;
      return entry >> 4;
    }
  }

  /** Returns literal bytes after the rest of the current byte is skipped. Throws Fault with the available bytes appended. */
  raw(count: number, output?: Output): Uint8Array {
    this.#bits = 0;
    this.#count = 0;
    const bytes = this.#input.subarray(this.at, this.at + count);
    this.at += bytes.length;
    output?.append(bytes);
    if (bytes.length < count) throw new Fault('unexpected EOF');
    return bytes;
  }
}

/** A Huffman code as a table indexed by the next bits, as many as its longest code word has. */
interface HuffmanCode {
  /** `symbol << 4 | length`, or 0 if no code word starts with these bits. */
  readonly table: Uint16Array;
  readonly mask: number;
  /** Minimum number of bits of another symbol. */
  readonly min: number;
}

/** Returns the code with these code word lengths, or undefined if they are invalid. Without any length, the code matches nothing. */
function codeOf(lengths: readonly number[]): HuffmanCode | undefined {
  const counts = new Uint16Array(16);
  for (const length of lengths) counts[length] = counts[length]! + 1;
  const min = counts.findIndex((count, length) => length > 0 && count > 0);
  if (min < 0) return { table: new Uint16Array(1), mask: 0, min: 0 };
  const max = counts.findLastIndex((count) => count > 0);
  const next: number[] = [];
  let word = 0;
  for (let length = 1; length <= max; length++) {
    word <<= 1;
    next[length] = word;
    word += counts[length]!;
  }
  // A single code word of one bit is allowed, as in zlib.
  if (word !== 1 << max && !(word === 1 && max === 1)) return undefined;
  const table = new Uint16Array(1 << max);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol]!;
    if (length === 0) continue;
    const own = next[length]!;
    next[length] = own + 1;
    for (let at = reverse(own, length); at < table.length; at += 1 << length) table[at] = (symbol << 4) | length;
  }
  return { table, mask: table.length - 1, min };
}

function reverse(value: number, count: number): number {
  let reversed = 0;
  for (let i = 0; i < count; i++) reversed |= ((value >> i) & 1) << (count - 1 - i);
  return reversed;
}

/** Reads a block; returns whether another one follows. */
function readBlock(bits: BitReader, output: Output): boolean {
  bits.need(3);
  const isFinal = bits.read(1) === 1;
  const type = bits.read(2);
  if (type === 0) copyBlock(bits, output);
  else if (type === 1) decodeBlock(bits, output, fixedCodes());
  else if (type === 2) decodeBlock(bits, output, readCodes(bits));
  else throw bits.corrupt();
  return !isFinal;
}

function copyBlock(bits: BitReader, output: Output): void {
  const [a, b, c, d] = bits.raw(4) as unknown as [number, number, number, number];
  const length = a | (b << 8);
  if ((c | (d << 8)) !== (length ^ 0xffff)) throw bits.corrupt();
  bits.raw(length, output);
}

interface Codes {
  readonly literals: HuffmanCode;
  /** Undefined for fixed distances, which are five bits. */
  readonly distances: HuffmanCode | undefined;
}

let fixed: Codes | undefined;

function fixedCodes(): Codes {
  if (fixed === undefined) {
    const lengths = Array.from({ length: 288 }, (_, symbol) =>
      symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8,
    );
    fixed = { literals: codeOf(lengths)!, distances: undefined };
  }
  return fixed;
}

const codeOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const maxLiterals = 286;
const maxDistances = 30;
const endOfBlock = 256;

function readCodes(bits: BitReader): Codes {
  bits.need(14);
  const literalCount = bits.read(5) + 257;
  if (literalCount > maxLiterals) throw bits.corrupt();
  const distanceCount = bits.read(5) + 1;
  if (distanceCount > maxDistances) throw bits.corrupt();
  const lengthCount = bits.read(4) + 4;
  const codeLengths: number[] = Array.from({ length: codeOrder.length }, () => 0);
  for (const symbol of codeOrder.slice(0, lengthCount)) codeLengths[symbol] = bits.read(3);
  const lengths = readLengths(bits, orCorrupt(bits, codeLengths), literalCount + distanceCount);
  const literals = orCorrupt(bits, lengths.slice(0, literalCount));
  const distances = orCorrupt(bits, lengths.slice(literalCount));
  // Every block ends with this code, so at least its bits are present; this determines how much is read before an error is found.
  const min = Math.max(literals.min, lengths[endOfBlock]!);
  return { literals: { ...literals, min }, distances };
}

function orCorrupt(bits: BitReader, lengths: readonly number[]): HuffmanCode {
  const code = codeOf(lengths);
  if (code === undefined) throw bits.corrupt();
  return code;
}

function readLengths(bits: BitReader, code: HuffmanCode, count: number): number[] {
  const lengths: number[] = [];
  while (lengths.length < count) {
    const symbol = bits.symbol(code);
    if (symbol < 16) {
      lengths.push(symbol);
      continue;
    }
    if (symbol === 16 && lengths.length === 0) throw bits.corrupt();
    const repeated = symbol === 16 ? lengths.at(-1)! : 0;
    const times = symbol === 16 ? 3 + bits.read(2) : symbol === 17 ? 3 + bits.read(3) : 11 + bits.read(7);
    if (lengths.length + times > count) throw bits.corrupt();
    for (let i = 0; i < times; i++) lengths.push(repeated);
  }
  return lengths;
}

const longestMatch = 258;

function decodeBlock(bits: BitReader, output: Output, { literals, distances }: Codes): void {
  for (;;) {
    const symbol = bits.symbol(literals);
    if (symbol === endOfBlock) return;
    output.reserve(longestMatch);
    const { buffer } = output;
    if (symbol < endOfBlock) {
      buffer[output.size++] = symbol;
      continue;
    }
    const length = readLength(bits, symbol);
    const distance = readDistance(bits, distances === undefined ? reverse(bits.read(5), 5) : bits.symbol(distances));
    if (distance > output.size - output.start) throw bits.corrupt();
    // The source and the destination may overlap.
    const end = output.size + length;
    for (let at = output.size; at < end; at++) buffer[at] = buffer[at - distance]!;
    output.size = end;
  }
}

function readLength(bits: BitReader, symbol: number): number {
  if (symbol < 265) return symbol - 254;
  if (symbol === 285) return 258;
  if (symbol > 285) throw bits.corrupt();
  const extra = (symbol - 261) >> 2;
  return (((symbol - 265) & 3) << extra) + (1 << (extra + 2)) + 3 + bits.read(extra);
}

function readDistance(bits: BitReader, symbol: number): number {
  if (symbol < 4) return symbol + 1;
  if (symbol >= maxDistances) throw bits.corrupt();
  const extra = (symbol - 2) >> 1;
  return ((symbol & 1) << extra) + (1 << (extra + 1)) + 1 + bits.read(extra);
}
