// The scanner of plain, quoted and block scalars. A scalar on a single line is a slice of the text.
// Mirrors: go-yaml v2 (sigs.k8s.io/yaml 1.4.0), scannerc.go, `scan_plain_scalar`, `scan_flow_scalar`, `scan_block_scalar`.

import {
  APOSTROPHE,
  BACKSLASH,
  COLON,
  HASH,
  HYPHEN,
  isBlank,
  isBlankOrEnd,
  isBreak,
  isBreakOrEnd,
  isDigitUnit,
  isDocumentMark,
  isFlowIndicator,
  isHex,
  NUL,
  QUOTE,
  SPACE,
  TAB,
  type YamlCursor,
} from './cursor.ts';

/** Returns the offset after the last character of a plain scalar on this line; `from` if there is none. */
function plainLineEnd(text: string, from: number, inFlow: boolean): number {
  let end = from;
  for (let at = from; ; ) {
    const unit = text.charCodeAt(at);
    if (unit > COLON) {
      if (unit >= 0x85 ? isBreak(unit) : inFlow && isFlowIndicator(unit)) return end;
    } else if (unit === SPACE || unit === TAB) {
      at++;
      if (text.charCodeAt(at) === HASH) return end;
      continue;
    } else if (unit === COLON) {
      if (isBlankOrEnd(text.charCodeAt(at + 1))) return end;
    } else if (unit < SPACE || (inFlow && isFlowIndicator(unit))) {
      return end;
    }
    end = ++at;
  }
}

/**
 * Scans a plain scalar and returns its value. It also consumes the white space after it, and records on the cursor whether there were line
 * breaks.
 */
export function scanPlain(cursor: YamlCursor): string {
  const { text } = cursor;
  const inFlow = cursor.flowLevel > 0;
  const leastColumn = cursor.indent + 1;
  let end = plainLineEnd(text, cursor.pos, inFlow);
  let value = text.slice(cursor.pos, end);
  for (;;) {
    cursor.pos = end;
    const joint = skipLines(cursor, leastColumn);
    cursor.freshLine = joint !== '';
    if (joint === '') return value;
    const column = cursor.pos - cursor.lineStart;
    if (!inFlow && column < leastColumn) return value;
    if (cursor.unit === HASH || (column === 0 && isDocumentMark(text, cursor.pos))) return value;
    end = plainLineEnd(text, cursor.pos, inFlow);
    if (end === cursor.pos) return value;
    value += joint + text.slice(cursor.pos, end);
  }
}

// Skips white space, line breaks and the indentation of the next line. Returns their representation in the value: '' without a line break.
function skipLines(cursor: YamlCursor, leastColumn: number): string {
  const { text } = cursor;
  while (isBlank(text.charCodeAt(cursor.pos))) cursor.pos++;
  const first = cursor.readBreak();
  if (first === '') return '';
  let more = '';
  for (;;) {
    const unit = text.charCodeAt(cursor.pos);
    if (unit === SPACE) cursor.pos++;
    else if (unit === TAB) {
      if (cursor.pos - cursor.lineStart < leastColumn) cursor.fail('found a tab character that violates indentation');
      cursor.pos++;
    } else if (isBreak(unit)) more += cursor.readBreak();
    else return foldBreaks(first, more);
  }
}

// One LF becomes a space; of several, the first one is dropped.
function foldBreaks(first: string, more: string): string {
  if (first !== '\n') return first + more;
  return more === '' ? ' ' : more;
}

/** Scans a single-quoted or double-quoted scalar and returns its value. */
export function scanQuoted(cursor: YamlCursor): string {
  const { text } = cursor;
  const quote = text.charCodeAt(cursor.pos);
  const start = cursor.pos + 1;
  for (let at = start; ; at++) {
    const unit = text.charCodeAt(at);
    if (unit === quote) {
      if (quote === APOSTROPHE && text.charCodeAt(at + 1) === APOSTROPHE) break;
      cursor.pos = at + 1;
      return text.slice(start, at);
    }
    if (unit === BACKSLASH ? quote === QUOTE : unit < SPACE ? isBreakOrEnd(unit) : unit >= 0x85 && isBreak(unit)) break;
  }
  cursor.pos = start;
  return scanQuotedLines(cursor, quote);
}

