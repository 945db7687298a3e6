// Places in a text that has changed a little since they were found.

import type { Span } from '../../language/template-nodes.ts';

/** Leads from places in a text to the same places in another version of it. */
export interface Shift {
  /** Returns where an offset of the new text was in the old one; undefined within what changed. */
  toOld(offset: number): number | undefined;
  /** Returns where a part of the old text is in the new one; undefined where it has changed. */
  toNew(span: Span): Span | undefined;
}

/** Returns the shift between two versions of a text, of which one part changed. */
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
