// Findings as JUnit XML for Jenkins, GitLab and others.

import type { Issue } from '../../core/errors.ts';
import { escapeXml } from '../../core/page/escape.ts';
import { formatIssue } from '../../order/read.ts';
import type { FileReport, Report, ReportedCase, ReportedIssue } from './model.ts';

/**
 * Returns a suite for each file, whose cases fail if they have errors.
 * Mirrors: the JUnit schema of Apache Ant.
 */
export function formatJUnit(report: Report): string {
  const time = report.time.toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
  const suites = report.files.map((file, id) => formatSuite(file, { id, time, command: report.command ?? 'check' }));
  const skipped = (report.leftOut ?? []).map((file, at) => skippedSuite(file, { id: suites.length + at, time }));
  const all = [...suites, ...skipped].join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${all}</testsuites>\n`;
}

function skippedSuite(file: string, { id, time }: { readonly id: number; readonly time: string }): string {
  const name = escapeXml(file);
  return `  <testsuite id="${id}" name="${name}" package="drydock" hostname="localhost" timestamp="${time}" tests="1" failures="0" errors="0" skipped="1" time="0">
    <properties/>
    <testcase classname="drydock" name="${name}" time="0"><skipped message="--bail stopped before it"/></testcase>
    <system-out></system-out>
    <system-err/>
  </testsuite>
`;
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
