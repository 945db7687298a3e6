// Origins through functions: each expression with the values that its output comes from.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededHost } from '../../../../render/core/host.ts';
import { loadChart, renderRelease } from '../../../../render/index.ts';

const values = `a: alpha
b: beta
empty: ""
flag: true
count: 3
text: "one\\ntwo"
csv: x,y
template: "{{ .Values.a }}-b"
map: {p: one, q: two}
nested: {map: {deep: end}, other: {deep: top}}
list: [first, second]
users:
- {name: ann, role: admin}
- {name: bob, role: guest}
`;

const helpers = `{{ define "two" }}p: {{ .Values.a }}
q: {{ .Values.b }}{{ end }}
{{ define "objects" }}{{ range until 3000 }}k{{ . }}: { id: "{{ $.Values.a }}" }
{{ end }}{{ end }}
{{ define "isOn" }}{{ if .Values.flag }}true{{ end }}{{ end }}
`;

// The expression, and the reported origins of each line.
const rows: readonly (readonly [expression: string, ...lines: readonly string[]])[] = [
  ['{{ .Values.a }}', 'a exact'],
  ['{{ .Values.a | quote | upper | trim }}', 'a exact'],
  ['{{ printf "%s:%d-%s" .Values.a 3 "x" }}', 'a exact'],
  ['{{ print .Values.a "-" .Values.b }}', 'a exact, b exact'],
  ['{{ .Values.a | replace "al" "el" }}', 'a exact'],
  ['{{ regexReplaceAll "l" .Values.a .Values.b }}', 'a exact, b exact'],
  ['{{ .Values.a | sha256sum }}', 'a computed'],
  ['{{ add .Values.count 1 }}', 'count computed'],
  ['{{ .Values.empty | default .Values.b }}', 'b exact, empty decides'],
  ['{{ coalesce .Values.empty .Values.b .Values.a }}', 'b exact, empty decides'],
  ['{{ ternary .Values.a .Values.b .Values.flag }}', 'a exact, flag decides'],
  ['{{ or .Values.empty .Values.b }}', 'empty decides, b exact'],
  ['{{ index .Values.list 1 }}', 'list[1] exact'],
  ['{{ dig "map" "no" .Values.a .Values.nested }}', 'a exact, nested.map.no decides'],
  ['{{ first .Values.list }}{{ last .Values.list }}', 'list[0] exact', 'list[1] exact'],
  ['{{ .Values.list | uniq | reverse | first }}', 'list[1] exact'],
  ['{{ (dict "k" .Values.a "l" .Values.b).l }}', 'b exact'],
  ['{{ (merge (dict "k" .Values.a) (dict "k" .Values.b "l" .Values.b)).k }}', 'a exact'],
  ['{{ (merge (dict "k" .Values.a) (dict "k" .Values.b "l" .Values.b)).l }}', 'b exact'],
  ['{{ (mergeOverwrite (deepCopy .Values.nested.map) .Values.nested.other).deep }}', 'nested.other.deep exact'],
  ['{{ (merge (deepCopy .Values.nested.map) .Values.nested.other).deep }}', 'nested.map.deep exact'],
  ['{{ (pick .Values.map "p").p }}{{ (omit .Values.map "p").q }}', 'map.p exact', 'map.q exact'],
  ['{{ (split "," .Values.csv)._0 }}', 'csv exact'],
  ['{{ keys .Values.map | sortAlpha | first }}', 'map.p decides'],
  ['{{ eq .Values.a .Values.b }}', 'a computed, b computed'],
  ['{{ toJson .Values.map }}', 'map.p exact, map.q exact'],
  ['{{ tpl .Values.template . }}', 'a exact, template computed', 'template exact'],
  ['{{ include "isOn" . }}', ''],
  ['{{ (fromYaml (include "two" .)).q }}', 'b exact'],
  ['{{ (fromYaml (include "objects" .)).k2999.id }}', 'a exact'],
  ['{{ fromJson (toJson .Values.map) | toYaml | nindent 2 }}', 'map.p exact, map.q exact', 'map.p exact, map.q exact'],
  ['{{ include "two" . | nindent 2 }}', '', 'a exact', '', 'b exact'],
  [
    '{{ toPrettyJson .Values.nested | nindent 2 }}',
    ...['nested computed', 'nested.map computed', 'nested.map.deep exact', 'nested.map.deep computed'],
    ...['nested.other computed', 'nested.other.deep exact', 'nested.other.deep computed', 'nested.other.deep computed'],
  ],
  [
    '{{ toYaml .Values.users | nindent 2 }}',
    ...['name', 'role'].map((key) => `users[0].${key} exact`),
    ...['name', 'role'].map((key) => `users[1].${key} exact`),
  ],
  [
    '{{ toYaml (dict "m" .Values.map "t" .Values.text) | nindent 2 }}',
    'map computed',
    'map.p exact',
    'map.q exact',
    'text exact',
    'text exact',
    'text exact',
  ],
  [
    '{{ $l := list }}{{ range .Values.users }}{{ $l = append $l .name }}{{ end }}{{ $l | last }}',
    'users[1].name exact, users[1] decides',
  ],
  [
    '{{ $l := list }}{{ range .Values.users }}{{ $l = append $l (dict "n" .name) }}{{ end }}{{ toYaml $l | nindent 2 }}',
    'users[0] decides, users[0].name exact',
    'users[1] decides, users[1].name exact',
  ],
  ['{{ $x := "a" }}{{ if .Values.flag }}{{ $x = .Values.b }}{{ end }}{{ $x }}', 'b exact, flag decides'],
  [
    '{{ range $k, $v := .Values.map }}{{ $k }}={{ $v }};{{ end }}',
    'map.p computed',
    '',
    'map.p exact',
    '',
    'map.q computed',
    '',
    'map.q exact',
    '',
  ],
];

