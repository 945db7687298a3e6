import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { build } from 'esbuild';
import fc from 'fast-check';
import * as whole from '../../../../render/go/regexp/regexp.ts';
import { leanRegexp } from '../../../../scripts/build/lean-regexp.ts';

// What a bundle holds of the package of regular expressions, which is less than the package, answers as the package does.
let lean: typeof whole;

before(async () => {
  const { outputFiles } = await build({
    entryPoints: ['render/go/regexp/regexp.ts'],
    plugins: [leanRegexp()],
    bundle: true,
    format: 'esm',
    write: false,
  });
  const code = `${outputFiles[0]?.text}//${outputFiles.length}`;
  lean = (await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)) as typeof whole;
});

type Engine = Pick<typeof whole, 'compileRegexp'>;

function answers({ compileRegexp }: Engine, pattern: string, text: string): unknown {
  try {
    const regexp = compileRegexp(pattern);
    return [
      regexp.matchString(text),
      regexp.findString(text),
      regexp.findAllString(text, -1),
      regexp.replaceAllString(text, '<$1|${name}>'),
      regexp.replaceAllLiteralString(text, '$1'),
      regexp.split(text, -1),
    ];
  } catch (error) {
    return (error as Error).message;
  }
}

const classes = 'C Cc Cf L Ll Lm Lt Lu M Mn N Nd P Pd S Sc Z Zs Any Greek Latin Han Common Inherited Lc Cn Nope';
const atom = fc.oneof(
  fc.constantFrom(
    'a',
    'B',
    'k',
    'ſ',
    'é',
    '.',
    '\\d',
    '\\W',
    '\\b',
    '^',
    '$',
    '[a-c]',
    '[^x]',
    '[[:alpha:]]',
    '\\x{345}',
    '\\1',
  ),
  fc.tuple(fc.constantFrom('p', 'P'), fc.constantFrom(...classes.split(' '))).map(([p, name]) => `\\${p}{${name}}`),
);
const pattern = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    atom,
    fc.tuple(tie('node'), tie('node')).map(([a, b]) => a + b),
    fc.tuple(tie('node'), tie('node')).map(([a, b]) => `(?:${a}|${b})`),
    fc
      .tuple(fc.constantFrom('(', '(?i:', '(?P<name>', '(?s:', '(?i)('), tie('node'))
      .map(([open, a]) => `${open}${a})`),
    fc.tuple(tie('node'), fc.constantFrom('*', '+', '?', '{2}', '{0,3}', '*?', '{1001}', '**')).map(([a, b]) => a + b),
  ),
})).node;
const text = fc.string({
  unit: fc.constantFrom('a', 'b', 'B', 'k', 'K', 'K', 's', 'ſ', 'é', 'α', '中', '\n', ' ', '1', '-', '\u0345', '😀'),
});

describe('the regular expressions of a bundle', () => {
  it('answer as those of the whole package', () => {
    fc.assert(
      fc.property(pattern, text, (expression, subject) =>
        assert.deepEqual(answers(lean, expression, subject), answers(whole, expression, subject)),
      ),
      { numRuns: 1000 },
    );
  });

  it('do so in long texts', () => {
    const subject = 'ab-kſ é α中 1\n'.repeat(2000);
    for (const expression of ['(a|b)+-', 'x*$', '(?i)K(s)', '\\pL+', '([^a]+)z', '(?:a|ab)(?:c|-)', '(\\w+) \\w']) {
      assert.deepEqual(answers(lean, expression, subject), answers(whole, expression, subject), expression);
    }
  });

  // Recorded: Helm 3.17.3 takes 3,355 letters a thousand times, and refuses one more. The package refuses from 1,399 on.
  it('are as large as those of Go', () => {
    const matches = (pattern: string): unknown => {
      try {
        return lean.compileRegexp(pattern).matchString('sd');
      } catch (error) {
        return (error as Error).message.slice(0, 60);
      }
    };
    assert.equal(matches(`(?:${'a'.repeat(1400)}){1000}`), false);
    const large = `(?:${'a'.repeat(3356)}){1000}`;
    assert.equal(matches(large), `error parsing regexp: expression too large: \`${large}`.slice(0, 60));
    assert.equal(matches('((?:sd){1000}){1000}'), 'error parsing regexp: invalid repeat count: `{1000}`');
  });

  // Recorded: Helm 3.17.3 and 4.2.3. The package knows the letters of Unicode 17, Go those of 15.0.
  it('know the characters that Go knows', () => {
    const rows: readonly (readonly [pattern: string, text: string, want: boolean])[] = [
      ['\\pL', '\u1c89', false],
      ['\\PL', '\u1c89', true],
      ['\\p{Cyrillic}', '\u1c89', false],
      ['(?i)\u019b', '\ua7dc', false],
      ['(?i)\u0264', '\ua7cb', false],
      ['(?i)\\p{Lu}', '\u019b', false],
      ['(?i)\u01c4', '\u01c5', true],
      ['\\p{Ll}', '\u0295', true],
      ['\\p{Mn}', '\u{1171e}', true],
      ['\\p{Mc}', '\u{1171e}', false],
      ['\\pC', '\u0378', false],
      ['[a\\PC]', '\u0378', true],
      ['[a\\PC]', '\u0001', false],
    ];
    for (const [pattern, text, want] of rows) {
      assert.equal(lean.compileRegexp(pattern).matchString(text), want, `${pattern} in ${text}`);
    }
    for (const [pattern, text, want] of [
      ['\\pC', '\u0378', true],
      ['\\p{Cn}', '\u1c89', true],
      ['[a\\p{Cn}]', '5', false],
      ['[^5\\P{Cn}]', '\u1c89', true],
      ['[5\\P{Lc}]', 'a', false],
      ['[5\\P{Assigned}]', 'a', false],
    ] as const) {
      assert.equal(lean.compileRegexp(pattern, 'loose').matchString(text), want, `${pattern} in ${text}`);
    }
  });
});