// The general case: escapes, doubled quotes, line breaks.
function scanQuotedLines(cursor: YamlCursor, quote: number): string {
  const { text } = cursor;
  let value = '';
  for (;;) {
    if (cursor.pos === cursor.lineStart && isDocumentMark(text, cursor.pos)) {
      cursor.fail('found unexpected document indicator');
    }
    if (cursor.unit === NUL) cursor.fail('found unexpected end of stream');
    // An escaped line break consumes the following white space and produces no space.
    let escapedBreak = false;
    while (!escapedBreak && !isBlankOrEnd(cursor.unit)) {
      const unit = cursor.unit;
      if (unit === quote) {
        if (quote === QUOTE || text.charCodeAt(cursor.pos + 1) !== APOSTROPHE) break;
        value += "'";
        cursor.pos += 2;
      } else if (unit === BACKSLASH && quote === QUOTE) {
        escapedBreak = isBreak(text.charCodeAt(cursor.pos + 1));
        if (escapedBreak) {
          cursor.pos++;
          cursor.readBreak();
        } else value += scanEscape(cursor);
      } else value += scanQuotedRun(cursor, quote);
    }
    if (cursor.unit === quote) {
      cursor.pos++;
      return value;
    }
    value += scanQuotedBlanks(cursor, escapedBreak);
  }
}

// Reads characters that are neither white space nor special.
function scanQuotedRun(cursor: YamlCursor, quote: number): string {
  const { text } = cursor;
  const start = cursor.pos;
  let at = start + 1;
  for (;;) {
    const unit = text.charCodeAt(at);
    if (unit === quote || unit === BACKSLASH || isBlankOrEnd(unit)) break;
    at++;
  }
  cursor.pos = at;
  return text.slice(start, at);
}

// Reads white space and line breaks, and returns their representation in the value.
function scanQuotedBlanks(cursor: YamlCursor, escapedBreak: boolean): string {
  const { text } = cursor;
  const start = cursor.pos;
  while (isBlank(cursor.unit)) cursor.pos++;
  let first = '';
  if (!escapedBreak) {
    if (!isBreak(cursor.unit)) return text.slice(start, cursor.pos);
    first = cursor.readBreak();
  }
  let more = '';
  for (;;) {
    if (isBlank(cursor.unit)) cursor.pos++;
    else if (isBreak(cursor.unit)) more += cursor.readBreak();
    else return escapedBreak ? more : foldBreaks(first, more);
  }
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['0', '\0'],
  ['a', '\x07'],
  ['b', '\b'],
  ['t', '\t'],
  ['\t', '\t'],
  ['n', '\n'],
  ['v', '\v'],
  ['f', '\f'],
  ['r', '\r'],
  ['e', '\x1b'],
  [' ', ' '],
  ['"', '"'],
  ["'", "'"],
  ['\\', '\\'],
  ['N', '\x85'],
  ['_', '\xa0'],
  ['L', '\u2028'],
  ['P', '\u2029'],
]);

const codeLengths: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);

// Reads an escape.
function scanEscape(cursor: YamlCursor): string {
  const { text } = cursor;
  const name = text.charAt(cursor.pos + 1);
  const plain = name === '/' && cursor.takesJson ? name : escapes.get(name);
  if (plain !== undefined) {
    cursor.pos += 2;
    return plain;
  }
  const length = codeLengths.get(name);
  if (length === undefined) cursor.fail('found unknown escape character', 'unknown-escape');
  cursor.pos += 2;
  const end = cursor.pos + length;
  for (let at = cursor.pos; at < end; at++) {
    if (!isHex(text.charCodeAt(at))) cursor.fail('did not find expected hexdecimal number');
  }
  const code = Number.parseInt(text.slice(cursor.pos, end), 16);
  const isHalf = code >= 0xd800 && code <= 0xdfff && !cursor.takesJson;
  if (isHalf || code > 0x10ffff) cursor.fail('found invalid Unicode character escape code');
  cursor.pos = end;
  return String.fromCodePoint(code);
}

const PLUS = 43;

/** Scans a block scalar, with its header, and returns its value. */
export function scanBlock(cursor: YamlCursor, literal: boolean): string {
  cursor.pos++;
  const { chomping, increment } = scanHeader(cursor);
  const base = Math.max(cursor.indent, 0);
  let breaks = '';
  let indent = increment > 0 ? base + increment : 0;
  if (indent === 0) {
    const found = findIndent(cursor);
    indent = found.indent;
    breaks = found.breaks;
  } else breaks = scanBreaks(cursor, indent);
  return literal ? scanLiteral(cursor, { indent, breaks, chomping }) : scanFolded(cursor, { indent, breaks, chomping });
}

