// Propagates origins through functions that write and parse YAML and JSON: by line when written, by part when parsed.

import { stepsByLine } from '../../codec/yaml/members.ts';
import { orUndefined } from '../../core/catch.ts';
import type { Steps } from '../../core/paths.ts';
import type { GoMap, GoValue } from '../../go/value.ts';
import {
  assemble,
  deciding,
  downgrade,
  exactRead,
  joinReads,
  noOrigin,
  noReads,
  type Origin,
  originOf,
  readsOf,
  type Segment,
  slice,
  type ValueReads,
} from '../../template/origin.ts';
import { bare, entriesOf, hasParts, type Trace, type TracedCall } from '../../template/trace.ts';
import { valueAtSteps } from '../../values/paths.ts';
import { aligned, originLines } from './texts.ts';

type Entry = readonly [name: string, rule: (call: TracedCall) => Origin];

/** The functions that write and parse documents. */
export const documentRules: readonly Entry[] = [
  ...['toYaml', 'toYamlPretty', 'toPrettyJson', 'toJson', 'toRawJson', 'toToml'].map(
    (name) => [name, written] as const,
  ),
  ...['fromYaml', 'fromYamlArray', 'fromJson', 'fromJsonArray', 'fromToml'].map((name) => [name, read] as const),
];

function linesSteps(text: string): readonly Steps[] | undefined {
  return orUndefined(() => stepsByLine(text));
}

function written(call: TracedCall): Origin {
  const { args, origins, result, trace, name } = call;
  const [value = null] = args;
  const [from = noOrigin] = origins;
  const inner = bare(value);
  const text = String(result);
  const isObject = typeof inner === 'object' && inner !== null && hasParts(inner);
  // A multi-line text is written line by line.
  if (typeof value === 'string' && value.includes('\n') && text.includes('\n')) return aligned(call, 0);
  if (!isObject) return writtenScalar(text, value, from);
  const steps = name === 'toToml' || !text.includes('\n') ? undefined : linesSteps(text);
  if (steps === undefined) return originOf(trace.standing(value, from));
  const lead = downgrade(readsOf(from), 'computed');
  const known = new Map<Steps, Origin>();
  // A multi-line text continues below its key.
  const passed = new Map<Steps, number>();
  const segments = originLines(text).flatMap(({ line, start }, at): Segment[] => {
    const own = steps[at]!;
    const origin = known.get(own) ?? memberOrigin(trace, inner, own);
    known.set(own, origin);
    const behind = passed.get(own) ?? 0;
    passed.set(own, behind + 1);
    if (origin === noOrigin) return [];
    const name = behind === 0 ? keyOrigin(trace, inner, own) : undefined;
    if (name !== undefined) return keyedLine(line, { start, key: String(own.at(-1)), name, origin });
    // Closing brackets of JSON belong to the last member.
    if (/^[\s\]},]+$/.test(line)) {
      return [{ start: 0, end: line.length, to: start, origin: originOf(downgrade(readsOf(origin), 'computed')) }];
    }
    const segment = { start: 0, end: line.length, to: start };
    if (origin.pieces === undefined) return [{ ...segment, origin }];
    return [{ ...segment, origin: originOf(readsOf(lineOf(origin, valueAtSteps(inner, own), { line, behind }))) }];
  });
  return assemble(segments, lead);
}

// The origin of the enclosing key; undefined if no value wrote it.
function keyOrigin(trace: Trace, root: GoValue, steps: Steps): Origin | undefined {
  const key = steps.at(-1);
  const holder = typeof key === 'string' ? bare(valueAtSteps(root, steps.slice(0, -1)) ?? null) : undefined;
  const name = key === undefined ? undefined : trace.madeOf(holder)?.keys?.get(key)?.name;
  return name === undefined || readsOf(name).size === 0 ? undefined : name;
}

interface KeyedLine {
  readonly start: number;
  readonly key: string;
  readonly name: Origin;
  readonly origin: Origin;
}

function keyedLine(line: string, { start, key, name, origin }: KeyedLine): Segment[] {
  const at = line.indexOf(key);
  if (at < 0)
    return [{ start: 0, end: line.length, to: start, origin: originOf(joinReads(readsOf(name), readsOf(origin))) }];
  const end = at + key.length;
  const own = originOf(joinReads(readsOf(name), downgrade(readsOf(origin), 'computed')));
  const rest = originOf(readsOf(origin));
  return [
    { start: 0, end: at, to: start, origin: rest },
    { start: 0, end: key.length, to: start + at, origin: own },
    { start: 0, end: line.length - end, to: start + end, origin: rest },
  ];
}

function writtenScalar(text: string, value: GoValue, from: Origin): Origin {
  if (typeof value !== 'string') return from;
  const at = text.indexOf(value);
  return at < 0 ? originOf(readsOf(from)) : assemble([{ origin: from, start: 0, end: value.length, to: at }]);
}

// The part of a multi-line text on a line of a document.
function lineOf(
  origin: Origin,
  value: GoValue | undefined,
  { line, behind }: { line: string; behind: number },
): Origin {
  if (typeof value !== 'string' || !value.includes('\n')) return origin;
  const shown = line.trim();
  const lines = originLines(value);
  const near =
    lines[behind - 1]?.line.trim() === shown ? lines[behind - 1] : lines.find((one) => one.line.trim() === shown);
  return near === undefined ? origin : slice(origin, near.start, near.start + near.line.length);
}

