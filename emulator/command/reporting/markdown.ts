// A report as Markdown for a comment: folded, cut with a count where it is too long, and never broken.

import { formatBlocks, formatSummary, type ToldChange } from '../../../render/diff/text.ts';
import { formatIssue } from '../../../render/order/read.ts';
import { listNames } from '../counted.ts';
import { allIssues } from './issues.ts';
import type { Report, ReportedDifference } from './model.ts';

/** What GitHub takes for a comment is 65,536 characters; GitLab takes more. */
const maxLength = 60_000;
const maxLines = 200;

/** Gives a report of at most 60,000 characters. */
export function formatMarkdown(report: Report, most = maxLength): string {
  const blocks = [...(report.differences ?? []).flatMap(differenceBlocks), ...issueBlocks(report)];
  const head = `### drydock ${report.command ?? 'check'}\n\n${headline(report)}\n`;
  const kept: string[] = [];
  let length = head.length;
  for (const [at, block] of blocks.entries()) {
    const left = blocks.length - at;
    const note = `\n… and ${left} more: the whole is in the other reports of this run.\n`;
    if (length + block.length + note.length > most) return [head, ...kept, note].join('');
    kept.push(block);
    length += block.length;
  }
  return [head, ...kept].join('');
}

function headline({ files, differences = [], leftOut = [] }: Report): string {
  const errors = files.flatMap(({ issues }) => issues).filter(({ severity }) => severity === 'error');
  const changed = differences.filter(({ changes, texts }) => changes.length + texts.length > 0).length;
  const faults = errors.filter(({ rule }) => rule !== 'difference').length;
  const parts = [
    ...(changed > 0 ? [`${changed} of ${files.length} ${files.length === 1 ? 'input' : 'inputs'} different`] : []),
    ...(faults > 0 ? [`${faults} at fault`] : []),
    ...(leftOut.length > 0 ? [`${leftOut.length} left out`] : []),
  ];
  return parts.length === 0
    ? `${files.length} ${files.length === 1 ? 'input' : 'inputs'}, nothing to tell.`
    : `**${parts.join(', ')}**`;
}

function differenceBlocks(difference: ReportedDifference): string[] {
  const { title, changes, texts } = difference;
  if (changes.length + texts.length === 0) return [];
  const summary = formatSummary(difference).trim().split('\n').map(escapeText).join('<br>');
  const noteOf = (change: ToldChange): string => {
    const { files = [] } = change as ReportedDifference['changes'][number];
    return files.length === 0 ? '' : `  in ${listNames(files)}`;
  };
  const blocks = formatBlocks(changes, { noteOf });
  return [
    `\n#### ${escapeText(title)}\n${changes.length === 0 ? '' : `\n${summary}\n`}`,
    ...blocks.map((block) => folded(headOf(block), block)),
    ...texts.map((text) => (text.diff === '' ? `\n${escapeText(text.title)}\n` : folded(text.title, text.diff))),
  ];
}

function headOf(block: string): string {
  const [first = ''] = block.split('\n');
  const more = block.split('\n').filter((line) => /^[-+~!>] /.test(line)).length - 1;
  return more === 0 ? first : `${first} and ${more} more`;
}

// Within the fence `+` and `-` are coloured; a text that holds a fence gets a longer one.
function folded(title: string, text: string): string {
  const lines = text.trimEnd().split('\n');
  const shown =
    lines.length <= maxLines ? lines : [...lines.slice(0, maxLines), `… and ${lines.length - maxLines} more lines`];
  const content = shown
    .map((line) => line.replace(/^( +)([-+~]) /, '$2$1'))
    .map((line) => (line.length > 1000 ? `${line.slice(0, 1000)}…` : line));
  const longest = Math.max(2, ...content.flatMap((line) => [...line.matchAll(/`+/g)].map(([ticks]) => ticks.length)));
  const fence = '`'.repeat(longest + 1);
  return `\n<details><summary>${escapeText(title)}</summary>\n\n${fence}diff\n${content.join('\n')}\n${fence}\n\n</details>\n`;
}

function issueBlocks(report: Report): string[] {
  const told = allIssues(report).filter(({ rule }) => rule !== 'difference');
  return [...new Set(told.map((issue) => `\n- ${escapeText(formatIssue(issue, issue)).replaceAll('\n', '<br>')}\n`))];
}

function escapeText(text: string): string {
  return text
    .replace(/[&<>]/g, (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[char]!)
    .replace(/[\\`*_[\]#|~@]/g, (char) => `&#${char.charCodeAt(0)};`);
}
