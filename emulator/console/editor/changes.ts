// What must change for one text to become another, in pieces: what stays between them keeps its cursor, its folds and its place on the screen.

import { diffArrays } from 'diff';

/** A piece that is exchanged: offsets of the text before, `to` behind its last character. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

// Texts that share next to nothing are one exchange: the way between them would keep little, and the page would wait for it.
const maxEditLength = 300;

/** Returns the pieces in which two texts differ, in order; none for equal texts. */
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

// Each with its line break, so that joined they are the text.
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

// Whole blocks are compared at once: a manifest has millions of characters.
const block = 4096;

function lengthInCommon(a: string, b: string, part: (text: string, at: number, end: number) => string): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  for (let size = block; size >= 1; size = size === 1 ? 0 : size / 8) {
    while (length + size <= most && part(a, length, length + size) === part(b, length, length + size)) length += size;
  }
  return length;
}
