// Reading untrusted JSON field by field: every fault becomes an issue with its path, nothing is thrown.

import { describe, joinPath } from '../arguments.ts';
import type { Issue } from '../errors.ts';
import { type WordRule, wordFault } from './names.ts';
import type { JsonObject, JsonValue } from './order.ts';

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
