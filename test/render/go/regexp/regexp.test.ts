import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileRegexp, quoteMeta } from '../../../../render/go/regexp/regexp.ts';
import { GoError } from '../../../../render/go/value.ts';

const matches: [pattern: string, text: string, want: boolean][] = [
  ['^[a-z]+$', 'abc', true],
  ['(?i)ABC', 'xabcx', true],
  ['^b$', 'a\nb', false],
  ['(?m)^b$', 'a\nb', true],
  ['a.b', 'a\nb', false],
  ['a.b', 'a\u2028b', true],
  ['\\d+', '٣', false],
  ['^\\w$', 'é', false],
  ['^\\s$', '\v', false],
  ['\\p{Greek}', 'α', true],
  ['^.{1}$', '😀', true],
  ['a{,2}', 'a{,2}', true],
  ['(?i)k', '\u212a', true],
];
for (const [pattern, text, want] of matches) {
  test(`${pattern} ${want ? 'matches' : 'does not match'} ${JSON.stringify(text)}`, () =>
    assert.equal(compileRegexp(pattern).matchString(text), want));
}

const errors: [pattern: string, want: string][] = [
  ['(', 'missing closing ): `(`'],
  ['\\p{Lc}', 'invalid character class range: `\\p{Lc}`'],
  ['\\P{Ascii}', 'invalid character class range: `\\P{Ascii}`'],
  ['a(?=b)', 'invalid or unsupported Perl syntax: `(?=`'],
  ['x{1001}', 'invalid repeat count: `{1001}`'],
  ['(a)\\1', 'invalid escape sequence: `\\1`'],
  ['a**', 'invalid nested repetition operator: `**`'],
  ['[z-a]', 'invalid character class range: `z-a`'],
  ['(?<=a)b', 'invalid named capture: `(?<=a)b`'],
  ['(?P<n>a)(?P<n>b', 'missing closing ): `(?P<n>a)(?P<n>b`'],
  ['a\\', 'trailing backslash at end of expression: ``'],
  ['a\udcffb', 'invalid UTF-8: `\udcffb`'],
];
for (const [pattern, want] of errors) {
  test(`${pattern} is not a valid pattern`, () =>
    assert.throws(() => compileRegexp(pattern), new GoError(`error parsing regexp: ${want}`)));
}

const replacements: [pattern: string, text: string, replacement: string, want: string][] = [
  ['a(x*)b', '-ab-axxb-', '${1}W', '-W-xxW-'],
  ['a(x*)b', '-ab-axxb-', '$1W', '---'],
  ['a(x*)b', '-ab-axxb-', '$1-', '---xx--'],
  ['(?P<n>a)', 'ba', '<${n}$$>', 'b<a$>'],
  ['a', 'ba', '$0$0', 'baa'],
  ['a', 'ba', '$9|$00|${x', 'b||${x'],
  ['a', 'ba', '$', 'b$'],
  ['', 'abc', '-', '-a-b-c-'],
  ['x*', 'axc', '-', '-a-c-'],
  ['', '😀', '-', '-😀-'],
  ['(a)(b)?', 'ac', '[$1|$2]', '[a|]c'],
  ['(?m)^', 'a\nb', '> ', '> a\n> b'],
  ['(?P<n>a)|\\([(](?<n>b)', 'a([b', '<$n>', '<a>([b'],
  ['(?P<n>a)|[(](?<n>b)', 'a(b', '<$n>', '<a><b>'],
];
for (const [pattern, text, replacement, want] of replacements) {
  test(`${pattern} in ${text} replaced by ${replacement}`, () =>
    assert.equal(compileRegexp(pattern).replaceAllString(text, replacement), want));
}

test('replaceAllLiteralString inserts the text unchanged', () => {
  assert.equal(compileRegexp('a(x*)b').replaceAllLiteralString('-ab-', '${1}'), '-${1}-');
});

test('find', () => {
  assert.equal(compileRegexp('a|ab').findString('ab'), 'a');
  assert.equal(compileRegexp('z').findString('ab'), '');
  assert.deepEqual(compileRegexp('a*').findAllString('baac', -1), ['', 'aa', '']);
  assert.deepEqual(compileRegexp('a').findAllString('aaa', 2), ['a', 'a']);
  assert.deepEqual(compileRegexp('a').findAllString('aaa', 0), []);
});

const splits: [pattern: string, text: string, limit: number, want: string[] | undefined][] = [
  ['z+', 'pizza', -1, ['pi', 'a']],
  ['a', 'banana', 2, ['b', 'nana']],
  ['a', 'banana', 0, undefined],
  ['', 'abc', -1, ['a', 'b', 'c']],
  [',', '', -1, ['']],
  ['', '', -1, []],
  ['a', 'aaa', -1, ['', '', '', '']],
  ['x', 'axbxc', 1, ['axbxc']],
];
for (const [pattern, text, limit, want] of splits) {
  test(`split ${text} by ${pattern} into ${limit}`, () =>
    assert.deepEqual(compileRegexp(pattern).split(text, limit), want));
}

test('quoteMeta', () =>
  assert.equal(quoteMeta('a.b*c\\d-e[1]{2}^$|(+?)'), 'a\\.b\\*c\\\\d-e\\[1\\]\\{2\\}\\^\\$\\|\\(\\+\\?\\)'));
