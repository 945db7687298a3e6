import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatValue, sprint, sprintf, sprintln } from '../../../render/go/format.ts';
import { GoObject, type GoValue, Int, int, int64, NamedMap, stringSlice } from '../../../render/go/value.ts';

class Pair extends GoObject {
  readonly type: string;
  override readonly kind: 'struct' | 'ptr';
  constructor(kind: 'struct' | 'ptr') {
    super();
    this.kind = kind;
    this.type = kind === 'ptr' ? '*x.Pair' : 'x.Pair';
  }
  override fields(): ReadonlyMap<string, GoValue> {
    return new Map<string, GoValue>([
      ['Name', 'n'],
      ['Inner', null],
    ]);
  }
}

class Version extends GoObject {
  readonly type = '*x.Version';
  override readonly kind = 'ptr';
  override string(): string {
    return 'v"1';
  }
  override layout(): ReadonlyMap<string, GoValue> {
    return new Map<string, GoValue>([
      ['major', new Int(1n, 'uint64')],
      ['pre', ''],
    ]);
  }
}

const list: GoValue = [int(1), 'a', null, [], new Map()];
const map: GoValue = new Map<string, GoValue>([
  ['b', 'x'],
  ['a', int(1)],
  ['é', null],
]);
const bytes = new Uint8Array([104, 105]);
const second = new Int(1_000_000_000n, 'int64', 'time.Duration', () => '1s');

