import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededHost } from '../../../render/core/host.ts';
import { createRandomFuncs } from '../../../render/functions/random.ts';
import { typeOf } from '../../../render/go/value.ts';
import { evaluate } from '../../support/evaluate.ts';

const funcs = createRandomFuncs(seededHost());

test('strings are drawn from their alphabets', () => {
  const shapes: readonly (readonly [string, RegExp])[] = [
    ['{{ randAlphaNum 400 }}', /^[0-9A-Za-z]{400}$/],
    ['{{ randAlpha 400 }}', /^[A-Za-z]{400}$/],
    ['{{ randNumeric 400 }}', /^[0-9]{400}$/],
    ['{{ randAscii 400 }}', /^[ -~]{400}$/],
    ['{{ randBytes 5 }}', /^[A-Za-z0-9+/]{7}=$/],
    ['{{ uuidv4 }}', /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/],
  ];
  for (const [template, shape] of shapes) assert.match(evaluate(template, funcs), shape, template);
  const digits = new Set(evaluate('{{ randNumeric 400 }}', funcs));
  assert.equal(digits.size, 10);
});

test('randInt stays in its range and reaches its ends', () => {
  const drawn = new Set<string>();
  for (let i = 0; i < 200; i++) drawn.add(evaluate('{{ randInt -2 3 }}', funcs));
  assert.deepEqual([...drawn].sort(), ['-1', '-2', '0', '1', '2']);
  assert.equal(typeOf(funcs.get('randInt')?.call(...([0, 1] as never[])) ?? null), 'int');
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
