// The verdict of an assertion with the lines that explain a failure, and iteration over documents and values.
// Mirrors: helm-unittest 1.1.0, pkg/unittest/validators: common.go, and what its validators share.

import { catchGoError } from '../../core/catch.ts';
import { formatValue } from '../../go/format.ts';
import { compileRegexp } from '../../go/regexp/regexp.ts';
import { GoError, type GoValue } from '../../go/value.ts';
import { findValues } from '../path.ts';
import type { SnapshotComparison, SnapshotPatterns } from '../snapshot.ts';
import type { TestManifest } from '../yaml.ts';

export interface Context {
  /** All documents of the template. */
  readonly documents: readonly TestManifest[];
  readonly selected: readonly TestManifest[];
  readonly negative: boolean;
  /** Compares with the next snapshot of the test. */
  readonly compare: (content: GoValue, patterns?: SnapshotPatterns) => SnapshotComparison;
  /** The error of a rendering without files. */
  readonly renderError: string | undefined;
  readonly failFast: boolean;
}

export type AssertionValidator = (context: Context) => Verdict;

/** Whether an assertion holds, and the lines that explain why not. */
export interface Verdict {
  readonly passed: boolean;
  readonly info: readonly string[];
}

export const holds: Verdict = { passed: true, info: [] };

/** The place of a failure; -1 omits a part. */
export interface AssertionPlace {
  readonly document: number;
  readonly value: number;
}

export const nowhere: AssertionPlace = { document: -1, value: -1 };

/** The parts of a failure, in the order in which they are reported. */
interface FailureParts {
  readonly path?: string;
  readonly actual?: string;
  readonly diff?: string;
}

/** Returns the verdict for a mismatch, such as `Expected to equal:` and what follows. */
export function failure(
  [isNot, what, expected]: readonly [isNot: boolean, what: string, expected: string],
  { path, actual, diff }: FailureParts,
  where: AssertionPlace,
): Verdict {
  const lines = [`Expected${isNot ? ' NOT' : ''}${what}:`, indented(expected)];
  if (path !== undefined) lines.unshift(`Path:${indented(path)}`);
  if (actual !== undefined) lines.push('Actual:', indented(actual));
  if (diff !== undefined) lines.push('Diff:', indented(diff));
  return { passed: false, info: [...placeLines(where), ...lines.join('\n').split('\n')] };
}

export function failVerdict(message: string, where: AssertionPlace = nowhere): Verdict {
  return { passed: false, info: [...placeLines(where), 'Error:', ...indented(message).split('\n')] };
}

export function placeLines({ document, value }: AssertionPlace): readonly string[] {
  return [...(document < 0 ? [] : [`DocumentIndex:\t${document}`]), ...(value < 0 ? [] : [`ValuesIndex:\t${value}`])];
}

// Each line is indented with a tab.
function indented(text: string): string {
  return `\t${text.replaceAll('\n', '\n\t').replace(/^[\n\t ]+|(?<![\n\t ])[\n\t ]+$/g, '')}`;
}

/** Formats a value without trailing spaces and leading line breaks. */
export function uniform(value: GoValue | undefined): string {
  const text = value === undefined ? '<nil>' : formatValue(value);
  return text.replace(/(?<! ) +\r?\n/g, '\n').replace(/^\n+/, '');
}

/** Reports a mismatch: what there is instead of what is expected. */
export type VerdictOf<T> = (context: Context, actual: T, where: AssertionPlace) => Verdict;

/** The verdict on one of several values; without `passed` the others decide. */
export type ValueVerdict = Partial<Verdict> & Pick<Verdict, 'info'>;

/** Whether something is as expected, and what is reported if it is not; or the verdict itself. */
export type Judgment<T> = readonly [isExpected: boolean, actual: T] | ValueVerdict;

function settle<T>(judgment: Judgment<T>, context: Context, fail: VerdictOf<T>, where: AssertionPlace): ValueVerdict {
  if ('info' in judgment) return judgment;
  const [isExpected, actual] = judgment;
  return isExpected === context.negative ? fail(context, actual, where) : holds;
}

/** Reported by assertions on documents if there is none. */
export const noManifest = 'no manifest found';

/** Evaluates each document: all must pass. `none` is reported, by default nowhere, if there is no document. */
export function eachDocument<T>(
  fail: VerdictOf<T>,
  none: T,
  judge: (document: TestManifest, index: number, context: Context) => Judgment<T>,
  noneAt: AssertionPlace = nowhere,
): AssertionValidator {
  return (context) => {
    const { selected, negative, failFast } = context;
    if (selected.length === 0) return negative ? holds : fail(context, none, noneAt);
    const info: string[] = [];
    let passed = true;
    for (const [index, document] of selected.entries()) {
      const verdict = settle(judge(document, index, context), context, fail, { document: index, value: -1 });
      info.push(...verdict.info);
      passed &&= verdict.passed === true;
      if (!passed && failFast) break;
    }
    return { passed, info };
  };
}

/** Which values are evaluated, and how a mismatch is reported. */
export interface ValueAssertion<T> {
  readonly path: string;
  readonly fail: VerdictOf<T>;
  /** What is reported if there is no document, and where. Default nowhere. */
  readonly none: T;
  readonly noneAt?: AssertionPlace;
  /** The message for an unknown path. Default `unknown path PATH`. */
  readonly unknown?: string;
  /** Returns why no value can be evaluated. Default: all can. */
  readonly fault?: () => Verdict | undefined;
}

/** Evaluates each value at a path in each document: all must pass, and at least one must exist, unless negated. */
export function eachValue<T>(
  { path, fail, none, noneAt, unknown = `unknown path ${path}`, fault }: ValueAssertion<T>,
  judge: (value: GoValue, where: AssertionPlace, context: Context) => Judgment<T>,
): AssertionValidator {
  const inDocument = (manifest: TestManifest, document: number, context: Context): Verdict => {
    const found = valuesAt(manifest, path);
    if (found instanceof GoError) return failVerdict(found.message, { document, value: -1 });
    const wrong = fault?.();
    if (wrong !== undefined) return wrong;
    if (found.length === 0) return context.negative ? holds : failVerdict(unknown, { document, value: -1 });
    const info: string[] = [];
    let passed = false;
    for (const [i, value] of found.entries()) {
      const where = { document, value: i };
      const verdict = settle(judge(value, where, context), context, fail, where);
      info.push(...verdict.info);
      if (verdict.passed === undefined) continue;
      passed = i === 0 ? verdict.passed : passed && verdict.passed;
      if (!passed && context.failFast) break;
    }
    return { passed, info };
  };
  return eachDocument(fail, none, inDocument, noneAt);
}

/** Returns the values at a path, or the error of an invalid path. */
export function valuesAt(document: TestManifest, path: string): readonly GoValue[] | GoError {
  return catchGoError(
    () => findValues(document, path),
    (error) => error,
  );
}

/** Returns the verdict for an invalid pattern. */
export function patternFault(pattern: string): Verdict | undefined {
  return catchGoError(
    () => void compileRegexp(pattern),
    (error) => failVerdict(error.message),
  );
}
