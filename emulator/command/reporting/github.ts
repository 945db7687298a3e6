// The annotations of GitHub Actions.

import { issueText } from '../../../render/order/read.ts';
import { allIssues } from './issues.ts';
import type { Report } from './model.ts';

/**
 * Gives a line for each issue; the same issue of several cases is told once.
 *
 * Mirrors: the workflow commands of GitHub Actions: what would end a property or the line is percent-encoded.
 */
export function formatGitHub(report: Report): string {
  const data = (text: string): string => text.replace(/[%\r\n]/g, (char) => encodeURIComponent(char));
  const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
  const words = { error: 'error', warning: 'warning', note: 'notice' } as const;
  const lines = allIssues(report).map((issue) => {
    const place = [
      `file=${property(issue.file)}`,
      ...(issue.line === undefined ? [] : [`line=${issue.line}`]),
      ...(issue.column === undefined ? [] : [`col=${issue.column}`]),
    ];
    return `::${words[issue.severity]} ${place.join(',')}::${data(issueText(issue))}\n`;
  });
  return [...new Set(lines)].join('');
}
