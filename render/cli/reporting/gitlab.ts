// Findings as a Code Quality report, which GitLab shows in the diff of a merge request.

import { issueText } from '../../order/read.ts';
import { allIssues } from './issues.ts';
import type { Report, ReportedIssue } from './model.ts';

/** Returns one JSON list. Mirrors: GitLab, Code Quality report format (docs.gitlab.com/ci/testing/code_quality). */
export function formatGitLab(report: Report): string {
  const severities = { error: 'major', warning: 'minor', note: 'info' } as const;
  const found = new Map<string, unknown>();
  for (const issue of allIssues(report)) {
    const description = issueText(issue);
    const fingerprint = digest(`${issue.file}\n${description}`);
    const check_name = issue.rule ?? issue.code ?? 'order';
    const location = { path: issue.file, lines: { begin: issue.line ?? 1 } };
    found.set(keyOf(issue, fingerprint), {
      description,
      check_name,
      fingerprint,
      severity: severities[issue.severity],
      location,
    });
  }
  return `${JSON.stringify([...found.values()], null, 2)}\n`;
}

function keyOf({ line }: ReportedIssue, fingerprint: string): string {
  return `${fingerprint} ${line}`;
}

// Identifies a finding across runs, without its line: two rounds of FNV-1a, which need no dependency.
function digest(text: string): string {
  return [0x811c9dc5, 0x01000193, 0x9e3779b9, 0x85ebca6b].map((seed) => round(text, seed)).join('');
}

function round(text: string, seed: number): string {
  let hash = seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
}
