// A report as Markdown for a comment: folded, cut with a count where it is too long, and never broken.

import { formatBlocks, formatSummary, type ToldChange } from '../../../render/diff/text.ts';
import { distinct } from '../../../render/distinct.ts';
import { formatIssue } from '../../../render/order/read.ts';
import { counted, cutText, listNames } from '../counted.ts';
import { allIssues } from './issues.ts';
import type { Report, ReportedDifference, ReportedIssue } from './model.ts';

/** What GitHub takes for a comment is 65,536 characters; GitLab takes more. */
const maxLength = 60_000;
const maxLines = 200;
const maxLine = 1000;
/** One object leaves room for others. */
const maxBlock = 12_000;
/** What the last line takes. */
const noteLength = 150;

/** What differs in one input. */
interface Section {
  readonly head: string;
  readonly blocks: readonly string[];
}

/** Gives a report of at most 60,000 characters: what is at fault first, which leaves half of them to what differs. */
export function formatMarkdown(report: Report, most = maxLength): string {
  const head = `### drydock ${report.command ?? 'check'}\n\n${headline(report)}\n`;
  const sections = (report.differences ?? []).map(differenceSection).filter(({ blocks }) => blocks.length > 0);
  const issues = issueBlocks(report);
  let room = most - head.length - noteLength;
  const told = fitting(issues, sections.length === 0 ? room : room / 2);
  room -= lengthOf(told);
  const shown: string[] = [];
  const left = { changes: 0, inputs: 0 };
  for (const section of sections) {
    const blocks = fitting(section.blocks, room - section.head.length);
    const text = blocks.length === 0 ? [] : [section.head, ...blocks];
    shown.push(...text);
    room -= lengthOf(text);
    left.changes += section.blocks.length - blocks.length;
    left.inputs += blocks.length < section.blocks.length ? 1 : 0;
  }
  const more = [
    ...(told.length < issues.length ? [counted(issues.length - told.length, 'more issue')] : []),
    ...(left.changes > 0 ? [`${counted(left.changes, 'more change')} in ${counted(left.inputs, 'input')}`] : []),
  ];
  const note = more.length === 0 ? '' : `\n… and ${more.join(', ')}: the whole is in the other reports of this run.\n`;
  return [head, ...told, ...shown, note].join('');
}

function fitting(blocks: readonly string[], room: number): readonly string[] {
  let length = 0;
  const end = blocks.findIndex((block) => {
    length += block.length;
    return length > room;
  });
  return end < 0 ? blocks : blocks.slice(0, end);
}

function lengthOf(blocks: readonly string[]): number {
  return blocks.reduce((sum, block) => sum + block.length, 0);
}

function headline(report: Report): string {
  const { files, differences = [], leftOut = [] } = report;
  const told = distinct(files.flatMap(({ issues }) => issues)).filter(({ rule }) => rule !== 'difference');
  const number = (severity: ReportedIssue['severity']): number =>
    told.filter((one) => one.severity === severity).length;
  const changed = differences.filter(({ changes, texts }) => changes.length + texts.length > 0).length;
  const counts = { fault: number('error'), warning: number('warning'), note: number('note') };
  const parts = [
    ...(changed > 0 ? [`${changed} of ${counted(files.length, 'input')} different`] : []),
    ...Object.entries(counts).flatMap(([noun, count]) => (count > 0 ? [counted(count, noun)] : [])),
    ...(leftOut.length > 0 ? [`${counted(leftOut.length, 'input')} left out`] : []),
  ];
  return parts.length === 0 ? `${counted(files.length, 'input')}, nothing to tell.` : `**${parts.join(', ')}**`;
}

function differenceSection(difference: ReportedDifference): Section {
  const { title, changes, texts } = difference;
  const summary = formatSummary(difference).trim().split('\n').map(escapeText).join('<br>');
  const noteOf = (change: ToldChange): string => {
    const { files = [] } = change as ReportedDifference['changes'][number];
    return files.length === 0 ? '' : `  in ${listNames(files)}`;
  };
  const objects = formatBlocks(changes, { noteOf }).map((block) => folded(headOf(block), block));
  const others = texts.map(({ title: name, diff }) => (diff === '' ? `\n${escapeText(name)}\n` : folded(name, diff)));
  const head = `\n#### ${escapeText(title)}\n${changes.length === 0 ? '' : `\n${summary}\n`}`;
  return { head, blocks: [...objects, ...others] };
}

function headOf(block: string): string {
  const [first = ''] = block.split('\n');
  const more = block.split('\n').filter((line) => /^[-+~!>] /.test(line)).length - 1;
  return more === 0 ? first : `${first} and ${more} more`;
}

// Within the fence `+` and `-` are coloured; a text that holds a fence gets a longer one.
function folded(title: string, text: string): string {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => cutText(line.replace(/^( +)([-+~]) /, '$2$1'), maxLine));
  let length = 0;
  const end = lines.findIndex((line, at) => {
    length += line.length + 1;
    return at >= maxLines || length > maxBlock;
  });
  const content = end < 0 ? lines : [...lines.slice(0, end), `… and ${counted(lines.length - end, 'more line')}`];
  const longest = Math.max(2, ...content.flatMap((line) => [...line.matchAll(/`+/g)].map(([ticks]) => ticks.length)));
  const fence = '`'.repeat(longest + 1);
  return `\n<details><summary>${escapeText(title)}</summary>\n\n${fence}diff\n${content.join('\n')}\n${fence}\n\n</details>\n`;
}

function issueBlocks(report: Report): string[] {
  const told = allIssues(report).filter(({ rule }) => rule !== 'difference');
  // Not one word of Helm's is lost here, but where a chart puts a whole document into its message.
  const textOf = (issue: ReportedIssue): string => cutText(formatIssue(issue, issue), maxBlock / 4);
  return [...new Set(told.map((issue) => `\n- ${escapeText(textOf(issue)).replaceAll('\n', '<br>')}\n`))];
}

function escapeText(text: string): string {
  return text
    .replace(/[&<>]/g, (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[char]!)
    .replace(/[\\`*_[\]#|~@]/g, (char) => `&#${char.charCodeAt(0)};`);
}
