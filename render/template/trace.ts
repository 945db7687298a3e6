// State shared by the executions of a traced rendering: the objects that templates received, and the origins of new objects.

import { type GoMap, GoObject, type GoValue, NamedMap } from '../go/value.ts';
import type { Value } from './call.ts';
import type { Template } from './nodes.ts';
import type { ObservedExecution, Observer, Observers } from './observer.ts';
import {
  type Condition,
  deciding,
  downgrade,
  exactRead,
  joinAll,
  joinReads,
  noOrigin,
  noReads,
  type Origin,
  originOf,
  type Piece,
  type Read,
  readsOf,
  type TemplateCall,
  type TracedText,
  textReads,
  type ValueReads,
  withReads,
} from './origin.ts';

/** The state of an execution when it failed. */
interface FailedExecution {
  readonly template: Template;
  readonly condition: Condition | undefined;
  readonly calls: TemplateCall | undefined;
  /** What the failed action had read. */
  readonly reads: ValueReads;
}

/** A part of an object that does not exist, or null. */
export interface MissingPart {
  readonly read: Read;
  /** The names that exist beside it. */
  readonly names: readonly string[];
}

/** A function call that returned something. */
export interface TracedCall {
  readonly name: string;
  readonly args: readonly GoValue[];
  /** The origin of each argument. */
  readonly origins: readonly Origin[];
  readonly result: GoValue;
  /** The result of `prepare`. */
  readonly before: unknown;
  /** The receiver of a method. */
  readonly receiver: Value;
  /** The innermost branch around the call. */
  readonly condition: Condition | undefined;
  /** Whether the result, or something derived from it, is assigned to a variable, which may outlive the branch. */
  readonly isAssigned: boolean;
  readonly trace: Trace;
}

/** Knows the origins of function results. */
export interface Rules {
  /** Records the state that a function is about to change. */
  prepare(name: string, args: readonly GoValue[]): unknown;
  /** Returns the origin of a result; objects are recorded in the trace. */
  carry(call: TracedCall): Origin;
}

/** The origin of an object that was created or changed. */
export interface Made {
  /** The origin of parts without a known origin. */
  origin: Origin;
  readonly parts: Map<string | number, Origin>;
  /** For keys: what made each exist, and the origin of its name, where that is known separately from the part. */
  keys: Map<string | number, { readonly reads: ValueReads; readonly name: Origin | undefined }> | undefined;
  /** Whether the parts know what made each of them exist. */
  isGathered: boolean;
  /** The innermost branch around its creation. */
  since: Condition | undefined;
  /** Computes the parts on first use. */
  fill: (() => void) | undefined;
}

/** Options of a trace. */
export interface TraceMakers {
  readonly rules: Rules;
  readonly observe: (running: ObservedExecution, trace: Trace) => Observer;
}

/** A values table that templates assigned to `.Values` or merged into it: its content is set at `to`. */
export interface MovedValues {
  readonly from: Read['steps'];
  readonly to: Read['steps'];
}

/** State shared by all executions of one rendering. */
export class Trace implements Observers {
  /** The failed executions, from the innermost. */
  readonly failures: FailedExecution[] = [];
  /** The last step of the current field path, if it led to nothing. */
  missing: MissingPart | undefined;
  /** The origin of the last evaluated value. For an object: how it was reached. */
  origin: Origin = noOrigin;
  /** Input of the next execution: the origin of dot, and of its text if a value contains it. */
  entry: { readonly dot: Origin; readonly text: Origin } | undefined;
  /** The execution that ended last. */
  last: TracedText | undefined;
  /** The values that templates received, before any change. */
  values: GoMap | undefined;
  /** Values tables that became `.Values`. */
  readonly moved: MovedValues[] = [];
  /** The output of each file of the chart, by path. */
  readonly files = new Map<string, TracedText>();
  /** What decides the truth of a value, where that is less than its whole origin. */
  readonly truths = new WeakMap<Origin, ValueReads>();
  readonly rules: Rules;
  readonly #makers: TraceMakers;
  readonly #places = new WeakMap<object, Read>();
  readonly #made = new WeakMap<object, Made>();
  readonly #parts = new WeakMap<object, Map<string | number, Origin>>();

  constructor(makers: TraceMakers) {
    this.#makers = makers;
    this.rules = makers.rules;
  }

  observe(running: ObservedExecution): Observer {
    return this.#makers.observe(running, this);
  }

  /** Records the last execution as the output of a file. */
  keep(path: string): void {
    if (this.last !== undefined) this.files.set(path, this.last);
  }

