// Nesting of templates: up to the documented number of levels it works; beyond it, and for infinite recursion, it is LIMIT_REACHED with the
// place.

import { equal, match, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { maxDepth } from '../../../render/core/arguments.ts';
import { loadChart, seededHost, template } from '../../../render/index.ts';
import { maxCalls } from '../../../render/template/call.ts';
import { failureOf as errorOf } from '../../support/render-error.ts';
import { chartOfRow, textOfOutput } from '../../support/rows.ts';

function render(text: string): string {
  return textOfOutput(template(loadChart(chartOfRow(text, '')), { releaseName: 'r', host: seededHost() }));
}

const failureOf = (text: string) => errorOf(() => render(text));

const nested = (open: string, inner: string, close: string, levels = maxDepth): string =>
  open.repeat(levels) + inner + close.repeat(levels);
const countdown = (call: string): string =>
  `{{ define "r" }}{{ with . }}{{ if gt (int .) 0 }}${call}{{ end }}{{ else }}done{{ end }}{{ end }}`;

// Each at a number of levels, with the expected output.
const forms: Readonly<Record<string, readonly [text: (levels: number) => string, want: string]>> = {
  parentheses: [(levels) => `{{ ${nested('(', '1', ')', levels)} }}`, '1'],
  calls: [(levels) => `{{ ${nested('(print ', '1', ')', levels)} }}`, '1'],
  if: [(levels) => nested('{{ if true }}', 'x', '{{ end }}', levels), 'x'],
  with: [(levels) => nested('{{ with 1 }}', 'x', '{{ end }}', levels), 'x'],
  range: [(levels) => nested('{{ range list 1 }}', 'x', '{{ end }}', levels), 'x'],
  'else if': [(levels) => `{{ if false }}${'{{ else if false }}'.repeat(levels - 1)}{{ else }}x{{ end }}`, 'x'],
  'else with': [(levels) => `{{ with false }}${'{{ else with false }}'.repeat(levels - 1)}{{ else }}x{{ end }}`, 'x'],
  block: [
    (levels) =>
      `${Array.from({ length: levels }, (_, i) => `{{ block "b${i}" . }}`).join('')}x${'{{ end }}'.repeat(levels)}`,
    'x',
  ],
};

for (const [name, [text, want]] of Object.entries(forms)) {
  test(`${name}: ${maxDepth} levels are parsed and run, one more is refused with its place`, () => {
    equal(render(text(maxDepth)), want);
    for (const levels of [maxDepth + 1, 100_000]) {
      const { code, message, place } = failureOf(text(levels));
      equal(code, 'LIMIT_REACHED');
      equal(
        message,
        `c/templates/_row.tpl:1:${place?.column}: the template is nested more than ${maxDepth} levels deep`,
      );
      equal(place?.file, 'c/templates/_row.tpl');
      ok((place?.column ?? 0) > maxDepth);
    }
  });
}

test('a pipeline may have any length, and a function any number of arguments', () => {
  equal(render(`{{ "a"${' | trim'.repeat(6000)} }}`), 'a');
  const ones = '1 '.repeat(200_000);
  equal(
    render(`{{ len (list ${ones}) }} {{ add ${ones} }} {{ max 1 ${ones} }} {{ len (print ${ones}) }}`),
    '200000 200000 1 399999',
  );
  equal(render(`{{ len (printf "%d" ${ones}) | gt 100 }} {{ eq 2 ${ones} }} {{ and ${ones} }}`), 'false false 1');
});

test('templates, includes and tpl may be nested far deeper than in real charts', () => {
  equal(render(`${countdown('{{ template "r" (sub (int .) 1) }}')}{{ template "r" ${maxCalls - 1} }}`), 'done');
  equal(render(`${countdown('{{ include "r" (sub (int .) 1) }}')}{{ include "r" 400 }}`), 'done');
  const again = '{{ with .n }}{{ tpl $.t (dict "n" (sub (int .) 1) "t" $.t) }}{{ else }}done{{ end }}';
  equal(render(`{{ $t := ${JSON.stringify(again)} }}{{ tpl $t (dict "n" 400 "t" $t) }}`), 'done');
});

test('infinite recursion is refused with the place', () => {
  const templates = failureOf(
    '{{ define "a" }}{{ template "b" . }}{{ end }}{{ define "b" }}{{ if 1 }}{{ template "a" . }}{{ end }}{{ end }}{{ template "a" . }}',
  );
  equal(templates.code, 'LIMIT_REACHED');
  match(
    templates.message,
    /template: c\/templates\/_row\.tpl:1:\d+: executing "[ab]" at <.*>: more than 1000 templates call each other$/,
  );
  const text = '{{ tpl .t . }}';
  const endless = failureOf(`{{ tpl ${JSON.stringify(text)} (dict "t" ${JSON.stringify(text)}) }}`);
  equal(endless.code, 'LIMIT_REACHED');
  match(endless.message, /: executing "gotpl" at <.*>: calls or values are nested too deep$/);
});

test('infinite includes are refused as in Helm, or at the end of the stack', () => {
  const includes = failureOf('{{ define "r" }}{{ include "r" . }}{{ end }}{{ include "r" . }}').message;
  equal(includes.split('error calling include: ').length, 1004);
  ok(includes.endsWith('rendering template has a nested reference name: r: unable to execute template'));
  // A level of this one uses much of the stack.
  const call = `{{ ${nested('(print ', '(include "r" .)', ')', 100)} }}`;
  const { code, message, place } = failureOf(`{{ define "r" }}${call}{{ end }}{{ include "r" . }}`);
  equal(code, 'LIMIT_REACHED');
  match(
    message,
    /^template: c\/templates\/_row\.tpl:1:\d+: executing "r" at <.*>: calls or values are nested too deep$/,
  );
  equal(place?.file, 'c/templates/_row.tpl');
});
