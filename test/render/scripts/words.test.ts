import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { commentText } from '../../../render/output/comment.ts';
import { fillTemplate } from '../../../render/scripts/print.ts';
import { compileScriptTemplate } from '../../../render/scripts/user-template.node.ts';
import {
  freeMarker,
  hereDocument,
  powerShellQuote,
  quoteWords,
  shellQuote,
  Word,
} from '../../../render/scripts/words.ts';
import { fc } from '../../support/fast-check.ts';

test('a shell parses a quoted word to the original', () => {
  const words = fc
    .sample(
      fc.oneof(
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom("'", "'\\''", '$(id)', '`id`', '\\', '-n', '', '\n', '!x', '~', 'esac'),
      ),
      { numRuns: 300 },
    )
    .filter((word) => !word.includes('\0'));
  const script = `printf '%s\\0' ${words.map(shellQuote).join(' ')}`;
  assert.deepEqual(execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1), words);
});

// PowerShell ends a single-quoted string at any of five quotes, unless a second one follows.
function readPowerShell(text: string): string {
  assert.ok(text.startsWith("'"));
  let read = '';
  for (let at = 1; at < text.length; at++) {
    if (!/['\u2018-\u201b]/.test(text.charAt(at))) read += text.charAt(at);
    else if (/['\u2018-\u201b]/.test(text.charAt(at + 1))) read += text.charAt(at++);
    else {
      assert.equal(at, text.length - 1);
      return read;
    }
  }
  throw new Error('the string has no end');
}

test('PowerShell parses a quoted word to the original', () => {
  const text = fc.string({
    unit: fc.constantFrom("'", '\u2018', '\u2019', '\u201a', '\u201b', '$', '`', '"', '\n', 'a'),
  });
  fc.assert(
    fc.property(text, (word) => readPowerShell(powerShellQuote(word)) === word),
    { numRuns: 500 },
  );
});

test('here-documents are not expanded, and end at their end', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('END', 'END_', '$(id)', '`', '\\', "'", ' END', 'END ')), (lines) => {
      const text = `${lines.join('\n')}\n`;
      assert.equal(execFileSync('sh', ['-c', `cat ${hereDocument(text, 'END', 'sh')}`], { encoding: 'utf8' }), text);
    }),
    { numRuns: 60 },
  );
  assert.equal(freeMarker('END\nEND_\n', 'END'), 'END__');
  assert.equal(hereDocument('a: 1\n', 'END', 'powershell'), "@'\na: 1\n'@");
  // A line would end the here-string.
  assert.equal(hereDocument("'@\n", 'END', 'powershell'), "'''@'");
  assert.equal(hereDocument('a\n\u2019@ b\n', 'END', 'powershell'), "'a\n\u2019\u2019@ b'");
});

test('a word only has its quoted form', () => {
  const word = new Word("it's", 'sh');
  assert.deepEqual(
    [`${word}`, word.toHTML(), JSON.stringify(word), Object.keys(word)],
    ["'it'\\''s'", "'it'\\''s'", '{}', []],
  );
  assert.equal(Word.textOf(word), "it's");
  assert.deepEqual(quoteWords({ a: ['', 1, true, null] }, 'sh'), { a: ['', 1, true, null] });
});

test('templates print quoted words, with two braces and with three', async () => {
  const view = { word: "$(id) 'x'", list: ['a b'] };
  const fill = async (text: string, dialect: 'sh' | 'powershell' = 'sh'): Promise<string> =>
    fillTemplate(dialect, view, await compileScriptTemplate(text, 't.hbs', dialect === 'sh' ? 'linux' : 'windows'));
  assert.equal(await fill('run {{word}} {{{word}}} {{&word}}'), `run ${`'$(id) '\\''x'\\''' `.repeat(3)}`.trimEnd());
  assert.equal(await fill('{{#each list}}{{this}}{{/each}}'), "'a b'");
  assert.equal(await fill('# {{comment word}}'), "# $(id) 'x'");
  assert.equal(await fill('{{word}}', 'powershell'), "'$(id) ''x'''");
  await assert.rejects(fill('{{wrod}}'), /"wrod" not defined/);
});

test('an invalid user template is refused with file and line', async () => {
  for (const [text, line] of [
    ['a\n{{#if x}}', 2],
    ['{{unknown x}}', 1],
    ['a\nb "{{x}}"', 2],
  ] as const) {
    await assert.rejects(
      compileScriptTemplate(text, 't.hbs'),
      (error: { code?: string; place?: { line?: number } }) => {
        assert.equal(error.code, 'VALUES_INVALID');
        assert.equal(error.place?.line, line);
        return true;
      },
    );
  }
});

test('a comment stays one line', () => {
  assert.equal(commentText('a\nb\u2028c\u001b[0m\u202ed #> e'), 'a b c [0m d # > e');
});
