// Why a line of a rendered template is what it is: the actions that wrote it, what they read, and the conditions around them.

import { formatValue } from '../go/format.ts';
import type { GoValue } from '../go/value.ts';
import { printNode, type Template } from '../template/nodes.ts';
import type { Call, Condition, Read, Span, TracedText } from '../template/trace.ts';
import { type ExplainedValue, readValue, type ValueTable, type ValueWay } from './values.ts';

/** A place in a template. */
export interface TemplatePlace {
  /** The path of the template file, with the chart's name in front; `gotpl` for a text that `tpl` ran. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in characters (UTF-16 units). */
  readonly column: number;
  /** The line of the template, as it stands there. */
  readonly source: string;
  /** The action, or the text that stands there. */
  readonly text: string;
}

/** A branch that was taken for the line to be there. */
export interface ExplainedCondition extends TemplatePlace {
  /** Whether the line stands behind its `else`. */
  readonly isElse: boolean;
  readonly values: readonly ExplainedValue[];
}

/** A part of a line. */
export interface ExplainedPart {
  readonly text: string;
  /** What wrote it. */
  readonly place: TemplatePlace;
  /** The actions that took it on its way, such as `include "web.labels" . | nindent 4`, from without. */
  readonly through: readonly TemplatePlace[];
  readonly values: readonly ExplainedValue[];
  /** From without. */
  readonly conditions: readonly ExplainedCondition[];
}

/** Gives the parts of a line (from 1) of what a template gave, white space aside. */
export function explainLine(text: TracedText, line: number, values: ValueTable): ExplainedPart[] {
  return partsOf(text, line, { values, through: [], conditions: [], others: [] });
}

interface Way {
  readonly values: ValueTable;
  readonly through: readonly TemplatePlace[];
  readonly conditions: readonly ExplainedCondition[];
  /** What was read on the way beside what the template read that wrote the part. */
  readonly others: readonly Read[];
}

function partsOf(traced: TracedText, line: number, way: Way): ExplainedPart[] {
  const [start, end] = lineRange(traced, line);
  const found: ExplainedPart[] = [];
  for (let at = firstBehind(traced.spans, start); at < traced.spans.length; at++) {
    const span = traced.spans[at] as Span;
    const from = Math.max(span.start, start);
    if (from >= end) break;
    const part = traced.text.slice(from, Math.min(span.end, end));
    if (part.trim() !== '') found.push(...spanParts(span, part, { traced, from, way }));
  }
  return found;
}

