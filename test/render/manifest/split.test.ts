// Rows for render/manifest/split.ts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trimSpace } from '../../../render/go/trim.ts';
import { splitManifests } from '../../../render/manifest/split.ts';

const rows: [what: string, text: string, documents: string[]][] = [
  ['nothing', '', []],
  ['blanks only', ' \n\t\n', []],
  ['one document', '\na: 1\n', ['a: 1']],
  ['a separator at either end', '---\na: 1\n---\nb: 2\n---\n', ['a: 1', 'b: 2']],
  ['text after the separator stays', '--- # hello\na: 1\n---foo\n----\nb', ['# hello\na: 1', 'foo', '-\nb']],
  ['an indented separator is text', 'x: |\n  ---\n  b', ['x: |\n  ---\n  b']],
  ['blanks before the newline belong to the separator', 'a\n  \n\n---  \n\n b', ['a', 'b']],
  ['the second of two neighbors is text', 'A\n---\n   \n\n---\nB', ['A', '---\nB']],
  ['two separators alone', '---\n---\n', ['---']],
  ['CRLF inside stays', 'a: 1\r\nb: 2\r\n---\r\nc: 3\r\n', ['a: 1\r\nb: 2', 'c: 3']],
  ['a no-break space is no blank of the separator', 'a\n---\n\u00a0\n---\nb', ['a', '', 'b']],
];

for (const [what, text, documents] of rows) {
  test(`splits: ${what}`, () => assert.deepEqual(splitManifests(text), documents));
}

test('trims what Go trims', () => {
  assert.equal(trimSpace('\u0085\u2003 a b\u00a0\v\f\r\n'), 'a b');
  assert.equal(trimSpace('\ufeffa'), '\ufeffa');
});
