// Coverage: what is counted, its formats, and that the rendering is unchanged.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coverChart } from '../../../render/api/coverage.ts';
import { loadChart } from '../../../render/chart/load.ts';
import { coverageCobertura, coverageJson, coverageLcov } from '../../../render/coverage/formats.ts';
import { coverageText } from '../../../render/coverage/text.ts';

const helpers = `{{- define "a.used" }}{{ default "none" .Values.name }}{{ end -}}
{{- define "a.unused" -}}{{ .Values.never }}{{- end -}}
`;
const page = `kind: {{ if .Values.one }}A{{ else if .Values.other }}B{{ else }}C{{ end }}
# name: {{ include "a.used" . }}
{{- range .Values.list }}
# - {{ . }}
{{- end }}
{{- with .Values.map }}{{ .x }}{{ end }}
both: {{ and .Values.one .Values.other }} {{ ternary "yes" "no" .Values.one }} {{ coalesce .Values.name "b" }}
text: {{ tpl "{{ include \\"a.used\\" . }}" . }}
`;
const files = {
  'Chart.yaml': 'apiVersion: v2\nname: a\nversion: 1.0.0\n',
  'values.yaml': 'one: true\nother: false\nlist: []\nmap: {}\nname: ""\n',
  'templates/_helpers.tpl': helpers,
  'templates/page.yaml': page,
};
const chart = loadChart(files);

function shape(coverage: ReturnType<typeof coverChart>): unknown {
  return coverage.files.map(({ path, count, actions, branches, templates }) => ({
    path,
    count,
    actions: actions.map((action) => `${action.line}:${action.column} ${action.text} ${action.count}`),
    branches: branches.map(({ line, kind, outcomes }) => {
      return `${line} ${kind} ${outcomes.map((outcome) => `${outcome.name}=${outcome.count}`).join(' ')}`;
    }),
    templates: templates.map((item) => `${item.line} ${item.name} ${item.count}`),
  }));
}

test('counts actions, both outcomes of every branch, and named templates', () => {
  assert.deepEqual(shape(coverChart(chart)), [
    {
      path: 'templates/_helpers.tpl',
      count: 0,
      actions: ['1:26 default "none" .Values.name 2', '2:29 .Values.never 0'],
      branches: ['1 default "none"=2 .Values.name=0'],
      templates: ['1 a.used 2', '2 a.unused 0'],
    },
    {
      path: 'templates/page.yaml',
      count: 1,
      actions: [
        '1:13 if .Values.one 1',
        '1:39 if .Values.other 0',
        '2:12 include "a.used" . 1',
        '3:11 range .Values.list 1',
        '4:8 . 0',
        '6:10 with .Values.map 1',
        '6:27 .x 0',
        '7:10 and .Values.one .Values.other 1',
        '7:46 ternary "yes" "no" .Values.one 1',
        '7:83 coalesce .Values.name "b" 1',
        '8:10 tpl "{{ include \\"a.used\\" . }}" . 1',
      ],
      branches: [
        '1 if then=1 else=0',
        '1 if then=0 else=0',
        '3 range entered=0 empty=1',
        '6 with then=0 else=1',
        '7 and .Values.one=0 .Values.other=1',
        '7 ternary "yes"=1 "no"=0',
        '7 coalesce .Values.name=0 "b"=1 nothing=0',
      ],
      templates: [],
    },
  ]);
});

test('sums up the cases, and reports failed ones', () => {
  const coverage = coverChart(chart, {
    cases: [
      { name: 'default' },
      { name: 'more', set: ['one=false,other=true,list={x,y},map.x=1,name=n'] },
      { name: 'wrong', values: { list: 3 } },
    ],
  });
  assert.deepEqual(
    coverage.cases.map(({ name, failure }) => [name, failure?.code]),
    [
      ['default', undefined],
      ['more', undefined],
      ['wrong', 'TEMPLATE_EXEC'],
    ],
  );
  assert.deepEqual(coverage.totals, {
    actions: { covered: 12, total: 13 },
    branches: { covered: 15, total: 17 },
    templates: { covered: 1, total: 2 },
    files: { covered: 2, total: 2 },
  });
});

test('counts a subchart with two names as one file, and a disabled one as never run', () => {
  const child = (name: string) => ({
    [`charts/${name}/Chart.yaml`]: `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`,
    [`charts/${name}/templates/x.yaml`]: 'a: {{ .Chart.Name }}\n',
  });
  const parent = loadChart({
    'Chart.yaml': `apiVersion: v2
name: parent
version: 1.0.0
dependencies:
  - {name: one, version: 1.x, alias: first}
  - {name: one, version: 1.x, alias: second}
  - {name: two, version: 1.x, condition: two.enabled}
`,
    'values.yaml': 'two: {enabled: false}\n',
    ...child('one'),
    ...child('two'),
  });
  assert.deepEqual(coverChart(parent).files, []);
  const found = coverChart(parent, { subcharts: true }).files;
  assert.deepEqual(
    found.map(({ path, actions }) => [path, actions[0]?.count]),
    [
      ['charts/one/templates/x.yaml', 2],
      ['charts/two/templates/x.yaml', 0],
    ],
  );
});

test('has formats for text, lcov, Cobertura and JSON', () => {
  const coverage = coverChart(chart);
  const placed = [{ coverage, folder: 'charts/a/' }];
  const text = coverageText(coverage, 'charts/a/');
  assert.match(text, /^charts\/a\/templates\/page.yaml +8\/11 +72\.7 % +6\/15 +40\.0 %$/m);
  assert.match(text, /^ {4}never ran: 1, 4, 6$/m);
  assert.match(text, /^ {4}never called: a\.unused$/m);
  assert.match(text, /^ {4}line 3: never entered: range \.Values\.list$/m);
  const lcov = coverageLcov(placed);
  assert.match(
    lcov,
    /^SF:charts\/a\/templates\/_helpers\.tpl\nFN:1,a\.used\nFN:2,a\.unused\nFNDA:2,a\.used\nFNDA:0,a\.unused$/m,
  );
  assert.match(lcov, /^BRDA:1,1,0,-\nBRDA:1,1,1,-\nBRDA:3,2,0,0\nBRDA:3,2,1,1$/m);
  assert.match(lcov, /^DA:1,1\nDA:2,1\nDA:3,1\nDA:4,0$/m);
  const xml = coverageCobertura(placed, new Date(0));
  assert.match(xml, /<line number="3" hits="1" branch="true" condition-coverage="50% \(1\/2\)"\/>/);
  assert.match(xml, /branches-covered="7" branches-valid="17" version="1" timestamp="0">/);
  assert.equal(JSON.parse(coverageJson(placed)).charts[0].files[1].path, 'charts/a/templates/page.yaml');
});
