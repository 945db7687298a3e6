// The snapshots of a suite: recorded, compared and written.
// Mirrors: helm-unittest 1.1.0, pkg/unittest/snapshot, cache.go.

import { emitYamlPretty } from '../codec/yaml/emit.ts';
import { wasOddKey } from '../codec/yaml/key.ts';
import { catchGoError } from '../core/catch.ts';
import { getOrCreate } from '../core/lazy.ts';
import { formatValue } from '../go/format.ts';
import { compileRegexp } from '../go/regexp/regexp.ts';
import { GoError, type GoMap, type GoValue } from '../go/value.ts';
import { parseSuiteYaml, showYaml } from './yaml.ts';

/** Patterns that the text must match, or must not match, instead of the recorded text. Empty for neither. */
export interface SnapshotPatterns {
  readonly matches: string;
  readonly doesNotMatch: string;
}

export interface SnapshotComparison {
  readonly passed: boolean;
  /** The number within the test, from 1. */
  readonly index: number;
  readonly cached: string;
  readonly now: string;
  /** The failed pattern; empty for none. */
  readonly message: string;
  readonly error: string | undefined;
}

/** The number of a suite's snapshots by result. */
export interface SnapshotCounts {
  readonly total: number;
  readonly failed: number;
  readonly created: number;
  readonly vanished: number;
}

type Recorded = Map<string, Map<string, string>>;

export class SnapshotCache {
  readonly #cached: Recorded;
  readonly #current: Recorded = new Map();
  readonly #isUpdating: boolean;
  #updated = 0;
  #inserted = 0;
  #total = 0;

  /** `text` is the file's, undefined if it does not exist. Throws GoError for an unreadable file. */
  constructor(text: string | undefined, isUpdating: boolean) {
    this.#cached = readFile(text);
    this.#isUpdating = isUpdating;
  }

  /** Compares the content with the snapshot of a test, and records it if there is none. */
  compare(test: string, index: number, content: GoValue, patterns?: SnapshotPatterns): SnapshotComparison {
    this.#total++;
    const key = String(index);
    const cached = this.#cached.get(test)?.get(key);
    if (cached === undefined) this.#inserted++;
    const now = showYaml(content);
    const [matches, doesNotMatch] = [patterns?.matches.trim() ?? '', patterns?.doesNotMatch.trim() ?? ''];
    const hasPatterns = matches !== '' || doesNotMatch !== '';
    const isOther = !hasPatterns && cached !== undefined && cached !== now;
    if (isOther) this.#updated++;
    const { message, error } = matchPatterns(now, matches, doesNotMatch);
    const passed = this.#isUpdating || (!isOther && message === '' && error === undefined);
    const kept = this.#isUpdating || cached === undefined ? now : cached;
    getOrCreate(this.#current, test, () => new Map<string, string>()).set(key, kept);
    return { passed, index, cached: cached ?? '', now, message, error };
  }

  get counts(): SnapshotCounts {
    const failed = this.#isUpdating ? 0 : this.#updated;
    return { total: this.#total, failed, created: this.#inserted, vanished: this.#vanished() };
  }

  /** Returns the new content of the file; undefined if it is unchanged. */
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

// Returns the pattern that failed, or why one is invalid.
function matchPatterns(
  text: string,
  matches: string,
  doesNotMatch: string,
): Pick<SnapshotComparison, 'message' | 'error'> {
  const isFound = (pattern: string): boolean => compileRegexp(pattern).matchString(text);
  const messageOf = (): string => {
    if (matches !== '' && !isFound(matches)) return ` pattern '${matches}' not found in snapshot`;
    return doesNotMatch !== '' && isFound(doesNotMatch) ? ` pattern '${doesNotMatch}' should not be in snapshot` : '';
  };
  return catchGoError(
    () => ({ message: messageOf(), error: undefined }),
    (error) => ({ message: '', error: `failed to compile regex pattern: ${error.message}` }),
  );
}
