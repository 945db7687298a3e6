// The smaller tokens of YAML text: anchors, aliases, tags and directives.
// Mirrors: go-yaml v2 (sigs.k8s.io/yaml 1.4.0), scannerc.go, `scan_anchor`, `scan_tag`, `scan_directive`.

import { decodeUtf8 } from '../../go/utf8.ts';
import {
  HASH,
  isBlank,
  isBlankOrEnd,
  isBreakOrEnd,
  isDigitUnit,
  isHex,
  isWord,
  PERCENT,
  type YamlCursor,
} from './cursor.ts';

const BANG = 33;

/** A tag as written: `!handle!suffix`, or an empty handle for `!<suffix>` and for `!` alone. Also a `%TAG` line: handle and prefix. */
export interface WrittenTag {
  readonly handle: string;
  readonly suffix: string;
}

function takeWord(cursor: YamlCursor): string {
  const start = cursor.pos;
  while (isWord(cursor.unit)) cursor.pos++;
  return cursor.text.slice(start, cursor.pos);
}

function skipBlanks(cursor: YamlCursor): void {
  while (isBlank(cursor.unit)) cursor.pos++;
}

/** Scans an anchor or an alias and returns its name. */
export function scanAnchor(cursor: YamlCursor): string {
  cursor.pos++;
  const name = takeWord(cursor);
  if (name === '' || !(isBlankOrEnd(cursor.unit) || '?:,]}%@`'.includes(cursor.text.charAt(cursor.pos)))) {
    cursor.fail('did not find expected alphabetic or numeric character');
  }
  return name;
}

/** Scans the tag of a node. */
export function scanTag(cursor: YamlCursor): WrittenTag {
  const tag = cursor.text.charAt(cursor.pos + 1) === '<' ? scanVerbatimTag(cursor) : scanShortTag(cursor);
  if (!isBlankOrEnd(cursor.unit)) cursor.fail('did not find expected whitespace or line break');
  return tag;
}

function scanVerbatimTag(cursor: YamlCursor): WrittenTag {
  cursor.pos += 2;
  const suffix = scanUri(cursor, '');
  if (cursor.text.charAt(cursor.pos) !== '>') cursor.fail("did not find the expected '>'");
  cursor.pos++;
  return { handle: '', suffix };
}

function scanShortTag(cursor: YamlCursor): WrittenTag {
  const handle = scanHandle(cursor, false);
  if (handle.length > 1 && handle.endsWith('!')) return { handle, suffix: scanUri(cursor, '') };
  // It was not a handle but the start of `!suffix`.
  const suffix = scanUri(cursor, handle);
  return suffix === '' ? { handle: '', suffix: '!' } : { handle: '!', suffix };
}

function scanHandle(cursor: YamlCursor, inDirective: boolean): string {
  if (cursor.unit !== BANG) cursor.fail("did not find expected '!'");
  cursor.pos++;
  const handle = `!${takeWord(cursor)}`;
  if (cursor.unit === BANG) {
    cursor.pos++;
    return `${handle}!`;
  }
  if (inDirective && handle !== '!') cursor.fail("did not find expected '!'");
  return handle;
}

const uriMarks = ";/?:@&=+$,.!~*'()[]%";

// Reads a URI that may have begun with `head`, whose `!` does not belong to it.
function scanUri(cursor: YamlCursor, head: string): string {
  let uri = head.slice(1);
  const start = cursor.pos;
  while (isWord(cursor.unit) || uriMarks.includes(cursor.text.charAt(cursor.pos))) {
    if (cursor.unit === PERCENT) uri += scanUriEscape(cursor);
    else uri += cursor.text.charAt(cursor.pos++);
  }
  if (cursor.pos === start && head === '') cursor.fail('did not find expected tag URI');
  return uri;
}

// Reads the `%XX` octets of one character.
function scanUriEscape(cursor: YamlCursor): string {
  const octets = [scanOctet(cursor)];
  const lead = octets[0]!;
  const size =
    lead < 0x80 ? 1 : (lead & 0xe0) === 0xc0 ? 2 : (lead & 0xf0) === 0xe0 ? 3 : (lead & 0xf8) === 0xf0 ? 4 : 0;
  if (size === 0) cursor.fail('found an incorrect leading UTF-8 octet');
  while (octets.length < size) {
    const octet = scanOctet(cursor);
    if ((octet & 0xc0) !== 0x80) cursor.fail('found an incorrect trailing UTF-8 octet');
    octets.push(octet);
  }
  return decodeUtf8(Uint8Array.from(octets));
}

function scanOctet(cursor: YamlCursor): number {
  const { text, pos } = cursor;
  if (cursor.unit !== PERCENT || !isHex(text.charCodeAt(pos + 1)) || !isHex(text.charCodeAt(pos + 2))) {
    cursor.fail('did not find URI escaped octet');
  }
  cursor.pos += 3;
  return Number.parseInt(text.slice(pos + 1, pos + 3), 16);
}

/** A `%YAML` or `%TAG` line. */
export type Directive = { readonly version: string } | WrittenTag;

/** Scans a directive and its line. */
export function scanDirective(cursor: YamlCursor): Directive {
  cursor.pos++;
  const name = takeWord(cursor);
  if (name === '') cursor.fail('could not find expected directive name');
  if (!isBlankOrEnd(cursor.unit)) cursor.fail('found unexpected non-alphabetical character');
  if (name !== 'YAML' && name !== 'TAG') cursor.fail('found unknown directive name');
  skipBlanks(cursor);
  const directive = name === 'YAML' ? { version: scanVersion(cursor) } : scanTagDirective(cursor);
  skipBlanks(cursor);
  if (cursor.unit === HASH) cursor.pos = cursor.lineEnd(cursor.pos);
  if (!isBreakOrEnd(cursor.unit)) cursor.fail('did not find expected comment or line break');
  cursor.readBreak();
  return directive;
}

function scanVersion(cursor: YamlCursor): string {
  const major = scanVersionNumber(cursor);
  if (cursor.text.charAt(cursor.pos) !== '.') cursor.fail("did not find expected digit or '.' character");
  cursor.pos++;
  return `${major}.${scanVersionNumber(cursor)}`;
}

function scanVersionNumber(cursor: YamlCursor): number {
  const start = cursor.pos;
  while (isDigitUnit(cursor.unit)) {
    if (cursor.pos - start === 2) cursor.fail('found extremely long version number');
    cursor.pos++;
  }
  if (cursor.pos === start) cursor.fail('did not find expected version number');
  return Number(cursor.text.slice(start, cursor.pos));
}

function scanTagDirective(cursor: YamlCursor): WrittenTag {
  const handle = scanHandle(cursor, true);
  if (!isBlank(cursor.unit)) cursor.fail('did not find expected whitespace');
  skipBlanks(cursor);
  const suffix = scanUri(cursor, '');
  if (!isBlankOrEnd(cursor.unit)) cursor.fail('did not find expected whitespace or line break');
  return { handle, suffix };
}
