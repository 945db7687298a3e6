// Result files in JUnit, NUnit, XUnit and Sonar format, like helm-unittest.
// Mirrors: helm-unittest 1.1.0, pkg/unittest/formatter.

import { describeTest, type SuiteResult, type TestResult } from '../results.ts';

export interface ReportWorld {
  readonly hostname: string;
  readonly user: string;
  readonly cwd: string;
  /** For example `node22.12.0.linux-x64`. */
  readonly platform: string;
  /** Local time, such as `2025-01-01T12:00:00`. */
  readonly now: string;
}

/** A report format, in lower case. */
export type ReportForm = keyof typeof forms;

/** The report formats, in lower case. */
export const reportForms: readonly ReportForm[] = ['junit', 'nunit', 'xunit', 'sonar'];

/** Returns the report of a run. */
export function formatSuiteReport(form: ReportForm, suites: readonly SuiteResult[], world: ReportWorld): string {
  return `${formatXml(forms[form](suites, world))}\n`;
}

const forms = { junit, nunit, xunit, sonar };

function seconds(nanoseconds: bigint): string {
  return (Number(nanoseconds) / 1e9).toFixed(3);
}

function durationOf({ tests }: SuiteResult): bigint {
  return tests.reduce((sum, { duration }) => sum + duration, 0n);
}

function classOf({ name }: SuiteResult): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

function isFailed({ passed, skipped }: TestResult): boolean {
  return !passed && !skipped;
}

function count(tests: readonly TestResult[], is: (test: TestResult) => boolean): number {
  return tests.filter(is).length;
}

const hasError = (test: TestResult): boolean => isFailed(test) && test.error !== undefined;
const hasFailure = (test: TestResult): boolean => isFailed(test) && test.error === undefined;
const isSkipped = ({ skipped }: TestResult): boolean => skipped;

// ---- JUnit

function junit(suites: readonly SuiteResult[], { hostname, now }: ReportWorld): Element {
  const property = element('property', { name: 'helm-unittest.version', value: '1.6' }, '');
  const suiteOf = (suite: SuiteResult, id: number): Element => {
    const attributes = {
      id,
      tests: suite.tests.length,
      failures: count(suite.tests, hasFailure),
      errors: count(suite.tests, hasError),
      package: '',
      time: seconds(durationOf(suite)),
      name: suite.name,
      timestamp: now,
      hostname,
    };
    const cases = suite.tests.map((test) => junitCase(suite, test));
    return element('testsuite', attributes, [element('properties', {}, [property]), ...cases]);
  };
  return element('testsuites', {}, suites.map(suiteOf));
}

function junitCase(suite: SuiteResult, test: TestResult): Element {
  const flat = (): string => describeTest(test).replaceAll('\n', ',').replaceAll('\t', '');
  const content: Element[] = [];
  if (hasError(test)) content.push(element('error', { message: 'Error', type: '' }, test.error ?? ''));
  if (test.skipped) content.push(element('skipped', { message: flat() }, ''));
  if (hasFailure(test)) content.push(element('failure', { message: 'Failed', type: '' }, flat()));
  return element('testcase', { classname: classOf(suite), name: test.name, time: seconds(test.duration) }, content);
}

// ---- NUnit

function nunit(suites: readonly SuiteResult[], world: ReportWorld): Element {
  const { platform, cwd, hostname, user, now } = world;
  const tests = suites.flatMap((suite) => suite.tests);
  const [date = '', time = ''] = now.split('T');
  const environment = {
    'nunit-version': '2.5.8.0',
    'clr-version': 'unknown',
    'os-version': 'unknown',
    platform,
    cwd,
    'machine-name': hostname,
    user,
    'user-domain': '',
  };
  const culture = { 'current-culture': 'en', 'current-uiculture': 'en-US' };
  const attributes = {
    name: 'helm-unittest',
    total: tests.length,
    errors: count(tests, hasError),
    failures: count(tests, hasFailure),
    inconclusive: 0,
    'not-run': 0,
    ignored: 0,
    skipped: count(tests, isSkipped),
    invalid: 0,
    date,
    time,
  };
  return element('test-results', attributes, [
    element('environment', environment, ''),
    element('culture-info', culture, ''),
    ...suites.map(nunitSuite),
  ]);
}

function nunitResult(passed: boolean, skipped: boolean): string {
  if (skipped) return 'Skipped';
  return passed ? 'Success' : 'Failed';
}

function nunitSuite(suite: SuiteResult): Element {
  const { name, file, tests, passed, skipped } = suite;
  const attributes = {
    type: 'TestFixture',
    name,
    description: file,
    success: passed,
    time: seconds(durationOf(suite)),
    executed: !skipped,
    asserts: '',
    result: nunitResult(passed, skipped),
  };
  const cases = tests.map((test) => nunitCase(suite, test));
  return element('test-suite', attributes, cases.length === 0 ? [] : [element('results', {}, cases)]);
}

