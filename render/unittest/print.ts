// The output of helm-unittest: the suites with their failures, and the totals at the end.
// Mirrors: helm-unittest 1.1.0, pkg/unittest, test_runner.go, results and printer.

import { base, dir } from '../go/path.ts';
import { formatDuration } from '../go/time/duration.ts';
import type { AssertionResult } from './assertions/assertion.ts';
import { assertionTitle, type SuiteResult, type TestResult } from './results.ts';

/** The markup of parts of the text: colored or plain. */
export interface Paint {
  readonly danger: (text: string) => string;
  readonly warning: (text: string) => string;
  readonly highlight: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly passLabel: (text: string) => string;
  readonly failLabel: (text: string) => string;
  readonly skipLabel: (text: string) => string;
}

const mark =
  (on: string, off: string) =>
  (text: string): string =>
    `\u001b[${on}m${text}\u001b[${off}m`;

/** Marks with the colors of helm-unittest. */
export const colors: Paint = {
  danger: mark('31', '0'),
  warning: mark('33', '0'),
  highlight: mark('1', '22'),
  faint: mark('2', '22'),
  passLabel: mark('42;30', '0;0'),
  failLabel: mark('41;37', '0;0'),
  skipLabel: mark('43;30', '0;0'),
};

const keep = (text: string): string => text;

/** Marks nothing. */
export const plainPaint: Paint = {
  danger: keep,
  warning: keep,
  highlight: keep,
  faint: keep,
  passLabel: keep,
  failLabel: keep,
  skipLabel: keep,
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

/** The totals of a run. */
export interface Totals {
  readonly charts: { passed: number; failed: number; errored: number };
  readonly suites: { passed: number; failed: number; errored: number; skipped: number; snapshotFailed: number };
  readonly tests: { passed: number; failed: number; errored: number; skipped: number };
  readonly snapshots: { passed: number; failed: number };
}

/** Returns sums of nothing. */
export function noTotals(): Totals {
  return {
    charts: { passed: 0, failed: 0, errored: 0 },
    suites: { passed: 0, failed: 0, errored: 0, skipped: 0, snapshotFailed: 0 },
    tests: { passed: 0, failed: 0, errored: 0, skipped: 0 },
    snapshots: { passed: 0, failed: 0 },
  };
}

/** Adds a suite to the totals. */
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

interface Count {
  readonly passed: number;
  readonly failed: number;
  readonly errored?: number;
  readonly skipped?: number;
}

function countOf({ passed, failed, errored = 0, skipped = 0 }: Count, paint: Paint): string {
  const faults = `${failed > 0 ? paint.danger(`${failed} failed, `) : ''}${errored > 0 ? `${errored} errored, ` : ''}`;
  return `${faults}${passed} passed, ${skipped > 0 ? `${skipped} skipped, ` : ''}${passed + failed + skipped} total`;
}
