// Properties checked with many values: written values can be read, and a printed template equals its source.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emitJson, parseJson } from '../../render/codec/json.ts';
import { emitYaml, emitYamlPretty } from '../../render/codec/yaml/emit.ts';
import { parseYaml } from '../../render/codec/yaml/parse.ts';
import { deepEqual } from '../../render/go/deep-equal.ts';
import { quote, unquote } from '../../render/go/number.ts';
import { decodeUtf8, encodeUtf8 } from '../../render/go/utf8.ts';
import type { GoValue } from '../../render/go/value.ts';
import { printNode } from '../../render/template/nodes.ts';
import { parseTemplate, Vocabulary } from '../../render/template/template.ts';
import { fc } from '../support/fast-check.ts';

// No `<<`: as a key it is written without quotes and parsed as a merge, in Helm too. Words that YAML parses as another type, and characters
// that affect how a scalar is written.
const word = fc.constantFrom(
  ...['', ' ', '~', 'null', 'yes', 'on', 'n', 'true', '1', '010', '0x1f', '1e3', '.inf', '1:30', '2024-01-01', '='],
  ...[
    '- a',
    'a: b',
    'a #b',
    '# c',
    '&a',
    '*a',
    '!t',
    '@x',
    '`',
    '%',
    '|',
    '>',
    '{',
    ']',
    ',',
    '"',
    "'",
    '---',
    '...',
    '?',
  ],
  ...['\n', 'a\n', '\na', 'a\n\nb', ' a\n  b\n', 'a\tb', '\t', 'trail ', '\u00a0', '\ufeff', '😀', 'é'],
  'word '.repeat(40).trim(),
  `${'x'.repeat(85)} y`,
);
const anyText = fc.oneof(
  word,
  fc.string({ unit: 'grapheme' }),
  fc.array(word, { maxLength: 4 }).map((parts) => parts.join('')),
);
// Go's writers leave these YAML line breaks unescaped in keys, and its parser stops at them; so do ours.
const text = anyText.filter((value) => !/[\u0085\u2028\u2029]/.test(value));
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? 0 : value)),
);

const { tree } = fc.letrec<{ tree: GoValue }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(text, number, fc.boolean(), fc.constant(null)),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.array(fc.tuple(text, tie('tree')), { maxLength: 4 }).map((entries) => new Map(entries)),
  ),
}));

const runs = { numRuns: 3000 };

for (const [name, emit, parse, values] of [
  ['the output of toYaml can be parsed', emitYaml, parseYaml, tree],
  // It writes a text that begins with a tab as a block that its own parser refuses; Helm does the same.
  [
    'the output of toYamlPretty can be parsed',
    emitYamlPretty,
    parseYaml,
    tree.filter((value) => !emitJson(value).includes('\\t')),
  ],
  ['the output of toJson can be parsed', emitJson, parseJson, tree],
  ['JSON is YAML', emitJson, parseYaml, tree],
] as const) {
  test(name, () => {
    fc.assert(
      fc.property(values, (value) => {
        assert.ok(deepEqual(parse(emit(value)), value), `written as ${JSON.stringify(emit(value))}`);
      }),
      runs,
    );
  });
}

test('a quoted string is unquoted to itself, for all bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const held = decodeUtf8(bytes);
      assert.deepEqual(encodeUtf8(held), bytes);
      assert.deepEqual(encodeUtf8(unquote(quote(held))), bytes);
    }),
    runs,
  );
});

const operand = fc.constantFrom(
  '.',
  '.a',
  '.a.b',
  '$',
  '$.x',
  '"s"',
  '`r`',
  '1',
  '-2.5',
  'true',
  'nil',
  "'c'",
  '(.a).b',
);
const command = fc.array(operand, { maxLength: 3 }).map((words) => ['print', ...words].join(' '));
const pipe = fc.array(command, { minLength: 1, maxLength: 3 }).map((commands) => commands.join(' | '));
const { body } = fc.letrec<{ body: string }>((tie) => {
  const block = (keyword: string): fc.Arbitrary<string> =>
    fc
      .tuple(pipe, tie('body'), tie('body'))
      .map(([head, one, two]) => `{{${keyword} ${head}}}${one}{{else}}${two}{{end}}`);
  return {
    body: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('text', ' ', '\n'),
      pipe.map((words) => `{{${words}}}`),
      fc.tuple(tie('body'), tie('body')).map((parts) => parts.join('')),
      fc.oneof(block('if'), block('with'), block('range')),
    ),
  };
});

test('a printed template equals its source', () => {
  const vocabulary = new Vocabulary((name) => name === 'print');
  const printed = (source: string): string => {
    const file = parseTemplate('t', source, vocabulary);
    return [...file.templates.values()].flatMap(({ body: list }) => list.nodes.map(printNode)).join('');
  };
  fc.assert(
    fc.property(body, (source) => assert.equal(printed(printed(source)), printed(source))),
    runs,
  );
});
