// Where a value comes from: which values were read for it, how they affected it, and which part of a text has which origin.

import type { GoValue } from '../go/value.ts';
import type { ActionNode, BranchNode, Template, TextNode } from './nodes.ts';

/** A value that templates read. */
export interface Read {
  /** `Values`, or `Objects` for the other top-level objects. */
  readonly root: string;
  /** The path below it. */
  readonly steps: readonly (string | number)[];
  /** For objects: the path of their chart. */
  readonly chart?: string | undefined;
  /** For objects: the object that was read. */
  readonly value?: GoValue | undefined;
  /** The result of `exactly`. */
  readonly alone?: ValueReads | undefined;
}

/**
 * How a value affected a result: it is in the result, the result was computed from it, it selected the result, or it did so together with
 * others each of which would have been enough: `or .a .b` where both are true.
 */
export type Way = 'exact' | 'computed' | 'decides' | 'shares';

/** A value that was read, and how it affected the result. */
export type ValueReads = ReadonlyMap<Read, Way>;

/** The origin of a value. */
export interface Origin {
  /** For a text with pieces: what affects all of it. */
  readonly reads: ValueReads;
  /** For a text: its parts in order, as far as they have an origin of their own. Undefined if `reads` is the whole origin. */
  readonly pieces: readonly Piece[] | undefined;
}

/** A part of a text with an origin of its own: values, or the output of a template. */
export interface Piece {
  readonly start: number;
  readonly end: number;
  readonly reads: ValueReads;
  /** The output of the template, and the offset of the piece in it. */
  readonly text?: TracedText | undefined;
  readonly at?: number | undefined;
}

/** A branch that was taken or skipped, so that what is written inside it is present. */
export interface Condition {
  readonly template: Template;
  readonly branch: BranchNode;
  /** Whether it is the `else` branch. */
  readonly isElse: boolean;
  readonly reads: ValueReads;
  /** The enclosing branches, from the innermost. */
  readonly outer: Condition | undefined;
}

/** A `template` action that executes another template. */
export interface TemplateCall {
  readonly template: Template;
  readonly offset: number;
  readonly outer: TemplateCall | undefined;
}

/** A part of a template's output. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly template: Template;
  readonly node: ActionNode | TextNode;
  readonly condition: Condition | undefined;
  /** Undefined for text between actions, unless a value contains that text. */
  readonly origin: Origin | undefined;
  /** The `template` actions that led to it, from the innermost. */
  readonly calls: TemplateCall | undefined;
}

/** The output of one execution. */
export interface TracedText {
  readonly template: Template;
  readonly text: string;
  readonly spans: readonly Span[];
  /** Branches that wrote nothing: a false condition without an `else`, or an empty list. */
  readonly leftOut: readonly Condition[];
  /** What did not run because the `else` branch ran instead. */
  readonly replaced: readonly Condition[];
}

/** An origin without reads. */
export const noReads: ValueReads = new Map();
/** The origin of literal template text. */
export const noOrigin: Origin = { reads: noReads, pieces: undefined };

const ranks: Readonly<Record<Way, number>> = { exact: 0, computed: 1, decides: 2, shares: 3 };

/** Returns how indirectly a read affects a result: 0 if it is in the result. */
export function wayRank(way: Way): number {
  return ranks[way];
}

/** Reads by the most direct way to affect a result; the same ones are requested repeatedly. */
class KnownReads extends Map<Read, Way> {
  computed: ValueReads | undefined;
  decides: ValueReads | undefined;
  shares: ValueReads | undefined;
}

/** Returns a single read whose value is in the result. */
export function exactRead(read: Read): ValueReads {
  let { alone } = read;
  if (alone === undefined) {
    alone = new KnownReads();
    (alone as KnownReads).set(read, 'exact');
    (read as { alone: ValueReads }).alone = alone;
  }
  return alone;
}

/** Returns all reads, each with its most direct way. */
export function joinReads(...all: readonly ValueReads[]): ValueReads {
  return joinAll(all);
}

/** The same for any number of origins. */
export function joinAll(all: Iterable<ValueReads>): ValueReads {
  let first: ValueReads = noReads;
  let joined: KnownReads | undefined;
  for (const reads of all) {
    if (reads.size === 0 || reads === first) continue;
    if (first === noReads) {
      first = reads;
      continue;
    }
    for (const [read, way] of reads) {
      const known = (joined ?? first).get(read);
      if (known !== undefined && ranks[known] <= ranks[way]) continue;
      joined ??= copyOf(first);
      joined.set(read, way);
    }
  }
  return joined ?? first;
}

function copyOf(reads: ValueReads): KnownReads {
  const copy = new KnownReads();
  for (const [read, way] of reads) copy.set(read, way);
  return copy;
}

/** Returns the same reads, none more direct than a way. */
export function downgrade(reads: ValueReads, way: Way): ValueReads {
  if (way === 'exact' || reads.size === 0) return reads;
  const known = reads instanceof KnownReads ? reads[way] : undefined;
  if (known !== undefined) return known;
  const made = downgraded(reads, way);
  if (reads instanceof KnownReads) reads[way] = made;
  return made;
}

function downgraded(reads: ValueReads, way: Way): ValueReads {
  let isSame = true;
  for (const own of reads.values()) if (ranks[own] < ranks[way]) isSame = false;
  if (isSame) return reads;
  const made = new KnownReads();
  for (const [read, own] of reads) made.set(read, ranks[own] < ranks[way] ? way : own);
  return made;
}