const chart = loadChart({
  'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'values.yaml': values,
  'templates/_helpers.tpl': helpers,
  ...Object.fromEntries(rows.map(([expression], at) => [`templates/row${at}.yaml`, `row: ${expression}\n`])),
});

const { trace } = renderRelease(chart, { trace: true, host: seededHost() });

test('lists for each function which arguments are part of its result, and which decide it', () => {
  for (const [at, [expression, ...wanted]] of rows.entries()) {
    const file = trace?.files.find(({ path }) => path === `web/templates/row${at}.yaml`);
    assert.ok(file !== undefined);
    const parts = file.lines.flatMap((line) => line.parts).filter(({ text }) => text.trim() !== 'row:');
    const reported = parts.map((part) => part.values.map(({ path, how }) => `${path} ${how}`).join(', '));
    assert.deepEqual(reported, wanted, `${expression}\n${file.text}`);
  }
});

test('names the file read through .Files, and what decides a text selected by an include', () => {
  const files = loadChart({
    'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'values.yaml': 'flag: true\n',
    'conf/app.ini': 'a=1\nb=2\n',
    'templates/_helpers.tpl': helpers,
    'templates/a.yaml': [
      'get: {{ .Files.Get "conf/app.ini" | quote }}',
      '{{ range $path, $_ := .Files.Glob "conf/*" }}{{ $path | base }}: {{ $.Files.Get $path | quote }}{{ end }}',
      'lines: {{ .Files.Lines "conf/app.ini" | first }}',
      'all: {{ (.Files.Glob "conf/*").AsConfig | quote }}',
      '{{ if eq (include "isOn" .) "true" }}on: yes{{ end }}',
      '',
    ].join('\n'),
  });
  const release = renderRelease(files, { trace: true, host: seededHost() });
  const lines = release.trace?.files[0]?.lines ?? [];
  for (const line of lines.slice(0, 4)) {
    const reported = line.parts.flatMap((part) => part.values).filter(({ how }) => how === 'exact');
    assert.deepEqual([...new Set(reported.map(({ setBy }) => setBy[0]?.where))], ['web/conf/app.ini'], line.text);
  }
  const [part] = lines[4]?.parts ?? [];
  assert.deepEqual(
    part?.conditions.map((one) => one.values.map(({ path, how }) => `${path} ${how}`)),
    [['flag decides']],
  );
});
