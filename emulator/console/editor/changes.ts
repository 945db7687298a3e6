// Computes the changes from one text to another in pieces, so that unchanged parts keep cursor, folds and scroll position.

import { diffArrays } from 'diff';

/** A replaced piece: offsets of the old text, `to` exclusive. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

// Texts with almost nothing in common are replaced entirely: a minimal diff would preserve little and block the page.
const maxEditLength = 300;

/** Returns the differing pieces of two texts, in order; empty for equal texts. */
export function textChanges(before: string, after: string): readonly TextChange[] {
  if (before === after) return [];
  const whole = withoutCommonEnds({ from: 0, to: before.length, insert: after }, before);
  const from = before.slice(0, whole.from).lastIndexOf('\n') + 1;
  const tail = lengthOfRestOfLine(before, whole.to);
  const old = linesOf(before.slice(from, whole.to + tail));
  const now = linesOf(before.slice(from, whole.from) + whole.insert + before.slice(whole.to, whole.to + tail));
  const parts = diffArrays(old, now, { maxEditLength });
  if (parts === undefined) return [whole];
  const changes: TextChange[] = [];
  let at = from;
  for (const { value, added, removed } of parts) {
    const text = value.join('');
    const last = changes.at(-1);
    if (added && last?.to === at) changes.splice(-1, 1, { ...last, insert: text });
    else if (added) changes.push({ from: at, to: at, insert: text });
    else if (removed) changes.push({ from: at, to: at + text.length, insert: '' });
    if (!added) at += text.length;
  }
  return changes.map((change) => withoutCommonEnds(change, before));
}

// Each with its line break, so that joining them restores the text.
function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/);
}

function lengthOfRestOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return (end === -1 ? text.length : end + 1) - at;
}

function withoutCommonEnds({ from, to, insert }: TextChange, before: string): TextChange {
  const old = before.slice(from, to);
  const start = lengthInCommon(old, insert, (text, at, end) => text.slice(at, end));
  const rest = [old.slice(start), insert.slice(start)] as const;
  const end = lengthInCommon(...rest, (text, at, to) => text.slice(text.length - to, text.length - at));
  return { from: from + start, to: to - end, insert: insert.slice(start, insert.length - end) };
}

// Whole blocks are compared at once, because a manifest can have millions of characters.
const block = 4096;

function lengthInCommon(a: string, b: string, part: (text: string, at: number, end: number) => string): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  for (let size = block; size >= 1; size = size === 1 ? 0 : size / 8) {
    while (length + size <= most && part(a, length, length + size) === part(b, length, length + size)) length += size;
  }
  return length;
}