/** Returns the reads that decided the result, alone or with others. */
export function deciding(reads: ValueReads): ValueReads {
  if (downgrade(reads, 'decides') === reads) return reads;
  const found = new KnownReads();
  for (const [read, way] of reads) if (ranks[way] >= ranks.decides) found.set(read, way);
  return found;
}

/** Returns an origin that has only reads. */
export function originOf(reads: ValueReads): Origin {
  return reads.size === 0 ? noOrigin : { reads, pieces: undefined };
}

/** Returns all reads of a value and how they affected it. */
export function readsOf({ reads, pieces }: Origin): ValueReads {
  return pieces === undefined ? reads : joinAll([reads, ...pieces.map(pieceReads)]);
}

/** Returns an origin with more reads that affect all of it. */
export function withReads(origin: Origin, reads: ValueReads): Origin {
  if (reads.size === 0) return origin;
  // Reads of pieces stay with the pieces.
  return { reads: joinReads(origin.reads, reads), pieces: origin.pieces };
}

function pieceReads({ start, end, reads, text, at = 0 }: Piece): ValueReads {
  return text === undefined ? reads : joinReads(reads, textReads(text, at, at + end - start));
}

const ofTexts = new WeakMap<TracedText, ValueReads>();

/** Returns all reads behind a part of a template's output; for the whole output, also those that left something out. */
export function textReads(
  traced: TracedText,
  start: number,
  end: number,
  { withLeftOut = true }: { readonly withLeftOut?: boolean } = {},
): ValueReads {
  const isWhole = withLeftOut && start === 0 && end === traced.text.length;
  const known = isWhole ? ofTexts.get(traced) : undefined;
  if (known !== undefined) return known;
  const { spans } = traced;
  const found: ValueReads[] = [];
  for (let at = firstBehind(spans, start); at < spans.length && spans[at]!.start < end; at++) {
    const span = spans[at]!;
    if (span.origin !== undefined) {
      const from = Math.max(start - span.start, 0);
      found.push(readsOf(slice(span.origin, from, Math.min(end, span.end) - span.start)));
    }
    found.push(conditionReads(span.condition));
  }
  // The branch that ran instead may have written nothing.
  const unseen = isWhole ? [...traced.leftOut, ...traced.replaced] : [];
  for (const { reads, outer } of unseen) found.push(reads, conditionReads(outer));
  const joined = joinAll(found);
  if (isWhole) ofTexts.set(traced, joined);
  return joined;
}

/** Returns the first span that ends after an offset. Spans are in text order without gaps. */
export function firstBehind(spans: readonly { readonly end: number }[], offset: number): number {
  let low = 0;
  for (let high = spans.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((spans[middle] as Span).end <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

const ofConditions = new WeakMap<Condition, ValueReads>();

/** Returns what decided a condition, and the enclosing conditions within another one. */
export function readsWithin(condition: Condition | undefined, since: Condition | undefined): ValueReads {
  if (since === undefined) return conditionReads(condition);
  const found: ValueReads[] = [];
  for (let at = condition; at !== undefined && at !== since; at = at.outer) found.push(at.reads);
  return joinAll(found);
}

/** Returns what decided a condition and all enclosing ones. */
function conditionReads(condition: Condition | undefined): ValueReads {
  const open: Condition[] = [];
  let found: ValueReads | undefined;
  // Branches can be nested as deeply as templates.
  for (let at = condition; at !== undefined && found === undefined; at = at.outer) {
    found = ofConditions.get(at);
    if (found === undefined) open.push(at);
  }
  let reads = found ?? noReads;
  for (const one of open.reverse()) {
    reads = joinReads(one.reads, reads);
    ofConditions.set(one, reads);
  }
  return reads;
}

/** Returns the origin of a part of a text. */
export function slice({ reads, pieces }: Origin, start: number, end: number): Origin {
  if (pieces === undefined) return { reads, pieces };
  const kept: Piece[] = [];
  for (let i = firstBehind(pieces, start); i < pieces.length && pieces[i]!.start < end; i++) {
    kept.push(moved(cut(pieces[i]!, start, end), -start));
  }
  return { reads, pieces: kept };
}

function cut(piece: Piece, start: number, end: number): Piece {
  if (piece.start >= start && piece.end <= end) return piece;
  const from = Math.max(piece.start, start);
  const at = piece.at === undefined ? undefined : piece.at + from - piece.start;
  return { ...piece, start: from, end: Math.min(piece.end, end), at };
}

function moved(piece: Piece, by: number): Piece {
  return by === 0 ? piece : { ...piece, start: piece.start + by, end: piece.end + by };
}

/** A part of a text within another text. */
export interface Segment {
  readonly origin: Origin;
  /** Its range in its own text. */
  readonly start: number;
  readonly end: number;
  /** Its offset in the new text. */
  readonly to: number;
}

/** Returns the origin of a text that was assembled from parts; `whole` affects all of it. */
export function assemble(segments: readonly Segment[], whole: ValueReads = noReads): Origin {
  const pieces: Piece[] = [];
  const wholes = [whole];
  for (const { origin, start, end, to } of segments) {
    if (end <= start || origin === noOrigin) continue;
    if (origin.pieces === undefined) {
      if (origin.reads.size > 0) pieces.push({ start: to, end: to + end - start, reads: origin.reads });
      continue;
    }
    wholes.push(origin.reads);
    for (let i = firstBehind(origin.pieces, start); i < origin.pieces.length; i++) {
      const piece = origin.pieces[i]!;
      if (piece.start >= end) break;
      pieces.push(moved(cut(piece, start, end), to - start));
    }
  }
  const reads = joinAll(wholes);
  return pieces.length === 0 ? originOf(reads) : { reads, pieces };
}
