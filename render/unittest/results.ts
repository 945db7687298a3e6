// The results of suites and tests, and the output of helm-unittest: the suites with their failures, and the totals at the end.
// Mirrors: helm-unittest 1.1.0, pkg/unittest, test_runner.go, results and printer.

import { base, dir } from '../go/path.ts';
import { formatDuration } from '../go/time/duration.ts';
import type { AssertionResult } from './assertions/assertion.ts';
import type { SnapshotCounts } from './snapshot.ts';

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

const noSnapshots: SnapshotCounts = { total: 0, failed: 0, created: 0, vanished: 0 };

/** Returns the result of a suite that could not be run. */
export function suiteError(file: string, error: string): SuiteResult {
  const state = { passed: false, skipped: false, failedFast: false };
  return { name: '', file, ...state, error, tests: [], snapshots: noSnapshots };
}

/** Returns the title of a failed assertion. */
function assertionTitle({ index, not, type }: AssertionResult): string {
  return `- asserts[${index}]${not ? ' NOT' : ''} \`${type}\` fail`;
}

export function describeTest({ skipped, name, error, assertions }: TestResult): string {
  const lines = [...(skipped ? [`SKIPPED '${name}' \n`] : []), ...(error === undefined ? [] : [`${error}\n`])];
  for (const assertion of assertions) {
    lines.push(`\t\t ${assertionTitle(assertion)} \n`);
    const info = assertion.skipReason === undefined ? assertion.info : [assertion.skipReason];
    lines.push(...info.map((line) => `\t\t\t ${line} \n`));
  }
  return lines.join('');
}

type Mark = (text: string) => string;

const mark =
  (on: string, off: string): Mark =>
  (text) =>
    `\u001b[${on}m${text}\u001b[${off}m`;

/** Marks parts of the text with the colors of helm-unittest. */
export const colors = {
  danger: mark('31', '0'),
  warning: mark('33', '0'),
  highlight: mark('1', '22'),
  faint: mark('2', '22'),
  passLabel: mark('42;30', '0;0'),
  failLabel: mark('41;37', '0;0'),
  skipLabel: mark('43;30', '0;0'),
};

/** The markup of parts of the text: colored or plain. */
export type Paint = Readonly<Record<keyof typeof colors, Mark>>;

/** Marks nothing. */
export const plainPaint: Paint = {
  danger: String,
  warning: String,
  highlight: String,
  faint: String,
  passLabel: String,
  failLabel: String,
  skipLabel: String,
};

/** Returns the heading of a chart's suites. */
export function printChart(name: string, path: string, paint: Paint): string {
  return `\n### Chart [ ${paint.highlight(name)} ] ${paint.faint(path)}\n\n`;
}

/** Returns the line for a chart that could not be tested. */
export function printChartError(message: string, paint: Paint): string {
  return `\n### ${paint.danger('Error: ')} ${message}\n\n`;
}

/** Returns a suite: its line, and its failures. */
export function printSuite(suite: SuiteResult, paint: Paint): string {
  let label = paint.failLabel(' FAIL ');
  if (suite.skipped) label = paint.skipLabel(' SKIP ');
  else if (suite.passed) label = paint.passLabel(' PASS ');
  const path = suite.file === '' ? '' : `${paint.faint(`${dir(suite.file)}/`)}${base(suite.file)}`;
  const title = `${label} ${paint.highlight(suite.name)}\t${path}\n`;
  if (suite.error !== undefined) {
    return `${title}\t${paint.highlight('- Execution Error: ')}\n\t\t${suite.error}\n\n`;
  }
  return title + suite.tests.map((test) => printTest(test, paint)).join('');
}

function printTest(test: TestResult, paint: Paint): string {
  if (test.passed) return '';
  if (test.skipped) {
    return `\t${paint.highlight('- ')}${paint.skipLabel('SKIPPED')}${paint.warning(` '${test.name}'`)}\n`;
  }
  if (test.error !== undefined) {
    return `\t${paint.highlight(`- ${test.name}`)}\n\t\t${paint.highlight(`Error: ${test.error}\n`)}\n`;
  }
  return `\t${paint.danger(`- ${test.name}\n`)}\n${test.assertions.map((one) => printAssertion(one, paint)).join('')}`;
}

function printAssertion(assertion: AssertionResult, paint: Paint): string {
  if (assertion.passed) return '';
  const info = assertion.info.map((line) => `\t\t\t${line}\n`).join('');
  return `\t\t${paint.danger(assertionTitle(assertion))}\n${info}\n`;
}

export interface Totals {
  readonly charts: { passed: number; failed: number; errored: number };
  readonly suites: { passed: number; failed: number; errored: number; skipped: number; snapshotFailed: number };
  readonly tests: { passed: number; failed: number; errored: number; skipped: number };
  readonly snapshots: { passed: number; failed: number };
}

export function noTotals(): Totals {
  return {
    charts: { passed: 0, failed: 0, errored: 0 },
    suites: { passed: 0, failed: 0, errored: 0, skipped: 0, snapshotFailed: 0 },
    tests: { passed: 0, failed: 0, errored: 0, skipped: 0 },
    snapshots: { passed: 0, failed: 0 },
  };
}

export function addSuite({ suites, tests, snapshots }: Totals, suite: SuiteResult): void {
  if (suite.skipped) suites.skipped++;
  else if (suite.passed) suites.passed++;
  else {
    suites.failed++;
    if (suite.error !== undefined) suites.errored++;
    if (suite.snapshots.failed > 0) suites.snapshotFailed++;
  }
  snapshots.failed += suite.snapshots.failed;
  snapshots.passed += suite.snapshots.total - suite.snapshots.failed;
  for (const test of suite.tests) {
    if (test.passed) tests.passed++;
    else if (test.skipped) tests.skipped++;
    else {
      tests.failed++;
      if (test.error !== undefined) tests.errored++;
    }
  }
}

/** Returns the end of a run: snapshots and totals. */
export function printTotals(totals: Totals, elapsed: bigint, paint: Paint): string {
  const { charts, suites, tests, snapshots } = totals;
  let failed = '';
  if (snapshots.failed > 0) {
    const count = paint.danger(`${snapshots.failed} snapshot failed`);
    const hint = paint.faint(' Check changes and use `-u` to update snapshot.');
    failed = `\nSnapshot Summary: ${count} in ${suites.snapshotFailed} test suite.${hint}\n`;
  }
  const count = (sums: Count): string => countOf(sums, paint);
  const lines = [
    `Charts:      ${count(charts)}`,
    `Test Suites: ${count(suites)}`,
    `Tests:       ${count(tests)}`,
    `Snapshot:    ${count(snapshots)}`,
    `Time:        ${formatDuration(elapsed)}`,
  ];
  return `${failed}\n${lines.join('\n')}\n\n`;
}

type Count = Pick<Totals['tests'], 'passed' | 'failed'> & Partial<Totals['tests']>;

function countOf({ passed, failed, errored = 0, skipped = 0 }: Count, paint: Paint): string {
  const faults = `${failed > 0 ? paint.danger(`${failed} failed, `) : ''}${errored > 0 ? `${errored} errored, ` : ''}`;
  return `${faults}${passed} passed, ${skipped > 0 ? `${skipped} skipped, ` : ''}${passed + failed + skipped} total`;
}
