// What `check` found, in the forms that other programs read: JSON, GitHub's annotations, SARIF and JUnit.

import type { Issue, Place } from '../../../render/errors.ts';
import { isAbsolutePath } from '../../../render/order/names.ts';
import { formatIssue, issueText } from '../../../render/order/read.ts';

/** The forms of a report. */
export type ReportFormat = 'text' | 'json' | 'github' | 'sarif' | 'junit';

/** An issue and where it stands. */
export interface ReportedIssue extends Place {
  readonly severity: Issue['severity'];
  /** The path in the Order; empty where the file itself is at fault. */
  readonly path: string;
  readonly message: string;
  readonly mend?: string | undefined;
  readonly code?: Issue['code'];
}

/** What was found in one file. */
export interface FileReport {
  readonly file: string;
  readonly issues: readonly ReportedIssue[];
}

/** What was found in all files, and by which version. */
export interface Report {
  readonly files: readonly FileReport[];
  readonly version: string;
  /** When the check ran. */
  readonly time: Date;
}

/** Gives a report as text, with its last line break. */
export function formatReport(report: Report, format: Exclude<ReportFormat, 'text'>): string {
  if (format === 'github') return formatGitHub(report);
  if (format === 'junit') return formatJUnit(report);
  return `${JSON.stringify(format === 'sarif' ? sarifOf(report) : jsonOf(report), null, 2)}\n`;
}

/** Gives how many issues of a severity there are. */
export function countIssues({ files }: Pick<Report, 'files'>, severity: Issue['severity']): number {
  return files.flatMap(({ issues }) => issues.filter((issue) => issue.severity === severity)).length;
}

function jsonOf(report: Report): unknown {
  const files = report.files.map(({ file, issues }) => ({
    file,
    issues: issues.map(({ severity, path, message, mend, ...place }) => ({ severity, path, message, mend, ...place })),
  }));
  return {
    files,
    errors: countIssues(report, 'error'),
    warnings: countIssues(report, 'warning'),
    notes: countIssues(report, 'note'),
  };
}

// Mirrors: the workflow commands of GitHub Actions: what would end a property or the line is percent-encoded.
function formatGitHub({ files }: Report): string {
  const data = (text: string): string => text.replace(/[%\r\n]/g, (char) => encodeURIComponent(char));
  const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
  const words = { error: 'error', warning: 'warning', note: 'notice' } as const;
  return files
    .flatMap(({ issues }) =>
      issues.map((issue) => {
        const place = [
          `file=${property(issue.file)}`,
          ...(issue.line === undefined ? [] : [`line=${issue.line}`]),
          ...(issue.column === undefined ? [] : [`col=${issue.column}`]),
        ];
        return `::${words[issue.severity]} ${place.join(',')}::${data(issueText(issue))}\n`;
      }),
    )
    .join('');
}

const ruleId = 'order';

// Mirrors: OASIS, Static Analysis Results Interchange Format 2.1.0.
function sarifOf({ files, version }: Report): unknown {
  const driver = {
    name: 'drydock',
    version,
    informationUri: 'https://github.com/drydock-offline/drydock',
    rules: [
      { id: ruleId, shortDescription: { text: 'What is wrong with an Order, or with what it renders to' } },
      { id: 'RANDOM_VALUE', shortDescription: { text: 'What each rendering of an Order gives otherwise' } },
      { id: 'UNREAD_VALUE', shortDescription: { text: 'A value of an Order that no template reads' } },
    ],
  };
  const results = files.flatMap(({ issues }) =>
    issues.map((issue) => ({
      ruleId: issue.code ?? ruleId,
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
    })),
  );
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    // Columns are counted as editors count them.
    runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', results }],
  };
}

// A relative path is a relative reference; blanks and other characters that are not of URIs are encoded.
function uriOf(file: string): string {
  const path = file.replaceAll('\\', '/');
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  if (!isAbsolutePath(path)) return encoded;
  return path.startsWith('/') ? `file://${encoded}` : `file:///${encoded.replace('%3A', ':')}`;
}

// Mirrors: the JUnit schema of Apache Ant: a suite for each file, whose one case fails where there are errors.
function formatJUnit(report: Report): string {
  const suites = report.files.map(({ file, issues }, id) => {
    const lines = (...severities: readonly Issue['severity'][]): string =>
      issues
        .filter(({ severity }) => severities.includes(severity))
        .map((issue) => formatIssue(issue, issue))
        .join('\n');
    const name = escapeXml(file);
    const errors = escapeXml(lines('error'));
    const failure = errors === '' ? '' : `<failure message="${errors}" type="error">${errors}</failure>`;
    const time = report.time.toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
    return `  <testsuite id="${id}" name="${name}" package="drydock" hostname="localhost" timestamp="${time}" tests="1" failures="${errors === '' ? 0 : 1}" errors="0" time="0">
    <properties/>
    <testcase classname="drydock" name="check ${name}" time="0">${failure}</testcase>
    <system-out>${escapeXml(lines('warning', 'note'))}</system-out>
    <system-err/>
  </testsuite>
`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('')}</testsuites>\n`;
}

// What XML 1.0 cannot hold at all becomes the sign for that.
function escapeXml(text: string): string {
  const known: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    '\n': '&#10;',
  };
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"\n]/g, (char) => known[char] ?? char);
}
