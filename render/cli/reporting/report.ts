// Formats findings for people and for other programs.

import type { Issue } from '../../core/errors.ts';
import { formatGitHub } from './github.ts';
import { formatGitLab } from './gitlab.ts';
import { formatHtml } from './html.ts';
import { formatJUnit } from './junit.ts';
import { formatMarkdown } from './markdown.ts';
import type { Report, ReportFormat } from './model.ts';
import { sarifOf } from './sarif.ts';

/** Formats a report, with its last line break. */
export function formatReport(report: Report, format: ReportFormat): string {
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

/** Returns the number of issues with a severity. */
export function countIssues({ files }: Pick<Report, 'files'>, severity: Issue['severity']): number {
  return files.flatMap(({ issues }) => issues.filter((issue) => issue.severity === severity)).length;
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
