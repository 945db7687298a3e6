// The subscripts of a path: an index, a slice, or several of these.
// Mirrors: github.com/vmware-labs/yaml-jsonpath v0.3.2, pkg/yamlpath, slicer.go.

import { messageOf } from '../../core/errors.ts';

/** A slice; a single index is a slice of one. */
export interface IndexRange {
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly step: number;
  readonly isSingle: boolean;
}

/** Parses subscripts. Throws RangeError with what is wrong. */
export function readSubscript(text: string): readonly IndexRange[] {
  const members = text.split(',');
  if (members.length === 1) return [readRange(text)];
  return members.map((member, i) => {
    try {
      if (member.trim() === '*') throw new RangeError('wildcard cannot be used in union');
      return readRange(member);
    } catch (error) {
      throw new RangeError(`error in union member ${i}: ${messageOf(error)}`);
    }
  });
}

function readRange(text: string): IndexRange {
  const parts = text.split(':').map((part) => {
    const index = part.trim();
    if (index === '') return undefined;
    if (!/^[-+]?\d+$/.test(index)) throw new RangeError('non-integer array index');
    return Number(index);
  });
  if (parts.length > 3) throw new RangeError('malformed array index, too many colons');
  const [from, to, step = 1] = parts;
  if (parts.length === 1 && from === undefined) throw new RangeError('array index missing');
  if (step === 0) throw new RangeError('array index step value must be non-zero');
  return { from, to, step, isSingle: parts.length === 1 };
}

/** Returns the items of a list in a slice, in its order. */
export function takeRange<T>(items: readonly T[], { from, to, step, isSingle }: IndexRange): readonly T[] {
  const { length } = items;
  const place = (index: number): number => (index < 0 ? index + length : index);
  if (isSingle) {
    const at = place(from!);
    return at >= 0 && at < length ? [items[at] as T] : [];
  }
  const taken: T[] = [];
  if (step > 0) {
    const end = Math.min(to === undefined ? length : place(to), length);
    for (let i = Math.max(from === undefined ? 0 : place(from), 0); i < end; i += step) taken.push(items[i] as T);
  } else {
    const end = Math.max(to === undefined ? -1 : place(to), -1);
    const start = Math.min(from === undefined ? length - 1 : place(from), length);
    for (let i = start; i > end; i += step) if (i < length) taken.push(items[i] as T);
  }
  return taken;
}
