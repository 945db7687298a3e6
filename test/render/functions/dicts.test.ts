import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultFuncs } from '../../../render/functions/defaults.ts';
import { dictFuncs } from '../../../render/functions/dicts.ts';
import { listFuncs } from '../../../render/functions/lists.ts';
import { mergeInto } from '../../../render/functions/merge.ts';
import { createSemverFuncs } from '../../../render/functions/semvers.ts';
import { stringFuncs } from '../../../render/functions/strings.ts';
import { typeFuncs } from '../../../render/functions/types.ts';
import { isNil, nilMap } from '../../../render/go/value.ts';
import { helmOf } from '../../../render/helm/versions.ts';
import { testRows } from '../../support/evaluate.ts';

const semverFuncs = createSemverFuncs(helmOf());

const funcs = new Map([...dictFuncs, ...listFuncs, ...stringFuncs, ...typeFuncs, ...defaultFuncs, ...semverFuncs]);
const values = { m: { b: 2, a: 1, c: { d: 'e' } }, nul: null, s: 'str' };

testRows(
  'making and reading dictionaries',
  funcs,
  [
    [
      '{{ dict "a" 1 "b" }} {{ dict nil 2 }} {{ dict (list 1) 2 1 3 }} {{ dict }}',
      'map[a:1 b:] map[<nil>:2] map[1:3 [1]:2] map[]',
    ],
    ['{{ get (dict "a" nil) "a" }}|{{ get (dict) "b" | quote }}|{{ get nil "a" | quote }}', '<no value>|""|""'],
    ['{{ hasKey (dict "a" nil) "a" }} {{ hasKey nil "a" }}', 'true false'],
    ['{{ hasKey .Values.nul "a" }}', 'ERR wrong type for value; expected map[string]interface {}; got interface {}'],
    ['{{ get .Values.s "a" }}', 'ERR wrong type for value; expected map[string]interface {}; got string'],
    ['{{ pluck "a" (dict "a" 1) (dict "b" 2) (dict "a" nil) }} {{ pluck "a" }}', '[1 <nil>] []'],
    ['{{ keys (dict "b" 1) (dict "b" 2) }} {{ keys nil }} {{ keys | typeOf }}', '[b b] [] []string'],
    ['{{ values (dict "a" 1) }} {{ values nil }}', '[1] []'],
    ['{{ pick (dict "a" 1 "b" nil) "a" "b" "z" }} {{ pick nil "a" }}', 'map[a:1 b:<nil>] map[]'],
    [
      '{{ omit (dict "a" 1 "b" 2) "a" }} {{ omit nil "a" }} {{ pick .Values "s" | typeOf }}',
      'map[b:2] map[] map[string]interface {}',
    ],
  ],
  values,
);

testRows(
  'set and unset change the map itself',
  funcs,
  [
    [
      '{{ $_ := set .Values.m "zz" 9 }}{{ .Values.m.zz }}{{ $_ := unset .Values.m "zz" }}{{ hasKey .Values.m "zz" }}',
      '9false',
    ],
    ['{{ set nil "a" 1 }}', 'ERR error calling set: assignment to entry in nil map'],
    ['{{ unset nil "a" | printf "%#v" }}', 'map[string]interface {}(nil)'],
    ['{{ set (unset nil "a") "a" 1 }}', 'ERR error calling set: assignment to entry in nil map'],
    ['{{ set .Values "new" 1 | typeOf }} {{ .Values.new }}', 'map[string]interface {} 1'],
    ['{{ $d := dict "x" 1 }}{{ $n := omit $d "z" }}{{ $_ := set $n "x" 2 }}{{ $d }}', 'map[x:1]'],
  ],
  values,
);

testRows('dig asserts types on its way', funcs, [
  ['{{ dig "a" "b" "def" (dict "a" (dict "b" 1)) }} {{ dig "a" "z" "def" (dict "a" (dict)) }}', '1 def'],
  ['{{ dig "a" "def" (dict "a" nil) }}|{{ dig "z" "z" nil (dict) }}', '<no value>|<no value>'],
  ['{{ dig "a" (dict) }}', 'ERR error calling dig: dig needs at least three arguments'],
  [
    '{{ dig "a" "b" "def" (dict "a" 1) }}',
    'ERR error calling dig: interface conversion: interface {} is int, not map[string]interface {}',
  ],
  [
    '{{ dig "a" "b" "def" (dict "a" nil) }}',
    'ERR error calling dig: interface conversion: interface {} is nil, not map[string]interface {}',
  ],
  ['{{ dig 1 "def" (dict) }}', 'ERR error calling dig: interface conversion: interface {} is int, not string'],
  [
    '{{ dig "a" "def" .Values }}',
    'ERR error calling dig: interface conversion: interface {} is chartutil.Values, not map[string]interface {}',
  ],
]);

