// Result files in JUnit, NUnit, XUnit and Sonar format, like helm-unittest.
// Mirrors: helm-unittest 1.1.0, pkg/unittest/formatter.

import { describeTest, type SuiteResult, type TestResult } from '../results.ts';

/** The machine and the time of the run, for reports. */
export interface ReportWorld {
  readonly hostname: string;
  readonly user: string;
  readonly cwd: string;
  /** For example `node22.12.0.linux-x64`. */
  readonly platform: string;
  /** For example `en-US`. */
  readonly language: string;
  /** Local time, such as `2025-01-01T12:00:00`. */
  readonly now: string;
}

/** A report format, in lower case. */
export type ReportForm = keyof typeof forms;

/** Reports whether a name is one of a form. */
export function isReportForm(name: string): name is ReportForm {
  return Object.hasOwn(forms, name);
}

/** Returns the report of a run. */
export function formatSuiteReport(form: ReportForm, suites: readonly SuiteResult[], world: ReportWorld): string {
  return formatXml(forms[form](suites, world));
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
  const suiteOf = (suite: SuiteResult, id: number): Element => ({
    name: 'testsuite',
    attributes: [
      ['id', id],
      ['tests', suite.tests.length],
      ['failures', count(suite.tests, hasFailure)],
      ['errors', count(suite.tests, hasError)],
      ['package', ''],
      ['time', seconds(durationOf(suite))],
      ['name', suite.name],
      ['timestamp', now],
      ['hostname', hostname],
    ],
    content: [{ name: 'properties', content: [junitProperty] }, ...suite.tests.map((test) => junitCase(suite, test))],
  });
  return { name: 'testsuites', content: suites.map(suiteOf) };
}

const junitProperty: Element = {
  name: 'property',
  attributes: [
    ['name', 'helm-unittest.version'],
    ['value', '1.6'],
  ],
};

function junitCase(suite: SuiteResult, test: TestResult): Element {
  const flat = (): string => describeTest(test).replaceAll('\n', ',').replaceAll('\t', '');
  const content: Element[] = [];
  if (hasError(test)) content.push(junitFailure('error', 'Error', test.error ?? ''));
  if (test.skipped) content.push({ name: 'skipped', attributes: [['message', flat()]] });
  if (hasFailure(test)) content.push(junitFailure('failure', 'Failed', flat()));
  return {
    name: 'testcase',
    attributes: [
      ['classname', classOf(suite)],
      ['name', test.name],
      ['time', seconds(test.duration)],
    ],
    content,
  };
}

function junitFailure(name: string, message: string, content: string): Element {
  return {
    name,
    attributes: [
      ['message', message],
      ['type', ''],
    ],
    content,
  };
}

// ---- NUnit

function nunit(suites: readonly SuiteResult[], world: ReportWorld): Element {
  const tests = suites.flatMap((suite) => suite.tests);
  const broken = countErrors(suites);
  const [date = '', time = ''] = world.now.split('T');
  return {
    name: 'test-results',
    attributes: [
      ['name', 'helm-unittest'],
      ['total', tests.length + broken],
      ['errors', count(tests, hasError) + broken],
      ['failures', count(tests, hasFailure)],
      ['inconclusive', 0],
      ['not-run', 0],
      ['ignored', 0],
      ['skipped', count(tests, isSkipped)],
      ['invalid', 0],
      ['date', date],
      ['time', time],
    ],
    content: [nunitEnvironment(world), nunitCulture(world), ...suites.map(nunitSuite)],
  };
}

function countErrors(suites: readonly SuiteResult[]): number {
  return suites.filter(({ error }) => error !== undefined).length;
}

function nunitEnvironment({ platform, cwd, hostname, user }: ReportWorld): Element {
  return {
    name: 'environment',
    attributes: [
      ['nunit-version', '2.5.8.0'],
      ['clr-version', 'unknown'],
      ['os-version', 'unknown'],
      ['platform', platform],
      ['cwd', cwd],
      ['machine-name', hostname],
      ['user', user],
      ['user-domain', ''],
    ],
  };
}

function nunitCulture({ language }: ReportWorld): Element {
  return {
    name: 'culture-info',
    attributes: [
      ['current-culture', language.split('-')[0] ?? ''],
      ['current-uiculture', language],
    ],
  };
}

function nunitResult(passed: boolean, skipped: boolean): string {
  if (skipped) return 'Skipped';
  return passed ? 'Success' : 'Failed';
}

function nunitFailure(message: string, trace: string): Element {
  return {
    name: 'failure',
    content: [
      { name: 'message', content: message },
      { name: 'stack-trace', content: trace },
    ],
  };
}

function nunitSuite(suite: SuiteResult): Element {
  const { passed, skipped, error } = suite;
  const cases = suite.tests.map((test) => nunitCase(suite, test));
  return {
    name: 'test-suite',
    attributes: [
      ['type', 'TestFixture'],
      ['name', suite.name],
      ['description', suite.file],
      ['success', passed],
      ['time', seconds(durationOf(suite))],
      ['executed', error === undefined && !skipped],
      ['asserts', ''],
      ['result', nunitResult(passed, skipped)],
    ],
    content:
      error !== undefined
        ? [nunitFailure('Error', error)]
        : cases.length === 0
          ? []
          : [{ name: 'results', content: cases }],
  };
}

