// Reading untrusted JSON field by field: every fault becomes an issue with its path, nothing is thrown.

import type { Issue } from '../errors.ts';
import { type WordRule, wordFault } from './names.ts';
import type { JsonObject, JsonValue } from './order.ts';

/** Gives the path of a member: `a.b`, `a[0]`, or `a["odd key"]`. */
export function joinPath(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`;
  if (!/^[A-Za-z_$][\w$-]*$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

/** The most levels of lists and objects in an Order: whoever walks through it may do so by recursion. */
export const maxDepth = 200;

/** Gives what keeps a document from being read: a value deeper than `maxDepth` (its path cut off), or one that JSON lacks. */
export function findUnreadable(document: unknown): { readonly path: string; readonly message: string } | undefined {
  const left: [value: unknown, path: string, depth: number][] = [[document, '', 0]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [value, path, depth] = next;
    if (/^(?:bigint|function|symbol)$/.test(typeof value)) {
      return { path, message: `is ${describe(value)}, which JSON lacks` };
    }
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= maxDepth) return { path, message: `is nested more than ${maxDepth} levels deep` };
    const isList = Array.isArray(value);
    for (const [key, item] of Object.entries(value)) {
      left.push([item, depth < 8 ? joinPath(path, isList ? Number(key) : key) : path, depth + 1]);
    }
  }
  return undefined;
}

/** What may be asked of a text field. */
export interface TextOptions {
  /** Reports an absent or empty text. Default false. */
  readonly required?: boolean;
  readonly rule?: WordRule;
}

/** Reads the members of one JSON object; absent and null are the same. Collects issues, and tells at the end what it was not asked for. */
export class Fields {
  readonly path: string;
  readonly #object: JsonObject;
  readonly #issues: Issue[];
  readonly #known = new Set<string>();

  constructor(object: JsonObject, path: string, issues: Issue[]) {
    this.#object = object;
    this.path = path;
    this.#issues = issues;
  }

  /** Reports a fault of a member, or of the object itself when `key` is empty. */
  report(key: string, message: string, mend?: string, severity: Issue['severity'] = 'error'): void {
    this.reportAt(key === '' ? this.path : joinPath(this.path, key), message, mend, severity);
  }

  /** Reports a fault at a path of the whole document. */
  reportAt(path: string, message: string, mend?: string, severity: Issue['severity'] = 'error'): void {
    this.#issues.push({ path, message, severity, ...(mend === undefined ? {} : { mend }) });
  }

  /** Gives a member as it is; undefined when absent or null. */
  raw(key: string): JsonValue | undefined {
    this.#known.add(key);
    return Object.hasOwn(this.#object, key) ? (this.#object[key] ?? undefined) : undefined;
  }

  /** Gives a text; empty when absent or at fault. */
  text(key: string, options: TextOptions = {}): string {
    const value = this.raw(key);
    if (value !== undefined && typeof value !== 'string') {
      this.report(key, `must be a string, not ${describe(value)}`, quoteMend(value));
      return '';
    }
    if (value === undefined || value === '') {
      if (options.required === true) this.report(key, 'is required', options.rule?.mend);
      return '';
    }
    const fault = options.rule === undefined ? undefined : wordFault(value, options.rule);
    if (fault !== undefined) this.report(key, fault.message, fault.mend);
    return value;
  }

  /** Gives a boolean; false when absent or at fault. */
  flag(key: string): boolean {
    const value = this.raw(key);
    if (value !== undefined && typeof value !== 'boolean') {
      this.report(key, `must be true or false, not ${describe(value)}`, 'Write true or false, without quotes.');
    }
    return value === true;
  }

  /** Gives an object's fields; undefined when absent or at fault. */
  object(key: string): Fields | undefined {
    const value = this.raw(key);
    if (value === undefined) return undefined;
    if (isObject(value)) return new Fields(value, joinPath(this.path, key), this.#issues);
    this.report(key, `must be an object, not ${describe(value)}`);
    return undefined;
  }

  /** Gives the fields of each object of a list; empty when absent or at fault. */
  objects(key: string): Fields[] {
    const path = joinPath(this.path, key);
    return this.list(key).flatMap((item, index) => {
      if (isObject(item)) return [new Fields(item, joinPath(path, index), this.#issues)];
      this.#issues.push({
        path: joinPath(path, index),
        message: `must be an object, not ${describe(item)}`,
        severity: 'error',
      });
      return [];
    });
  }

  /** Gives a list's items; empty when absent or at fault. */
  list(key: string): readonly JsonValue[] {
    const value = this.raw(key);
    if (value === undefined) return [];
    if (Array.isArray(value)) return value;
    this.report(key, `must be a list, not ${describe(value)}`);
    return [];
  }

  /** Gives a list of texts; items at fault are reported and left out. */
  texts(key: string, rule: WordRule): string[] {
    return this.list(key).flatMap((item, index) => {
      const fault =
        typeof item === 'string'
          ? wordFault(item, rule)
          : { message: `must be a string, not ${describe(item)}`, mend: quoteMend(item) };
      if (fault === undefined) return [item as string];
      this.#issues.push({ ...fault, path: joinPath(joinPath(this.path, key), index), severity: 'error' });
      return [];
    });
  }

  /** Gives the names of all members. */
  keys(): string[] {
    return Object.keys(this.#object);
  }

  /** Warns of every member that was never asked for: it is kept, and does nothing. */
  finish(): void {
    for (const key of this.keys()) {
      if (!this.#known.has(key)) this.report(key, 'is not a known field', 'It is kept, and has no effect.', 'warning');
    }
  }
}

// YAML reads more words as something else than people expect: n, on, 1.10, 1e3.
function quoteMend(value: unknown): string {
  return typeof value === 'object' ? 'Give one text.' : 'Write it in quotes.';
}

/** Tells whether a JSON value is an object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Names the type of a JSON value for a message: `a list`. */
export function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'undefined' ? 'nothing' : `a ${typeof value}`;
}
