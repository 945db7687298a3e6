// Rows for render/cli/flags.ts; the error texts are those of Helm 3.17.3.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFlags, UsageError } from '../../../render/cli/flags.ts';
import { otherFlags, templateFlags } from '../../../render/cli/table/template.ts';

const specs = [...templateFlags, ...otherFlags];

test('accepts flags among arguments, short and long, with and without =', () => {
  const flags = parseFlags(specs, 'r --set a=1 ./c --set=b=2 -nx -f p -f=q,r -g -- --set'.split(' '));
  assert.deepEqual(flags.args, ['r', './c', '--set']);
  assert.deepEqual(flags.list('set'), ['a=1', 'b=2']);
  assert.deepEqual(flags.list('values'), ['p', 'q', 'r']);
  assert.equal(flags.text('namespace'), 'x');
  assert.equal(flags.on('generate-name'), true);
});

test('parses negated bool flags, and flags with an optional value', () => {
  const flags = parseFlags(specs, ['--skip-tests=false', '--no-hooks=T', '--dry-run', 'server']);
  assert.equal(flags.on('skip-tests'), false);
  assert.equal(flags.on('no-hooks'), true);
  assert.equal(flags.text('dry-run'), 'client');
  assert.deepEqual(flags.args, ['server']);
});

test('splits lists as CSV', () => {
  assert.deepEqual(parseFlags(specs, ['-a', 'a,"b,c","d""e"', '-a', '']).list('api-versions'), ['a', 'b,c', 'd"e']);
  assert.deepEqual(parseFlags(specs, ['-s', 'a,b']).list('show-only'), ['a,b']);
});

test('stops at help', () => {
  assert.equal(parseFlags(specs, ['-h', '--zz']).help, true);
  assert.equal(parseFlags(specs, ['x', '--help']).help, true);
});

const faults: [argv: string[], message: string][] = [
  [['--zz'], 'unknown flag: --zz'],
  [['-gx'], "unknown shorthand flag: 'x' in -x"],
  [['--set'], 'flag needs an argument: --set'],
  [['-f'], "flag needs an argument: 'f' in -f"],
  [['--=x'], 'bad flag syntax: --=x'],
  [['--timeout', 'x'], 'invalid argument "x" for "--timeout" flag: time: invalid duration "x"'],
  [['--skip-tests=x'], 'invalid argument "x" for "--skip-tests" flag: strconv.ParseBool: parsing "x": invalid syntax'],
  [['--burst-limit=x'], 'invalid argument "x" for "--burst-limit" flag: strconv.ParseInt: parsing "x": invalid syntax'],
  [['-l', 'a=b,c=d,e'], 'invalid argument "a=b,c=d,e" for "-l, --labels" flag: e must be formatted as key=value'],
  [
    ['-f', 'a"b'],
    'invalid argument "a\\"b" for "-f, --values" flag: parse error on line 1, column 2: bare " in non-quoted-field',
  ],
  [
    ['-f', 'a,"b'],
    'invalid argument "a,\\"b" for "-f, --values" flag: parse error on line 1, column 5: extraneous or missing " in quoted-field',
  ],
];

for (const [argv, message] of faults) {
  test(`refuses ${argv.join(' ')}`, () => {
    assert.throws(
      () => parseFlags(specs, argv),
      (error) => error instanceof UsageError && error.message === message,
    );
  });
}
