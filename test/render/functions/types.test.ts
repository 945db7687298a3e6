import { defaultFuncs } from '../../../render/functions/defaults.ts';
import { dictFuncs } from '../../../render/functions/dicts.ts';
import { listFuncs } from '../../../render/functions/lists.ts';
import { mathFuncs } from '../../../render/functions/math.ts';
import { createSemverFuncs } from '../../../render/functions/semvers.ts';
import { stringFuncs } from '../../../render/functions/strings.ts';
import { typeFuncs } from '../../../render/functions/types.ts';
import { helmOf } from '../../../render/helm/versions.ts';
import { testRows } from '../../support/evaluate.ts';

const semverFuncs = createSemverFuncs(helmOf());

const funcs = new Map([
  ...typeFuncs,
  ...defaultFuncs,
  ...listFuncs,
  ...dictFuncs,
  ...mathFuncs,
  ...stringFuncs,
  ...semverFuncs,
]);
const values = { i: 3, l: ['a'], nul: null, e: '', z: 0, bf: false, em: {} };

testRows(
  'types and kinds',
  funcs,
  [
    [
      '{{ typeOf "a" }} {{ typeOf nil }} {{ typeOf (list) }} {{ typeOf (dict) }} {{ typeOf .Values.i }}',
      'string <nil> []interface {} map[string]interface {} float64',
    ],
    [
      '{{ kindOf "a" }} {{ kindOf nil }} {{ kindOf (until 1) }} {{ kindOf .Values }} {{ kindOf (semver "1.2.3") }}',
      'string invalid slice map ptr',
    ],
    ['{{ typeIs "int" 1 }} {{ typeIs "float64" 1 }} {{ kindIs "invalid" .Values.nul }}', 'true false true'],
    [
      '{{ typeIsLike "semver.Version" (semver "1.2.3") }} {{ typeIs "semver.Version" (semver "1.2.3") }} {{ typeIsLike "int" 1 }}',
      'true false true',
    ],
    [
      '{{ deepEqual (list 1 2) (list 1 2) }} {{ deepEqual 1 1.0 }} {{ deepEqual nil nil }} {{ deepEqual (list) nil }}',
      'true false true false',
    ],
    [
      '{{ deepEqual (splitList "," "a") .Values.l }} {{ deepEqual (list) (rest (list)) }} {{ deepEqual (dict "a" nil) (dict "a" nil) }}',
      'false false true',
    ],
  ],
  values,
);

testRows(
  'emptiness',
  funcs,
  [
    [
      '{{ default "d" "" }} {{ default "d" 0.0 }} {{ default "d" (dict) }} {{ default "d" " " }}{{ default "d" "0" }}',
      'd d d  0',
    ],
    [
      '{{ default "d" }} {{ default "d" "a" "b" }} {{ .Values.nope | default "d" }} {{ .Values.bf | default true }}',
      'd a d true',
    ],
    ['{{ default nil nil }}|', '<no value>|'],
    [
      '{{ empty (list nil) }} {{ empty .Values.em }} {{ empty (semver "0.0.0") }} {{ empty .Values.nope }}',
      'false true false true',
    ],
    ['{{ coalesce nil "" 0 "x" "y" }} {{ coalesce .Values.e .Values.z }}|{{ coalesce }}', 'x <no value>|<no value>'],
    [
      '{{ all }} {{ all 1 "" }} {{ all 1 2 }} {{ any }} {{ any 0 "" }} {{ any 0 1 }}',
      'true false true false false true',
    ],
    ['{{ ternary "a" "b" true }} {{ false | ternary "a" "b" }} {{ ternary nil "b" true }}', 'a b <no value>'],
    ['{{ ternary "a" "b" "true" }}', 'ERR expected bool; found "true"'],
    ['{{ ternary "a" "b" .Values.nul }}', 'ERR wrong type for value; expected bool; got interface {}'],
  ],
  values,
);
