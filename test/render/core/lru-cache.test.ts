import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LruCache } from '../../../render/core/lru-cache.ts';

function createCounted(limits: { total: number; each: number }) {
  const made: string[] = [];
  const kept = new LruCache<string>(limits);
  const get = (text: string): string =>
    kept.get(text, (one) => {
      made.push(one);
      return one.toUpperCase();
    });
  return { made, get };
}

test('a text is parsed once', () => {
  const { made, get } = createCounted({ total: 100, each: 10 });
  assert.deepEqual([get('a'), get('b'), get('a')], ['A', 'B', 'A']);
  assert.deepEqual(made, ['a', 'b']);
});

test('texts that recur are kept, and others evicted', () => {
  const { made, get } = createCounted({ total: 20, each: 10 });
  for (let i = 10; i < 60; i++) {
    get('often');
    get(`${i}`);
  }
  assert.equal(made.filter((text) => text === 'often').length, 1);
  get('10');
  assert.equal(made.filter((text) => text === '10').length, 2);
});

test('a text that is too long is not kept', () => {
  const { made, get } = createCounted({ total: 100, each: 3 });
  get('long');
  get('long');
  assert.deepEqual(made, ['long', 'long']);
});
