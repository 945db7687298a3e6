// Where a value comes from: what was read for it, how that took part, and which piece of a text came from where.

import type { GoValue } from '../go/value.ts';
import type { ActionNode, BranchNode, Template, TextNode } from './nodes.ts';

/** A value that was read from what templates see. */
export interface Read {
  /** `Values`, or `Objects` for all that templates see beside them. */
  readonly root: string;
  /** The names and indexes below it. */
  readonly steps: readonly (string | number)[];
  /** Of objects: the path of the chart whose they are. */
  readonly chart?: string | undefined;
  /** Of objects: what was read. */
  readonly value?: GoValue | undefined;
  /** What `exactly` gave for it. */
  readonly alone?: ValueReads | undefined;
}

/**
 * How a value took part: it is in the result, the result was computed from it, it chose the result, or it did so with
 * others of which each would have been enough: `or .a .b`, where both are true.
 */
export type Way = 'exact' | 'computed' | 'decides' | 'shares';

/** What was read, and how it took part. */
export type ValueReads = ReadonlyMap<Read, Way>;

/** Where a value comes from. */
export interface Origin {
  /** Of a text with pieces: what concerns all of it. */
  readonly reads: ValueReads;
  /** Of a text: its parts in their order, as far as they came from elsewhere. Undefined: `reads` is all there is. */
  readonly pieces: readonly Piece[] | undefined;
}

/** A part of a text that came from elsewhere: values, or what a template gave. */
export interface Piece {
  readonly start: number;
  readonly end: number;
  readonly reads: ValueReads;
  /** What the template gave, and where the piece begins in it. */
  readonly text?: TracedText | undefined;
  readonly at?: number | undefined;
}

/** A branch that was taken or not, for what is written within it to be there. */
export interface Condition {
  readonly template: Template;
  readonly branch: BranchNode;
  /** Whether it is what follows `else`. */
  readonly isElse: boolean;
  readonly reads: ValueReads;
  /** Those around it, from within. */
  readonly outer: Condition | undefined;
}

/** A `template` action that runs another template. */
export interface TemplateCall {
  readonly template: Template;
  readonly offset: number;
  readonly outer: TemplateCall | undefined;
}

/** A part of what a template gave. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly template: Template;
  readonly node: ActionNode | TextNode;
  readonly condition: Condition | undefined;
  /** Undefined for text between actions, unless a value holds that text. */
  readonly origin: Origin | undefined;
  /** The `template` actions that led to it, from within. */
  readonly calls: TemplateCall | undefined;
}

/** What one execution gave. */
export interface TracedText {
  readonly template: Template;
  readonly text: string;
  readonly spans: readonly Span[];
  /** Branches that wrote nothing: a condition that did not hold, without an else; a list with nothing in it. */
  readonly leftOut: readonly Condition[];
  /** What did not run where its branch has an `else`: in its place the other one did. */
  readonly replaced: readonly Condition[];
}

/** Nothing was read. */
export const noReads: ValueReads = new Map();
/** The origin of what a template itself says. */
export const nothing: Origin = { reads: noReads, pieces: undefined };

const ranks: Readonly<Record<Way, number>> = { exact: 0, computed: 1, decides: 2, shares: 3 };

/** Returns how far a way is from standing in what came out: 0 is the closest. */
export function wayRank(way: Way): number {
  return ranks[way];
}

/** Reads that know what they are when none is closer than a way: the same ones are requested again and again. */
class KnownReads extends Map<Read, Way> {
  computed: ValueReads | undefined;
  decides: ValueReads | undefined;
  shares: ValueReads | undefined;
}

/** Returns one read of which the value is in what came out. */
export function exactRead(read: Read): ValueReads {
  let { alone } = read;
  if (alone === undefined) {
    alone = new KnownReads();
    (alone as KnownReads).set(read, 'exact');
    (read as { alone: ValueReads }).alone = alone;
  }
  return alone;
}

