import assert from 'node:assert/strict';
import { test } from 'node:test';
import { join, matchPattern } from '../../../render/go/path.ts';
import { GoError } from '../../../render/go/value.ts';

test('join', () => {
  assert.equal(join('a', '', '../b', '/c/'), 'b/c');
  assert.equal(join('', ''), '');
  assert.equal(join('/', 'a'), '/a');
});

const patterns: [pattern: string, name: string, want: boolean | undefined][] = [
  ['abc', 'abc', true],
  ['*', 'abc', true],
  ['*', 'a/c', false],
  ['*c', 'abc', true],
  ['a*', 'ab/c', false],
  ['a*/b', 'abc/b', true],
  ['a*b*c*d*e*/f', 'axbxcxdxe/xxx/f', false],
  ['a*b*c*d*e*/f', 'axbxcxdxexxx/f', true],
  ['a*b?c*x', 'abxbbxdbxebxczzx', true],
  ['ab[c]', 'abc', true],
  ['ab[b-d]', 'abc', true],
  ['ab[^c]', 'abc', false],
  ['ab[^e-g]', 'abc', true],
  ['a\\*b', 'a*b', true],
  ['a\\*b', 'ab', false],
  ['a?b', 'a☺b', true],
  ['a[^a]b', 'a☺b', true],
  ['[a-ζ]*', 'α', true],
  ['*[a-ζ]', 'A', false],
  ['a?b', 'a/b', false],
  ['a*b', 'a/b', false],
  ['[\\]a]', ']', true],
  ['[\\-x]', '-', true],
  ['*x', 'xxx', true],
  ['', '', true],
  ['', 'a', false],
  ['[x-]', 'x', undefined],
  ['[-x]', 'x', undefined],
  ['[a-b-c]', 'a', undefined],
  ['[]a]', ']', undefined],
  ['[', 'a', undefined],
  ['[^', 'a', undefined],
  ['[^bc', 'a', undefined],
  ['a[', 'ab', undefined],
  ['a[', 'x', undefined],
  ['\\', 'a', undefined],
  ['[\\', 'a', undefined],
];
for (const [pattern, name, want] of patterns) {
  test(`pattern ${pattern} on ${name}`, () => {
    if (want === undefined) assert.throws(() => matchPattern(pattern, name), new GoError('syntax error in pattern'));
    else assert.equal(matchPattern(pattern, name), want);
  });
}
