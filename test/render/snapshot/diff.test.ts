// Diffs: their format, and that applying one to the first text returns the second.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffLines } from '../../../render/snapshot/diff.ts';
import { fc } from '../../support/fast-check.ts';

const numbered = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, i) => `line ${from + i}\n`).join('');

const rows: readonly (readonly [name: string, before: string, after: string, diff: string])[] = [
  ['equal texts', 'a\n', 'a\n', ''],
  ['one line', 'a\nb\nc\n', 'a\nB\nc\n', '@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n'],
  ['from nothing', '', 'a\n', '@@ -0,0 +1,1 @@\n+a\n'],
  ['to nothing', 'a\n', '', '@@ -1,1 +0,0 @@\n-a\n'],
  [
    'three lines of context',
    numbered(1, 9),
    numbered(1, 9).replace('line 5', 'x'),
    '@@ -2,7 +2,7 @@\n line 2\n line 3\n line 4\n-line 5\n+x\n line 6\n line 7\n line 8\n',
  ],
  ['the end of the last line', 'a', 'a\n', '@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n'],
  ['line ends', 'a\r\n', 'a\n', '@@ -1,1 +1,1 @@\n-a\\r\n+a\n'],
];

for (const [name, before, after, diff] of rows) {
  test(`diff: ${name}`, () => assert.equal(diffLines(before, after), diff));
}

test('a hunk names its object and template', () => {
  const service = 'kind: Service\nmetadata:\n  labels:\n    a: b\n  name: web\nspec:\n  port: 80\n';
  const named = service.replace('  labels:\n    a: b\n  name: web\n', '  name: "web"\n');
  const manifest = `---\n# Source: web/templates/a.yaml\n${named}---\n# Source: web/templates/b.yaml\nkind: ConfigMap\nmetadata:\n  name: other\n`;
  const head = (before: string, after: string): string => /@@ ([^@\n]*)\n/.exec(diffLines(before, after))?.[1] ?? '';
  assert.equal(head(manifest, manifest.replace('80', '81')), 'Service web (web/templates/a.yaml)');
  assert.equal(
    head(manifest, manifest.replace('kind: ConfigMap', 'kind: Secret')),
    'ConfigMap other (web/templates/b.yaml)',
  );
});

test('distant changes are separate hunks, close ones share one', () => {
  const text = numbered(1, 40);
  const hunks = (after: string): number => diffLines(text, after).match(/^@@/gm)?.length ?? 0;
  assert.equal(hunks(text.replace('line 5\n', 'x\n').replace('line 30\n', 'y\n')), 2);
  assert.equal(hunks(text.replace('line 5\n', 'x\n').replace('line 9\n', 'y\n')), 1);
});

test('a long diff is truncated with a notice', () => {
  const diff = diffLines('', numbered(1, 500), 10);
  assert.equal(diff.split('\n').length, 12);
  assert.match(diff, /\n\.\.\. and 491 more lines\n$/);
});

test('two long texts with nothing in common are compared quickly', () => {
  const diff = diffLines('a\n'.repeat(20_000), 'b\n'.repeat(20_000), Number.POSITIVE_INFINITY);
  assert.equal(diff.match(/^-a$/gm)?.length, 20_000);
});

/** Returns the result of applying an untruncated diff to a text. */
function apply(before: string, diff: string): string {
  const old = before.split('\n').slice(0, -1);
  const now: string[] = [];
  let at = 0;
  for (const line of diff.split('\n').slice(0, -1)) {
    const head = /^@@ -(\d+),(\d+)/.exec(line);
    if (head) {
      const start = Number(head[1]) - (head[2] === '0' ? 0 : 1);
      while (at < start) now.push(old[at++] as string);
    } else if (line.startsWith('+')) {
      now.push(line.slice(1));
    } else {
      assert.equal(line.slice(1), old[at]);
      if (line.startsWith(' ')) now.push(old[at] as string);
      at++;
    }
  }
  return [...now, ...old.slice(at)].map((line) => `${line}\n`).join('');
}

test('applying a diff gives the other text', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 40 })
    .map((lines) => lines.map((line) => `${line}\n`).join(''));
  fc.assert(
    fc.property(text, text, (before, after) => {
      assert.equal(apply(before, diffLines(before, after, Number.POSITIVE_INFINITY)), after);
    }),
  );
});
