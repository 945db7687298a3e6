// The changes that turn one text into another.

import './page.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TextChange, textChanges } from '../../../emulator/console/editor/editor.ts';

function applied(before: string, changes: readonly TextChange[]): string {
  let text = '';
  let at = 0;
  for (const { from, to, insert } of changes) {
    assert.ok(from >= at && to >= from, 'changes stand in order and apart');
    text += before.slice(at, from) + insert;
    at = to;
  }
  return text + before.slice(at);
}

test('distant changes are separate hunks, and lines between them stay', () => {
  const before = 'kind: Deployment\nname: web\nreplicas: 2\n';
  const after = `# Source: umbrella\n---\n${before.replace('2', '7')}`;
  assert.deepEqual(textChanges(before, after), [
    { from: 0, to: 0, insert: '# Source: umbrella\n---\n' },
    { from: 27, to: 39, insert: 'replicas: 7\n' },
  ]);
});

test('applying the changes to the first text returns the second', () => {
  const alphabet = ['a\n', 'b\n', 'ab\n', '\n', 'a', 'b', '\r\n', 'é'];
  let seed = 7;
  const draw = (below: number): number => {
    seed = (seed * 48271) % 2147483647;
    return seed % below;
  };
  const text = (): string => Array.from({ length: draw(12) }, () => alphabet[draw(alphabet.length)]).join('');
  for (let round = 0; round < 5000; round++) {
    const [before, after] = [text(), text()];
    assert.equal(applied(before, textChanges(before, after)), after, JSON.stringify([before, after]));
  }
});
