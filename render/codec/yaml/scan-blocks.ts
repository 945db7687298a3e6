// The block scalars of YAML text: literal `|` and folded `>`.
// Mirrors: go-yaml v2 (sigs.k8s.io/yaml 1.4.0), scannerc.go, `scan_block_scalar`.

import { HASH, HYPHEN, isBlank, isBreak, isBreakOrEnd, isDigitUnit, NUL, SPACE, TAB } from './chars.ts';
import type { YamlCursor } from './cursor.ts';

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
