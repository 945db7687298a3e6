// The snapshots of a suite: what its tests recorded, compared and written again.
// Mirrors: helm-unittest 1.1.0, pkg/unittest/snapshot, cache.go.

import { emitYamlPretty } from '../codec/yaml/emit.ts';
import { wasOddKey } from '../codec/yaml/key.ts';
import { formatValue } from '../go/format.ts';
import { compileRegexp } from '../go/regexp/regexp.ts';
import { GoError, type GoMap, type GoValue } from '../go/value.ts';
import { parseSuiteYaml, showYaml } from './yaml.ts';

/** What the text of a snapshot must match, or must not, instead of being the one recorded. Empty for neither. */
export interface SnapshotPatterns {
  readonly matches: string;
  readonly doesNotMatch: string;
}

/** What comparing with a snapshot gave. */
export interface SnapshotComparison {
  readonly passed: boolean;
  /** Counts from 1 within the test. */
  readonly index: number;
  readonly cached: string;
  readonly now: string;
  /** Which pattern is at fault; empty for none. */
  readonly message: string;
  readonly error: string | undefined;
}

/** How many snapshots a suite has, and what became of them. */
export interface SnapshotCounts {
  readonly total: number;
  readonly failed: number;
  readonly created: number;
  readonly vanished: number;
}

type Recorded = Map<string, Map<string, string>>;

/** The snapshots of a suite during one run. */
export class SnapshotCache {
  readonly #cached: Recorded;
  readonly #current: Recorded = new Map();
  readonly #isUpdating: boolean;
  #updated = 0;
  #inserted = 0;
  #total = 0;

  /** `text` is the file's, undefined where there is none. Throws GoError for a file that cannot be read. */
  constructor(text: string | undefined, isUpdating: boolean) {
    this.#cached = readFile(text);
    this.#isUpdating = isUpdating;
  }

  /** Compares the content with the snapshot of a test, and records it where there is none. */
  compare(test: string, index: number, content: GoValue, patterns?: SnapshotPatterns): SnapshotComparison {
    this.#total++;
    const key = String(index);
    const cached = this.#cached.get(test)?.get(key);
    if (cached === undefined) this.#inserted++;
    const now = showYaml(content);
    const [matches, doesNotMatch] = [patterns?.matches.trim() ?? '', patterns?.doesNotMatch.trim() ?? ''];
    let [message, error]: [string, string | undefined] = ['', undefined];
    let passed = true;
    if (matches !== '' || doesNotMatch !== '') ({ passed, message, error } = matchPatterns(now, matches, doesNotMatch));
    else if (cached !== undefined && cached !== now) {
      passed = false;
      this.#updated++;
    }
    const kept = this.#isUpdating || cached === undefined ? now : cached;
    const ofTest = this.#current.get(test);
    if (ofTest === undefined) this.#current.set(test, new Map([[key, kept]]));
    else ofTest.set(key, kept);
    return { passed: passed || this.#isUpdating, index, cached: cached ?? '', now, message, error };
  }

  /** What became of the snapshots so far. */
  get counts(): SnapshotCounts {
    const failed = this.#isUpdating ? 0 : this.#updated;
    return { total: this.#total, failed, created: this.#inserted, vanished: this.#vanished() };
  }

  /** Returns the file as it shall be written; undefined where it may stay. */
  toWrite(): string | undefined {
    const [hasVanished, hasNew] = [this.#vanished() > 0, this.#inserted > 0];
    if (!hasVanished && !hasNew && !(this.#isUpdating && this.#updated > 0)) return undefined;
    const value: GoMap = new Map([...this.#current].map(([test, snapshots]) => [test, new Map(snapshots)]));
    const isNumber = (map: GoMap): boolean => map !== value;
    return emitYamlPretty(value, isNumber);
  }

  #vanished(): number {
    let count = 0;
    for (const [test, snapshots] of this.#cached) {
      for (const key of snapshots.keys()) if (!this.#current.get(test)?.has(key)) count++;
    }
    return count;
  }
}

function readFile(text: string | undefined): Recorded {
  const value = text === undefined ? null : parseSuiteYaml(text);
  if (value === null) return new Map();
  const fail = (): never => {
    throw new GoError('yaml: unmarshal errors:\n  line 1: a file of snapshots maps tests to numbers and texts');
  };
  if (!(value instanceof Map)) return fail();
  return new Map(
    [...value].map(([test, snapshots]) => {
      if (!(snapshots instanceof Map)) return fail();
      const texts = [...snapshots].map(([key, snapshot]): [string, string] => {
        if (!wasOddKey(snapshots, key) || !/^\d+$/.test(key)) fail();
        return [key, snapshot === null ? '' : formatValue(snapshot)];
      });
      return [test, new Map(texts)];
    }),
  );
}

function matchPatterns(
  text: string,
  matches: string,
  doesNotMatch: string,
): { readonly passed: boolean; readonly message: string; readonly error: string | undefined } {
  const isFound = (pattern: string): boolean => compileRegexp(pattern).matchString(text);
  try {
    if (matches !== '' && !isFound(matches)) {
      return { passed: false, message: ` pattern '${matches}' not found in snapshot`, error: undefined };
    }
    if (doesNotMatch !== '' && isFound(doesNotMatch)) {
      return { passed: false, message: ` pattern '${doesNotMatch}' should not be in snapshot`, error: undefined };
    }
    return { passed: true, message: '', error: undefined };
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    return { passed: false, message: '', error: `failed to compile regex pattern: ${error.message}` };
  }
}
