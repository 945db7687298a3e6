// Why a line of the manifest is what it is: the template line that wrote it, the values that it read, and which of them decides it.

import { request } from '../api.ts';
import { outline, preview, previewPath } from './draft.ts';

/** A place in a template. */
export interface WhyPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly source: string;
}

/** What sets a value; `line` is one of the Order's text where `where` begins with `spec.`. */
export interface ValueSetter {
  readonly where: string;
  readonly line?: number;
  readonly value: unknown;
}

/** A value that was read; its path begins with a dot where it is none, such as `.Release.Name`. */
export interface ReadValue {
  readonly path: string;
  readonly steps: readonly (string | number)[];
  readonly how: string;
  readonly value: unknown;
  readonly setBy: readonly ValueSetter[];
}

/** A part of the line, in its order. */
export interface WhyPart {
  readonly text: string;
  readonly place: WhyPlace;
  readonly through: readonly WhyPlace[];
  readonly values: readonly ReadValue[];
  /** From without. */
  readonly conditions: readonly (WhyPlace & { readonly values: readonly ReadValue[] })[];
}

/** Why a line is what it is. Lines that no template wrote have no parts. */
export interface Why {
  /** Of the Order, from 0. */
  readonly package?: number;
  readonly object?: string;
  /** The line itself. */
  readonly text?: string;
  readonly parts: readonly WhyPart[];
}

// Who looks along the lines comes back to some of them.
const mostKept = 200;
let kept = new Map<number, Why>();
let keptOf: unknown;

/** Returns why a line, from 1, of the present manifest is what it is. Rejects with an `ApiFailure`, and when it is given up. */
export async function requestWhy(line: number, signal?: AbortSignal): Promise<Why> {
  const { value } = preview;
  if (value === undefined) return { parts: [] };
  if (keptOf !== value) kept = new Map();
  keptOf = value;
  const known = kept.get(line);
  if (known) return known;
  const answer = await request<Why>('POST', previewPath('/line'), { body: { order: value.order, line }, signal });
  const index = answer.package === undefined ? undefined : value.indexes[answer.package];
  const why: Why = index === undefined ? answer : { ...answer, package: index };
  if (kept.size >= mostKept) kept.clear();
  if (keptOf === value) kept.set(line, why);
  return why;
}

let prepared: unknown;

/** Traces the present manifest before somebody points at a line of it. */
export function prepareWhy(): void {
  const { value } = preview;
  if (value === undefined || value === prepared) return;
  prepared = value;
  // A line of the first object, below the one that names its template: so all that a question needs is there. What is wrong is
  // told where a line is requested.
  void requestWhy((outline.peek()[0]?.line ?? 0) + 1).catch(() => undefined);
}

// Who waits so long without a change may look at the manifest next, in milliseconds.
const idle = 800;
// Of what takes longer to render, the next change would have to wait for the tracing. The first rendering is slow for other reasons.
const longestPrepared = 1000;

/** Has a manifest that stands still traced, in the time when nobody asks for anything. Returns what calls that off. */
export function prepareWhenIdle(): () => void {
  const { value } = preview;
  const isLong = prepared !== undefined && (value?.took ?? 0) > longestPrepared;
  if (value === undefined || isLong || document.hidden) return () => undefined;
  const timer = setTimeout(prepareWhy, idle);
  return () => clearTimeout(timer);
}

/** Where a value is written: a field of the form, or one of the package itself. */
export interface Decider {
  /** The package, from 0. */
  readonly index: number;
  /** As people read it. */
  readonly path: string;
  readonly value: unknown;
  /** The way to the value; without it, it is a field of the package. */
  readonly steps?: readonly string[];
  readonly member?: 'releaseName' | 'namespace' | 'version' | undefined;
}

const ways = ['exact', 'computed', 'decides'];
const members: Readonly<Record<string, Decider['member']>> = {
  '.Release.Name': 'releaseName',
  '.Release.Namespace': 'namespace',
  '.Chart.Version': 'version',
  '.Chart.AppVersion': 'version',
};

/**
 * Returns what decides a line: of the part at a column, from 1, of it, else of the parts around that, else of the conditions for
 * which the line is there. Undefined where nothing that can be set does.
 */
export function deciderOf({ package: index, text = '', parts }: Why, column = 0): Decider | undefined {
  if (index === undefined) return undefined;
  const here = partAt(parts, text, column);
  const rest = parts.filter((part) => part !== here).flatMap(({ values }) => values);
  const conditions = (here ?? parts[0])?.conditions ?? [];
  // Of what one action made of several values, the one whose words are pointed at.
  const under = (here?.values ?? []).filter(({ value }) => isUnder(text, column, value));
  const groups = [under, here?.values ?? [], rest, ...[...conditions].reverse().map(({ values }) => values)];
  for (const values of groups) {
    for (const how of ways) {
      const found = values.filter((value) => value.how === how);
      // What is written in the form comes before what the package is called.
      const own = found.find(({ path }) => !path.startsWith('.'));
      if (own) return { index, path: own.path, value: own.value, steps: own.steps.map(String) };
      const named = found.find(({ path }) => members[path] !== undefined);
      if (named) return { index, path: named.path, value: named.value, member: members[named.path] };
    }
  }
  return undefined;
}

function partAt(parts: readonly WhyPart[], text: string, column: number): WhyPart | undefined {
  let from = 0;
  for (const part of parts) {
    const start = text.indexOf(part.text, from);
    if (start < 0) continue;
    from = start + part.text.length;
    if (column > start && column <= from) return part.values.length > 0 ? part : undefined;
  }
  return undefined;
}

function isUnder(text: string, column: number, value: unknown): boolean {
  if (value === '' || (typeof value !== 'string' && typeof value !== 'number')) return false;
  const start = text.indexOf(String(value));
  return start >= 0 && column > start && column <= start + String(value).length;
}

/** Returns a JSON value in few characters. */
export function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
