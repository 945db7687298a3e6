import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LruCache } from '../../../render/core/lru-cache.ts';

describe('D the cache of parsed texts', () => {
  const counted = (limits: { total: number; each: number }) => {
    const made: string[] = [];
    const kept = new LruCache<string>(limits);
    const get = (text: string): string =>
      kept.get(text, (one) => {
        made.push(one);
        return one.toUpperCase();
      });
    return { made, get };
  };

  it('parses a text once', () => {
    const { made, get } = counted({ total: 100, each: 10 });
    assert.deepEqual([get('a'), get('b'), get('a')], ['A', 'B', 'A']);
    assert.deepEqual(made, ['a', 'b']);
  });

  it('keeps texts that recur, and evicts others', () => {
    const { made, get } = counted({ total: 20, each: 10 });
    for (let i = 10; i < 60; i++) {
      get('often');
      get(`${i}`);
    }
    assert.equal(made.filter((text) => text === 'often').length, 1);
    get('10');
    assert.equal(made.filter((text) => text === '10').length, 2);
  });

  it('does not keep a text that is too long', () => {
    const { made, get } = counted({ total: 100, each: 3 });
    get('long');
    get('long');
    assert.deepEqual(made, ['long', 'long']);
  });
});
