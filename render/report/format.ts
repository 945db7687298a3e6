// Formats findings for people and for other programs: GitHub, GitLab, SARIF, JUnit.

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { checkArguments, having, kind, listOf, oneOf, text } from '../core/arguments.ts';
import type { Issue } from '../core/errors.ts';
import { escapeXml } from '../core/page/escape.ts';
import { encodeUtf8 } from '../go/utf8.ts';
import { isAbsolutePath } from '../order/names.ts';
import { formatIssue, issueText } from '../order/read.ts';
import { formatHtml } from './html.ts';
import { allIssues, sharedIssues } from './issues.ts';
import { formatMarkdown } from './markdown.ts';
import {
  type FileReport,
  type Report,
  type ReportedCase,
  type ReportedIssue,
  type ReportFormat,
  reportFormats,
} from './model.ts';

const severities = ['error', 'warning', 'note'] as const;
const issues = listOf(
  having<ReportedIssue>('an issue', { severity: oneOf(severities), path: text, message: text, file: text }),
);
const files = listOf(having<FileReport>('the report of a file', { file: text, issues }));
const reportArgument = having<Report>('a report, as of compareSnapshots or diffInputs', {
  version: text,
  time: kind('a Date', isDate),
  files,
});
const filesArgument = having<Pick<Report, 'files'>>('a report, as of compareSnapshots or diffInputs', { files });

function isDate(value: unknown): boolean {
  return value instanceof Date && Number.isFinite(value.getTime());
}

/**
 * Formats a report, with its last line break: for people (`text`, `markdown`, `html`), as data (`json`), for code review in GitHub
 * (`github`, at most ten annotations) and GitLab (`gitlab`), for test results (`junit`) and code scanning (`sarif`). Throws ARGUMENT_INVALID.
 * @example
 * const { report } = await compareSnapshots(['charts/*']);
 * writeFileSync('report.xml', formatReport(report, 'junit'));
 */
export function formatReport(report: Report, format: ReportFormat): string {
  checkArguments('formatReport', ['report', report, reportArgument], ['format', format, oneOf(reportFormats)]);
  switch (format) {
    case 'text':
      return report.text ?? '';
    case 'github':
      return formatGitHub(report);
    case 'gitlab':
      return formatGitLab(report);
    case 'junit':
      return formatJUnit(report);
    case 'markdown':
      return formatMarkdown(report);
    case 'html':
      return formatHtml(report);
    default: {
      const data = format === 'sarif' ? sarifOf(report) : (report.data ?? jsonOf(report));
      return `${JSON.stringify(data, null, 2)}\n`;
    }
  }
}

/**
 * Returns the number of issues with a severity in all files of a report. Throws ARGUMENT_INVALID.
 * @example
 * process.exitCode = countIssues(report, 'error') === 0 ? 0 : 1;
 */
export function countIssues(report: Pick<Report, 'files'>, severity: Issue['severity']): number {
  checkArguments('countIssues', ['report', report, filesArgument], ['severity', severity, oneOf(severities)]);
  const all = report.files.flatMap((file) => file.issues);
  return all.filter((issue) => issue.severity === severity).length;
}

function jsonOf(report: Report): unknown {
  const files = report.files.map(({ file, issues }) => ({
    file,
    issues: issues.map(({ severity, path, message, hint, ...place }) => ({ severity, path, message, hint, ...place })),
  }));
  return {
    files,
    errors: countIssues(report, 'error'),
    warnings: countIssues(report, 'warning'),
    notes: countIssues(report, 'note'),
  };
}

// The annotations of GitHub Actions.

// GitHub shows at most ten annotations of a step for each severity.
const mostAnnotations = 10;

/**
 * Returns a line for each issue, errors first, at most ten; the last says how many more there are.
 *
 * Mirrors: the workflow commands of GitHub Actions: what would end a property or the line is percent-encoded.
 */
function formatGitHub(report: Report): string {
  const all = [...new Map(sharedIssues(report).map((issue) => [lineOf(issue), issue])).values()];
  // Existing issues must not displace new ones.
  const sorted = [undefined, true].flatMap((isStanding) =>
    severities.flatMap((severity) =>
      all.filter((issue) => issue.severity === severity && issue.isStanding === isStanding),
    ),
  );
  if (sorted.length <= mostAnnotations) return sorted.map(lineOf).join('');
  const shown = sorted.slice(0, mostAnnotations - 1);
  const rest = sorted.length - shown.length;
  const { severity, file } = sorted[shown.length]!;
  const more: ReportedIssue = { severity, path: '', message: `and ${rest} more: see the report of this run`, file };
  return [...shown, more].map(lineOf).join('');
}

const words = { error: 'error', warning: 'warning', note: 'notice' } as const;

function lineOf(issue: ReportedIssue): string {
  const place = [
    `file=${property(issue.file)}`,
    ...(issue.line === undefined ? [] : [`line=${issue.line}`]),
    ...(issue.column === undefined ? [] : [`col=${issue.column}`]),
  ];
  return `::${words[issue.severity]} ${place.join(',')}::${data(issueText(issue))}\n`;
}

