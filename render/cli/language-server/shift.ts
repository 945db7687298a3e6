// Maps places between two versions of a text.

import type { Span } from '../../language/template-nodes.ts';

/** Maps places in a text to those in another version of it. */
export interface Shift {
  /** Returns the old offset of an offset in the new text; undefined within the change. */
  toOld(offset: number): number | undefined;
  /** Returns the new span of a span in the old text; undefined if it has changed. */
  toNew(span: Span): Span | undefined;
}

/** Returns the mapping between two versions of a text with one changed part. */
export function shiftBetween(before: string, after: string): Shift {
  if (before === after) return { toOld: (offset) => offset, toNew: (span) => span };
  const shortest = Math.min(before.length, after.length);
  let start = 0;
  while (start < shortest && before[start] === after[start]) start++;
  let rest = 0;
  while (rest < shortest - start && before[before.length - 1 - rest] === after[after.length - 1 - rest]) rest++;
  const longer = after.length - before.length;
  return {
    toOld: (offset) => {
      if (offset <= start) return offset;
      return offset >= after.length - rest ? offset - longer : undefined;
    },
    toNew: (span) => {
      if (span.end <= start) return span;
      if (span.start < before.length - rest) return undefined;
      return { start: span.start + longer, end: span.end + longer };
    },
  };
}
