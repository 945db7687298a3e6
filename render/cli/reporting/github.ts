// The annotations of GitHub Actions.

import { issueText } from '../../order/read.ts';
import { sharedIssues } from './issues.ts';
import type { Report, ReportedIssue } from './model.ts';

// GitHub shows at most ten annotations of a step for each severity.
const mostAnnotations = 10;

/**
 * Returns a line for each issue, errors first, at most ten; the last says how many more there are.
 *
 * Mirrors: the workflow commands of GitHub Actions: what would end a property or the line is percent-encoded.
 */
export function formatGitHub(report: Report): string {
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

const severities = ['error', 'warning', 'note'] as const;
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
