// How charts of one tree see each other: order, shared objects, paths, libraries.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeUtf8 } from '../../../render/go/utf8.ts';
import { loadChart, template } from '../../../render/index.ts';

function render(files: Record<string, string>): string {
  const texts = { 'Chart.yaml': 'apiVersion: v2\nname: c\nversion: 0.1.0\n', ...files };
  return template(loadChart(new Map(Object.entries(texts).map(([name, text]) => [name, encodeUtf8(text)]))), {
    releaseName: 'r',
  });
}

const sub = (name: string, more = ''): string => `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n${more}`;

/** Returns the comments printed by each template, by path. */
function comments(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/# Source: (.*)\n# ?(.*)\n/g)].map((match) => [match[1], match[2]]));
}

test('the shallower definition wins, and the alphabetically first of the same depth', () => {
  const got = comments(
    render({
      'templates/_b.tpl': '{{ define "x" }}B{{ end }}',
      'templates/_a.tpl': '{{ define "x" }}A{{ end }}',
      'templates/sub/_a.tpl': '{{ define "x" }}DEEP{{ end }}{{ define "y" }} {{ end }}',
      'templates/_y.tpl': '{{ define "y" }}{{/* nothing */}}{{ end }}{{ define "z" }}Z{{ end }}',
      'templates/t.yaml': '# {{ include "x" . }}{{ include "z" . }}',
      'charts/s/Chart.yaml': sub('s'),
      'charts/s/templates/_x.tpl': '{{ define "x" }}S{{ end }}{{ define "z" }}{{ end }}',
      'charts/s/templates/t.yaml': '# {{ include "x" . }}',
    }),
  );
  assert.deepEqual(got, { 'c/templates/t.yaml': 'AZ', 'c/charts/s/templates/t.yaml': 'A' });
});

test('templates run deepest first, then Z to A, and see the changes of earlier ones', () => {
  const got = comments(
    render({
      'values.yaml': 'm: {}\n',
      'templates/a.yaml': '# {{ .Values.m }} {{ .Release.Name }} {{ .foo }}',
      'templates/b.yaml':
        '# {{ set .Values.m "k" "v" | len }}{{ set .Release "Name" "z" | len }}{{ set . "foo" 1 | len }}',
      'templates/c.yaml': '# {{ .Values.m }} {{ .Release.Name }}',
      'templates/sub/d.yaml': '# {{ .Values.m }}',
    }),
  );
  assert.equal(got['c/templates/a.yaml'], 'map[k:v] z 1');
  assert.equal(got['c/templates/c.yaml'], 'map[] r');
  assert.equal(got['c/templates/sub/d.yaml'], 'map[]');
});

test('a child shares its values with the parent, and nothing else is passed up', () => {
  const got = comments(
    render({
      'values.yaml': 'global: {a: 1}\n',
      'templates/a.yaml':
        '# {{ .Values.s }} {{ .Values.global }} {{ .Subcharts.s.Chart.Name }} {{ .Subcharts.s.Chart.IsRoot }}',
      'charts/s/Chart.yaml': sub('s'),
      'charts/s/values.yaml': 'x: 1\n',
      'charts/s/templates/t.yaml': '# {{ set .Values "x" 2 | len }} {{ set .Values.global "g" 2 | len }}',
    }),
  );
  assert.equal(got['c/templates/a.yaml'], 'map[global:map[a:1 g:2] x:2] map[a:1] s false');
});

test('a library chart only provides its partials', () => {
  const got = comments(
    render({
      'templates/a.yaml': '# {{ include "lib.x" . }}',
      'charts/lib/Chart.yaml': sub('lib', 'type: library\n'),
      'charts/lib/templates/_h.tpl': '{{ define "lib.x" }}LIB {{ .Chart.Name }}{{ end }}',
      'charts/lib/templates/cm.yaml': '{{ fail "x" }}',
    }),
  );
  assert.deepEqual(got, { 'c/templates/a.yaml': 'LIB c' });
});

test('tpl sees every definition, and keeps its own inside', () => {
  const got = comments(
    render({
      'templates/_h.tpl': '{{ define "h" }}H{{ end }}',
      'templates/a.yaml':
        '# {{ tpl "{{ define \\"h\\" }}NEW{{ end }}{{ include \\"h\\" . }}" . }} {{ include "h" . }} {{ tpl "{{ tpl .Values.empty . }}x" . }}|',
      'values.yaml': 'empty: "{{/* nothing */}}"\n',
    }),
  );
  assert.deepEqual(got, { 'c/templates/a.yaml': 'NEW H x|' });
  assert.throws(
    () => render({ 'templates/a.yaml': '# {{ tpl "{{ define \\"q\\" }}Q{{ end }}" . }}{{ include "q" . }}' }),
    {
      message: /error calling include: template: no template "q" associated with template "gotpl"$/,
    },
  );
});

test('the marker of a missing value is removed from the output, even if a template wrote it', () => {
  const got = comments(
    render({
      'templates/_h.tpl': '{{ define "h" }}{{ .Values.nope }}{{ end }}',
      'templates/a.yaml': '# a<no value>b {{ .Values.nope }}|{{ include "h" . | upper }}',
    }),
  );
  assert.deepEqual(got, { 'c/templates/a.yaml': 'ab |<NO VALUE>' });
});
