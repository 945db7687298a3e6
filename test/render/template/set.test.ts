// Template sets: which definition wins, what a clone shares, what can be executed.

import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { parseTemplate, Vocabulary } from '../../../render/template/template.ts';
import { createSet, includeOf } from '../../support/evaluate.ts';

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
