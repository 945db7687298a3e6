// Explains a line of a rendered template: the actions that wrote it, the values they read, and the conditions around them.

import { type BodyNode, type ListNode, printNode, type Template } from '../../template/nodes.ts';
import {
  type Condition,
  downgrade,
  firstBehind,
  joinReads,
  noReads,
  type Piece,
  type Read,
  type Span,
  slice,
  type TemplateCall,
  type TracedText,
  type ValueReads,
  wayRank,
} from '../../template/origin.ts';
import { lineStarts } from '../../template/source.ts';
import type { ExplainedValue, ValueTable, ValueWay } from './values.ts';

export interface TemplatePlace {
  /** The path of the template file, starting with the chart's name; `gotpl` for a text executed by `tpl`. */
  readonly file: string;
  /** Line, from 1. */
  readonly line: number;
  /** Column, from 1, in UTF-16 units. */
  readonly column: number;
  /** The template line. */
  readonly source: string;
  /** The action, or the literal text. */
  readonly text: string;
}

/** A branch that was taken to produce the line. */
export interface ExplainedCondition extends TemplatePlace {
  /** Whether the line is in its `else`. */
  readonly isElse: boolean;
  readonly values: readonly ExplainedValue[];
}

export interface ExplainedPart {
  readonly text: string;
  readonly place: TemplatePlace;
  /** The actions that it passed through, such as `include "web.labels" . | nindent 4`, from the outermost. */
  readonly through: readonly TemplatePlace[];
  readonly values: readonly ExplainedValue[];
  /** From the outermost. */
  readonly conditions: readonly ExplainedCondition[];
}

/** Returns the parts of a line (from 1) of a template's output, without white space. */
export function explainLine(text: TracedText, line: number, values: ValueTable): ExplainedPart[] {
  const [start, end] = lineRange(text, line);
  return partsOf(text, { start, end }, { values, through: [], conditions: [], reads: noReads });
}