const rows: [want: string, format: string, ...values: GoValue[]][] = [
  ['%!d(MISSING)', '%d'],
  ['1 %!d(MISSING)', '%d %d', int(1)],
  ['1%!(EXTRA int=2)', '%d', int(1), int(2)],
  ['x%!(EXTRA int=1, string=a, <nil>)', 'x', int(1), 'a', null],
  ['2 1', '%[2]d %[1]d', int(1), int(2)],
  ['%!d(BADINDEX)', '%[3]d', int(1), int(2)],
  ['1 1 2 %!d(BADINDEX) %!d(BADINDEX) %!(NOVERB)', '%[1]d %[1]v %d %[5]d %[x]d %[', int(1), int(2)],
  ['      5|    7|%!(BADPREC)%!d(MISSING)|%!(BADWIDTH)%!d(MISSING)', '%[2]*[1]d|%[1]*d|%.*d|%*d', int(5), int(7)],
  ['%!(BADWIDTH)5|%!(BADPREC)2.500000|x    ', '%*d|%.*f|%*s', 'a', int(5), int(-1), 2.5, int(-5), 'x'],
  ['%!(NOVERB)%!(EXTRA int=5)', '%100000001d', int(5)],
  ['%!(BADWIDTH)5', '%*d', int(1_000_001), int(5)],
  ['100%!(NOVERB)', '100%'],
  ['50%', '%d%%', int(50)],
  ['%!z(int=1)|%!!(int=2)|%!é(int=3)', '%z|%!|%é', int(1), int(2), int(3)],
  [
    '  42      |ab      |000000ab|+0000042|0000002a',
    '  %-08d|%-08s|%08s|%+08d|%08x',
    int(42),
    'ab',
    'ab',
    int(42),
    int(42),
  ],
  ['[00000001 %!d(string=0000000a)]', '%08d', [int(1), 'a']],
  ['3.00000|3.00|3.000000e+00|0x1.8000p+01|3.', '%#g|%#.3g|%#e|%#x|%#.0f', 3, 3, 3, 3, 3],
  ['0b101 0o05 05 -101', '%#b %#O %#o %b', int(5), int(5), int(5), int(-5)],
  [
    '|     |007|     007|007     |     007',
    '%.0d|%5.0d|%.3d|%8.3d|%-8.3d|%08.3d',
    int(0),
    int(0),
    int(7),
    int(7),
    int(7),
    int(7),
  ],
  [
    "U+00E9|U+00E9 'é'|  U+00E9|U+0000E9|U+FFFFFFFFFFFFFFF9",
    '%U|%#U|%08U|%.6U|%U',
    int(233),
    int(233),
    int(233),
    int(233),
    int(-7),
  ],
  ['é|    é|é    |000é|\ufffd', '%c|%5c|%-5c|%04c|%c', int(233), int(233), int(233), int(233), int(-1)],
  ["'\\''|'\\u00e9'|'\ufffd'", '%q|%+q|%q', int(39), int(233), int(-1)],
  [
    '-003.142|+003.142| 3.1|  +Inf|   NaN',
    '%08.3f|%+08.3f|% .1f|%06v|%06v',
    -3.14159,
    3.14159,
    3.14159,
    Number.POSITIVE_INFINITY,
    Number.NaN,
  ],
  ['3 3.000000 3e+00', '%v %F %.0e', 3, 3, 3],
  ['%!d(float64=00003) %!s(bool=true) %!t(int=1)', '%05d %s %t', 3, true, int(1)],
  ['true|false| true', '%v|%t|%5t', true, false, true],
  ['[1 a <nil> [] map[]] [%!s(int=1) a <nil> [] map[]]', '%v %s', list, list],
  ['[]interface {}{1, "a", interface {}(nil), []interface {}{}, map[string]interface {}{}}', '%#v', list],
  ['map[a:1 b:x é:<nil>]', '%v', map],
  ['map[%!d(string=a):1 %!d(string=b):%!d(string=x) %!d(string=é):<nil>]', '%d', map],
  ['map[string]interface {}{"a":1, "b":"x", "é":interface {}(nil)}', '%#v', map],
  ['chartutil.Values{"a":1}', '%#v', new NamedMap(new Map([['a', int(1)]]), 'chartutil.Values')],
  [
    '["a" "b"] []string{"a", "b"} []string',
    '%q %#v %T',
    stringSlice(['a', 'b']),
    stringSlice(['a', 'b']),
    stringSlice([]),
  ],
  ['[104 105] hi "hi" 6869 []byte{0x68, 0x69} []uint8', '%v %s %q %x %#v %T', bytes, bytes, bytes, bytes, bytes, bytes],
  ['[hi] [[104 105]] []interface {}{[]uint8{0x68, 0x69}}', '%s %d %#v', [bytes], [bytes], [bytes]],
  ['68 65|0x68 0x65|0x6865|61|    61|61  |', '% x|%# x|%#x|%.1x|%6x|%-4x|%x', 'he', 'he', 'he', 'ab', 'a', 'a', ''],
  ['abc|éà|       abc|`a`|"a`"', '%.3s|%.2s|%10.3s|%#q|%#q', 'abcdef', 'éàü', 'abcdef', 'a', 'a`'],
  ['<nil> %!s(<nil>) %!d(<nil>) <nil> |<nil>', '%v %s %d %-6v|%T', null, null, null, null, null],
  [
    '1s 1000000000 "1s" 1000000000 time.Duration [1s]',
    '%v %d %q %#v %T %s',
    second,
    second,
    second,
    second,
    second,
    [second],
  ],
  [
    '{n <nil>} {Name:n Inner:<nil>} x.Pair{Name:"n", Inner:interface {}(nil)}',
    '%v %+v %#v',
    new Pair('struct'),
    new Pair('struct'),
    new Pair('struct'),
  ],
  [
    '&{n <nil>} &x.Pair{Name:"n", Inner:interface {}(nil)} *x.Pair',
    '%v %#v %T',
    new Pair('ptr'),
    new Pair('ptr'),
    new Pair('ptr'),
  ],
  ['v"1 "v\\"1" &{1 %!d(string=)} [v"1]', '%s %q %d %v', new Version(), new Version(), new Version(), [new Version()]],
  ['%!w(int=5) %!w([]string=[a]) %!w(*x.Version=&{1 })', '%w %w %w', int(5), stringSlice(['a']), new Version()],
  ['%!p(int=5)', '%p', int(5)],
  ['42 int64', '%v %T', int64(42), int64(42)],
  ['日', '%s%s', '\udce6', '\udc97\udca5'],
];
for (const [want, format, ...values] of rows) {
  test(`sprintf ${JSON.stringify(format)} gives ${want}`, () => assert.equal(sprintf(format, ...values), want));
}

test('sprint puts spaces between what is not a string', () => {
  assert.equal(sprint(['a', int(1), int(2), 'b', null, true]), 'a1 2b<nil> true');
  assert.equal(sprint([]), '');
  assert.equal(sprintln(['a', int(1)]), 'a 1\n');
  assert.equal(sprintln([]), '\n');
});

test('formatValue', () => {
  assert.equal(formatValue(1e6), '1e+06');
  assert.equal(formatValue(second), '1s');
  assert.equal(formatValue(new Version()), 'v"1');
});
