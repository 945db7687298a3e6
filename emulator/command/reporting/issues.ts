// What a report tells in a row: the issues of all files, and which inputs nobody looked at.

import { counted, listNames } from '../counted.ts';
import type { Report, ReportedIssue } from './model.ts';

/** Gives the issues of a report, in the order of its files; behind them what was left out. */
export function allIssues(report: Pick<Report, 'files' | 'leftOut'>): ReportedIssue[] {
  const { leftOut: [file] = [] } = report;
  const told = report.files.flatMap(({ issues }) => issues);
  if (file === undefined) return told;
  return [...told, { severity: 'warning', rule: 'left-out', path: '', message: leftOutText(report), file }];
}

/** Gives in words what was left out, such as `--bail left out 2 inputs: a, b`; empty where nothing was. */
export function leftOutText({ leftOut = [] }: Pick<Report, 'leftOut'>): string {
  return leftOut.length === 0 ? '' : `--bail left out ${counted(leftOut.length, 'input')}: ${listNames(leftOut, 50)}`;
}
