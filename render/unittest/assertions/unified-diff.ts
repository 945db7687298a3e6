// A unified diff with one line of context, in the form of Go's port of Python's difflib. Lines that occur several times may be aligned
// differently.
// Mirrors: github.com/pmezard/go-difflib, difflib.go, `GetUnifiedDiffString`.

import { type StructuredPatchHunk, structuredPatch } from 'diff';

// Texts with more changed lines are shown as one replacement.
const options = { context: 1, maxEditLength: 1000 };

/** Returns the differing lines, below `--- Expected` and `+++ Actual`; empty if there are none. */
export function unifiedDiff(expected: string, actual: string): string {
  const patch = structuredPatch('', '', `${expected}\n`, `${actual}\n`, undefined, undefined, options);
  const hunks = (patch?.hunks ?? [replacement(expected.split('\n'), actual.split('\n'))]).map(formatHunk);
  return hunks.length === 0 ? '' : `--- Expected\n+++ Actual\n${hunks.join('')}`;
}

function replacement(before: readonly string[], after: readonly string[]): StructuredPatchHunk {
  const lines = [...before.map((line) => `-${line}`), ...after.map((line) => `+${line}`)];
  return { oldStart: 1, oldLines: before.length, newStart: 1, newLines: after.length, lines };
}

function formatHunk({ oldStart, oldLines, newStart, newLines, lines }: StructuredPatchHunk): string {
  const range = (start: number, length: number): string => (length === 1 ? String(start) : `${start},${length}`);
  const head = `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`;
  return [head, ...lines].map((line) => `${line}\n`).join('');
}