function nunitCase(suite: SuiteResult, test: TestResult): Element {
  const content: Element[] = [];
  if (isFailed(test)) content.push(nunitFailure('Failed', describeTest(test)));
  if (test.skipped) content.push({ name: 'reason', content: [{ name: 'message', content: describeTest(test) }] });
  return {
    name: 'test-case',
    attributes: [
      ['name', test.name],
      ['description', `${classOf(suite)}.${test.name}`],
      ['success', test.passed],
      ['time', seconds(test.duration)],
      ['executed', test.error === undefined && !test.skipped],
      ['asserts', '0'],
      ['result', nunitResult(test.passed, test.skipped)],
    ],
    content,
  };
}

// ---- XUnit

const method = 'Helm-Validation';

function xunit(suites: readonly SuiteResult[], world: ReportWorld): Element {
  return { name: 'assemblies', content: suites.map((suite) => xunitAssembly(suite, world)) };
}

function xunitAssembly(suite: SuiteResult, { platform, now }: ReportWorld): Element {
  const { tests, error, file } = suite;
  const isBroken = error !== undefined;
  const [date = '', time = ''] = now.split('T');
  const failed = count(tests, hasFailure);
  const environment: Element = { name: 'environment', content: platform };
  const content = isBroken ? xunitError(error) : xunitCollection(suite, failed);
  return {
    name: 'assembly',
    attributes: [
      ['name', file],
      ['config-file', file],
      ['test-framework', 'helm-unittest'],
      ['run-date', date],
      ['run-time', time],
      ['time', seconds(durationOf(suite))],
      ['total', isBroken ? 1 : tests.length],
      ['passed', isBroken ? 0 : count(tests, hasPassed)],
      ['failed', isBroken ? 0 : failed],
      ['skipped', isBroken ? 0 : count(tests, isSkipped)],
      ['errors', isBroken ? 1 : count(tests, hasError)],
    ],
    content: [environment, content],
  };
}

const hasPassed = ({ passed, skipped }: TestResult): boolean => passed && !skipped;

function xunitError(error: string): Element {
  const attributes = [
    ['type', 'Error'],
    ['name', 'Error'],
  ] as const;
  return {
    name: 'errors',
    content: [{ name: 'error', attributes, content: [xunitFailure(`${method}-Error`, 'Error', error)] }],
  };
}

function xunitFailure(type: string, message: string, trace: string): Element {
  return {
    name: 'failure',
    attributes: [['exception-type', type]],
    content: [
      { name: 'message', content: { cdata: message } },
      { name: 'stack-trace', content: { cdata: trace } },
    ],
  };
}

function xunitCollection(suite: SuiteResult, failed: number): Element {
  const { tests } = suite;
  return {
    name: 'collection',
    attributes: [
      ['name', suite.name],
      ['time', seconds(durationOf(suite))],
      ['total', tests.length],
      ['passed', count(tests, hasPassed)],
      ['failed', failed],
      ['skipped', count(tests, isSkipped)],
    ],
    content: tests.map((test) => xunitCase(suite, test)),
  };
}

function xunitCase(suite: SuiteResult, test: TestResult): Element {
  const content: Element[] = [];
  if (isFailed(test)) {
    content.push(xunitFailure(test.error === undefined ? method : `${method}-Error`, 'Failed', describeTest(test)));
  }
  if (test.skipped) content.push({ name: 'reason', content: { cdata: describeTest(test) } });
  return {
    name: 'test',
    attributes: [
      ['name', test.name],
      ['type', classOf(suite)],
      ['method', method],
      ['time', seconds(test.duration)],
      ['result', test.skipped ? 'Skip' : test.passed ? 'Pass' : 'Fail'],
    ],
    content,
  };
}

// ---- Sonar

function sonar(suites: readonly SuiteResult[]): Element {
  return {
    name: 'testExecutions',
    attributes: [['version', 1]],
    content: suites.map(({ file, tests }) => ({
      name: 'file',
      attributes: [['path', file]],
      content: tests.map(sonarCase),
    })),
  };
}

function sonarCase(test: TestResult): Element {
  const part = (name: string, message: string, cdata: string): Element => ({
    name,
    attributes: [['message', message]],
    content: { cdata },
  });
  const content: Element[] = [];
  if (hasError(test)) content.push(part('error', 'Error', test.error ?? ''));
  if (test.skipped) content.push(part('skipped', 'Skipped', describeTest(test)));
  if (hasFailure(test)) content.push(part('failure', 'Failed', describeTest(test)));
  return {
    name: 'testCase',
    attributes: [
      ['name', test.name],
      ['duration', String(test.duration / 1_000_000n)],
    ],
    content,
  };
}

// XML like Go's encoding/xml, indented with tabs.
// Mirrors: Go, encoding/xml, marshal.go, `MarshalIndent`.

/** An element: its name, its attributes in order, and its content. */
interface Element {
  readonly name: string;
  readonly attributes?: readonly (readonly [string, string | number | boolean])[];
  /** A text, escaped or in CDATA; or elements. */
  readonly content?: string | { readonly cdata: string } | readonly Element[];
}

/** Formats an element, with a final line break. */
function formatXml(element: Element): string {
  return `${format(element, '')}\n`;
}

function format({ name, attributes = [], content = '' }: Element, indent: string): string {
  const start = `${indent}<${name}${attributes.map(([key, value]) => ` ${key}="${escaped(String(value))}"`).join('')}>`;
  if (typeof content === 'string') return `${start}${escaped(content)}</${name}>`;
  if ('cdata' in content) return `${start}${cdata(content.cdata)}</${name}>`;
  if (content.length === 0) return `${start}</${name}>`;
  return `${start}\n${content.map((inner) => format(inner, `${indent}\t`)).join('\n')}\n${indent}</${name}>`;
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
