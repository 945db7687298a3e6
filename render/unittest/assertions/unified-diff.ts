// A unified diff like that of Go's port of Python's difflib: with one line of context around each change.
// Mirrors: github.com/pmezard/go-difflib, difflib.go, `SequenceMatcher` and `GetUnifiedDiffString`.

import { groupBy } from '../../core/group-by.ts';

interface Block {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}

/** Lines of one text that stand in the place of lines of the other. */
interface Change {
  readonly a: readonly [from: number, to: number];
  readonly b: readonly [from: number, to: number];
}

/** Returns the differing lines, below `--- Expected` and `+++ Actual`; empty if there are none. */
export function unifiedDiff(expected: string, actual: string): string {
  const [a, b] = [linesOf(expected), linesOf(actual)];
  const hunks = hunksOf(changesOf(a, b)).map((changes) => {
    const [first, last] = [changes[0]!, changes.at(-1)!];
    const before = Math.min(context, first.a[0]);
    const after = Math.min(context, a.length - last.a[1]);
    const ranges = [
      range(first.a[0] - before, last.a[1] + after),
      range(first.b[0] - before, last.b[1] + after),
    ] as const;
    const lines: string[] = [];
    let at = first.a[0] - before;
    for (const change of changes) {
      lines.push(...marked(' ', a.slice(at, change.a[0])));
      lines.push(...marked('-', a.slice(...change.a)), ...marked('+', b.slice(...change.b)));
      at = change.a[1];
    }
    lines.push(...marked(' ', a.slice(at, at + after)));
    return `@@ -${ranges[0]} +${ranges[1]} @@\n${lines.join('')}`;
  });
  return hunks.length === 0 ? '' : `--- Expected\n+++ Actual\n${hunks.join('')}`;
}

function marked(sign: string, lines: readonly string[]): string[] {
  return lines.map((line) => `${sign}${line}`);
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').map((line) => `${line}\n`);
}

function range(from: number, to: number): string {
  const length = to - from;
  if (length === 1) return String(from + 1);
  return `${length === 0 ? from : from + 1},${length}`;
}

// Lines that are frequent in a long text do not help to align it.
function placesOf(lines: readonly string[]): Map<string, number[]> {
  const places: Map<string, number[]> = groupBy(lines.keys(), (at) => lines[at]!);
  if (lines.length < 200) return places;
  const most = Math.floor(lines.length / 100) + 1;
  for (const [line, found] of places) if (found.length > most) places.delete(line);
  return places;
}

function matchesOf(a: readonly string[], b: readonly string[]): readonly Block[] {
  const places = placesOf(b);
  const found: Block[] = [];
  const left: [number, number, number, number][] = [[0, a.length, 0, b.length]];
  for (let part = left.pop(); part !== undefined; part = left.pop()) {
    const [aFrom, aTo, bFrom, bTo] = part;
    const match = longest(a, b, places, part);
    if (match.size === 0) continue;
    found.push(match);
    left.push([aFrom, match.a, bFrom, match.b], [match.a + match.size, aTo, match.b + match.size, bTo]);
  }
  return found.sort((x, y) => x.a - y.a);
}

function longest(
  a: readonly string[],
  b: readonly string[],
  places: ReadonlyMap<string, readonly number[]>,
  [aFrom, aTo, bFrom, bTo]: readonly [number, number, number, number],
): Block {
  let [bestA, bestB, size] = [aFrom, bFrom, 0];
  let lengths = new Map<number, number>();
  for (let i = aFrom; i < aTo; i++) {
    const next = new Map<number, number>();
    for (const j of places.get(a[i]!) ?? []) {
      if (j < bFrom) continue;
      if (j >= bTo) break;
      const length = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, length);
      if (length > size) [bestA, bestB, size] = [i - length + 1, j - length + 1, length];
    }
    lengths = next;
  }
  while (bestA > aFrom && bestB > bFrom && a[bestA - 1] === b[bestB - 1]) {
    bestA--;
    bestB--;
    size++;
  }
  while (bestA + size < aTo && bestB + size < bTo && a[bestA + size] === b[bestB + size]) size++;
  return { a: bestA, b: bestB, size };
}

function changesOf(a: readonly string[], b: readonly string[]): readonly Change[] {
  const changes: Change[] = [];
  let [i, j] = [0, 0];
  for (const match of [...matchesOf(a, b), { a: a.length, b: b.length, size: 0 }]) {
    if (i < match.a || j < match.b) changes.push({ a: [i, match.a], b: [j, match.b] });
    [i, j] = [match.a + match.size, match.b + match.size];
  }
  return changes;
}

const context = 1;

// Changes with few equal lines between them share a hunk.
function hunksOf(changes: readonly Change[]): readonly (readonly Change[])[] {
  const hunks: Change[][] = [];
  for (const change of changes) {
    const hunk = hunks.at(-1);
    if (hunk !== undefined && change.a[0] - hunk.at(-1)!.a[1] <= 2 * context) hunk.push(change);
    else hunks.push([change]);
  }
  return hunks;
}
