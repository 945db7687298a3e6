// Charts, releases and files as seen by templates; results are those of Helm 3.17.3.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeUtf8 } from '../../../render/go/utf8.ts';
import { loadChart, template } from '../../../render/index.ts';
import { recordedHelms } from '../../support/rows.ts';

const helm = recordedHelms[3];

function output(expression: string, files: Record<string, string> = {}): string {
  const texts = {
    'Chart.yaml': 'apiVersion: v2\nname: c\nversion: 0.1.0\n',
    'values.yaml': 'a: {b: 1}\n',
    ...files,
    'templates/t.yaml': `# ${expression}\n`,
  };
  const chart = loadChart(new Map(Object.entries(texts).map(([name, text]) => [name, encodeUtf8(text)])), { helm });
  return template(chart, { releaseName: 'r', helm })
    .replace(/^---\n# Source: .*\n# ?/, '')
    .replace(/\n$/, '');
}

const types: [expression: string, type: string][] = [
  ['.', 'chartutil.Values'],
  ['.Values', 'chartutil.Values'],
  ['.Values.a', 'map[string]interface {}'],
  ['(.Values.Table "a")', 'chartutil.Values'],
  ['.Values.AsMap', 'map[string]interface {}'],
  ['.Release', 'map[string]interface {}'],
  ['.Release.Revision', 'int'],
  ['.Template', 'chartutil.Values'],
  ['.Subcharts', 'map[string]interface {}'],
  ['.Files', 'engine.files'],
  ['.Files.nope', '[]uint8'],
  ['.Chart', 'struct { chart.Metadata; IsRoot bool }'],
  ['.Chart.Metadata', 'chart.Metadata'],
  ['.Chart.Maintainers', '[]*chart.Maintainer'],
  ['.Chart.Dependencies', '[]*chart.Dependency'],
  ['.Chart.Annotations', 'map[string]string'],
  ['.Chart.Sources', '[]string'],
  ['.Capabilities', '*chartutil.Capabilities'],
  ['.Capabilities.Copy', '*chartutil.Capabilities'],
  ['.Capabilities.KubeVersion', 'chartutil.KubeVersion'],
  ['.Capabilities.APIVersions', 'chartutil.VersionSet'],
  ['.Capabilities.HelmVersion', 'version.BuildInfo'],
];

for (const [expression, type] of types) {
  test(`the type of ${expression}`, () => assert.equal(output(`{{ typeOf ${expression} }}`), type));
}

const rows: [expression: string, text: string][] = [
  ['{{ .Values.YAML }}', 'a:\n  b: 1'],
  ['{{ .Values.PathValue "a.b" }}', '1'],
  ['{{ .Values.AsMap.a }}', 'map[b:1]'],
  ['{{ toJson .Chart }}', '{"name":"c","version":"0.1.0","apiVersion":"v2","IsRoot":true}'],
  ['{{ .Chart.Metadata.Name }} {{ .Chart.IsRoot }}', 'c true'],
  ['{{ .Chart.Annotations.foo | quote }}', '""'],
  ['{{ .Capabilities.KubeVersion }}', 'v1.32.0'],
  ['{{ $x := .Capabilities.KubeVersion }}{{ $x }}', 'v1.32.0'],
  ['{{ toString .Capabilities.KubeVersion }}', '{v1.32.0 1 32}'],
  ['{{ .Capabilities.KubeVersion.GitVersion }}', 'v1.32.0'],
  ['{{ toJson .Capabilities.KubeVersion }}', '{"Version":"v1.32.0","Major":"1","Minor":"32"}'],
  ['{{ .Capabilities.APIVersions.Has "apps/v1" }}', 'true'],
  ['{{ .Capabilities.APIVersions.Has "apps/v1/Deployment" }}', 'false'],
  ['{{ .Capabilities.HelmVersion.Version }}', 'v3.17.3'],
  ['{{ .Template.Name }} {{ .Template.BasePath }}', 'c/templates/t.yaml c/templates'],
  [
    '{{ toJson .Release }}',
    '{"IsInstall":true,"IsUpgrade":false,"Name":"r","Namespace":"default","Revision":1,"Service":"Helm"}',
  ],
  ['{{ lookup "v1" "Pod" "" "" }}', 'map[]'],
  ['{{ getHostByName "example.com" | quote }}', '""'],
];

for (const [expression, text] of rows) {
  test(`the text of ${expression}`, () => assert.equal(output(expression), text));
}

const files = { 'conf/a.txt': 'one\ntwo\n', 'conf/b.txt': 'x', 'empty.txt': '' };
const odd = { 'del.txt': 'a\x7f' };
const fileRows: [expression: string, text: string][] = [
  ['{{ .Files.Get "conf/a.txt" | quote }} {{ .Files.Get "nope" | quote }}', '"one\\ntwo\\n" ""'],
  ['{{ .Files.GetBytes "conf/b.txt" }}', '[120]'],
  ['{{ .Files.Lines "conf/a.txt" | toJson }} {{ .Files.Lines "nope" | toJson }}', '["one","two"] []'],
  ['{{ (.Files.Glob "conf/*").AsConfig | quote }}', '"a.txt: |\\n  one\\n  two\\nb.txt: x"'],
  ['{{ (.Files.Glob "conf/b*").AsSecrets }}', 'b.txt: eA=='],
  ['{{ (.Files.Glob "zz").AsConfig }}', '{}'],
  ['{{ range $name, $bytes := .Files.Glob "[a" }}{{ $name }} {{ end }}', 'conf/a.txt conf/b.txt empty.txt'],
];

test('files: AsConfig is empty if YAML does not allow a character, as in Helm', () => {
  assert.equal(output('{{ (.Files.Glob "*").AsConfig | quote }}', odd), '""');
});

for (const [expression, text] of fileRows) {
  test(`files: ${expression}`, () => assert.equal(output(expression, files).trimEnd(), text));
}

const faults: [expression: string, message: RegExp][] = [
  ['{{ .Values.Table "x" }}', /error calling Table: "x" is not a table$/],
  ['{{ .Values.PathValue "" }}', /error calling PathValue: YAML path cannot be empty$/],
  ['{{ .Values.PathValue "a" }}', /error calling PathValue: "a" is not a value$/],
  ['{{ .Values.PathValue "z.z.q" }}', /error calling PathValue: "q" is not a value$/],
  ['{{ .Files.Lines "empty.txt" }}', /error calling Lines: runtime error: index out of range \[-1\]$/],
];

for (const [expression, message] of faults) {
  test(`refuses ${expression}`, () => assert.throws(() => output(expression, files), { message }));
}
