// One row for each way a template fails: code, text and place, as in Helm 3.17.3.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RenderError, type RenderErrorCode } from '../../../render/core/errors.ts';
import { encodeUtf8 } from '../../../render/go/utf8.ts';
import { loadChart, type Place, template } from '../../../render/index.ts';

const file = 'c/templates/t.yaml';
const helper = 'c/templates/_h.tpl';

const rows: {
  what: string;
  text: string;
  partial?: string;
  code?: RenderErrorCode;
  message: string;
  place: Place;
}[] = [
  {
    what: 'an unknown function',
    text: 'a: 1\nb: {{ foo .x }}',
    code: 'TEMPLATE_PARSE',
    message: `parse error at (${file}:2): function "foo" not defined`,
    place: { file, line: 2, column: 7 },
  },
  {
    what: 'a parse error with a colon in it: Helm keeps what follows the last one',
    text: '{{ "a: b }}',
    code: 'TEMPLATE_PARSE',
    message: `parse error at (${file}:1): unterminated quoted string`,
    place: { file, line: 1, column: 4 },
  },
  {
    what: 'fail',
    text: 'a: 1\n\n  {{ fail "multi\\nline: x" }}',
    message: `execution error at (${file}:3:5): multi\nline: x`,
    place: { file, line: 3, column: 6 },
  },
  {
    what: 'fail below an include: the outermost place',
    text: '# {{ include "x" . }}',
    partial: '{{ define "x" }}\n{{ fail "deep" }}{{ end }}',
    message: `execution error at (${file}:1:5): deep`,
    place: { file, line: 1, column: 6 },
  },
  {
    what: 'fail below a template action: its own place',
    text: '# {{ template "x" . }}',
    partial: '{{ define "x" }}\n{{ fail "deep" }}{{ end }}',
    message: `execution error at (${helper}:2:3): deep`,
    place: { file: helper, line: 2, column: 4 },
  },
  {
    what: 'required',
    text: 'a: {{ .Values.x | required (printf "need %s" "x") }}',
    message: `execution error at (${file}:1:18): need x`,
    place: { file, line: 1, column: 19 },
  },
  {
    what: 'fail with a percent sign',
    text: '{{ fail "100% %d" }}',
    message: `execution error at (${file}:1:3): 100% %d`,
    place: { file, line: 1, column: 4 },
  },
  {
    what: 'a failure below two includes: every place in the text, the innermost as the place',
    text: '# {{ include "x" . }}',
    partial: '{{ define "x" }}{{ include "y" . }}{{ end }}{{ define "y" }}\n  {{ .Values.a.b.c }}{{ end }}',
    message:
      `template: ${file}:1:5: executing "${file}" at <include "x" .>: error calling include: ` +
      `template: ${helper}:1:19: executing "x" at <include "y" .>: error calling include: ` +
      `template: ${helper}:2:12: executing "y" at <.Values.a.b.c>: nil pointer evaluating interface {}.b`,
    place: { file: helper, line: 2, column: 13 },
  },
  {
    what: 'a tpl text that does not parse',
    text: '{{ tpl "{{ foo }}" . }}',
    message:
      `template: ${file}:1:3: executing "${file}" at <tpl "{{ foo }}" .>: error calling tpl: ` +
      'cannot parse template "{{ foo }}": template: gotpl:1: function "foo" not defined',
    place: { file, line: 1, column: 4 },
  },
  {
    what: 'a tpl text that fails',
    text: '{{ tpl "{{ .a.b }}" . }}',
    message:
      `template: ${file}:1:3: executing "${file}" at <tpl "{{ .a.b }}" .>: error calling tpl: ` +
      'error during tpl function execution for "{{ .a.b }}": ' +
      'template: gotpl:1:5: executing "gotpl" at <.a.b>: nil pointer evaluating interface {}.b',
    place: { file: 'gotpl', line: 1, column: 6 },
  },
  {
    what: 'an include of nothing',
    text: '{{ include "zz" . }}',
    message:
      `template: ${file}:1:3: executing "${file}" at <include "zz" .>: error calling include: ` +
      'template: no template "zz" associated with template "gotpl"',
    place: { file, line: 1, column: 4 },
  },
];

for (const { what, text, partial, code, message, place } of rows) {
  test(`words ${what}`, () => {
    const files = { 'Chart.yaml': 'apiVersion: v2\nname: c\nversion: 0.1.0\n', 'templates/_h.tpl': partial ?? '' };
    const texts = Object.entries({ ...files, 'templates/t.yaml': text });
    const chart = loadChart(new Map(texts.map(([name, content]) => [name, encodeUtf8(content)])));
    assert.throws(
      () => template(chart),
      (error: unknown) => {
        assert.ok(error instanceof RenderError);
        assert.equal(error.message, message);
        assert.equal(error.code, code ?? 'TEMPLATE_EXEC');
        assert.deepEqual(error.place, place);
        assert.ok(error.hint);
        return true;
      },
    );
  });
}