testRows('deepCopy shares nothing', funcs, [
  [
    '{{ $d := dict "x" (dict "y" 1) }}{{ $n := deepCopy $d }}{{ $_ := set $n.x "y" 2 }}{{ $d }} {{ $n }}',
    'map[x:map[y:1]] map[x:map[y:2]]',
  ],
  [
    '{{ deepCopy (list (dict "a" nil) 1) }} {{ deepCopy (splitList "," "a") | typeOf }} {{ deepCopy 5 }}',
    '[map[a:<nil>] 1] []string 5',
  ],
  ['{{ deepCopy .Values | typeOf }} {{ deepCopy (split "," "a") | typeOf }}', 'chartutil.Values map[string]string'],
  ['{{ deepCopy nil }}', 'ERR error calling deepCopy: reflect: call of reflect.Value.Type on zero Value'],
]);

testRows('merge fills what is missing or empty', funcs, [
  [
    '{{ merge (dict "a" false "z" 0 "n" nil "l" (list) "m" (dict)) (dict "a" true "z" 5 "n" 1 "l" (list 1) "m" (dict "k" 1)) }}',
    'map[a:true l:[1] m:map[k:1] n:1 z:5]',
  ],
  ['{{ merge (dict "a" (dict "b" 1)) (dict "a" (dict "b" 2 "c" 3)) (dict "a" 9) }}', 'map[a:map[b:1 c:3]]'],
  [
    '{{ merge (dict "a" (list 1)) (dict "a" (list 2 3)) }} {{ merge (dict "x" (dict)) (dict "x" (list 1)) }}',
    'map[a:[1]] map[x:[1]]',
  ],
  ['{{ merge (dict "a" 1) (dict "a" (dict "b" 1)) }} {{ merge (dict "x" 0) (dict "x" nil) }}', 'map[a:1] map[x:0]'],
  ['{{ merge (dict "a" (dict)) (dict "a" (dict "b" nil)) }}', 'map[a:map[b:<nil>]]'],
  ['{{ merge nil (dict "a" 1) }} {{ merge nil nil | printf "%#v" }}', 'map[a:1] map[string]interface {}(nil)'],
  ['{{ merge .Values (dict "q" 1) | typeOf }} {{ .Values.q }}', 'map[string]interface {} 1'],
]);

testRows('mergeOverwrite takes all but merges maps', funcs, [
  [
    '{{ mergeOverwrite (dict "a" true "z" 5 "n" 1 "l" (list 1) "m" (dict "k" 1) "s" "x") (dict "a" false "z" 0 "n" nil "l" (list) "m" (dict) "s" "") }}',
    'map[a:false l:[] m:map[k:1] n:<nil> s: z:0]',
  ],
  [
    '{{ mergeOverwrite (dict "a" 1) (dict "a" (dict "b" 1)) }} {{ mergeOverwrite (dict "a" (dict "b" 1)) (dict "a" 1) }}',
    'map[a:map[b:1]] map[a:1]',
  ],
  ['{{ mustMergeOverwrite (dict "x" (dict "p" 5)) (dict "x" (list 1)) }}', 'map[x:[1]]'],
  ['{{ mergeOverwrite (dict "x" (dict "p" (dict "a" 1))) (dict "x" (dict "p" nil)) }}', 'map[x:map[p:<nil>]]'],
]);

testRows('maps that the target lacks are shared with their source', funcs, [
  [
    '{{ $a := dict "x" (dict "p" 1) }}{{ $b := dict "x" (dict "q" 2) }}{{ merge (dict) $a $b }} {{ $a }} {{ $b }}',
    'map[x:map[p:1 q:2]] map[x:map[p:1 q:2]] map[x:map[q:2]]',
  ],
  [
    '{{ $a := dict "x" (dict "p" 1) }}{{ $r := merge (dict "x" (dict)) $a }}{{ $_ := set $r.x "z" 1 }}{{ $a }}',
    'map[x:map[p:1]]',
  ],
  ['{{ $e := dict }}{{ $r := merge (dict "x" (dict)) (dict "x" $e) }}{{ $_ := set $r.x "z" 1 }}{{ $e }}', 'map[z:1]'],
]);

testRows('what mergo refuses', funcs, [
  [
    '{{ merge (dict "a" (split "," "x")) (dict "a" (dict "_1" 1)) }}',
    'ERR error calling merge: reflect.Value.SetMapIndex: value of type interface {} is not assignable to type string',
  ],
  ['{{ merge (dict "a" (split "," "x")) (dict "a" (split "," "y,z")) }}', 'map[a:map[_0:x _1:z]]'],
  ['{{ merge (dict "a" (semver "1.0.0")) (dict "a" (dict "b" 1)) | quote }}', '""'],
  [
    '{{ mustMerge (dict "a" (semver "1.0.0")) (dict "a" (dict "b" 1)) }}',
    'ERR error calling mustMerge: src and dst must be of same type',
  ],
]);

test('merging into a nil map only creates one if there is something to merge', () => {
  assert.ok(isNil(mergeInto(nilMap(), nilMap(), true)));
  assert.ok(!isNil(mergeInto(nilMap(), new Map(), false)));
});
