// What an execution that is traced remembers: which node wrote each part of a text, for what conditions, and what was read for it.

import { type GoMap, GoObject, type GoValue } from '../go/value.ts';
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
}

/** What was read, and which templates ran, to get a value. */
export class Gathering {
  readonly reads = new Set<Read>();
  readonly texts: TracedText[] = [];

  /** Adds what another gathering holds. */
  absorb(other: Gathering): void {
    if (other === this) return;
    for (const read of other.reads) this.reads.add(read);
    for (const text of other.texts) if (!this.texts.includes(text)) this.texts.push(text);
  }
}

/** A branch that was taken or not, for what is written within it to be there. */
export interface Condition {
  readonly template: Template;
  readonly branch: BranchNode;
  /** Whether it is what stands behind `else`. */
  readonly isElse: boolean;
  readonly gathering: Gathering;
  /** Those around it, from within. */
  readonly outer: Condition | undefined;
}

/** A part of a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly template: Template;
  readonly node: ActionNode | TextNode;
  readonly condition: Condition | undefined;
  /** Empty for text between actions. */
  readonly gathering: Gathering | undefined;
  /** The `template` actions that led to it, from within. */
  readonly calls: Call | undefined;
}

/** A `template` action that runs another template. */
export interface Call {
  readonly template: Template;
  readonly offset: number;
  readonly outer: Call | undefined;
}

/** What one execution gave. */
export interface TracedText {
  readonly template: Template;
  readonly text: string;
  readonly spans: readonly Span[];
  /** All that was read for it. */
  readonly reads: ReadonlySet<Read>;
  /** Branches that wrote nothing: a condition that did not hold, without an else; a list with nothing in it. */
  readonly leftOut: readonly Condition[];
}

/** What an execution was at when it failed. */
export interface FailedExecution {
  readonly template: Template;
  readonly condition: Condition | undefined;
  readonly calls: Call | undefined;
  /** What the action that failed had read. */
  readonly gathering: Gathering;
}

/** A part of an object that is not there, or null. */
export interface MissingPart {
  readonly read: Read;
  /** The names that stand beside it. */
  readonly names: readonly string[];
}

/** What all executions of one rendering share. */
export class Trace {
  /** Those that ended in an error, from within. */
  readonly failures: FailedExecution[] = [];
  /** The last step of the path of fields that runs, where it led to nothing. */
  missing: MissingPart | undefined;
  /** What is gathered now. */
  gathering = new Gathering();
  /** What ended last. */
  last: TracedText | undefined;
  private readonly places = new WeakMap<object, Read>();
  private readonly made = new WeakMap<object, Gathering>();
  private readonly reads = new WeakMap<object, Map<string | number, Read>>();

  /** What was named `Values`. */
  values: GoMap | undefined;

  /** What each file of the chart gave, by its path. */
  readonly files = new Map<string, TracedText>();

  /** Starts with a file, for which nothing was read so far. */
  start(): void {
    this.gathering = new Gathering();
  }

  /** Keeps what ended last as what a file gave. */
  keep(path: string): void {
    if (this.last !== undefined) this.files.set(path, this.last);
  }

  /** Makes an object known under a name, and all maps and lists in it. */
  name(value: unknown, root: string, chart?: string): void {
    if (root === 'Values') this.values = value as GoMap;
    const ahead: [value: unknown, read: Read][] = [
      [value, { root, steps: [], ...(chart === undefined ? {} : { chart }) }],
    ];
    for (let at = 0; at < ahead.length; at++) {
      const [item, read] = ahead[at] as [unknown, Read];
      if (!hasParts(item) || this.places.has(item)) continue;
      this.places.set(item, read);
      if (item instanceof Map)
        for (const [key, inner] of item) ahead.push([inner, childOf(read, key as string, inner as GoValue)]);
      else if (Array.isArray(item))
        item.forEach((inner, i) => void ahead.push([inner, childOf(read, i, inner as GoValue)]));
    }
  }

  /** Notes that a part of an object was read. */
  readPart(container: object, key: string | number, value: unknown): void {
    const place = this.places.get(container);
    // A table that stands in several places is known by one of them.
    const own = typeof value === 'object' && value !== null ? this.places.get(value) : undefined;
    if (place !== undefined) this.gathering.reads.add(own ?? this.partOf(container, key, { place, value }));
    const gathering = this.made.get(container);
    if (gathering !== undefined) this.gathering.absorb(gathering);
    this.pass(container, key, value);
  }

  /** Notes that an object was taken out of another one, which may have been made, or make its parts as they are asked for. */
  pass(container: object, key: string | number, value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    const gathering = this.made.get(container);
    if (gathering !== undefined) this.noteMade(value, gathering);
    const place = this.places.get(container);
    if (place?.chart !== undefined && hasParts(value) && !this.places.has(value)) {
      this.places.set(value, this.partOf(container, key, { place, value }));
    }
  }

  /** Tells whether an object is one that templates were given. */
  knows(value: unknown): boolean {
    return typeof value === 'object' && value !== null && this.places.has(value);
  }

  /** Notes that a whole object was read. Gives whether it is known. */
  readWhole(value: unknown): boolean {
    if (typeof value !== 'object' || value === null) return false;
    const place = this.places.get(value);
    if (place !== undefined) this.gathering.reads.add(place);
    const gathering = this.made.get(value);
    if (gathering !== undefined) this.gathering.absorb(gathering);
    return place !== undefined || gathering !== undefined;
  }

  /** Notes what an object was made of. */
  noteMade(value: object, gathering: Gathering): void {
    if (!this.places.has(value) && !this.made.has(value)) this.made.set(value, gathering);
  }

  /** Notes that a function gave an object: a new one, or one that it may have put something into. */
  noteGiven(value: object, { isFirst }: { readonly isFirst: boolean }): void {
    if (this.places.has(value) && !isFirst) return;
    const known = this.made.get(value);
    const gathering = new Gathering();
    if (known !== undefined) gathering.absorb(known);
    gathering.absorb(this.gathering);
    this.made.set(value, gathering);
  }

  /** Notes that a field of an object is not there. */
  miss(container: object, key: string): void {
    const place = this.places.get(container);
    if (place === undefined) return;
    const names = container instanceof Map ? [...(container as ReadonlyMap<string, unknown>).keys()] : [];
    this.missing = { read: childOf(place, key), names };
  }

  // One object for each part, so that a set holds it once.
  private partOf(
    container: object,
    key: string | number,
    { place, value }: { readonly place: Read; readonly value: unknown },
  ): Read {
    let parts = this.reads.get(container);
    if (parts === undefined) {
      parts = new Map();
      this.reads.set(container, parts);
    }
    let read = parts.get(key);
    if (read === undefined) {
      read = childOf(place, key, value as GoValue);
      parts.set(key, read);
    }
    return read;
  }
}

// Numbers are objects too, one for many places.
function hasParts(value: unknown): value is object {
  return value instanceof Map || Array.isArray(value) || value instanceof GoObject;
}

function childOf({ root, steps, chart }: Read, step: string | number, value?: GoValue): Read {
  const path = [...steps, step];
  return chart === undefined ? { root, steps: path } : { root, steps: path, chart, value };
}
