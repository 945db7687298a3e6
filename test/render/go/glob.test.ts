// Patterns apart from those in fixtures/functions/glob.yaml.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileGlob } from '../../../render/go/glob.ts';
import { GoError } from '../../../render/go/value.ts';

for (const [pattern, name, matches] of [
  ['d/é.txt', 'd/é.txt', true],
  ['{a-b.txt,d/x.txt', 'd/x.txt', true],
  ['{a-b,}f.txt', 'f.txt', true],
  ['{a-b,}f.txt', 'a-b.txt', false],
  // A choice with a first branch of any length counts for as many characters as the second.
  ['d/{*,x.txt}', 'd/y.txt', true],
  ['d/{*,x}', 'd/y.txt', false],
  // Both ends may overlap.
  ['ab**ba', 'aba', true],
] as const) {
  test(`glob ${pattern} on ${name}`, () => assert.equal(compileGlob(pattern)(name), matches));
}

for (const pattern of ['[a', '[', '[]', '[]a]', '[a-zA-Z]', '[z-a]', '[!]', '[a-']) {
  test(`invalid glob: ${pattern}`, () => assert.throws(() => compileGlob(pattern), GoError));
}
