// The results of suites and tests.
// Mirrors: helm-unittest 1.1.0, pkg/unittest/results.

import type { AssertionResult } from './assertions/assertion.ts';
import type { SnapshotCounts } from './snapshot.ts';

/** The result of a test. */
export interface TestResult {
  readonly name: string;
  readonly index: number;
  readonly passed: boolean;
  readonly skipped: boolean;
  /** The error that prevented its evaluation; a test that expects one may have passed. */
  readonly error: string | undefined;
  readonly assertions: readonly AssertionResult[];
  /** In nanoseconds. */
  readonly duration: bigint;
}

/** The result of a suite. */
export interface SuiteResult {
  readonly name: string;
  readonly file: string;
  readonly passed: boolean;
  readonly skipped: boolean;
  /** Whether it ended at its first failure. */
  readonly failedFast: boolean;
  /** The error that prevented it from running. */
  readonly error: string | undefined;
  readonly tests: readonly TestResult[];
  readonly snapshots: SnapshotCounts;
}

/** The counts of a suite without snapshots. */
const noSnapshots: SnapshotCounts = { total: 0, failed: 0, created: 0, vanished: 0 };

/** Returns the result of a suite that could not be run. */
export function suiteError(file: string, error: string): SuiteResult {
  const state = { passed: false, skipped: false, failedFast: false };
  return { name: '', file, ...state, error, tests: [], snapshots: noSnapshots };
}

/** Returns the title of a failed assertion. */
export function assertionTitle({ index, not, type }: AssertionResult): string {
  return `- asserts[${index}]${not ? ' NOT' : ''} \`${type}\` fail`;
}

/** Formats a test for a report. */
export function describeTest({ skipped, name, error, assertions }: TestResult): string {
  const lines = [...(skipped ? [`SKIPPED '${name}' \n`] : []), ...(error === undefined ? [] : [`${error}\n`])];
  for (const assertion of assertions) {
    lines.push(`\t\t ${assertionTitle(assertion)} \n`);
    const info = assertion.skipReason === undefined ? assertion.info : [assertion.skipReason];
    lines.push(...info.map((line) => `\t\t\t ${line} \n`));
  }
  return lines.join('');
}
