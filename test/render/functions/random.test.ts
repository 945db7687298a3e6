// Random functions, whose results cannot be recorded: the ends of their ranges are reached, and a seed repeats them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareSync } from 'bcryptjs';
import { seededHost } from '../../../render/core/host.ts';
import { createHashFuncs } from '../../../render/functions/hashes.ts';
import { createRandomFuncs } from '../../../render/functions/random.ts';
import { evaluate } from '../../support/evaluate.ts';

const funcs = createRandomFuncs(seededHost());

test('all digits are drawn, and randInt reaches the ends of its range', () => {
  assert.equal(new Set(evaluate('{{ randNumeric 400 }}', funcs)).size, 10);
  const drawn = Array.from({ length: 200 }, () => evaluate('{{ randInt -2 3 }}', funcs));
  assert.deepEqual([...new Set(drawn)].sort(), ['-1', '-2', '0', '1', '2']);
});

test('shuffle keeps the characters', () => {
  const shuffled = evaluate('{{ shuffle "aé😀bcdefgh" }}', funcs);
  assert.deepEqual(Array.from(shuffled).sort(), Array.from('aé😀bcdefgh').sort());
});

test('strings are reproducible by seed', () => {
  const draw = (seed: string): string =>
    evaluate('{{ randAlphaNum 20 }} {{ uuidv4 }}', createRandomFuncs(seededHost({ seed })));
  assert.equal(draw('a'), draw('a'));
  assert.notEqual(draw('a'), draw('b'));
});

test('the hash of bcrypt matches the password', () => {
  const line = evaluate('{{ htpasswd "user" "pässword" }}', createHashFuncs(seededHost()));
  assert.ok(compareSync('pässword', line.slice('user:'.length)));
});
