// A report as one list: the issues of all files, and the skipped inputs.

import { counted, listNames } from '../core/counted.ts';
import { reviewIssues } from './changes.ts';
import type { Report, ReportedIssue } from './model.ts';

/** Returns the issues of a report in file order, with those of differences and skipped inputs. */
export function allIssues(report: Pick<Report, 'files' | 'leftOut' | 'difference'>): ReportedIssue[] {
  const { leftOut: [file] = [], difference } = report;
  const listed = [
    ...report.files.flatMap(({ issues }) => issues),
    ...(difference === undefined ? [] : reviewIssues(difference)),
  ];
  if (file === undefined) return listed;
  return [...listed, { severity: 'warning', rule: 'left-out', path: '', message: leftOutText(report), file }];
}

/** Describes skipped inputs, such as `--bail left out 2 inputs: a, b`; empty if there are none. */
export function leftOutText({ leftOut = [] }: Pick<Report, 'leftOut'>): string {
  return leftOut.length === 0 ? '' : `--bail left out ${counted(leftOut.length, 'input')}: ${listNames(leftOut, 50)}`;
}

/** Returns the issues of a report for people: the same message of several files once, with its count; existing ones come last. */
export function sharedIssues(report: Parameters<typeof allIssues>[0]): ReportedIssue[] {
  const groups = new Map<string, ReportedIssue[]>();
  for (const issue of allIssues(report)) {
    const key = JSON.stringify([issue.severity, issue.path, issue.message, issue.isStanding]);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [issue]);
    else known.push(issue);
  }
  const all = [...groups.values()].map((issues): ReportedIssue => {
    const first = issues[0]!;
    const files = new Set(issues.map(({ file }) => file)).size - 1;
    return files === 0 ? first : { ...first, message: `${first.message} (and in ${counted(files, 'more file')})` };
  });
  const isOld = ({ isStanding }: ReportedIssue): boolean => isStanding === true;
  return [...all.filter((issue) => !isOld(issue)), ...all.filter(isOld)];
}
