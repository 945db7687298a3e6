// The context of an assertion, and iteration over documents and values.
// Mirrors: helm-unittest 1.1.0, pkg/unittest/validators: what its validators share.

import { GoError, type GoValue } from '../../go/value.ts';
import { findValues } from '../path/find.ts';
import type { SnapshotComparison, SnapshotPatterns } from '../snapshot.ts';
import type { TestManifest } from '../yaml.ts';
import { failVerdict, type Verdict } from './info.ts';

/** The context of an assertion. */
export interface Context {
  /** All documents of the template. */
  readonly documents: readonly TestManifest[];
  /** The selected documents. */
  readonly selected: readonly TestManifest[];
  /** Whether it is negated. */
  readonly negative: boolean;
  /** Compares with the next snapshot of the test. */
  readonly compare: (content: GoValue, patterns?: SnapshotPatterns) => SnapshotComparison;
  /** The error of a rendering without files. */
  readonly renderError: string | undefined;
  readonly failFast: boolean;
}

/** Evaluates an assertion. */
export type AssertionValidator = (context: Context) => Verdict;

/** Evaluates each document: all must pass. `none` reports that there is no document. */
export function everyDocument(
  context: Context,
  decide: (document: TestManifest, index: number) => Verdict,
  none: () => Verdict,
): Verdict {
  const { selected, negative, failFast } = context;
  if (selected.length === 0) return negative ? { passed: true, info: [] } : none();
  const info: string[] = [];
  let passed = true;
  for (const [index, document] of selected.entries()) {
    const verdict = decide(document, index);
    info.push(...verdict.info);
    passed &&= verdict.passed;
    if (!passed && failFast) break;
  }
  return { passed, info };
}

/** The verdict on one of several values; without `passed` the others decide. */
export interface ValueVerdict {
  readonly passed?: boolean;
  readonly info: readonly string[];
}

/** How a path is evaluated. */
export interface Following {
  readonly path: string;
  /** The message for an unknown path. Default `unknown path PATH`. */
  readonly unknown?: string;
}

/** Evaluates each value at a path in a document: all must pass, and at least one must exist, unless negated. */
export function everyValue(
  context: Context,
  [document, index]: readonly [TestManifest, number],
  { path, unknown = `unknown path ${path}` }: Following,
  decide: (value: GoValue, index: number) => ValueVerdict,
): Verdict {
  const where = { document: index, value: -1 };
  const found = valuesAt(document, path);
  if (found instanceof GoError) return failVerdict(found.message, where);
  if (found.length === 0) return context.negative ? { passed: true, info: [] } : failVerdict(unknown, where);
  const info: string[] = [];
  let passed = false;
  for (const [i, value] of found.entries()) {
    const verdict = decide(value, i);
    info.push(...verdict.info);
    if (verdict.passed === undefined) continue;
    passed = i === 0 ? verdict.passed : passed && verdict.passed;
    if (!passed && context.failFast) break;
  }
  return { passed, info };
}

/** Returns the values at a path, or the error of an invalid path. */
export function valuesAt(document: TestManifest, path: string): readonly GoValue[] | GoError {
  try {
    return findValues(document, path);
  } catch (error) {
    if (error instanceof GoError) return error;
    throw error;
  }
}
