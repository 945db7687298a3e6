// List items: removed and added items are reported as such, in time that does not grow faster than the lists.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffObjects } from '../../../render/diff/difference.ts';
import { alignItems } from '../../../render/diff/lists.ts';
import { fc } from '../../support/fast-check.ts';

type Items = readonly unknown[];

function side(items: Items, name: string) {
  const spec = JSON.stringify({ [name]: items });
  return { documents: `kind: Thing\napiVersion: example.com/v1\nmetadata: {name: a}\nspec: ${spec}\n`, name: '' };
}

/** Returns the differences of two lists, such as `remove spec.list[3]`. */
function reported(before: Items, after: Items, name = 'list'): readonly string[] {
  const { objects } = diffObjects(side(before, name), side(after, name));
  return objects.flatMap(({ entries }) => entries.map(({ op, path }) => `${op} ${path}`));
}

const texts = Array.from({ length: 2_000 }, (_, at) => `item-${at}`);
const maps = texts.map((value, at) => ({ value, weight: at % 7, more: { of: [value] } }));
const without = (items: Items, isGone: (at: number) => boolean): Items => items.filter((_, at) => !isGone(at));

test('finds removed and new items of long lists', () => {
  for (const items of [texts, maps]) {
    const kept = without(items, (at) => at % 10 === 3);
    const gone = items.flatMap((_, at) => (at % 10 === 3 ? [`spec.list[${at}]`] : []));
    assert.deepEqual(
      reported(items, kept),
      gone.map((path) => `remove ${path}`),
    );
    assert.deepEqual(
      reported(kept, items),
      gone.map((path) => `add ${path}`),
    );
  }
});

test('reports a different order if items have no key', () => {
  assert.deepEqual(reported(['a', 'b', 'c'], ['c', 'a', 'b'], 'args'), ['move spec.args']);
  assert.deepEqual(reported(maps, [...maps].reverse()), ['move spec.list']);
  assert.ok(reported(['a', 'b', 'b'], ['b', 'a', 'a']).every((entry) => !entry.startsWith('move')));
});

test('aligns by common items, in the order of both lists', () => {
  const items = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 40 });
  fc.assert(
    fc.property(items, items, (was, is) => {
      const matches = alignItems(was, is);
      matches.forEach(([at, to], i) => {
        assert.equal(was[at], is[to]);
        const [before = -1, after = -1] = matches[i - 1] ?? [];
        assert.ok(at > before && to > after);
      });
      assert.equal(matches.length, longest(was, is));
    }),
    { numRuns: 40 },
  );
});

/** Returns the length of the longest common subsequence, with the simple algorithm. */
function longest(a: readonly string[], b: readonly string[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const item of a) {
    const next = [0];
    b.forEach((other, at) => {
      next.push(item === other ? row[at]! + 1 : Math.max(row[at + 1]!, next[at]!));
    });
    row = next;
  }
  return row.at(-1)!;
}
