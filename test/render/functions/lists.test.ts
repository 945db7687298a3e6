import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultFuncs } from '../../../render/functions/defaults.ts';
import { dictFuncs } from '../../../render/functions/dicts.ts';
import { listFuncs } from '../../../render/functions/lists.ts';
import { mathFuncs } from '../../../render/functions/math.ts';
import { stringFuncs } from '../../../render/functions/strings.ts';
import { typeFuncs } from '../../../render/functions/types.ts';
import { isNil, nilSlice } from '../../../render/go/value.ts';
import { testRows } from '../../support/evaluate.ts';

const funcs = new Map([...listFuncs, ...dictFuncs, ...stringFuncs, ...typeFuncs, ...mathFuncs, ...defaultFuncs]);
const values = { l: ['a', 'b', 'c'], li: [3, 1, 2] };

testRows('ends of lists', funcs, [
  ['{{ first (list 1 2) }} {{ last (list 1 2) }} {{ first (until 3) }}', '1 2 0'],
  ['{{ first (list) }}|{{ last (list) }}', '<no value>|<no value>'],
  [
    '{{ rest (list 1 2 3) }} {{ initial (list 1 2 3) }} {{ rest (splitList "," "a,b") | typeOf }}',
    '[2 3] [1 2] []interface {}',
  ],
  ['{{ first nil }}', 'ERR error calling first: runtime error: invalid memory address or nil pointer dereference'],
  ['{{ mustLast "abc" }}', 'ERR error calling mustLast: Cannot find last on type string'],
  ['{{ initial (dict) }}', 'ERR error calling initial: Cannot find initial on type map'],
]);

testRows('lists are never changed', funcs, [
  ['{{ $l := list 1 }}{{ append $l 2 }} {{ push $l nil }} {{ prepend $l 0 }} {{ $l }}', '[1 2] [1 <nil>] [0 1] [1]'],
  ['{{ $l := list 1 2 3 }}{{ reverse $l }} {{ $l }}', '[3 2 1] [1 2 3]'],
  ['{{ append "a" 2 }}', 'ERR error calling append: Cannot push on type string'],
  ['{{ mustPrepend 5 2 }}', 'ERR error calling mustPrepend: Cannot prepend on type int'],
  ['{{ concat (list 1) (until 2) (splitList "," "a") | printf "%v" }} {{ tuple 1 "a" }}', '[1 0 1 a] [1 a]'],
  ['{{ concat (list 1) "a" }}', 'ERR error calling concat: Cannot concat type string as list'],
]);

testRows(
  'items are found by deep equality, types included',
  funcs,
  [
    ['{{ uniq (list 1 1 "a" "a" 1.0 nil nil (list 1) (list 1)) }}', '[1 a 1 <nil> [1]]'],
    [
      '{{ without (list 1 2 3 2) 2 }} {{ without (list 1 2) 1.0 }} {{ without (list 1) 1 | printf "%#v" }}',
      '[1 3] [1 2] []interface {}{}',
    ],
    [
      '{{ has 4 (list 4.0) }} {{ has 3 .Values.li }} {{ has 3.0 .Values.li }} {{ has nil (list nil) }}',
      'false false true true',
    ],
    ['{{ has "a" nil }} {{ has "a" (splitList "," "b,a") }}', 'false true'],
    ['{{ mustHas "a" "abc" }}', 'ERR error calling mustHas: Cannot find has on type string'],
    ['{{ compact (list 0 1 "" "a" nil false (list) (dict) 0.0) }}', '[1 a]'],
    ['{{ mustCompact "a" }}', 'ERR error calling mustCompact: Cannot compact on type string'],
  ],
  values,
);

testRows('slices keep their type', funcs, [
  ['{{ slice (list 1 2 3 4 5) }} {{ slice (list 1 2 3) 2 }} {{ slice (list 1 2 3) "1" 2.9 }}', '[1 2 3 4 5] [3] [2]'],
  ['{{ slice (splitList "," "a,b,c") 1 | typeOf }} {{ slice (until 3) 1 1 | typeOf }}', '[]string []int'],
  ['{{ slice (list) 0 1 }}|', '<no value>|'],
  ['{{ slice (list 1 2) 5 }}', 'ERR error calling slice: reflect.Value.Slice: slice index out of bounds'],
  ['{{ slice (list 1 2) -1 }}', 'ERR error calling slice: reflect.Value.Slice: slice index out of bounds'],
  ['{{ mustSlice "abc" 1 }}', 'ERR error calling mustSlice: list should be type of slice or array but string'],
]);

testRows('chunks count as Go does, for all sizes', funcs, [
  ['{{ chunk 3 (list 1 2 3 4 5 6 7 8) }} {{ chunk 3 (list) }}', '[[1 2 3] [4 5 6] [7 8]] []'],
  [
    '{{ chunk 2 (list 1 2 3) | typeOf }} {{ first (chunk 2 (list 1 2 3)) | typeOf }}',
    '[][]interface {} []interface {}',
  ],
  ['{{ chunk -1 (list 1 2) }} {{ chunk -2 (list 1) }}', '[] [[1]]'],
  ['{{ chunk 0 (list 1) }}', 'ERR error calling chunk: runtime error: makeslice: len out of range'],
  ['{{ chunk -1 (list) }}', 'ERR error calling chunk: runtime error: makeslice: len out of range'],
  ['{{ mustChunk 2 "a" }}', 'ERR error calling mustChunk: Cannot chunk type string'],
]);

test('an empty rest, initial or concat is a nil slice, other empty lists are not', () => {
  const call = (name: string, ...args: unknown[]) => listFuncs.get(name)?.call(...(args as never[])) ?? null;
  for (const value of [call('rest', []), call('initial', []), call('concat', []), call('concat', [[], []])]) {
    assert.deepEqual(value, nilSlice());
    assert.ok(isNil(value));
  }
  for (const value of [call('rest', [1]), call('compact', []), call('list', []), call('without', [1], [1])]) {
    assert.ok(!isNil(value));
  }
});
