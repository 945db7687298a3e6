// What all executions of a traced rendering share: which objects templates were given, and what others were made of.

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
  noReads,
  nothing,
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

/** What an execution was at when it failed. */
export interface FailedExecution {
  readonly template: Template;
  readonly condition: Condition | undefined;
  readonly calls: TemplateCall | undefined;
  /** What the action that failed had read. */
  readonly reads: ValueReads;
}

/** A part of an object that is not there, or null. */
export interface MissingPart {
  readonly read: Read;
  /** The names that stand beside it. */
  readonly names: readonly string[];
}

/** A call of a function that gave something. */
export interface TracedCall {
  readonly name: string;
  readonly args: readonly GoValue[];
  /** Where each argument comes from. */
  readonly origins: readonly Origin[];
  readonly result: GoValue;
  /** What `prepare` gave. */
  readonly before: unknown;
  /** What a method was called on. */
  readonly receiver: Value;
  /** The innermost branch around the call. */
  readonly condition: Condition | undefined;
  /** Whether the result, or what it is made into, is assigned to a variable, which may outlive the branch. */
  readonly isAssigned: boolean;
  readonly trace: Trace;
}

/** Knows where what functions give comes from. */
export interface Rules {
  /** Takes down what a function is about to change. */
  prepare(name: string, args: readonly GoValue[]): unknown;
  /** Returns where a result comes from; objects are noted in the trace. */
  carry(call: TracedCall): Origin;
}

/** Of an object that was made, or changed. */
export interface Made {
  /** Where those of its parts come from of which nothing is known. */
  origin: Origin;
  readonly parts: Map<string | number, Origin>;
  /** Of keys: what let each be there, and where its name comes from, as far as that is known apart from its part. */
  keys: Map<string | number, { readonly reads: ValueReads; readonly name: Origin | undefined }> | undefined;
  /** Whether its parts know what decided that each is there. */
  isGathered: boolean;
  /** The innermost branch around what made it. */
  since: Condition | undefined;
  /** Works out the parts when they are first needed. */
  fill: (() => void) | undefined;
}

/** What a trace is made with. */
export interface TraceMakers {
  readonly rules: Rules;
  readonly observe: (running: ObservedExecution, trace: Trace) => Observer;
}

/** A table of values that templates put in the place of `.Values`, or merged into it: what it holds is set at `to`. */
export interface MovedValues {
  readonly from: Read['steps'];
  readonly to: Read['steps'];
}

/** What all executions of one rendering share. */
export class Trace implements Observers {
  /** Those that ended in an error, from within. */
  readonly failures: FailedExecution[] = [];
  /** The last step of the path of fields that runs, where it led to nothing. */
  missing: MissingPart | undefined;
  /** Where the value comes from that was evaluated last. Of an object: how one came to it. */
  origin: Origin = nothing;
  /** What the execution that begins next is about: where its dot comes from, and its text, if a value held it. */
  entry: { readonly dot: Origin; readonly text: Origin } | undefined;
  /** What ended last. */
  last: TracedText | undefined;
  /** The values that templates were given, before any of them changed one. */
  values: GoMap | undefined;
  /** Tables of values that became `.Values`. */
  readonly moved: MovedValues[] = [];
  /** What each file of the chart gave, by its path. */
  readonly files = new Map<string, TracedText>();
  /** What decides that a value is true or false, where that is less than all that it comes from. */
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

  /** Keeps what ended last as what a file gave. */
  keep(path: string): void {
    if (this.last !== undefined) this.files.set(path, this.last);
  }

  /** Makes an object known under a name, and all maps and lists in it. */
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

  /** Returns where an object is known to stand among what templates were given. */
  placeOf(value: unknown): Read | undefined {
    return typeof value === 'object' && value !== null ? this.#places.get(value) : undefined;
  }

