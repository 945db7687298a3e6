// The values that decide about a line: those that decide alone, and those that only decide together.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededHost } from '../../../../render/core/host.ts';
import { loadChart, renderRelease } from '../../../../render/index.ts';

const values = `aye: true
also: true
nay: false
never: false
count: 2
name: word
empty: ""
table: {x: "1"}
deep: {a: {b: {c: end}}, list: [one]}
`;

const helpers = `{{- define "on" }}{{ if or .Values.nay (gt (int .Values.count) 0) }}true{{ end }}{{ end -}}
{{- define "map" }}
{{ .Values.name }}x: {{ .Values.count }}
plain: 3
{{ end -}}
{{- define "base" }}
deep: {a: {z: 1}}
{{ end -}}
{{- define "render" -}}
{{- $value := .value | toYaml }}
{{- if contains "{{" (toJson .value) }}
  {{- if .scope }}
    {{- tpl (cat "{{ with .scope }}" $value "{{ end }}") .context }}
  {{- else }}
    {{- tpl $value .context }}
  {{- end }}
{{- else }}
  {{- $value }}
{{- end }}
{{- end -}}
`;

// A template around `x`, and the values reported as deciding.
const rows: readonly (readonly [template: string, decides: string])[] = [
  ['{{ if or .Values.aye .Values.nay }}x{{ end }}', 'aye decides'],
  ['{{ if or .Values.aye .Values.also }}x{{ end }}', 'aye shares, also shares'],
  ['{{ if or .Values.nay .Values.never }}{{ else }}x{{ end }}', 'nay decides, never decides'],
  ['{{ if and .Values.aye .Values.also }}x{{ end }}', 'aye decides, also decides'],
  ['{{ if and .Values.nay .Values.aye }}{{ else }}x{{ end }}', 'nay decides'],
  ['{{ if and .Values.nay .Values.never }}{{ else }}x{{ end }}', 'nay shares, never shares'],
  ['{{ if and (or .Values.aye .Values.also) .Values.count }}x{{ end }}', 'aye shares, also shares, count decides'],
  ['{{ if or (eq .Values.name "word") (gt (int .Values.count) 1) }}x{{ end }}', 'name shares, count shares'],
  // Calls that might have effects or fail are not evaluated again.
  ['{{ if or .Values.aye (include "on" .) }}x{{ end }}', 'aye decides'],
  ['{{ if .Values.nay | or .Values.aye }}x{{ end }}', 'aye decides'],
  ['{{ if eq (include "on" .) "true" }}x{{ end }}', 'count decides'],
  ['{{ if hasKey (dict "k" .Values.name) "k" }}x{{ end }}', ''],
  [
    '{{ $d := dict }}{{ if .Values.aye }}{{ $_ := set $d "k" .Values.name }}{{ end }}{{ if hasKey $d "k" }}x{{ end }}',
    'aye decides',
  ],
  ['{{ if has .Values.name (list .Values.empty .Values.name) }}x{{ end }}', 'name decides'],
  ['{{ if has "a" (list .Values.name "b" .Values.empty) }}{{ else }}x{{ end }}', 'name decides, empty decides'],
  ['{{ with fromYaml (include "map" .) }}x{{ end }}', ''],
  ['{{ range $k, $v := include "map" . | fromYaml }}{{ if eq $k "plain" }}x{{ end }}{{ end }}', ''],
];

function chartOf(templates: readonly string[]): ReturnType<typeof loadChart> {
  return loadChart({
    'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'values.yaml': values,
    'templates/_helpers.tpl': helpers,
    ...Object.fromEntries(templates.map((text, at) => [`templates/row${at}.yaml`, `${text}\n`])),
  });
}

function filesOf(templates: readonly string[]): NonNullable<ReturnType<typeof renderRelease>['trace']>['files'] {
  return renderRelease(chartOf(templates), { trace: true, host: seededHost() }).trace?.files ?? [];
}