/** Returns all reads, each with the closest way of its ways. */
export function joinReads(...all: readonly ValueReads[]): ValueReads {
  return joinAll(all);
}

/** The same of any number. */
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

/** Returns the same reads, none of them closer than a way. */
export function downgrade(reads: ValueReads, way: Way): ValueReads {
  if (way === 'exact' || reads.size === 0) return reads;
  const known = reads instanceof KnownReads ? reads[way] : undefined;
  if (known !== undefined) return known;
  const made = weakened(reads, way);
  if (reads instanceof KnownReads) reads[way] = made;
  return made;
}

function weakened(reads: ValueReads, way: Way): ValueReads {
  let isSame = true;
  for (const own of reads.values()) if (ranks[own] < ranks[way]) isSame = false;
  if (isSame) return reads;
  const made = new KnownReads();
  for (const [read, own] of reads) made.set(read, ranks[own] < ranks[way] ? way : own);
  return made;
}

/** Returns those of reads that decide, alone or with others. */
export function deciding(reads: ValueReads): ValueReads {
  if (downgrade(reads, 'decides') === reads) return reads;
  const found = new KnownReads();
  for (const [read, way] of reads) if (ranks[way] >= ranks.decides) found.set(read, way);
  return found;
}

/** Returns an origin of reads alone. */
export function originOf(reads: ValueReads): Origin {
  return reads.size === 0 ? nothing : { reads, pieces: undefined };
}

/** Returns all that was read for a value, as it took part. */
export function readsOf({ reads, pieces }: Origin): ValueReads {
  return pieces === undefined ? reads : joinAll([reads, ...pieces.map(pieceReads)]);
}

/** Returns an origin with more reads that concern all of it. */
export function withReads(origin: Origin, reads: ValueReads): Origin {
  if (reads.size === 0) return origin;
  // What is in pieces stays with them.
  return { reads: joinReads(origin.reads, reads), pieces: origin.pieces };
}

function pieceReads({ start, end, reads, text, at = 0 }: Piece): ValueReads {
  return text === undefined ? reads : joinReads(reads, textReads(text, at, at + end - start));
}

const ofTexts = new WeakMap<TracedText, ValueReads>();

/** Returns all that was read for a part of what a template gave; for the whole of it, also what left something out. */
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
  // What ran in the place of another may have written nothing.
  const unseen = isWhole ? [...traced.leftOut, ...traced.replaced] : [];
  for (const { reads, outer } of unseen) found.push(reads, conditionReads(outer));
  const joined = joinAll(found);
  if (isWhole) ofTexts.set(traced, joined);
  return joined;
}

/** Returns the first span of a text that ends behind an offset. Spans stand in the order of the text, without gaps. */
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

/** Returns what decided that a condition held, and those around it that are within another one. */
export function readsWithin(condition: Condition | undefined, since: Condition | undefined): ValueReads {
  if (since === undefined) return conditionReads(condition);
  const found: ValueReads[] = [];
  for (let at = condition; at !== undefined && at !== since; at = at.outer) found.push(at.reads);
  return joinAll(found);
}

/** Returns what decided that a condition and all around it held. */
function conditionReads(condition: Condition | undefined): ValueReads {
  const open: Condition[] = [];
  let found: ValueReads | undefined;
  // As many may stand around each other as templates can nest.
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

/** A part of a text that is in another one. */
export interface Segment {
  readonly origin: Origin;
  /** Where it begins and ends in its own text. */
  readonly start: number;
  readonly end: number;
  /** Where it is in the new one. */
  readonly to: number;
}

/** Returns the origin of a text that was put together; `whole` concerns all of it. */
export function assemble(segments: readonly Segment[], whole: ValueReads = noReads): Origin {
  const pieces: Piece[] = [];
  const wholes = [whole];
  for (const { origin, start, end, to } of segments) {
    if (end <= start || origin === nothing) continue;
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
