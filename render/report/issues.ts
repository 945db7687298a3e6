// A report as one list: the issues of all files, the causes of differences at the lines that a user edits, and the skipped inputs.

import { counted, cutText, listNames } from '../core/counted.ts';
import { groupBy } from '../core/group-by.ts';
import { formatGroupBody, isRisky, kindsText, type Review, type ReviewGroup } from '../diff/review.ts';
import { restartCount } from '../diff/text.ts';
import type { Report, ReportedDifference, ReportedIssue } from './model.ts';

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

export function sharedIssues(report: Parameters<typeof allIssues>[0]): ReportedIssue[] {
  const groups = groupBy(allIssues(report), ({ severity, path, message, isStanding }) =>
    JSON.stringify([severity, path, message, isStanding]),
  );
  const all = [...groups.values()].map((issues): ReportedIssue => {
    const [first] = issues;
    const files = new Set(issues.map(({ file }) => file)).size - 1;
    return files === 0 ? first : { ...first, message: `${first.message} (and in ${counted(files, 'more file')})` };
  });
  const isOld = ({ isStanding }: ReportedIssue): boolean => isStanding === true;
  return [...all.filter((issue) => !isOld(issue)), ...all.filter(isOld)];
}

/** Returns an issue for each cause, the riskiest first. */
export function reviewIssues({ review, severity }: Pick<ReportedDifference, 'review' | 'severity'>): ReportedIssue[] {
  return review.groups.map((group) => ({
    severity: severity === 'note' && isRisky(group) ? 'warning' : severity,
    rule: 'difference',
    path: '',
    message: groupMessage(group),
    ...placeOf(group),
  }));
}

/** Formats the effects of a cause on one line, such as `image.tag: 2 objects in 1 input change; 1 workload restarts`. */
export function groupSummary({ blocks, objects, inputs, restarts }: ReviewGroup): string {
  const where = inputs.length > 1 ? ` in ${counted(inputs.length, 'input')}` : '';
  const kinds = kindsText(blocks.flatMap((block) => block.objects));
  const changed = objects === 0 ? [] : [`${kinds}${where}`];
  return [...changed, ...(restarts.length === 0 ? [] : [restartCount(restarts.length)])].join('; ');
}

function placeOf({ place, inputs }: ReviewGroup): Pick<ReportedIssue, 'file' | 'line'> {
  if (place === undefined) return { file: inputFile(inputs[0] ?? '') };
  return { file: place.file, ...(place.line === undefined ? {} : { line: place.line }) };
}

function groupMessage(group: ReviewGroup): string {
  const { title, marks } = group;
  const risks = marks.length === 0 ? '' : ` [${marks.join(', ')}]`;
  const text = formatGroupBody(group, { lines: 12, objects: 3, isCut: true, rest: '' });
  const body = text.replace(/^ {2}/gm, '').trim();
  return cutText(`${title === '' ? '' : `${title}: `}${groupSummary(group)}${risks}\n${body}`.trim(), 1500);
}

/** Returns a file that represents an input: for a chart its Chart.yaml. */
export function inputFile(input: string): string {
  return /\.(?:ya?ml|json|tgz)$/.test(input) || input === '' ? input : `${input}/Chart.yaml`;
}

/** Returns the causes with effects in one case of an input. */
export function groupsOfCase(
  { groups }: Review,
  input: string,
  isOwn: (cases: readonly string[]) => boolean,
): ReviewGroup[] {
  return groups.filter(({ blocks }) =>
    blocks.some(({ objects }) => objects.some((one) => one.input === input && isOwn(one.change.cases ?? []))),
  );
}
