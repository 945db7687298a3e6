// Formats the differing lines of two texts as a unified diff; each hunk names its object.

import { type StructuredPatchHunk, structuredPatch } from 'diff';

const context = 3;

// Texts with almost nothing in common are shown as one replacement, because a minimal diff would say no more.
const maxEditLength = 1500;

/** Returns the hunks of a unified diff, at most `maxLines` lines (default 200), the last of which says how many more there are. */
export function diffLines(before: string, after: string, maxLines = 200): string {
  if (before === after) return '';
  const patch = structuredPatch('', '', before, after, undefined, undefined, { context, maxEditLength });
  const hunks = patch === undefined ? [exchange(before, after)] : patch.hunks;
  const [old, now] = [before.split('\n'), after.split('\n')];
  const lines = hunks.flatMap((hunk) => [headOf(hunk, old, now), ...hunk.lines.map(visible)]);
  if (lines.length <= maxLines) return lines.map((line) => `${line}\n`).join('');
  const rest = lines.length - maxLines;
  return [...lines.slice(0, maxLines), `... and ${rest} more lines`].map((line) => `${line}\n`).join('');
}

// Carriage returns are replaced with a visible character.
function visible(line: string): string {
  return line.startsWith(' ') ? line : line.replace(/\r$/, '\\r');
}

function exchange(before: string, after: string): StructuredPatchHunk {
  const marked = (sign: string, text: string): string[] =>
    text === ''
      ? []
      : text
          .replace(/\n$/, '')
          .split('\n')
          .map((line) => sign + line);
  const [old, now] = [marked('-', before), marked('+', after)];
  return { oldStart: 1, oldLines: old.length, newStart: 1, newLines: now.length, lines: [...old, ...now] };
}

function headOf(hunk: StructuredPatchHunk, old: readonly string[], now: readonly string[]): string {
  const { oldStart, oldLines, newStart, newLines, lines } = hunk;
  const at = Math.max(
    lines.findIndex((line) => /^[-+]/.test(line)),
    0,
  );
  const isGone = lines[at]?.startsWith('-') === true;
  const object = isGone ? objectAt(old, oldStart - 1 + at) : objectAt(now, newStart - 1 + at);
  const range = (start: number, length: number): string => `${length === 0 ? start - 1 : start},${length}`;
  return `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@${object === '' ? '' : ` ${object}`}`;
}

/** Returns `Kind name (file of the chart)` for the document that contains a line of a manifest; empty for other texts. */
function objectAt(lines: readonly string[], index: number): string {
  let start = index;
  while (start > 0 && lines[start] !== '---') start--;
  let end = index + 1;
  while (end < lines.length && lines[end] !== '---') end++;
  const document = lines.slice(start, end).join('\n');
  const kind = /^kind: *"?([\w.-]+)/m.exec(document)?.[1];
  if (kind === undefined) return '';
  const name = /^metadata:(?:\n[ #-].*)*?\n {2}name: *["']?([^\s"']+)/m.exec(document)?.[1];
  const source = /^# Source: (.+)$/m.exec(document)?.[1];
  return [kind, name, source && `(${source})`].filter(Boolean).join(' ');
}
