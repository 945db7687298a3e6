import './page.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signal } from '@preact/signals';
import { createHistory, type History } from '../../../emulator/console/order/draft.ts';

function historyOf(first: string) {
  const text = signal(first);
  let time = 0;
  const history: History = createHistory(text, () => time);
  const type = (written: string, after: number): void => {
    time += after;
    history.change(written, 'typing', true);
  };
  const labels = () => [history.undoLabel.value, history.redoLabel.value];
  return { text, history, type, labels };
}

test('edits of lists and of text share one history, undo and redo', () => {
  const { text, history, type, labels } = historyOf('');
  history.change('web', 'add web');
  type('web: 1', 10);
  type('web: 12', 10);
  history.change('web: 12 redis', 'add redis');
  assert.deepEqual(labels(), ['add redis', undefined]);
  assert.equal(history.undo(), 'add redis');
  assert.equal(history.undo(), 'typing');
  assert.equal(text.value, 'web');
  assert.deepEqual(labels(), ['add web', 'typing']);
  assert.equal(history.redo(), 'typing');
  assert.equal(text.value, 'web: 12');
  assert.equal(history.redo(), 'add redis');
  assert.equal(text.value, 'web: 12 redis');
  assert.equal(history.redo(), undefined);
});

test('typing after a pause or after another edit is a new edit', () => {
  const { text, history, type } = historyOf('');
  type('a', 0);
  type('ab', 999);
  type('abc', 1000);
  history.undo();
  assert.equal(text.value, 'ab');
  type('abd', 10);
  history.undo();
  assert.equal(text.value, 'ab');
  history.undo();
  assert.deepEqual([text.value, history.undo()], ['', undefined]);
});

test('a new edit drops the undone ones; an edit without a change is ignored; the oldest are dropped', () => {
  const { text, history, labels } = historyOf('0');
  history.change('1', 'one');
  history.undo();
  history.change('0', 'nothing');
  assert.deepEqual(labels(), [undefined, 'one']);
  history.change('2', 'two');
  assert.deepEqual(labels(), ['two', undefined]);
  for (let count = 3; count < 200; count++) history.change(String(count), 'count');
  let steps = 0;
  while (history.undo() !== undefined) steps++;
  assert.deepEqual([steps, text.value], [100, '99']);
});
