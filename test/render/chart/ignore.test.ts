// .helmignore rules; every expectation is Helm 3.17.3's.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseIgnoreRules } from '../../../render/chart/ignore.ts';

// Rules, paths that are left out, paths that stay. A path with a slash at its end is a folder.
const rows: readonly (readonly [rules: string, out: readonly string[], stay: readonly string[]])[] = [
  ['', ['templates/.x.yaml', 'templates/.d/'], ['.x', 'templates/sub/.x', 'charts/s/templates/.x', 'templates/']],
  ['*.bak', ['a.bak', 'a/b.bak'], ['a.bakk', 'bak']],
  ['foo', ['foo', 'a/foo', 'foo/'], ['foo.x']],
  ['/foo', ['foo', 'foo/'], ['a/foo']],
  ['a/*', ['a/b', 'a/c/'], ['a/b/c', 'a/']],
  ['  *.txt  \r\n\r\n# c\n\ufeffx', ['a.txt'], ['# c', 'c']],
  ['\ufeff*.txt', ['a.txt'], []],
  ['[a-c]x', ['ax', 'd/bx'], ['dx']],
  ['[^a]x', ['bx'], ['ax']],
  ['a?', ['ab', 'aé'], ['a', 'a/b']],
  ['\\*', ['*'], ['a']],
  ['!keep', ['a', 'Chart.yaml', 'keep/a'], ['keep', 'a/keep']],
  ['!*.txt\na.txt', ['a.txt', 'x'], ['b.txt']],
  ['//foo', [], ['a', 'foo', 'foo/']],
  ['x*[', [], ['b', 'x*[']],
];

for (const [rules, out, stay] of rows) {
  test(JSON.stringify(rules), () => {
    const isIgnored = parseIgnoreRules(rules);
    const ignores = (path: string): boolean => isIgnored(path.replace(/\/$/, ''), path.endsWith('/'));
    assert.deepEqual(
      out.filter((path) => !ignores(path)),
      [],
    );
    assert.deepEqual(stay.filter(ignores), []);
  });
}

for (const [rules, message] of [
  ['a\n**/b', 'double-star (**) syntax is not supported'],
  ['a\\', 'syntax error in pattern'],
] as const) {
  test(`refused: ${JSON.stringify(rules)}`, () =>
    assert.throws(() => parseIgnoreRules(rules), { name: 'GoError', message }));
}

test('Helm 3 removes one more leading slash at each comparison', () => {
  const isIgnored = parseIgnoreRules('//foo', { leadingSlash: 'each comparison' });
  assert.deepEqual(
    ['foo', 'foo', 'bar'].map((path) => isIgnored(path, false)),
    [false, true, false],
  );
});

test('an invalid rule after a star is reported when a comparison reaches it', () => {
  const warnings: string[] = [];
  const isIgnored = parseIgnoreRules('x*[', { onBroken: (pattern, form) => warnings.push(`${form} ${pattern}`) });
  assert.deepEqual([isIgnored('ax', false), isIgnored('xa', false)], [false, false]);
  assert.deepEqual(warnings, ['name x*[']);
});

test('a rule with an escaped slash matches nothing, and is reported at every comparison', () => {
  const warnings: string[] = [];
  const isIgnored = parseIgnoreRules('a\\/\nx/b\\/\n/c\\/', {
    onBroken: (pattern, form) => warnings.push(`${form} ${pattern}`),
  });
  assert.equal(isIgnored('a', true), false);
  assert.equal(isIgnored('a', false), false);
  assert.deepEqual(warnings, ['name a\\', 'path x/b\\', 'rooted c\\']);
});
