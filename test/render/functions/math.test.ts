import { listFuncs } from '../../../render/functions/lists.ts';
import { mathFuncs } from '../../../render/functions/math.ts';
import { stringFuncs } from '../../../render/functions/strings.ts';
import { typeFuncs } from '../../../render/functions/types.ts';
import { testRows } from '../../support/evaluate.ts';

const funcs = new Map([...mathFuncs, ...listFuncs, ...stringFuncs, ...typeFuncs]);
const values = { i: 3, l: [1], nul: null };

testRows(
  'integers wrap at 64 bits',
  funcs,
  [
    ['{{ add 1 2 3 }} {{ add }} {{ add "1" 2.7 true nil "x" }} {{ add .Values.nul .Values.l 1 }}', '6 0 4 1'],
    ['{{ add 9223372036854775807 1 }} {{ mul 4611686018427387904 4 }}', '-9223372036854775808 0'],
    ['{{ add1 "4" }} {{ sub 5 3 }} {{ mul 2.9 2 }} {{ mul 2 3 4 }}', '5 2 4 24'],
    ['{{ div 7 2 }} {{ div -7 2 }} {{ mod -7 3 }} {{ div -9223372036854775808 -1 }}', '3 -3 -1 -9223372036854775808'],
    ['{{ div 1 0 }}', 'ERR error calling div: runtime error: integer divide by zero'],
    ['{{ mod 7 "x" }}', 'ERR error calling mod: runtime error: integer divide by zero'],
    ['{{ max 1 5 3 }} {{ biggest "7" 5 }} {{ min 1 5 -3 }} {{ max 2 }}', '5 7 -3 2'],
    [
      '{{ typeOf (add 1 2) }} {{ typeOf (max 1) }} {{ typeOf (int 1) }} {{ typeOf (int64 1) }}',
      'int64 int64 int int64',
    ],
    ['{{ max }}', 'ERR wrong number of args for max: want at least 1 got 0'],
  ],
  values,
);

testRows('decimal arithmetic', funcs, [
  ['{{ addf 0.1 0.2 }} {{ addf 1.1 2.2 }} {{ addf }} {{ addf "a" 1 }} {{ add1f 1.5 }}', '0.3 3.3 0 1 2.5'],
  ['{{ subf 1.5 0.1 }} {{ mulf 1.1 1.1 }} {{ mulf 1e10 1e10 }} {{ mulf 1e300 1e300 }}', '1.4 1.21 1e+20 +Inf'],
  [
    '{{ divf 10 3 }} {{ divf -10 3 }} {{ divf 2 3 }} {{ divf 10 4 }} {{ divf 1e-17 1 }}',
    '3.3333333333333335 -3.3333333333333335 0.6666666666666667 2.5 0',
  ],
  ['{{ divf 5e-17 1 }} {{ divf 1e20 3e-5 }} {{ divf 0 -3 }}', '1e-16 3.3333333333333333e+24 0'],
  ['{{ divf 1 0 }}', 'ERR error calling divf: decimal division by 0'],
  ['{{ addf "inf" 1 }}', 'ERR error calling addf: Cannot create a Decimal from +Inf'],
  ['{{ mulf 1 "nan" }}', 'ERR error calling mulf: Cannot create a Decimal from NaN'],
]);

testRows('floats', funcs, [
  [
    '{{ maxf 1.5 2 }} {{ minf 1.5 2 }} {{ maxf "nan" "inf" }} {{ minf "nan" "-inf" }} {{ maxf "nan" 1 }}',
    '2 1.5 +Inf -Inf NaN',
  ],
  ['{{ floor "1.8" }} {{ ceil 1.2 }} {{ ceil -0.5 }} {{ floor true }}', '1 2 -0 1'],
  ['{{ round 123.555555 3 }} {{ round 2.5 0 }} {{ round 1.005 2 }} {{ round 123.45 1 0.4 }}', '123.556 3 1 123.5'],
  ['{{ round -2.4 0 }} {{ round -2.6 0 }} {{ round 1250 -2 }} {{ round 1e300 10 }}', '-3 -3 1300 +Inf'],
  ['{{ round 1.23456789 30 }} {{ round 123456 -3 }} {{ round 5 400 }}', '1.23456789 123000 NaN'],
]);

testRows(
  'conversions never fail',
  funcs,
  [
    [
      '{{ int "017" }} {{ int "0x1f" }} {{ int "1_000" }} {{ int "12.00" }} {{ int "12.7" }} {{ int " 12" }}',
      '15 31 1000 12 0 0',
    ],
    [
      '{{ int 12.7 }} {{ int -12.7 }} {{ int true }} {{ int nil }} {{ int (list 1) }} {{ int 1e30 }}',
      '12 -12 1 0 0 -9223372036854775808',
    ],
    [
      '{{ float64 "1_000.5" }} {{ float64 "abc" }} {{ float64 5 | typeOf }} {{ float64 "inf" }}',
      '1000.5 0 float64 +Inf',
    ],
    [
      '{{ atoi "42" }} {{ atoi "010" }} {{ atoi "+5" }} {{ atoi "4x" }} {{ atoi "0x10" }} {{ atoi "" }} {{ atoi "1" | typeOf }}',
      '42 10 5 0 0 0 int',
    ],
    [
      '{{ atoi "99999999999999999999" }} {{ atoi "-99999999999999999999" }}',
      '9223372036854775807 -9223372036854775808',
    ],
    [
      '{{ toDecimal "0777" }} {{ toDecimal 777 }} {{ toDecimal "9" }} {{ toDecimal .Values.i }} {{ toDecimal (list 1) }}',
      '511 511 0 3 0',
    ],
  ],
  values,
);

testRows(
  'counting',
  funcs,
  [
    ['{{ until 5 }} {{ until 0 }} {{ until -3 }} {{ until 1 | typeOf }}', '[0 1 2 3 4] [] [0 -1 -2] []int'],
    [
      '{{ untilStep 3 10 3 }} {{ untilStep 10 3 -3 }} {{ untilStep 3 10 0 }} {{ untilStep 10 3 3 }}',
      '[3 6 9] [10 7 4] [] []',
    ],
    ['{{ seq 5 }}|{{ seq -3 }}|{{ seq 0 }}|{{ seq 2 5 }}|{{ seq 5 2 }}', '1 2 3 4 5|1 0 -1 -2 -3|1 0|2 3 4 5|5 4 3 2'],
    [
      '{{ seq 0 2 10 }}|{{ seq 0 -2 -5 }}|{{ seq 10 2 0 }}|{{ seq 1 1 1 }}|{{ seq 1 -1 5 }}',
      '0 2 4 6 8 10|0 -2 -4||1|',
    ],
    ['{{ seq }}|{{ seq 1 2 3 4 }}|', '||'],
    ['{{ until .Values.i }}', 'ERR wrong type for value; expected int; got float64'],
    ['{{ until (add 1 2) }}', 'ERR wrong type for value; expected int; got int64'],
  ],
  values,
);
