// Endless recursion ends with the error of Go's or Helm's limit, though JavaScript's stack ends before it.

import { equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { func, GoError } from '../../../render/go/value.ts';
import { continueSequence } from '../../../render/template/recursion.ts';
import { RecursionLimit, TemplateSet } from '../../../render/template/template.ts';
import { smallFuncs } from './small-funcs.ts';

/** Gives a set whose `include` refuses to run below more than `limit` others of its name. */
function createLimitedSet(limit: number, text: string): TemplateSet {
  const bound = new RecursionLimit(limit, (name) => new GoError(`too many ${name}`));
  const set = new TemplateSet({ funcs: smallFuncs });
  const include = func(['string', 'any'], (name, data) => {
    const level = bound.enter(name);
    try {
      return set.execute(name, data);
    } catch (error) {
      throw bound.explain(level, error);
    } finally {
      bound.leave(level);
    }
  });
  set.setFuncs(new Map([['include', include]]));
  set.parse('t', text);
  return set;
}

function failureOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('it did not fail');
}

test('template actions without end stop at Go’s limit, in the template that would reach it', () => {
  const rows: [text: string, want: string][] = [
    [
      '{{ define "q" }}{{ template "q" . }}{{ end }}{{ template "q" . }}',
      '1:28: executing "q" at <{{template "q" .}}>',
    ],
    [
      '{{ define "a" }}{{ template "b" . }}{{ end }}{{ define "b" }}{{ if 1 }}{{ template "a" . }}{{ end }}{{ end }}{{ template "a" . }}',
      '1:83: executing "b" at <{{template "a" .}}>',
    ],
    [
      '{{ define "a" }}{{ template "b" }}{{ end }}{{ define "b" }}{{ template "a" }}{{ end }}{{ template "b" }}',
      '1:28: executing "a" at <{{template "b"}}>',
    ],
  ];
  for (const [text, want] of rows) {
    const set = new TemplateSet({ funcs: smallFuncs });
    set.parse('t', text);
    const message = failureOf(() => set.execute('t', null));
    equal(message, `template: t:${want}: exceeded maximum template depth (100000)`, text);
  }
});

test('a function without end stops at its limit, every call told', () => {
  const step = 'template: t:1:19: executing "r" at <include "r" .>: error calling include: ';
  const start = 'template: t:1:47: executing "t" at <include "r" .>: error calling include: ';
  for (const limit of [3, 1000, 5000]) {
    const set = createLimitedSet(limit, '{{ define "r" }}{{ include "r" . }}{{ end }}{{ include "r" . }}');
    const message = failureOf(() => set.execute('t', null));
    equal(message, `${start}${step.repeat(limit + 1)}too many r`);
  }
});

test('two functions that call each other stop where the first of them meets its limit', () => {
  const text =
    '{{ define "a" }}{{ with 1 }}{{ include "b" . }}{{ end }}{{ end }}{{ define "b" }}{{ include "a" . }}{{ end }}{{ include "b" . }}';
  const message = failureOf(() => createLimitedSet(20_000, text).execute('t', null));
  const calls = message.match(/executing "[abt]" at <include "[ab]" \.>: error calling include: /g) ?? [];
  equal(calls.length, 40_003);
  ok(message.endsWith('executing "a" at <include "b" .>: error calling include: too many b'), message.slice(-200));
});

test('a level that was left may be taken again, also after an error', () => {
  const bound = new RecursionLimit(0, (name) => new GoError(`too many ${name}`));
  const first = bound.enter('x');
  equal(
    failureOf(() => bound.enter('x')),
    'too many x',
  );
  bound.leave(first);
  bound.leave(bound.enter('x'));
});

test('a sequence goes on as its end repeats', () => {
  equal(continueSequence(['a', 'b', 'c', 'b', 'c', 'b', 'c'], 3), 'b');
  equal(continueSequence(['a', 'b', 'c', 'b', 'c', 'b', 'c'], 7), 'b');
  equal(continueSequence(['a', 'b', 'c', 'b', 'c', 'b', 'c'], 100), 'c');
  equal(continueSequence(['a', 'b', 'b', 'b'], 9), 'b');
  equal(continueSequence(['a', 'b', 'c'], 9), 'c');
});
