// A report as a Markdown comment: a summary, a table of causes, and collapsed details; the least risky ones are cut first.

import { counted, cutText, listNames } from '../core/counted.ts';
import { backticksAround } from '../core/markdown.ts';
import {
  formatGroupBody,
  formatGroupTitle,
  formatReviewCounts,
  isRisky,
  type Review,
  type ReviewGroup,
} from '../diff/review.ts';
import { risksText } from '../diff/text.ts';
import { formatIssue } from '../order/read.ts';
import { groupSummary, sharedIssues } from './issues.ts';
import type { Report, ReportedDifference, ReportedIssue } from './model.ts';

/** GitHub's limit for comments is 65,536 characters, some of which count more than once; GitLab's is larger. */
const maxLength = 60_000;
const maxRows = 20;
const maxIssue = 3000;
/** Maximum share of one cause. */
const detail = { lines: 120, objects: 25, isCut: true, rest: '' };
const maxDetail = 12_000;
/** The size of the last line. */
const noteLength = 250;

/** Formats a report with at most 60,000 characters: errors first, then causes, the riskiest first. */
export function formatMarkdown(report: Report, most = maxLength): string {
  const { difference } = report;
  const review = difference?.review;
  const head = [
    `### drydock ${report.command ?? 'check'}: ${headline(report)}\n`,
    ...(difference ? summary(difference) : []),
  ];
  const issues = ownIssues(report).map(issueLine);
  const table = review === undefined ? '' : causeTable(review);
  const details = (review?.groups ?? []).map((group) => folded(group));
  const texts = (difference?.texts ?? []).map(({ title, diff }) => textPart(title, diff));
  let room = most - head.join('').length - table.length - noteLength;
  const take = (parts: readonly string[], limit: number): readonly string[] => {
    const shown = beginning(parts, limit);
    room -= shown.reduce((sum, part) => sum + part.length, 0);
    return shown;
  };
  const listed = take(issues, details.length === 0 ? room : room / 3);
  const shown = take(details, room);
  const others = shown.length < details.length ? [] : take(texts, room);
  const left = [
    ...(listed.length < issues.length ? [counted(issues.length - listed.length, 'more problem')] : []),
    ...(shown.length < details.length
      ? [`the details of the last ${counted(details.length - shown.length, 'cause')}, the least risky`]
      : []),
    ...(others.length < texts.length ? [counted(texts.length - others.length, 'text')] : []),
  ];
  const note =
    left.length === 0
      ? ''
      : `\n_Left out, to fit into a comment: ${left.join(', ')}. The other reports of this run have them._\n`;
  const list = listed.length === 0 ? '' : `\n${listed.join('')}`;
  return [...head, list, table, ...shown, ...others, note].join('');
}

// Without those that the revision has, too. A note lists the snapshots to record.
function ownIssues(report: Report): ReportedIssue[] {
  const isOfRecord = (report.difference?.against ?? '') === '';
  return sharedIssues({ ...report, difference: undefined }).filter(
    ({ rule, isStanding }) => isStanding !== true && (rule !== 'difference' || isOfRecord),
  );
}

// Returns the first texts that fit, with a separator after each.
function beginning(parts: readonly string[], limit: number, separator = 0): readonly string[] {
  let length = 0;
  const end = parts.findIndex((part) => {
    length += part.length + separator;
    return length > limit;
  });
  return end < 0 ? parts : parts.slice(0, end);
}

function headline({ leftOut = [], ...report }: Report): string {
  const { files, difference } = report;
  const issues = ownIssues(report);
  const number = (severity: ReportedIssue['severity']): number =>
    issues.filter((one) => one.severity === severity).length;
  const changed = difference?.review.inputs.length ?? 0;
  const counts = { error: number('error'), warning: number('warning'), note: number('note') };
  const parts = [
    ...(changed > 0 ? [`${changed} of ${counted(files.length, 'input')} ${changed === 1 ? 'changes' : 'change'}`] : []),
    ...Object.entries(counts).flatMap(([noun, count]) => (count > 0 ? [counted(count, noun)] : [])),
    ...(leftOut.length > 0 ? [`${counted(leftOut.length, 'input')} left out`] : []),
  ];
  return parts.length === 0 ? `nothing changes in ${counted(files.length, 'input')}` : parts.join(', ');
}

function summary({ review, against, notes }: ReportedDifference): string[] {
  const counts = formatReviewCounts(review);
  const risks = risksText(review.summary);
  const lines = [
    ...(counts === '' ? [] : [`**${counts}**`]),
    ...(risks === '' ? [] : [`Risks: **${risks}**`]),
    ...(against === '' ? [] : [`Compared with \`${against}\`.`]),
    ...notes.map(escapeText),
  ];
  return lines.length === 0 ? [] : [`\n${lines.join('<br>\n')}\n`];
}

function causeTable({ groups }: Review): string {
  if (groups.length < 2) return '';
  const rows = groups.slice(0, maxRows).map((group) => {
    const cells = [
      `${isRisky(group) ? '⚠️ ' : ''}${escapeText(cutText(formatGroupTitle(group), 150))}`,
      escapeText(listNames(group.inputs, 3)),
      escapeText(groupSummary(group)),
      group.marks.join(', '),
    ];
    return `| ${cells.join(' | ')} |\n`;
  });
  const rest = groups.length - rows.length;
  const more = rest <= 0 ? '' : `| … and ${rest} more | | | |\n`;
  return `\n| Cause | Inputs | Changes | Risks |\n|---|---|---|---|\n${rows.join('')}${more}`;
}

function folded(group: ReviewGroup): string {
  const [cases = '', ...lines] = formatGroupBody(group, detail).trimEnd().split('\n');
  const marks = group.marks.length === 0 ? '' : ` [${group.marks.join(', ')}]`;
  const title = `<b>${escapeText(cutText(formatGroupTitle(group), 200))}</b>: ${escapeText(groupSummary(group) + marks + cases)}`;
  return fenced(
    title,
    lines.map((line) => line.slice(2)),
    isRisky(group),
  );
}

function textPart(title: string, diff: string): string {
  return diff === '' ? `\n${escapeText(title)}\n` : fenced(escapeText(title), diff.trimEnd().split('\n'), false);
}

// Within the fence `+` and `-` are colored.
function fenced(title: string, lines: readonly string[], isOpen: boolean): string {
  const shown = beginning(lines, maxDetail, 1);
  const rest = lines.length - shown.length;
  const kept = rest === 0 ? shown : [...shown, `… and ${counted(rest, 'more line')}`];
  const content = kept.map((line) => line.replace(/^( +)([-+~]) /, '$2$1'));
  const fence = backticksAround(content.join('\n'), 3);
  const open = isOpen ? ' open' : '';
  return `\n<details${open}><summary>${title}</summary>\n\n${fence}diff\n${content.join('\n')}\n${fence}\n\n</details>\n`;
}

function issueLine(issue: ReportedIssue): string {
  return `- ${escapeText(cutText(formatIssue(issue, issue), maxIssue)).replaceAll('\n', '<br>')}\n`;
}

function escapeText(text: string): string {
  return text
    .replace(/[&<>]/g, (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[char]!)
    .replace(/[\\`*_[\]#|~@]/g, (char) => `&#${char.charCodeAt(0)};`);
}
