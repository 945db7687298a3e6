// Pipelines that are read the quick way give the trees, and the errors, that tokens give.

import { deepEqual, ok } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { TemplateParseError } from '../../../render/template/failures.ts';
import { Lexer } from '../../../render/template/lexer.ts';
import type { Template } from '../../../render/template/nodes.ts';
import { BodyParser } from '../../../render/template/parser.ts';
import { Pipelines } from '../../../render/template/quick.ts';
import { Source } from '../../../render/template/source.ts';
import { fc } from '../../support/fast-check.ts';

const keywords = 'block break continue define else end if nil range template with'.split(' ');
const isFunction = (name: string): boolean => name.length > 2 && !keywords.includes(name);

/** Counts what it read, and what it left. */
class CountingPipelines extends Pipelines {
  taken = 0;
  left = 0;

  override read(...args: Parameters<Pipelines['read']>): ReturnType<Pipelines['read']> {
    const pipe = super.read(...args);
    if (pipe === undefined) this.left++;
    else this.taken++;
    return pipe;
  }
}

/** Leaves all to the grammar. */
class NoPipelines extends Pipelines {
  override read(): undefined {
    return undefined;
  }
}

function parsedBy(pipelines: Pipelines, text: string): readonly Omit<Template, 'source'>[] | string {
  const templates = new Map<string, Template>();
  const source = new Source('x', text);
  try {
    new BodyParser({ source, lexer: new Lexer(text), pipelines, isFunction, templates, depth: 0 }).parseFile();
  } catch (error) {
    if (error instanceof TemplateParseError) return error.message;
    throw error;
  }
  return [...templates.values()].map(({ name, body, slots, isEmpty }) => ({ name, body, slots, isEmpty }));
}

const [none, shared] = [new NoPipelines(isFunction), new CountingPipelines(isFunction)];

function checkAlike(text: string): void {
  const byTokens = parsedBy(none, text);
  deepEqual(parsedBy(new Pipelines(isFunction), text), byTokens, JSON.stringify(text));
  // It knows the pipelines of all texts before.
  deepEqual(parsedBy(shared, text), byTokens, JSON.stringify(text));
}

const charts = fileURLToPath(new URL('../../../fixtures/charts', import.meta.url));
const templates = readdirSync(charts, { recursive: true, encoding: 'utf8' })
  .filter((path) => /templates.*\.(?:yaml|tpl|txt)$/.test(path))
  .map((path) => readFileSync(join(charts, path), 'utf8'));

test('templates of charts are read alike, and nearly all of their pipelines quickly', () => {
  [shared.taken, shared.left] = [0, 0];
  for (const text of templates) checkAlike(text);
  const { taken, left } = shared;
  ok(taken > 20 * left, `${taken} were read quickly, ${left} were left`);
});

const pieces = [
  ...[
    '(',
    ')',
    '|',
    '.',
    '$',
    ' ',
    '-',
    '}}',
    '{{',
    '"',
    '`',
    ':=',
    '=',
    ',',
    '1',
    '0x1',
    '-}}',
    ' -}}',
    '$x',
    '.a',
    'é',
  ],
  ...['\\', '\n', '\t', "'a'", 'nil', 'true', 'end', '1.5', '.5', '1i', '..', '{{- ', '/*', '*/', '$x := ', '$x = '],
  ...['$i, $v := ', 'printf', 'no', '"a\\n"', '(.a).b', 'now.Year', '$.a.b', '\u00a0', '0', '-1', '07', '| 1', '()'],
];

const change = fc.record({ after: fc.nat(), skip: fc.nat(30), piece: fc.constantFrom(...pieces), cut: fc.nat(2) });

test('templates with a few characters changed are read alike, or refused in the same words', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...templates),
      fc.array(change, { minLength: 1, maxLength: 3 }),
      (template, changes) => {
        let text = template;
        for (const { after, skip, piece, cut } of changes) {
          const action = text.indexOf('{{', after % text.length);
          const at = action < 0 ? after % text.length : action + 2 + skip;
          text = text.slice(0, at) + piece + text.slice(at + cut);
        }
        checkAlike(text);
      },
    ),
    { numRuns: 3000 },
  );
});

const words = [...pieces, '.Values.a.b', 'include "x" .', '$x.y', '"text"', '`raw`', 'false', '(printf "x")', 'and'];
const openers = ['{{ ', '{{- ', '{{', '{{ if ', '{{ with ', '{{ range ', '{{ template "t" ', '{{ $x := '];

test('pipelines of pieces are read alike, or refused in the same words', () => {
  const inside = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 5 });
  const closers = fc.constantFrom(' }}', ' -}}', '}}', '\n}}');
  fc.assert(
    fc.property(
      fc.constantFrom(...openers),
      inside,
      fc.constantFrom(' ', ' ', ' ', ''),
      closers,
      fc.boolean(),
      (opener, parts, between, closer, ends) => {
        checkAlike(
          `{{ $x := 1 }}a${opener}${parts.join(between)}${closer} b{{ $x }}{{ end }}${ends ? '{{ end }}' : ''}`,
        );
      },
    ),
    { numRuns: 10_000 },
  );
});