  /** Makes an object known as another one is. */
  placeAs(value: object, place: Read): void {
    if (!this.#places.has(value)) this.#places.set(value, place);
  }

  /** Returns what an object was made of, or changed with. */
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

  /** Notes that an object is made of others, or changes. Returns what to note its parts in. */
  make(value: object, origin: Origin = nothing): Made {
    let made = this.madeOf(value);
    if (made === undefined) {
      made = { origin, parts: new Map(), keys: undefined, isGathered: false, since: undefined, fill: undefined };
      this.#made.set(bare(value as GoMap) as object, made);
    }
    return made;
  }

  /** Returns where a part of an object comes from; of a part that is an object: how one came to it. */
  partOf(container: object, key: string | number, value: Value): Origin {
    const made = this.madeOf(container);
    const part = made?.parts.get(key);
    if (part !== undefined) return withReads(part, downgrade(readsOf(made?.origin ?? nothing), 'decides'));
    const place = this.#places.get(container);
    const inner = bare(value);
    if (typeof inner === 'object' && inner !== null && hasParts(inner)) {
      // A table that is in several places is known by one of them.
      if (place?.chart !== undefined && !this.#places.has(inner)) this.#places.set(inner, childOf(place, key, inner));
      if (made !== undefined && !this.#places.has(inner) && !this.#made.has(inner)) this.make(inner, made.origin);
      return nothing;
    }
    if (place === undefined) return made?.origin ?? nothing;
    return this.#readPart(container, key, { place, value: inner });
  }

  /** Returns how the presence of a part is known: what decided that it is there. */
  presenceOf(container: object, key: string | number, value: Value): ValueReads {
    const made = this.madeOf(container);
    const part = made?.parts.get(key);
    if (part !== undefined) {
      const own = made?.keys?.get(key)?.reads ?? deciding(readsOf(part));
      return joinReads(own, downgrade(readsOf(made?.origin ?? nothing), 'decides'));
    }
    const place = this.#places.get(container);
    if (place === undefined) return downgrade(readsOf(made?.origin ?? nothing), 'decides');
    const own = this.placeOf(bare(value));
    const reads =
      own === undefined ? this.#readPart(container, key, { place, value: bare(value) }).reads : exactRead(own);
    return downgrade(reads, 'decides');
  }

  /** Returns all that a value comes from, where it was read as a whole; `from` says where the value itself does. */
  whole(value: Value, from: Origin): ValueReads {
    const inner = bare(value);
    if (typeof inner !== 'object' || inner === null || !hasParts(inner)) return readsOf(from);
    const found: ValueReads[] = [readsOf(from)];
    this.#gather(inner, found, new Set());
    return joinAll(found);
  }

  /** Returns what decides that a value is true or false. */
  truthOf(value: Value, from: Origin): ValueReads {
    const known = this.truths.get(from) ?? shownReads(value, from) ?? this.#filledReads(bare(value), from);
    return downgrade(known ?? this.whole(value, from), 'decides');
  }

  // A table that templates made is not empty as soon as anything is in it.
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
    // What a known object holds is known by its place, but for what was put into it.
    for (const [, item] of place === undefined ? entriesOf(value) : [])
      if (hasParts(item)) this.#gather(item, found, seen);
  }

  /** Returns the reads of all the ends of a value that is somewhere as a whole. */
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
      for (const { name = nothing } of made?.keys?.values() ?? []) found.push(readsOf(name));
      for (const [key, item] of entries) {
        const own = bare(item);
        found.push(readsOf(this.partOf(one, key, item)));
        if (typeof own === 'object' && own !== null && hasParts(own)) ahead.add(own);
      }
    }
    return joinAll(found);
  }

  /** Notes that a field of an object is not there. */
  miss(container: object, key: string): void {
    const place = this.#places.get(container);
    if (place === undefined) return;
    const names = container instanceof Map ? [...(container as ReadonlyMap<string, unknown>).keys()] : [];
    this.missing = { read: childOf(place, key), names };
  }

  // One for each part, so that a map holds it once.
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

/** Reports whether a value is an object with parts. Numbers are objects too, one for many places. */
export function hasParts(value: unknown): value is object {
  return value instanceof Map || Array.isArray(value) || value instanceof GoObject;
}

/** Returns a value without the type that it is seen under: a view of a map shares its entries. */
export function bare(value: Value): Value {
  return value instanceof NamedMap ? bare(value.target) : value;
}

/** Returns the parts of a map or list. */
export function entriesOf(value: object): readonly (readonly [key: string | number, value: GoValue])[] {
  if (value instanceof Map) return [...(value as GoMap)];
  return Array.isArray(value) ? value.map((item, at) => [at, item as GoValue] as const) : [];
}

// A text that is not empty is so for what wrote it; what was left out of it would only have made it longer.
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

/** Returns the read of a part of what another read was of. */
function childOf({ root, steps, chart }: Read, step: string | number, value?: GoValue): Read {
  const path = [...steps, step];
  if (chart === undefined) return { root, steps: path, chart, value: undefined, alone: undefined };
  return { root, steps: path, chart, value, alone: undefined };
}