/** Returns the origin of the value at the end of a path; for an object, its own. */
function memberOrigin(trace: Trace, root: GoValue, steps: Steps): Origin {
  let value: GoValue = root;
  let lead: ValueReads = new Map();
  let origin: Origin = noOrigin;
  for (const step of steps) {
    const container = bare(value);
    if (typeof container !== 'object' || container === null) return originOf(joinReads(lead, readsOf(origin)));
    const key = container instanceof Map ? String(step) : Number(step);
    const item: GoValue | undefined =
      container instanceof Map ? container.get(String(step)) : (container as GoValue[])[Number(step)];
    origin = trace.partOf(container, key, item ?? null);
    lead = joinReads(lead, downgrade(readsOf(origin), 'computed'));
    value = item ?? null;
  }
  const inner = bare(value);
  if (typeof inner !== 'object' || inner === null || !hasParts(inner)) {
    return { reads: joinReads(downgrade(lead, 'computed'), origin.reads), pieces: origin.pieces };
  }
  const place = trace.placeOf(inner);
  const made = trace.madeOf(inner);
  const own = place === undefined ? new Map() : exactRead(place);
  // For a non-empty table only its key is written.
  const shown = entriesOf(inner).length === 0 ? own : downgrade(own, 'computed');
  return originOf(joinReads(lead, shown, readsOf(made?.origin ?? noOrigin)));
}

// The parts of a parsed value come from the lines that contain them.
function read({ args, origins, result, trace }: TracedCall): Origin {
  const [text = ''] = args as readonly [string];
  const [origin = noOrigin] = origins;
  if (typeof result !== 'object' || result === null) return originOf(downgrade(readsOf(origin), 'computed'));
  if (origin === noOrigin) return noOrigin;
  const objects = new Set<object>();
  // Reached again for each object while the first call fills them.
  let isFilled = false;
  const fill = (): void => {
    if (isFilled) return;
    isFilled = true;
    fillParts(trace, { text, origin, result, objects });
  };
  const visit = (value: GoValue): void => {
    if (typeof value !== 'object' || value === null || !hasParts(value)) return;
    objects.add(value);
    trace.make(value, noOrigin).fill = fill;
    if (value instanceof Map) for (const item of value.values()) visit(item);
    else if (Array.isArray(value)) for (const item of value) visit(item);
  };
  visit(result);
  return originOf(
    origin.pieces === undefined ? downgrade(origin.reads, 'decides') : downgrade(origin.reads, 'computed'),
  );
}

// The origin of a line's key; undefined if unknown.
function nameOf(
  origin: Origin,
  { line, start }: { readonly line: string; readonly start: number },
  key: string | number | undefined,
): Origin | undefined {
  const at = typeof key === 'string' && key !== '' ? line.indexOf(key) : -1;
  if (at < 0 || origin.pieces === undefined) return undefined;
  return originOf(readsOf({ ...slice(origin, start + at, start + at + String(key).length), reads: noReads }));
}

interface Document {
  readonly text: string;
  readonly origin: Origin;
  readonly result: GoValue;
  /** The parsed value before other tables were added to it. */
  readonly objects: ReadonlySet<object>;
}

function fillParts(trace: Trace, { text, origin, result, objects }: Document): void {
  const steps = text.includes('\n') || text.includes(':') ? linesSteps(text) : undefined;
  const whole = originOf(readsOf(origin));
  const own = new Map<string, Origin>();
  const names = new Map<string, Origin>();
  if (steps !== undefined) {
    for (const [at, { line, start }] of originLines(text).entries()) {
      const key = JSON.stringify(steps[at]);
      const known = own.get(key);
      const piece = slice(origin, start, start + line.length);
      own.set(key, originOf(known === undefined ? readsOf(piece) : joinReads(known.reads, readsOf(piece))));
      const name = known === undefined ? nameOf(origin, { line, start }, steps[at]?.at(-1)) : undefined;
      if (name !== undefined) names.set(key, name);
    }
  }
  // A value without its own line is on the line of its parent.
  const visit = (value: GoMap | readonly GoValue[], at: Steps, outer: Origin): void => {
    const made = trace.make(value, noOrigin);
    const entries = value instanceof Map ? [...value] : [...value.entries()];
    for (const [key, item] of entries) {
      const path = [...at, key];
      const found = own.get(JSON.stringify(path)) ?? outer;
      const isObject = (item instanceof Map || Array.isArray(item)) && objects.has(item);
      const name = names.get(JSON.stringify(path));
      if (name !== undefined) {
        made.keys ??= new Map();
        made.keys.set(key, { reads: deciding(readsOf(found)), name });
      }
      made.parts.set(key, isObject ? originOf(downgrade(found.reads, 'computed')) : found);
      if (isObject) visit(item, path, own.get(JSON.stringify(path)) ?? (steps === undefined ? whole : outer));
    }
  };
  if (result instanceof Map || Array.isArray(result))
    visit(result, [], steps === undefined ? whole : (own.get('[]') ?? noOrigin));
}
