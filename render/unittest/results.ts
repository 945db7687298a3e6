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

/** The markup of parts of the text. */
export type Paint = ReturnType<typeof createPaint>;

/** Returns the markup of helm-unittest, with its colors or plain. */
export function createPaint(isColored: boolean) {
  const mark = (on: string, off: string) => (text: string) => (isColored ? `\u001b[${on}m${text}\u001b[${off}m` : text);
  return {
    danger: mark('31', '0'),
    warning: mark('33', '0'),
    highlight: mark('1', '22'),
    faint: mark('2', '22'),
    passLabel: mark('42;30', '0;0'),
    failLabel: mark('41;37', '0;0'),
    skipLabel: mark('43;30', '0;0'),
  };
}

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

/** Numbers of charts, suites, tests or snapshots. */
interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly errored?: number;
  readonly skipped?: number;
}

type Countable = Pick<TestResult, 'passed' | 'skipped' | 'error'>;

function countOf(items: readonly Countable[], isSkipped: (item: Countable) => boolean): Counts {
  const others = items.filter((item) => !isSkipped(item));
  const failed = others.filter(({ passed }) => !passed);
  return {
    passed: others.length - failed.length,
    failed: failed.length,
    errored: failed.filter(({ error }) => error !== undefined).length,
    skipped: items.length - others.length,
  };
}

/** Returns the end of a run: snapshots and totals. */
export function printTotals(
  charts: Counts,
  suites: readonly SuiteResult[],
  [elapsed, paint]: readonly [bigint, Paint],
): string {
  const counts = suites.map((suite) => suite.snapshots);
  const failedSnapshots = counts.reduce((sum, { failed }) => sum + failed, 0);
  let failed = '';
  if (failedSnapshots > 0) {
    const count = paint.danger(`${failedSnapshots} snapshot failed`);
    const hint = paint.faint(' Check changes and use `-u` to update snapshot.');
    failed = `\nSnapshot Summary: ${count} in ${counts.filter((one) => one.failed > 0).length} test suite.${hint}\n`;
  }
  const tests = suites.flatMap((suite) => suite.tests);
  const passedSnapshots = counts.reduce((sum, { total }) => sum + total, -failedSnapshots);
  const suiteCounts = countOf(suites, ({ skipped }) => skipped);
  const testCounts = countOf(tests, ({ skipped, passed }) => skipped && !passed);
  const lines = [
    `Charts:      ${printCounts(charts, paint)}`,
    `Test Suites: ${printCounts(suiteCounts, paint)}`,
    `Tests:       ${printCounts(testCounts, paint)}`,
    `Snapshot:    ${printCounts({ passed: passedSnapshots, failed: failedSnapshots }, paint)}`,
    `Time:        ${formatDuration(elapsed)}`,
  ];
  return `${failed}\n${lines.join('\n')}\n\n`;
}

function printCounts({ passed, failed, errored = 0, skipped = 0 }: Counts, paint: Paint): string {
  const faults = `${failed > 0 ? paint.danger(`${failed} failed, `) : ''}${errored > 0 ? `${errored} errored, ` : ''}`;
  return `${faults}${passed} passed, ${skipped > 0 ? `${skipped} skipped, ` : ''}${passed + failed + skipped} total`;
}
