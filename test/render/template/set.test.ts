// Template sets: which definition wins, what a clone shares, what can be executed.

import { deepEqual, equal, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { func, type GoFunc } from '../../../render/go/value.ts';
import { TemplateExecError, TemplateParseError } from '../../../render/template/failures.ts';
import { parseTemplate, TemplateSet, Vocabulary } from '../../../render/template/template.ts';
import { allFuncs, createSet, goValue, includeOf } from '../../support/evaluate.ts';

test('a text with only definitions leaves a body of white space', () => {
  const set = createSet();
  set.parse('a', '{{- define "x" -}} 1 {{- end -}}\n\n{{- define "y" }}{{ end }}\n');
  equal(set.execute('a', null), '\n');
  deepEqual(set.defined().sort(), ['a', 'id', 'lib', 'x', 'y']);
});

test('a clone sees earlier definitions, and keeps later ones to itself', () => {
  const set = createSet();
  set.parse('a', '{{ define "x" }}old{{ end }}{{ define "call" }}{{ include "x" . }}{{ end }}');
  const clone = set.clone();
  clone.setFuncs(includeOf(clone));
  clone.parse('b', '{{ define "x" }}new{{ end }}');
  set.parse('c', '{{ define "later" }}{{ end }}');
  equal(set.execute('call', null), 'old');
  equal(clone.execute('call', null), 'new');
  equal(clone.has('later'), false);
  equal(set.has('b'), false);
});

test('a parsed file runs in any set and alone, even if it is blank', () => {
  const file = parseTemplate('t', '{{ include "x" . }}', new Vocabulary((name) => name === 'include'));
  for (const word of ['one', 'two']) {
    const set = createSet();
    set.parse('lib', `{{ define "x" }}${word}{{ end }}`);
    set.add(file);
    equal(set.execute('t', null), word);
    equal(set.execute(file, null), word);
  }
  const set = createSet();
  set.parse('t', 'first');
  const blank = set.parse('t', ' ');
  equal(set.execute('t', null), 'first');
  equal(set.execute(blank, null), ' ');
});

test("a function of the set overrides Go's own", () => {
  const funcs = new Map<string, GoFunc>([['len', func(['any'], () => 'mine')]]);
  const set = new TemplateSet({ funcs });
  set.parse('t', '{{ len 1 }} {{ html "<" }}');
  equal(set.execute('t', null), 'mine &lt;');
});

test('missing keys are nil, <no value> or an error, as configured', () => {
  const texts = ['{{ .a }}', '{{ len .a }}', '{{ .a.b }}', '{{ .a | len }}'];
  const run = (missingKey: 'zero' | 'invalid' | 'error', text: string): string => {
    const set = new TemplateSet({ funcs: allFuncs, missingKey });
    set.parse('t', text);
    try {
      return set.execute('t', goValue({}));
    } catch (error) {
      return error instanceof TemplateExecError ? error.reason : String(error);
    }
  };
  deepEqual(
    texts.map((text) => run('invalid', text)),
    [
      '<no value>',
      'error calling len: reflect: call of reflect.Value.Type on zero Value',
      '<no value>',
      'error calling len: reflect: call of reflect.Value.Type on zero Value',
    ],
  );
  deepEqual(run('error', '{{ .a }}'), 'map has no entry for key "a"');
  deepEqual(run('zero', '{{ len .a }}'), 'error calling len: len of nil pointer');
});

test('failures carry their place, with file and template, and their cause', () => {
  const set = createSet();
  set.parse('lib.tpl', 'é\n{{ define "inner" }}\n  é{{ upper .a.b.c }}{{ end }}');
  set.parse('t', '\n{{ include "inner" . }}');
  try {
    set.execute('t', goValue({ a: {} }));
  } catch (error) {
    if (!(error instanceof TemplateExecError && error.cause instanceof TemplateExecError)) throw error;
    deepEqual([error.place, error.template], [{ file: 't', line: 2, column: 4 }, 't']);
    const { place, template, reason, cause } = error.cause;
    deepEqual([place, template], [{ file: 'lib.tpl', line: 3, column: 15 }, 'inner']);
    deepEqual([reason, cause], ['nil pointer evaluating interface {}.c', undefined]);
    return;
  }
  throw new Error('it did not fail');
});

test('line numbers in parse errors skip those inside comments, as in Go', () => {
  const rows: [text: string, want: string][] = [
    ['{{/* a\nb\n*/}}\n{{ foo }}', 'template: t:2: function "foo" not defined'],
    ['{{- /* a\n\n*/ -}}\n\n{{ foo }}', 'template: t:3: function "foo" not defined'],
    ['{{ print `a\n\nb`\nfoo }}', 'template: t:4: function "foo" not defined'],
    ['{{ if true\n}}\n{{ print\n(', 'template: t:4: unclosed action started at t:3'],
    ['{{ print\n\n"a\n" }}', 'template: t:3: unterminated quoted string in action started at t:1'],
    ['{{ "abc".x\n\n}}', 'template: t:1: unexpected . after term "\\"abc\\""'],
    ['{{ "averyverylongstring" } }}', 'template: t:1: unexpected "}" in operand'],
    ['{{ template averyverylongname }}', 'template: t:1: unexpected "averyveryl"... in template clause'],
  ];
  for (const [text, message] of rows) {
    throws(() => createSet().parse('t', text), { name: 'TemplateParseError', message }, text);
  }
  throws(() => createSet().parse('t', '{{ end }}'), TemplateParseError);
});
