// Causes of differences as issues: one for each, at the line that a user edits.

import { counted, cutText } from '../core/counted.ts';
import { formatGroupBody, isRisky, kindsText, type Review, type ReviewGroup } from '../diff/review.ts';
import type { ReportedDifference, ReportedIssue } from './model.ts';

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
  const count = restarts.length;
  return [
    ...changed,
    ...(count === 0 ? [] : [`${counted(count, 'workload')} ${count === 1 ? 'restarts' : 'restart'}`]),
  ].join('; ');
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