function data(text: string): string {
  return text.replace(/[%\r\n]/g, (char) => encodeURIComponent(char));
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

// Findings as a Code Quality report, which GitLab shows in the diff of a merge request.

/** Returns one JSON list. Mirrors: GitLab, Code Quality report format (docs.gitlab.com/ci/testing/code_quality). */
function formatGitLab(report: Report): string {
  const severities = { error: 'major', warning: 'minor', note: 'info' } as const;
  const found = new Map<string, unknown>();
  for (const issue of allIssues(report)) {
    const description = issueText(issue);
    const fingerprint = digest(`${issue.file}\n${description}`);
    const check_name = issue.rule ?? issue.code ?? 'order';
    const location = { path: issue.file, lines: { begin: issue.line ?? 1 } };
    found.set(`${fingerprint} ${issue.line}`, {
      description,
      check_name,
      fingerprint,
      severity: severities[issue.severity],
      location,
    });
  }
  return `${JSON.stringify([...found.values()], null, 2)}\n`;
}

// Identifies a finding across runs, without its line.
function digest(text: string): string {
  return bytesToHex(sha256(encodeUtf8(text))).slice(0, 32);
}

// Findings as SARIF, for code scanning.

const ruleId = 'order';

const ruleTexts: Readonly<Record<string, string>> = {
  [ruleId]: 'What is wrong with an Order, or with what it renders to',
  RANDOM_VALUE: 'A value that differs in each rendering of an Order',
  difference: 'What is rendered means something else than what it is compared with',
  SCHEMA_INVALID: 'An object that violates the schema of its kind',
  API_DEPRECATED: 'An object of a removed or deprecated API',
  'left-out': 'Inputs that were not checked',
  failure: 'What does not render',
  UNREAD_VALUE: 'A value of an Order that no template reads',
};

/** Returns findings as the object of a SARIF log. Mirrors: OASIS, Static Analysis Results Interchange Format 2.1.0. */
function sarifOf(report: Report): unknown {
  const driver = {
    name: 'drydock',
    version: report.version,
    informationUri: 'https://github.com/drydock-offline/drydock',
    rules: Object.entries(ruleTexts).map(([id, text]) => ({ id, shortDescription: { text } })),
  };
  const results = allIssues(report).map((issue) => ({
    ruleId: issue.rule ?? issue.code ?? ruleId,
    level: issue.severity,
    message: { text: issueText(issue) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(issue.file) },
          ...(issue.line === undefined ? {} : { region: { startLine: issue.line, startColumn: issue.column ?? 1 } }),
        },
        ...(issue.path === '' ? {} : { logicalLocations: [{ fullyQualifiedName: issue.path }] }),
      },
    ],
  }));
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    // Columns are in UTF-16 units.
    runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', results }],
  };
}

// A relative path is a relative reference; spaces and other invalid characters are percent-encoded.
function uriOf(file: string): string {
  const path = file.replaceAll('\\', '/');
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  if (!isAbsolutePath(path)) return encoded;
  return path.startsWith('/') ? `file://${encoded}` : `file:///${encoded.replace('%3A', ':')}`;
}

// Findings as JUnit XML for Jenkins, GitLab and others.

/**
 * Returns a suite for each file, whose cases fail if they have errors.
 * Mirrors: the JUnit schema of Apache Ant.
 */
function formatJUnit(report: Report): string {
  const time = report.time.toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
  const suites = report.files.map((file, id) => formatSuite(file, { id, time, command: report.command ?? 'check' }));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('')}</testsuites>\n`;
}

function formatSuite(
  { file, issues, cases }: FileReport,
  { id, time, command }: { readonly id: number; readonly time: string; readonly command: string },
): string {
  const name = escapeXml(file);
  const all = cases ?? [{ name: `${command} ${file}`, milliseconds: 0, issues }];
  const failures = all.filter((one) => linesOf(one.issues, 'error') !== '').length;
  const spent = all.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  const classname = cases === undefined ? 'drydock' : escapeXml(`drydock.${command}.${file.replaceAll('.', '_')}`);
  const rows = all.map((one) => `    ${formatCase(one, classname)}\n`).join('');
  return `  <testsuite id="${id}" name="${name}" package="drydock" hostname="localhost" timestamp="${time}" tests="${all.length}" failures="${failures}" errors="0" time="${seconds(spent)}">
    <properties/>
${rows}    <system-out>${escapeXml(linesOf(issues, 'warning', 'note'))}</system-out>
    <system-err/>
  </testsuite>
`;
}

function formatCase({ name, milliseconds, issues }: ReportedCase, classname: string): string {
  const errors = escapeXml(linesOf(issues, 'error'));
  const failure = errors === '' ? '' : `<failure message="${errors}" type="error">${errors}</failure>`;
  return `<testcase classname="${classname}" name="${escapeXml(name)}" time="${seconds(milliseconds)}">${failure}</testcase>`;
}

function seconds(milliseconds: number): string {
  return String(Math.round(milliseconds) / 1000);
}

function linesOf(issues: readonly ReportedIssue[], ...severities: readonly Issue['severity'][]): string {
  return issues
    .filter(({ severity }) => severities.includes(severity))
    .map((issue) => formatIssue(issue, issue))
    .join('\n');
}
