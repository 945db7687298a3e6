// Nothing depends on the depth of JavaScript's stack: what nests deep is parsed, printed and run, endless recursion ends at the
// limit of Go or Helm, and the steps that do it are those of the walk itself.

import { equal, match, ok, throws } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { RenderError } from '../../../render/errors.ts';
import { runSteps, StackExceeded, type Steps } from '../../../render/go/steps.ts';
import { loadChart, seededHost, template } from '../../../render/index.ts';
import { chartOfRow, textOfOutput } from '../../support/rows.ts';

function render(text: string): string {
  const encoder = new TextEncoder();
  const files = Object.entries(chartOfRow(text, '')).map(([name, data]) => [name, encoder.encode(data)] as const);
  return textOfOutput(template(loadChart(new Map(files)), { releaseName: 'r', host: seededHost() }));
}

function failureOf(text: string): string {
  try {
    render(text);
  } catch (error) {
    if (error instanceof RenderError) return error.message;
    throw error;
  }
  throw new Error('it did not fail');
}

const levels = 6000;
const nested = (open: string, inner: string, close: string): string =>
  open.repeat(levels) + inner + close.repeat(levels);
const countdown = (call: string): string =>
  `{{ define "r" }}{{ with . }}{{ if gt (int .) 0 }}${call}{{ end }}{{ else }}done{{ end }}{{ end }}`;

test('deep templates are parsed and run', () => {
  equal(render(`{{ ${nested('(', '1', ')')} }}`), '1');
  equal(render(`{{ ${nested('(print ', '1', ')')} }}`), '1');
  equal(render(nested('{{ if true }}', 'x', '{{ end }}')), 'x');
  equal(render(nested('{{ with 1 }}', 'x', '{{ end }}')), 'x');
  equal(render(nested('{{ range list 1 }}', 'x', '{{ end }}')), 'x');
  equal(render(`{{ if false }}${'{{ else if false }}'.repeat(levels)}{{ else }}x{{ end }}`), 'x');
  equal(render(`{{ with false }}${'{{ else with false }}'.repeat(levels)}{{ else }}x{{ end }}`), 'x');
  equal(
    render(`${Array.from({ length: 2000 }, (_, i) => `{{ block "b${i}" . }}`).join('')}x${'{{ end }}'.repeat(2000)}`),
    'x',
  );
  equal(render(`{{ "a"${' | trim'.repeat(levels)} }}`), 'a');
});

test('a function takes any number of arguments', () => {
  const ones = '1 '.repeat(200_000);
  equal(
    render(`{{ len (list ${ones}) }} {{ add ${ones} }} {{ max 1 ${ones} }} {{ len (print ${ones}) }}`),
    '200000 200000 1 399999',
  );
  equal(render(`{{ len (printf "%d" ${ones}) | gt 100 }} {{ eq 2 ${ones} }} {{ and ${ones} }}`), 'false false 1');
});

test('templates and includes nest as deep as Go and Helm let them', () => {
  equal(render(`${countdown('{{ template "r" (sub (int .) 1) }}')}{{ template "r" 30000 }}`), 'done');
  equal(render(`${countdown('{{ include "r" (sub (int .) 1) }}')}{{ include "r" 1000 }}`), 'done');
  const again = '{{ with .n }}{{ tpl $.t (dict "n" (sub (int .) 1) "t" $.t) }}{{ else }}done{{ end }}';
  equal(render(`{{ $t := ${JSON.stringify(again)} }}{{ tpl $t (dict "n" 2000 "t" $t) }}`), 'done');
});

test('recursion without end stops at their limits, with every call told', () => {
  const templates = failureOf(
    '{{ define "a" }}{{ template "b" . }}{{ end }}{{ define "b" }}{{ if 1 }}{{ template "a" . }}{{ end }}{{ end }}{{ template "a" . }}',
  );
  ok(
    templates.endsWith('executing "b" at <{{template "a" .}}>: exceeded maximum template depth (100000)'),
    templates.slice(-200),
  );
  const includes = failureOf('{{ define "r" }}{{ include "r" . }}{{ end }}{{ include "r" . }}');
  equal(includes.split('error calling include: ').length, 1004);
  ok(includes.endsWith('rendering template has a nested reference name: r: unable to execute template'));
});

test('an error far down is told with its whole text', () => {
  const message = failureOf(`{{ ${nested('(', 'fail "x"', ')')} }}`);
  match(message, /execution error at .*: x$/);
  const text = failureOf(`{{ ${nested('(', 'len 1', ')')} }}`);
  ok(text.includes(`at <len 1>: error calling len: len of type int`), text.slice(0, 300));
  match(failureOf(`{{ nosuch ${nested('(', '1', ')')} }}`), /function "nosuch" not defined/);
  match(failureOf(`{{ 1 ${nested('(', '1', ')')} }}`), /can't give argument to non-function 1/);
});

test('steps that wait for each other without end are refused', () => {
  function* endless(): Steps<number> {
    return yield endless();
  }
  throws(() => runSteps(endless()), StackExceeded);
});

test('steps give what their calls give and see what they throw', () => {
  function* gives(): Steps<string> {
    return yield fails();
  }
  function fails(): Steps<string> {
    throw new Error('no');
  }
  function* recovers(): Steps<string> {
    try {
      return yield gives();
    } catch (error) {
      return (error as Error).message;
    }
  }
  equal(runSteps(recovers()), 'no');
  throws(() => runSteps(gives()), /no/);
});

test('the steps are what npm run deepen makes of the walks', () => {
  const script = fileURLToPath(new URL('../../../scripts/deepen.ts', import.meta.url));
  execFileSync(process.execPath, ['--import', 'tsx', script, '--check']);
});