  /** Records an object under a name, with all maps and lists in it. */
  name(value: unknown, root: string, chart?: string): void {
    const ahead: [value: unknown, read: Read][] = [
      [value, { root, steps: [], ...(chart === undefined ? {} : { chart }) }],
    ];
    for (let at = 0; at < ahead.length; at++) {
      const [item, read] = ahead[at]!;
      if (!hasParts(item) || this.#places.has(item)) continue;
      this.#places.set(item, read);
      if (item instanceof Map)
        for (const [key, inner] of item) ahead.push([inner, childOf(read, key as string, inner as GoValue)]);
      else if (Array.isArray(item))
        item.forEach((inner, i) => void ahead.push([inner, childOf(read, i, inner as GoValue)]));
    }
  }

  /** Returns the known place of an object among the values that templates received. */
  placeOf(value: unknown): Read | undefined {
    return typeof value === 'object' && value !== null ? this.#places.get(value) : undefined;
  }

  /** Records that an object is a view of another one. */
  placeAs(value: object, place: Read): void {
    if (!this.#places.has(value)) this.#places.set(value, place);
  }

  /** Returns the origin of an object that was created or changed. */
  madeOf(value: unknown): Made | undefined {
    const inner = bare(value as Value);
    if (typeof inner !== 'object' || inner === null) return undefined;
    const made = this.#made.get(inner);
    if (made?.fill !== undefined) {
      const { fill } = made;
      made.fill = undefined;
      fill();
    }
    return made;
  }

  /** Records that an object is created from others or changed. Returns the record for its parts. */
  make(value: object, origin: Origin = noOrigin): Made {
    let made = this.madeOf(value);
    if (made === undefined) {
      made = { origin, parts: new Map(), keys: undefined, isGathered: false, since: undefined, fill: undefined };
      this.#made.set(bare(value as GoMap) as object, made);
    }
    return made;
  }

  /** Returns the origin of a part of an object; for a part that is an object, how it was reached. */
  partOf(container: object, key: string | number, value: Value): Origin {
    const made = this.madeOf(container);
    const part = made?.parts.get(key);
    if (part !== undefined) return withReads(part, downgrade(readsOf(made?.origin ?? noOrigin), 'decides'));
    const place = this.#places.get(container);
    const inner = bare(value);
    if (typeof inner === 'object' && inner !== null && hasParts(inner)) {
      // A table in several places is known under one of them.
      if (place?.chart !== undefined && !this.#places.has(inner)) this.#places.set(inner, childOf(place, key, inner));
      if (made !== undefined && !this.#places.has(inner) && !this.#made.has(inner)) this.make(inner, made.origin);
      return noOrigin;
    }
    if (place === undefined) return made?.origin ?? noOrigin;
    return this.#readPart(container, key, { place, value: inner });
  }

  /** Returns what made a part of an object exist. */
  presenceOf(container: object, key: string | number, value: Value): ValueReads {
    const made = this.madeOf(container);
    const part = made?.parts.get(key);
    if (part !== undefined) {
      const own = made?.keys?.get(key)?.reads ?? deciding(readsOf(part));
      return joinReads(own, downgrade(readsOf(made?.origin ?? noOrigin), 'decides'));
    }
    const place = this.#places.get(container);
    if (place === undefined) return downgrade(readsOf(made?.origin ?? noOrigin), 'decides');
    const own = this.placeOf(bare(value));
    const reads =
      own === undefined ? this.#readPart(container, key, { place, value: bare(value) }).reads : exactRead(own);
    return downgrade(reads, 'decides');
  }

  /** Returns the whole origin of a value that was read entirely; `from` is the origin of the value itself. */
  whole(value: Value, from: Origin): ValueReads {
    const inner = bare(value);
    if (typeof inner !== 'object' || inner === null || !hasParts(inner)) return readsOf(from);
    const found: ValueReads[] = [readsOf(from)];
    this.#gather(inner, found, new Set());
    return joinAll(found);
  }

  /** Returns what decides the truth of a value. */
  truthOf(value: Value, from: Origin): ValueReads {
    const known = this.truths.get(from) ?? shownReads(value, from) ?? this.#filledReads(bare(value), from);
    return downgrade(known ?? this.whole(value, from), 'decides');
  }

  // A table that templates created is true as soon as it has an entry.
  #filledReads(value: Value, from: Origin): ValueReads | undefined {
    if (!(value instanceof Map) || value.size === 0 || this.#places.has(value)) return undefined;
    const made = this.madeOf(value);
    if (made?.keys === undefined) return undefined;
    const presence: ValueReads[] = [];
    for (const [key, item] of value as GoMap) presence.push(this.presenceOf(value, key, item));
    const isAlways = presence.some(({ size }) => size === 0);
    return joinReads(readsOf(from), isAlways ? noReads : joinAll(presence));
  }

  #gather(value: object, found: ValueReads[], seen: Set<object>): void {
    if (seen.has(value)) return;
    seen.add(value);
    const place = this.#places.get(value);
    if (place !== undefined) found.push(exactRead(place));
    const made = this.madeOf(value);
    if (made === undefined) return;
    found.push(readsOf(made.origin));
    for (const [key, part] of made.parts) {
      const item = itemOf(value, key);
      if (item === undefined) continue;
      found.push(readsOf(part));
    }
    // The content of a known object is known by its place, except for what was added to it.
    for (const [, item] of place === undefined ? entriesOf(value) : [])
      if (hasParts(item)) this.#gather(item, found, seen);
  }

  /** Returns the reads of all leaves of a value at a place. */
  standing(value: Value, from: Origin): ValueReads {
    const inner = bare(value);
    if (typeof inner !== 'object' || inner === null || !hasParts(inner)) return readsOf(from);
    const found: ValueReads[] = [downgrade(readsOf(from), 'computed')];
    const ahead = new Set<object>([inner]);
    for (const one of ahead) {
      const entries = entriesOf(one);
      const place = this.#places.get(one);
      if (entries.length === 0 && place !== undefined) found.push(exactRead(place));
      const made = this.madeOf(one);
      if (made !== undefined) found.push(readsOf(made.origin));
      for (const { name = noOrigin } of made?.keys?.values() ?? []) found.push(readsOf(name));
      for (const [key, item] of entries) {
        const own = bare(item);
        found.push(readsOf(this.partOf(one, key, item)));
        if (typeof own === 'object' && own !== null && hasParts(own)) ahead.add(own);
      }
    }
    return joinAll(found);
  }

  /** Records that a field of an object does not exist. */
  miss(container: object, key: string): void {
    const place = this.#places.get(container);
    if (place === undefined) return;
    const names = container instanceof Map ? [...(container as ReadonlyMap<string, unknown>).keys()] : [];
    this.missing = { read: childOf(place, key), names };
  }

  // One key for each part, so that a map contains it once.
  #readPart(
    container: object,
    key: string | number,
    { place, value }: { readonly place: Read; readonly value: Value },
  ): Origin {
    let parts = this.#parts.get(container);
    if (parts === undefined) {
      parts = new Map();
      this.#parts.set(container, parts);
    }
    let origin = parts.get(key);
    if (origin === undefined) {
      origin = originOf(exactRead(childOf(place, key, value ?? null)));
      parts.set(key, origin);
    }
    return origin;
  }
}

/** Reports whether a value is an object with parts. Numbers are objects too but are shared by many places. */
export function hasParts(value: unknown): value is object {
  return value instanceof Map || Array.isArray(value) || value instanceof GoObject;
}

/** Returns a value without the type of its view: a view of a map shares its entries. */
export function bare(value: Value): Value {
  return value instanceof NamedMap ? bare(value.target) : value;
}

/** Returns the parts of a map or list. */
export function entriesOf(value: object): readonly (readonly [key: string | number, value: GoValue])[] {
  if (value instanceof Map) return [...(value as GoMap)];
  return Array.isArray(value) ? value.map((item, at) => [at, item as GoValue] as const) : [];
}

// The truth of a non-empty text depends on what wrote it; what was left out would only have made it longer.
function shownReads(value: Value, { reads, pieces }: Origin): ValueReads | undefined {
  if (typeof value !== 'string' || value === '' || pieces?.length !== 1) return undefined;
  const [{ start, end, text, at = 0 }] = pieces as readonly [Piece];
  if (text === undefined || end - start !== value.length) return undefined;
  return joinReads(reads, textReads(text, at, at + value.length, { withLeftOut: false }));
}

function itemOf(value: object, key: string | number): GoValue | undefined {
  if (value instanceof Map) return (value as GoMap).get(key as string);
  return Array.isArray(value) ? (value[key as number] as GoValue) : undefined;
}

/** Returns the read of a part of what another read refers to. */
function childOf({ root, steps, chart }: Read, step: string | number, value?: GoValue): Read {
  const path = [...steps, step];
  if (chart === undefined) return { root, steps: path, chart, value: undefined, alone: undefined };
  return { root, steps: path, chart, value, alone: undefined };
}
