import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileGlob } from '../../../render/go/glob.ts';
import { GoError } from '../../../render/go/value.ts';

const names = '.h/x.txt D/Q.txt a-b.txt d/e/z.txt d/x.txt d/y.txt d/é.txt f.txt weird[1].txt'.split(' ');
const rows: [pattern: string, want: string][] = [
  ['*', 'a-b.txt f.txt weird[1].txt'],
  ['**', names.join(' ')],
  ['d/*', 'd/x.txt d/y.txt d/é.txt'],
  ['d/**', 'd/e/z.txt d/x.txt d/y.txt d/é.txt'],
  ['**.txt', names.join(' ')],
  ['*/*.txt', '.h/x.txt D/Q.txt d/x.txt d/y.txt d/é.txt'],
  ['**/*.txt', '.h/x.txt D/Q.txt d/e/z.txt d/x.txt d/y.txt d/é.txt'],
  ['d/{x,y}.txt', 'd/x.txt d/y.txt'],
  ['{d,D}/**', 'D/Q.txt d/e/z.txt d/x.txt d/y.txt d/é.txt'],
  ['d/[x-z].txt', 'd/x.txt d/y.txt'],
  ['d/[!x].txt', 'd/y.txt'],
  ['d/[^x].txt', 'd/x.txt'],
  ['d/?.txt', 'd/x.txt d/y.txt'],
  ['d/é.txt', 'd/é.txt'],
  ['d/*/z.txt', 'd/e/z.txt'],
  ['d/**/z.txt', 'd/e/z.txt'],
  ['d/', ''],
  ['/d/*', ''],
  ['weird\\[1\\].txt', 'weird[1].txt'],
  ['weird[[]1].txt', 'weird[1].txt'],
  ['{a*,f*}.txt', 'a-b.txt f.txt'],
  ['{a-b.txt,d/x.txt', 'a-b.txt d/x.txt'],
  ['{a-b,}f.txt', 'f.txt'],
  ['', ''],
  ['{', ''],
];
for (const [pattern, want] of rows) {
  test(`glob ${pattern}`, () => assert.equal(names.filter(compileGlob(pattern)).join(' '), want));
}

test('a choice with a first branch of any length counts for as many characters as the second', () => {
  assert.equal(compileGlob('d/{*,x.txt}')('d/y.txt'), true);
  assert.equal(compileGlob('d/{*,x}')('d/y.txt'), false);
});

test('both ends of `ab**ba` may overlap', () => assert.equal(compileGlob('ab**ba')('aba'), true));

for (const pattern of ['[a', '[', '[]', '[]a]', '[a-zA-Z]', '[z-a]', '[!]', '[a-']) {
  test(`invalid glob: ${pattern}`, () => assert.throws(() => compileGlob(pattern), GoError));
}
