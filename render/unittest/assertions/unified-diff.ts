// A unified diff like that of Go's port of Python's difflib: with one line of context around each change.
// Mirrors: github.com/pmezard/go-difflib, difflib.go, `SequenceMatcher` and `GetUnifiedDiffString`.

import { groupBy } from '../../core/group-by.ts';

interface Block {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}

interface Change {
  readonly isEqual: boolean;
  readonly a: readonly [from: number, to: number];
  readonly b: readonly [from: number, to: number];
}

/** Returns the differing lines, below `--- Expected` and `+++ Actual`; empty if there are none. */
export function unifiedDiff(expected: string, actual: string): string {
  const [a, b] = [linesOf(expected), linesOf(actual)];
  let text = '';
  for (const group of groupsOf(changesOf(a, b))) {
    const [first, last] = [group[0]!, group.at(-1)!];
    if (text === '') text = '--- Expected\n+++ Actual\n';
    text += `@@ -${range(first.a[0], last.a[1])} +${range(first.b[0], last.b[1])} @@\n`;
    for (const { isEqual, a: gone, b: come } of group) {
      text += marked(isEqual ? ' ' : '-', a.slice(...gone));
      if (!isEqual) text += marked('+', b.slice(...come));
    }
  }
  return text;
}

function marked(sign: string, lines: readonly string[]): string {
  return lines.map((line) => `${sign}${line}`).join('');
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
  let equal: { readonly a: readonly [number, number]; readonly b: readonly [number, number] } | undefined;
  const flush = (): void => {
    if (equal !== undefined) changes.push({ isEqual: true, ...equal });
    equal = undefined;
  };
  for (const match of [...matchesOf(a, b), { a: a.length, b: b.length, size: 0 }]) {
    if (i < match.a || j < match.b) {
      flush();
      changes.push({ isEqual: false, a: [i, match.a], b: [j, match.b] });
    }
    [i, j] = [match.a + match.size, match.b + match.size];
    const from = equal ?? { a: [match.a, i] as const, b: [match.b, j] as const };
    if (match.size > 0) equal = { a: [from.a[0], i], b: [from.b[0], j] };
  }
  flush();
  return changes;
}

const context = 1;

function groupsOf(changes: readonly Change[]): readonly (readonly Change[])[] {
  const groups: Change[][] = [];
  let group: Change[] = [];
  changes.forEach((change, at) => {
    if (!change.isEqual) {
      group.push(change);
      return;
    }
    const [a, b] = [change.a, change.b];
    const head = (): Change => ({
      isEqual: true,
      a: [a[0], Math.min(a[1], a[0] + context)],
      b: [b[0], Math.min(b[1], b[0] + context)],
    });
    const tail = (): Change => ({
      isEqual: true,
      a: [Math.max(a[0], a[1] - context), a[1]],
      b: [Math.max(b[0], b[1] - context), b[1]],
    });
    if (at === 0) group.push(tail());
    else if (at === changes.length - 1) group.push(head());
    else if (a[1] - a[0] <= 2 * context) group.push(change);
    else {
      group.push(head());
      groups.push(group);
      group = [tail()];
    }
  });
  if (group.some(({ isEqual }) => !isEqual)) groups.push(group);
  return groups;
}