// Spans stand in the order of the text, without gaps.
function firstBehind(spans: readonly Span[], offset: number): number {
  let low = 0;
  for (let high = spans.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((spans[middle] as Span).end <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
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

interface Part {
  readonly traced: TracedText;
  /** Where the part starts in the text. */
  readonly from: number;
  readonly way: Way;
}

function spanParts(span: Span, part: string, { traced, from, way }: Part): ExplainedPart[] {
  const { values } = way;
  const conditions = [...way.conditions, ...conditionsOf(span.condition, values)];
  const through = [...way.through, ...callsOf(span.calls)];
  if (span.node.kind === 'text') {
    const place = placeIn(span.template, span.node.offset + from - span.start + part.search(/\S/), part.trim());
    return [{ text: part, place, through, values: deciding(span, part, way), conditions }];
  }
  const place = placeIn(span.template, span.node.pipe.offset, printNode(span.node.pipe));
  const inner = innerLine(span, part, traced.text.slice(span.start, from).split('\n').length - 1);
  if (inner !== undefined) {
    const read = [...(span.gathering?.reads ?? [])].filter((one) => !inner.text.reads.has(one));
    const others = [...way.others, ...read];
    return partsOf(inner.text, inner.line, { values, through: [...through, place], conditions, others });
  }
  const own = valuesOf(span.gathering?.reads ?? [], { part, how: 'computed' }, values);
  return [{ text: part, place, through, values: [...own, ...deciding(span, part, way)], conditions }];
}

// The last template that ran for an action is the outermost one: what it gave stands in the text line by line, or in quotes.
function innerLine(
  { gathering }: Span,
  part: string,
  at: number,
): { readonly text: TracedText; readonly line: number } | undefined {
  const wanted = part.trim();
  for (const text of gathering?.texts.toReversed() ?? []) {
    const lines = text.text.split('\n').map((line) => line.trim());
    const near = lines
      .map((line, index) => ({ line, index }))
      .filter(({ line }) => line === wanted)
      .sort((a, b) => Math.abs(a.index - at) - Math.abs(b.index - at));
    if (near[0] !== undefined) return { text, line: near[0].index + 1 };
    const whole = text.text.trim();
    if (whole !== '' && whole === wanted.replace(/^["']|["']$/g, '')) return { text, line: lines.indexOf(whole) + 1 };
  }
  return undefined;
}

/** Gives the branches around what runs, from without. */
export function conditionsOf(condition: Condition | undefined, values: ValueTable): ExplainedCondition[] {
  const found: ExplainedCondition[] = [];
  for (let at = condition; at !== undefined; at = at.outer) found.push(explainCondition(at, values));
  return found.reverse();
}

function explainCondition({ template, branch, isElse, gathering }: Condition, values: ValueTable): ExplainedCondition {
  const place = placeIn(template, branch.offset, `${branch.kind} ${printNode(branch.pipe)}`);
  const read = [...gathering.reads].filter(isTold).map((one) => values.explain(one, 'decides'));
  return { ...place, isElse, values: read };
}

/** Gives the branches that wrote nothing, in a text and in those of the templates that ran for it. */
export function explainLeftOut(text: TracedText, values: ValueTable): ExplainedCondition[] {
  const found = new Map<string, Condition>();
  const seen = new Set<TracedText>();
  const ahead: TracedText[] = [text];
  for (let one = ahead.pop(); one !== undefined; one = ahead.pop()) {
    if (seen.has(one)) continue;
    seen.add(one);
    for (const left of one.leftOut) {
      const reads = [...left.gathering.reads].map(({ root, steps }) => `${root} ${steps.join('\n')}`);
      found.set(`${left.template.source.name} ${left.branch.offset} ${reads.join()}`, left);
    }
    for (const { gathering } of one.spans) if (gathering !== undefined) ahead.push(...gathering.texts);
  }
  return [...found.values()].map((left) => explainCondition(left, values));
}

function callsOf(call: Call | undefined): TemplatePlace[] {
  const found: TemplatePlace[] = [];
  for (let at = call; at !== undefined; at = at.outer) found.push(placeIn(at.template, at.offset, 'template'));
  return found.reverse();
}

/** Gives a place in a template's text. */
export function placeIn({ source }: Pick<Template, 'source'>, offset: number, text: string): TemplatePlace {
  const { line, character } = source.position(offset);
  return { file: source.name, line, column: character, source: source.text.split('\n')[line - 1] ?? '', text };
}

// Objects as wholes are only handed on; `.Values` and `.Template` lead to others.
function isTold({ root, steps }: Read): boolean {
  return steps.length > 0 && (root === 'Values' || !silent.has(String(steps[0])));
}

const silent: ReadonlySet<string> = new Set(['Values', 'Template', 'Subcharts']);

/** Gives what was read, and how it took part in a part of a line. */
export function valuesOf(
  reads: Iterable<Read>,
  { part, how }: { readonly part: string; readonly how: ValueWay },
  values: ValueTable,
): ExplainedValue[] {
  const found = [...reads].map((read) => ({ read, standing: standingIn(read, part, values) }));
  return distinct(
    found.flatMap(({ read, standing }) => {
      if (standing.length > 0) return standing;
      return isTold(read) ? [values.explain(read, how)] : [];
    }),
  );
}

// What was read on the way chose what stands here; a text that `tpl` ran may stand here itself.
function deciding(span: Span, part: string, { others, values }: Way): ExplainedValue[] {
  const isText = span.node.kind === 'text' && span.template.source.name === 'gotpl';
  return valuesOf(others, { part: isText ? part : '', how: 'decides' }, values);
}

function distinct(values: readonly ExplainedValue[]): ExplainedValue[] {
  const seen = new Map<string, ExplainedValue>();
  for (const value of values) {
    const key = `${value.chart} ${value.path}`;
    if (value.how === 'exact' || !seen.has(key)) seen.set(key, value);
  }
  return [...seen.values()];
}

// Of a table those of its leaves count that stand in the part.
function standingIn(read: Read, part: string, values: ValueTable): ExplainedValue[] {
  if (part === '') return [];
  const value = readValue(read, values.root);
  if (!(value instanceof Map) && !Array.isArray(value)) {
    return stands(value, part) ? [values.explain(read, 'exact')] : [];
  }
  if (read.root !== 'Values') return [];
  const standing = leavesOf(value, read.steps).filter((leaf) => stands(leaf.value, part));
  const named = standing.filter((leaf) => isNamed(leaf, part, true));
  const leaves = named.length > 0 ? named : standing.filter((leaf) => isNamed(leaf, part, false));
  return leaves.map(({ steps }) => values.explain({ root: 'Values', steps }, 'exact'));
}

interface Leaf {
  readonly steps: readonly (string | number)[];
  readonly value: GoValue;
}

function leavesOf(value: GoValue, steps: readonly (string | number)[]): Leaf[] {
  const leaves: Leaf[] = [];
  const ahead: Leaf[] = [{ steps, value }];
  for (let leaf = ahead.pop(); leaf !== undefined; leaf = ahead.pop()) {
    const { steps: at, value: item } = leaf;
    if (item instanceof Map) for (const [key, inner] of item) ahead.push({ steps: [...at, key], value: inner });
    else if (Array.isArray(item)) ahead.push(...item.map((inner, i) => ({ steps: [...at, i], value: inner })));
    else leaves.push(leaf);
  }
  return leaves;
}

// In a line such as `cpu: 100m` the key stands before the value, in one such as `- 100m` none does. What is not so plain may
// stand there under another name.
function isNamed({ steps, value }: Leaf, part: string, isSure: boolean): boolean {
  const last = steps.at(-1);
  const [, shown, rest = ''] = /^[-\s]*"?([^:"\s]+)"?:\s+"?(.*?)"?$/.exec(part) ?? [];
  if (isSure) return shown === undefined ? /^\s*- /.test(part) && typeof last === 'number' : shown === last;
  const key = steps.findLast((step) => typeof step === 'string');
  return shown === undefined || typeof last === 'number' || rest !== formatValue(value) || shown === key;
}

// A short word stands alone, or it is a part of something else.
function stands(value: GoValue, part: string): boolean {
  if (part === '' || value === null || value === '' || value instanceof Map || Array.isArray(value)) return false;
  const shown = part.trim();
  return formatValue(value)
    .split('\n')
    .map((line) => line.trim())
    .some((line) => line !== '' && (line.length > 7 ? shown.includes(line) : hasWord(shown, line)));
}

function hasWord(text: string, word: string): boolean {
  const isWord = (char: string | undefined): boolean => char !== undefined && /\w/.test(char);
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const [first = '', last = ''] = [word[0], word.at(-1)];
    const isCut = (isWord(first) && isWord(text[at - 1])) || (isWord(last) && isWord(text[at + word.length]));
    if (!isCut) return true;
  }
  return false;
}