function nunitCase(suite: SuiteResult, test: TestResult): Element {
  const { name, passed, skipped, error, duration } = test;
  const attributes = {
    name,
    description: `${classOf(suite)}.${name}`,
    success: passed,
    time: seconds(duration),
    executed: error === undefined && !skipped,
    asserts: '0',
    result: nunitResult(passed, skipped),
  };
  const content: Element[] = [];
  if (isFailed(test)) {
    const parts = [element('message', {}, 'Failed'), element('stack-trace', {}, describeTest(test))];
    content.push(element('failure', {}, parts));
  }
  if (skipped) content.push(element('reason', {}, [element('message', {}, describeTest(test))]));
  return element('test-case', attributes, content);
}

// ---- XUnit

const method = 'Helm-Validation';

function xunit(suites: readonly SuiteResult[], world: ReportWorld): Element {
  return element(
    'assemblies',
    {},
    suites.map((suite) => xunitAssembly(suite, world)),
  );
}

function xunitAssembly(suite: SuiteResult, { platform, now }: ReportWorld): Element {
  const { name, tests, file } = suite;
  const [date = '', time = ''] = now.split('T');
  const [passed, failed, skipped] = [count(tests, hasPassed), count(tests, hasFailure), count(tests, isSkipped)];
  const attributes = {
    name: file,
    'config-file': file,
    'test-framework': 'helm-unittest',
    'run-date': date,
    'run-time': time,
    time: seconds(durationOf(suite)),
    total: tests.length,
    passed,
    failed,
    skipped,
    errors: count(tests, hasError),
  };
  const environment = element('environment', {}, platform);
  const sums = { name, time: attributes.time, total: tests.length, passed, failed, skipped };
  const cases = tests.map((test) => xunitCase(suite, test));
  return element('assembly', attributes, [environment, element('errors', {}, []), element('collection', sums, cases)]);
}

const hasPassed = ({ passed, skipped }: TestResult): boolean => passed && !skipped;

function xunitCase(suite: SuiteResult, test: TestResult): Element {
  const { name, passed, skipped, error, duration } = test;
  const result = skipped ? 'Skip' : passed ? 'Pass' : 'Fail';
  const content = [element('traits', {}, [])];
  if (isFailed(test)) {
    const type = error === undefined ? method : `${method}-Error`;
    const parts = [
      element('message', {}, { cdata: 'Failed' }),
      element('stack-trace', {}, { cdata: describeTest(test) }),
    ];
    content.push(element('failure', { 'exception-type': type }, parts));
  }
  if (skipped) content.push(element('reason', {}, { cdata: describeTest(test) }));
  return element('test', { name, type: classOf(suite), method, time: seconds(duration), result }, content);
}

// ---- Sonar

function sonar(suites: readonly SuiteResult[]): Element {
  const files = suites.map(({ file, tests }) => element('file', { path: file }, tests.map(sonarCase)));
  return element('testExecutions', { version: 1 }, files);
}

function sonarCase(test: TestResult): Element {
  const part = (name: string, message: string, cdata: string): Element => element(name, { message }, { cdata });
  const content: Element[] = [];
  if (hasError(test)) content.push(part('error', 'Error', test.error ?? ''));
  if (test.skipped) content.push(part('skipped', 'Skipped', describeTest(test)));
  if (hasFailure(test)) content.push(part('failure', 'Failed', describeTest(test)));
  return element('testCase', { name: test.name, duration: String(test.duration / 1_000_000n) }, content);
}

// XML like Go's encoding/xml, indented with tabs.
// Mirrors: Go, encoding/xml, marshal.go, `MarshalIndent`.

/** An element: its name, its attributes in order, and its content: a text, escaped or in CDATA; or elements. */
interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly content: string | { readonly cdata: string } | readonly Element[];
}

function element(name: string, attributes: Element['attributes'], content: Element['content']): Element {
  return { name, attributes, content };
}

function formatXml({ name, attributes, content }: Element, indent = ''): string {
  const shown = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(String(value))}"`);
  const start = `${indent}<${name}${shown.join('')}>`;
  if (typeof content === 'string') return `${start}${escaped(content)}</${name}>`;
  if ('cdata' in content) return `${start}${cdata(content.cdata)}</${name}>`;
  if (content.length === 0) return `${start}</${name}>`;
  return `${start}\n${content.map((inner) => formatXml(inner, `${indent}\t`)).join('\n')}\n${indent}</${name}>`;
}

const escapes: Readonly<Record<string, string>> = {
  '"': '&#34;',
  "'": '&#39;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
};

function escaped(text: string): string {
  return text
    .replace(/[\p{Cs}\ufffe\uffff]|[^\P{Cc}\t\n\r\x7f-\x9f]/gu, '\ufffd')
    .replace(/["'&<>\t\n\r]/g, (char) => escapes[char]!);
}

function cdata(text: string): string {
  return text === '' ? '' : `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
}
