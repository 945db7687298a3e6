// The YAML reader: byte order marks, UTF-16, and forbidden characters.
// Mirrors: go-yaml v2 (sigs.k8s.io/yaml 1.4.0), readerc.go.

import { encodeUtf8, isStrayByte } from '../../go/utf8.ts';

/** A text ready to be scanned. */
export interface YamlSource {
  /** The text without its byte order mark, with a NUL at its end. */
  readonly text: string;
  /** Whether LF is its only kind of line break. */
  readonly onlyLf: boolean;
  /** The first forbidden character, if any: then `text` ends where Go would have found it. */
  readonly fault?: string;
  /** The line of that character, from 1. */
  readonly faultPlace?: { readonly line: number; readonly column: number };
}

const forbidden = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
// Most texts contain only these characters, and checking for them is faster than checking that none is forbidden.
const common = /^[\t\n\x20-\x7e]*$/;
const otherBreak = /[\r\x85\u2028\u2029]/;
// Go reads its input in windows of this size and finds a forbidden character when it reads its window: earlier errors are reported first.
const windowSize = 512;
const incomplete = 'incomplete UTF-8 octet sequence';
const control = 'control characters are not allowed';

/** Returns a text without its byte order mark, decoded if it is in UTF-16. */
export function withoutMark(text: string): string {
  return decode(text).text;
}

/** Returns the text as the scanner reads it. */
export function readSource(text: string): YamlSource {
  if (common.test(text)) return { text: `${text}\0`, onlyLf: true };
  const input = decode(text);
  const at = input.text.search(forbidden);
  const onlyLf = !otherBreak.test(input.text);
  if (at < 0) return { text: `${input.text}\0`, onlyLf };
  const fault = input.describe(input.text, at);
  // An incomplete character at the end is found only when Go needs more input.
  const start = fault.startsWith('incomplete') ? at : windowStart(input, at);
  const before = input.text.slice(0, at).split(/\r\n|[\n\r\x85\u2028\u2029]/);
  const faultPlace = { line: before.length, column: before[before.length - 1]!.length + 1 };
  return { text: `${input.text.slice(0, start)}\0`, onlyLf, fault, faultPlace };
}

interface Input {
  readonly text: string;
  readonly markSize: number;
  /** Returns the number of bytes of the character at an offset. */
  readonly sizeAt: (text: string, at: number) => number;
  /** Returns what is wrong with the character at an offset. */
  readonly describe: (text: string, at: number) => string;
}

// UTF-16 arrives as invalid UTF-8: FF FE or FE FF, then two bytes for each unit.
function decode(text: string): Input {
  const utf8 = { sizeAt: sizeInUtf8, describe: describeFault };
  if (text.charCodeAt(0) === 0xfeff) return { text: text.slice(1), markSize: 3, ...utf8 };
  const mark = text.slice(0, 2);
  if (mark !== '\udcff\udcfe' && mark !== '\udcfe\udcff') return { text, markSize: 0, ...utf8 };
  const bytes = encodeUtf8(text);
  const low = mark === '\udcff\udcfe' ? 0 : 1;
  let units = '';
  for (let i = 2; i + 1 < bytes.length; i += 2)
    units += String.fromCharCode(bytes[i + low]! + bytes[i + 1 - low]! * 256);
  // A single byte at the end is not a character.
  const isOdd = bytes.length % 2 === 1;
  const end = units.length - 1;
  const describe = (all: string, at: number): string => {
    const kind = all.charCodeAt(at) & 0xfc00;
    if (kind === 0xdc00) return 'unexpected low surrogate area';
    if (kind === 0xd800) return at < end ? 'expected low surrogate area' : 'incomplete UTF-16 surrogate pair';
    return at > end ? 'incomplete UTF-16 character' : control;
  };
  return { text: isOdd ? `${units}\uffff` : units, markSize: 2, sizeAt: sizeInUtf16, describe };
}

// Returns the offset of the window that contains a character. A window never splits a character.
function windowStart({ text, markSize, sizeAt }: Input, at: number): number {
  let start = 0;
  let room = windowSize - markSize;
  for (let i = 0; i <= at; i += unitsAt(text, i)) {
    const size = sizeAt(text, i);
    if (size > room) {
      start = i;
      room = windowSize;
    }
    room -= size;
  }
  return start;
}

function unitsAt(text: string, at: number): number {
  return text.codePointAt(at)! > 0xffff ? 2 : 1;
}

function sizeInUtf16(text: string, at: number): number {
  return unitsAt(text, at) * 2;
}

function sizeInUtf8(text: string, at: number): number {
  const code = text.codePointAt(at)!;
  if (isStrayByte(code)) return claimedSize(code - 0xdc00) || 1;
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

// The length announced by a leading byte; 0 for an invalid one.
function claimedSize(octet: number): number {
  if (octet < 0x80) return 1;
  if ((octet & 0xe0) === 0xc0) return 2;
  if ((octet & 0xf0) === 0xe0) return 3;
  return (octet & 0xf8) === 0xf0 ? 4 : 0;
}

function describeFault(text: string, at: number): string {
  const bytes = encodeUtf8(text.slice(at, at + 8));
  const size = claimedSize(bytes[0]!);
  if (size === 0) return 'invalid leading UTF-8 octet';
  if (size > bytes.length) return incomplete;
  const sequence = bytes.subarray(0, size);
  if (sequence.subarray(1).some((octet) => (octet & 0xc0) !== 0x80)) return 'invalid trailing UTF-8 octet';
  const code = sequence.subarray(1).reduce((value, octet) => value * 64 + (octet & 0x3f), leadBits(sequence));
  if (size > 1 && code < [0, 0, 0x80, 0x800, 0x10000][size]!) return 'invalid length of a UTF-8 sequence';
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) return 'invalid Unicode character';
  return control;
}

function leadBits(sequence: Uint8Array): number {
  const lead = sequence[0]!;
  return sequence.length === 1 ? lead : lead & (0x7f >> sequence.length);
}
