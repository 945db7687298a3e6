// A block of a tar archive: formats, checksum and fields.
// Mirrors: Go 1.23, archive/tar, format.go and strconv.go.

import { decodeUtf8 } from '../../go/utf8.ts';
import { GoError } from '../../go/value.ts';

/** The size of a block, in bytes. */
export const blockSize = 512;

/** The fields of a header block that Helm needs. */
export interface Block {
  readonly name: string;
  /** The type flag of the header. */
  readonly type: string;
  readonly mode: number;
  readonly size: number;
}

/** The formats of a header block. */
type Format = 'V7' | 'ustar' | 'STAR' | 'GNU';

/** Returns the error of an invalid header. */
export function headerFault(): GoError {
  return new GoError('archive/tar: invalid tar header');
}

/** Returns the fields of a header block. Throws GoError if one of them is malformed, including those that Helm does not need. */
export function readBlock(bytes: Uint8Array): Block {
  const format = formatOf(bytes);
  const field = (start: number, length: number): Uint8Array => bytes.subarray(start, start + length);
  const number = (start: number, length: number): number => readNumber(field(start, length));
  const name = readText(field(0, 100));
  const size = number(124, 12);
  const mode = number(100, 8);
  // User, group and modification time.
  for (const [start, length] of [
    [108, 8],
    [116, 8],
    [136, 12],
  ] as const)
    number(start, length);
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
  if (field[0] === 0) return true;
  try {
    readNumber(field);
    return true;
  } catch (error) {
    if (error instanceof GoError) return false;
    throw error;
  }
}

/** Returns the format of a header block. Throws GoError if its checksum is wrong. */
export function formatOf(bytes: Uint8Array): Format {
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

/** Returns the number in a field: octal text, or base 256 if the top bit is set. Throws GoError if it is invalid. */
export function readNumber(field: Uint8Array): number {
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

/** Returns the number in a decimal text like `strconv.ParseInt`. Throws GoError if it is not a 64-bit integer. */
export function readInteger(text: string): number {
  if (!/^[-+]?\d+$/.test(text)) throw headerFault();
  const value = BigInt(text.replace('+', ''));
  if (BigInt.asIntN(64, value) !== value) throw headerFault();
  return Number(value);
}

/** Returns a text up to its first zero byte. */
export function readText(field: Uint8Array): string {
  const end = field.indexOf(0);
  return decodeUtf8(end < 0 ? field : field.subarray(0, end));
}