test('reports which value of a condition decides alone, and which only with others', () => {
  const files = filesOf(rows.map(([template]) => `# ${template.replaceAll('x{{', 'here{{')}`));
  for (const [at, [template, wanted]] of rows.entries()) {
    const file = files.find(({ path }) => path === `web/templates/row${at}.yaml`);
    const part = file?.lines.flatMap(({ parts }) => parts).find(({ text }) => text.includes('here'));
    assert.ok(part !== undefined, template);
    const reported = part.conditions.flatMap((one) => one.values.map(({ path, how }) => `${path} ${how}`));
    assert.equal(reported.join(', '), wanted, template);
  }
});

test('has no effect on the rendering: the same bytes, the same failures', () => {
  const templates = rows.map(([template]) => `# ${template}`);
  const plain = renderRelease(chartOf(templates), { host: seededHost() });
  const traced = renderRelease(chartOf(templates), { trace: true, host: seededHost() });
  assert.equal(traced.text(), plain.text());
  const failing = chartOf(['{{ if or .Values.aye .Values.name.x }}{{ .Values.none.y }}{{ end }}']);
  const messages = [false, true].map((trace) => {
    try {
      renderRelease(failing, { trace });
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  });
  assert.match(messages[0] ?? '', /nil pointer evaluating interface \{\}\.y/);
  assert.equal(messages[0], messages[1]);
});

test('follows tables that were merged into one that was read, or added by another merge', () => {
  const paths = (template: string): readonly string[] => {
    const [file] = filesOf([template]);
    return (file?.lines ?? [])
      .filter(({ text }) => /end|one/.test(text))
      .map(({ parts }) =>
        parts.flatMap((part) => part.values.filter(({ how }) => how === 'exact').map(({ path }) => path)).join(),
      );
  };
  const merged = (sources: string): string => `x: {{ mustMergeOverwrite ${sources} | toYaml | nindent 2 }}`;
  const read = '(include "base" . | fromYaml)';
  const given = '(dict "deep" .Values.deep)';
  assert.deepEqual(paths(merged(`${read} ${given}`)), ['deep.a.b.c', 'deep.list[0]']);
  assert.deepEqual(paths(merged(`(dict) ${read} ${given}`)), ['deep.a.b.c', 'deep.list[0]']);
  assert.deepEqual(paths(merged(`(dict "deep" dict) (dict "deep" (dict "a" dict)) ${given}`)), [
    'deep.a.b.c',
    'deep.list[0]',
  ]);
});

test('a key from a value is in the place where it is written', () => {
  const [file] = filesOf(['{{ range $k, $v := include "map" . | fromYaml }}{{ $k }}: {{ $v }}\n{{ end }}']);
  const reported = file?.lines.map(({ text, parts }) => {
    const [key] = parts;
    return [text, key?.values.map(({ path, how }) => `${path} ${how}`).join(', ')];
  });
  assert.deepEqual(reported?.slice(0, 2), [
    ['plain: 3', ''],
    ['wordx: 2', 'name exact'],
  ]);
  const [written] = filesOf(['x: {{ set (dict .Values.name .Values.count "b" 1) "c" 2 | toYaml | nindent 2 }}']);
  const exact = written?.lines.map(({ text, parts }) => {
    return [
      text,
      [...new Set(parts.flatMap((part) => part.values).flatMap(({ path, how }) => (how === 'exact' ? [path] : [])))],
    ];
  });
  assert.deepEqual(exact?.slice(1, 4), [
    ['  b: 1', []],
    ['  c: 2', []],
    ['  word: 2', ['name', 'count']],
  ]);
});

test('no value decides whether a string is a template if it is none', () => {
  const [file] = filesOf(['{{ include "render" (dict "value" .Values.table "context" .) }}']);
  const conditions = file?.lines[0]?.parts.flatMap((part) => part.conditions);
  assert.deepEqual(
    conditions?.map(({ text, values: read }) => [text, read.length]),
    [['if contains "{{" (toJson .value)', 0]],
  );
});

test('a multi-line string written as YAML keeps the origin of each line', () => {
  const [file] = filesOf(['x: {{ include "map" . | toYaml | nindent 2 }}']);
  const line = file?.lines.find(({ text }) => text.includes('plain'));
  assert.deepEqual(
    line?.parts.flatMap((part) => part.values),
    [],
  );
  assert.equal(line?.parts[0]?.place.file, 'web/templates/_helpers.tpl');
});