interface Block {
  readonly indent: number;
  /** Skips the empty lines before the first text. */
  readonly breaks: string;
  readonly chomping: 'strip' | 'clip' | 'keep';
}

// Reads the indicators after `|` or `>`: chomping and indentation in either order, then a comment.
function scanHeader(cursor: YamlCursor): { chomping: Block['chomping']; increment: number } {
  let chomping: Block['chomping'] | undefined = scanChomping(cursor);
  let increment = 0;
  if (isDigitUnit(cursor.unit)) {
    increment = cursor.unit - 48;
    if (increment === 0) cursor.fail('found an indentation indicator equal to 0');
    cursor.pos++;
    chomping ??= scanChomping(cursor);
  }
  while (isBlank(cursor.unit)) cursor.pos++;
  if (cursor.unit === HASH) cursor.pos = cursor.lineEnd(cursor.pos);
  if (!isBreakOrEnd(cursor.unit)) cursor.fail('did not find expected comment or line break');
  cursor.readBreak();
  return { chomping: chomping ?? 'clip', increment };
}

function scanChomping(cursor: YamlCursor): 'strip' | 'keep' | undefined {
  const unit = cursor.unit;
  if (unit !== PLUS && unit !== HYPHEN) return undefined;
  cursor.pos++;
  return unit === PLUS ? 'keep' : 'strip';
}

// Reads empty lines up to the first text. The deepest of them determines the indentation, unless the text is deeper.
function findIndent(cursor: YamlCursor): { indent: number; breaks: string } {
  let breaks = '';
  let deepest = 0;
  for (;;) {
    while (cursor.unit === SPACE) cursor.pos++;
    deepest = Math.max(deepest, cursor.pos - cursor.lineStart);
    if (cursor.unit === TAB) cursor.fail('found a tab character where an indentation space is expected');
    if (!isBreak(cursor.unit)) return { indent: Math.max(deepest, cursor.indent + 1, 1), breaks };
    breaks += cursor.readBreak();
  }
}

// Reads empty lines and the indentation of the line after them.
function scanBreaks(cursor: YamlCursor, indent: number): string {
  const { text } = cursor;
  let breaks = '';
  for (;;) {
    const stop = cursor.lineStart + indent;
    let pos = cursor.pos;
    while (pos < stop && text.charCodeAt(pos) === SPACE) pos++;
    cursor.pos = pos;
    const unit = text.charCodeAt(pos);
    if (unit === TAB && pos < stop) cursor.fail('found a tab character where an indentation space is expected');
    if (!isBreak(unit)) return breaks;
    breaks += cursor.readBreak();
  }
}

function scanLiteral(cursor: YamlCursor, block: Block): string {
  const { text } = cursor;
  let value = '';
  let pending = '';
  let breaks = block.breaks;
  while (cursor.pos - cursor.lineStart === block.indent && cursor.unit !== NUL) {
    const end = cursor.lineEnd(cursor.pos);
    value += pending + breaks + text.slice(cursor.pos, end);
    cursor.pos = end;
    pending = cursor.readBreak();
    breaks = scanBreaks(cursor, block.indent);
  }
  return value + chomp(block, pending, breaks);
}

// A line break between two lines that do not begin with white space becomes a space, or disappears if empty lines follow.
function scanFolded(cursor: YamlCursor, block: Block): string {
  const { text } = cursor;
  let value = '';
  let pending = '';
  let breaks = block.breaks;
  let afterBlank = false;
  while (cursor.pos - cursor.lineStart === block.indent && cursor.unit !== NUL) {
    const startsBlank = isBlank(cursor.unit);
    if (pending === '\n' && !afterBlank && !startsBlank) value += breaks === '' ? ' ' : breaks;
    else value += pending + breaks;
    afterBlank = startsBlank;
    const end = cursor.lineEnd(cursor.pos);
    value += text.slice(cursor.pos, end);
    cursor.pos = end;
    pending = cursor.readBreak();
    breaks = scanBreaks(cursor, block.indent);
  }
  return value + chomp(block, pending, breaks);
}

function chomp(block: Block, pending: string, breaks: string): string {
  if (block.chomping === 'strip') return '';
  return block.chomping === 'keep' ? pending + breaks : pending;
}