interface Way {
  readonly values: ValueTable;
  readonly through: readonly TemplatePlace[];
  readonly conditions: readonly ExplainedCondition[];
  /** The reads of all actions that the text passed through. */
  readonly reads: ValueReads;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

function partsOf(traced: TracedText, { start, end }: Range, way: Way): ExplainedPart[] {
  const { spans, text } = traced;
  const found: ExplainedPart[] = [];
  for (let at = firstBehind(spans, start); at < spans.length && spans[at]!.start < end; at++) {
    const span = spans[at]!;
    const range = { start: Math.max(span.start, start), end: Math.min(span.end, end) };
    if (text.slice(range.start, range.end).trim() !== '') found.push(...spanParts(span, range, { text, way }));
  }
  return found;
}

const startsOf = new WeakMap<TracedText, readonly number[]>();

function lineRange(traced: TracedText, line: number): readonly [start: number, end: number] {
  let starts = startsOf.get(traced);
  if (starts === undefined) {
    starts = lineStarts(traced.text);
    startsOf.set(traced, starts);
  }
  const start = starts[line - 1] ?? traced.text.length;
  return [start, (starts[line] ?? traced.text.length + 1) - 1];
}

function spanParts(
  span: Span,
  { start, end }: Range,
  { text, way }: { readonly text: string; readonly way: Way },
): ExplainedPart[] {
  const { values } = way;
  const conditions = [...way.conditions, ...conditionsOf(span.condition, values)];
  const through = [...way.through, ...callsOf(span.calls)];
  const { reads, pieces } = slice(
    span.origin ?? { reads: noReads, pieces: undefined },
    start - span.start,
    end - span.start,
  );
  const part = text.slice(start, end);
  const all = joinReads(reads, way.reads);
  if (span.node.kind === 'text') {
    const place = placeIn(span.template, span.node.offset + start - span.start + part.search(/\S/), part.trim());
    const own = joinReads(all, ...(pieces ?? []).map((piece) => piece.reads));
    return [{ text: part, place, through, values: explainReads(own, values), conditions }];
  }
  const place = placeIn(span.template, span.node.offset, printNode(span.node.pipe));
  const inner = (pieces ?? []).filter(isShown(part));
  // Literal text is reported as written, with its context such as quotes.
  const found = inner.flatMap((piece) => {
    const further = {
      values,
      through: [...through, place],
      conditions,
      reads: joinReads(downgrade(reads, 'computed'), way.reads, piece.reads),
    };
    return partsOf(piece.text, { start: piece.at, end: piece.at + piece.end - piece.start }, further);
  });
  const rest = restOf(part, inner);
  if (inner.length > 0 && !/[\p{L}\p{N}]/u.test(rest)) return found;
  const own = joinReads(all, ...(pieces ?? []).filter((piece) => piece.text === undefined).map((piece) => piece.reads));
  return [
    ...found,
    { text: inner.length === 0 ? part : rest, place, through, values: explainReads(own, values), conditions },
  ];
}

type InnerText = Piece & { readonly text: TracedText; readonly at: number };

function isShown(part: string): (piece: Piece) => piece is InnerText {
  return (piece): piece is InnerText =>
    piece.text !== undefined && piece.at !== undefined && part.slice(piece.start, piece.end).trim() !== '';
}

function restOf(part: string, inner: readonly Range[]): string {
  let rest = '';
  let at = 0;
  for (const { start, end } of inner) {
    rest += part.slice(at, start);
    at = end;
  }
  return rest + part.slice(at);
}

export function conditionsOf(condition: Condition | undefined, values: ValueTable): ExplainedCondition[] {
  const found: ExplainedCondition[] = [];
  for (let at = condition; at !== undefined; at = at.outer) found.push(explainCondition(at, values));
  return found.reverse();
}

function explainCondition({ template, branch, isElse, reads }: Condition, values: ValueTable): ExplainedCondition {
  const place = placeIn(template, branch.offset, `${branch.kind} ${printNode(branch.pipe)}`);
  return { ...place, isElse, values: explainReads(downgrade(reads, 'decides'), values) };
}

/** A branch that was not executed. */
export interface SkippedBranch extends ExplainedCondition {
  /** The trimmed lines of text between its actions. */
  readonly lines: ReadonlySet<string>;
}

/** Returns the branches that wrote nothing, in a text and in the templates executed for it. */
export function explainLeftOut(text: TracedText, values: ValueTable): ExplainedCondition[] {
  return conditionsIn(text, ({ leftOut }) => leftOut).map((left) => explainCondition(left, values));
}

/** Returns the branches that were not executed, whether another one ran instead or not. */
export function explainSkipped(text: TracedText, values: ValueTable): SkippedBranch[] {
  return conditionsIn(text, ({ leftOut, replaced }) => [...leftOut, ...replaced]).map((skipped) => {
    const { branch, isElse } = skipped;
    return { ...explainCondition(skipped, values), lines: linesIn(isElse ? branch.otherwise : branch.list) };
  });
}

function linesIn(list: ListNode | undefined): ReadonlySet<string> {
  const found = new Set<string>();
  const ahead: BodyNode[] = [...(list?.nodes ?? [])];
  for (let node = ahead.pop(); node !== undefined; node = ahead.pop()) {
    if (node.kind === 'text') for (const line of node.text.split('\n')) found.add(line.trim());
    if ('list' in node) for (const body of [node.list, node.otherwise]) ahead.push(...(body?.nodes ?? []));
  }
  found.delete('');
  return found;
}

function conditionsIn(text: TracedText, of: (text: TracedText) => readonly Condition[]): Condition[] {
  const found = new Map<string, Condition>();
  const seen = new Set<TracedText>();
  const ahead: TracedText[] = [text];
  for (let one = ahead.pop(); one !== undefined; one = ahead.pop()) {
    if (seen.has(one)) continue;
    seen.add(one);
    for (const left of of(one)) {
      const reads = [...left.reads.keys()].map(({ root, steps }) => `${root} ${steps.join('\n')}`);
      found.set(`${left.template.source.name} ${left.branch.offset} ${left.isElse} ${reads.join()}`, left);
    }
    for (const { origin } of one.spans) {
      for (const piece of origin?.pieces ?? []) if (piece.text !== undefined) ahead.push(piece.text);
    }
  }
  return [...found.values()];
}

function callsOf(call: TemplateCall | undefined): TemplatePlace[] {
  const found: TemplatePlace[] = [];
  for (let at = call; at !== undefined; at = at.outer) found.push(placeIn(at.template, at.offset, 'template'));
  return found.reverse();
}

export function placeIn({ source }: Pick<Template, 'source'>, offset: number, text: string): TemplatePlace {
  const { line, character } = source.position(offset);
  return { file: source.name, line, column: character, source: source.line(line), text };
}

// Whole objects are only passed on; `.Values` and `.Template` lead to others.
function isTold({ root, steps }: Read): boolean {
  return steps.length > 0 && (root === 'Values' || !silent.has(String(steps[0])));
}

const silent: ReadonlySet<string> = new Set(['Values', 'Template', 'Subcharts']);

/** Returns what was read and how it took part: in its own way, or in one given for all. */
export function explainReads(reads: ValueReads, values: ValueTable, how?: ValueWay): ExplainedValue[] {
  const explained = [...reads].filter(([read]) => isTold(read)).map(([read, way]) => values.explain(read, how ?? way));
  // A table that became `.Values` is only passed on, too.
  const found = explained.filter(({ steps }) => steps.length > 0);
  return found.length < 2 ? found : distinct(found);
}

// A value may have been read in several ways.
function distinct(values: readonly ExplainedValue[]): ExplainedValue[] {
  const seen = new Map<string, ExplainedValue>();
  for (const value of values) {
    const key = `${value.chart} ${value.path}`;
    const known = seen.get(key);
    if (known === undefined || wayRank(value.how) < wayRank(known.how)) seen.set(key, value);
  }
  return [...seen.values()];
}
