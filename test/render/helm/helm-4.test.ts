// The differences of Helm 4; every expectation is Helm 4.2.3's.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readValues } from '../../../render/chart/values-file.ts';
import { emitJson } from '../../../render/codec/json.ts';
import { parseGenericVersion } from '../../../render/helm/kubernetes.ts';
import { slogLine } from '../../../render/helm/log.ts';
import { formatTrace } from '../../../render/helm/traced-errors.ts';
import { helmOf } from '../../../render/helm/versions.ts';
import { loadChart, template } from '../../../render/index.ts';

const four = { helm: '4.2.3' } as const;

function render(text: string, values = ''): string {
  const files = {
    'Chart.yaml': 'apiVersion: v2\nname: c\nversion: 0.1.0\nkeywords: [k]\n',
    'values.yaml': values,
    'templates/a.yaml': `a: ${text}\n`,
  };
  return template(loadChart(files, four), four);
}

function shown(text: string, values?: string): string {
  return /^a: (.*)$/m.exec(render(text, values))?.[1] ?? '';
}

test('a document keeps its end, and webhooks come after the APIService', () => {
  const files = {
    'Chart.yaml': 'apiVersion: v2\nname: c\nversion: 0.1.0\n',
    'templates/a.yaml': 'kind: Aa\n---\nkind: ValidatingWebhookConfiguration\n---\nkind: APIService\n',
  };
  const text = '---\n# Source: c/templates/a.yaml\n';
  assert.equal(
    template(loadChart(files, four), four),
    `${text}kind: APIService\n\n${text}kind: ValidatingWebhookConfiguration\n${text}kind: Aa\n`,
  );
});

for (const [text, want] of [
  ['{{ .Chart.Foo | quote }}', ''],
  ['{{ kindOf .Chart }} {{ .Chart.Keywords }} {{ .Chart.IsRoot }}', 'map [k] true'],
  ['{{ range 3 }}{{ . }}{{ end }}{{ range 0 }}x{{ else }}none{{ end }}', '012none'],
  ['{{ range $i := int64 2 }}{{ printf "%T" $i }}{{ end }}', 'int64int64'],
  ['{{ .Capabilities.KubeVersion }} {{ toString .Capabilities.KubeVersion }}', 'v1.36.0 {v1.36.0 v1.36.0 1 36}'],
  ['{{ .Capabilities.HelmVersion.Version }} {{ .Capabilities.HelmVersion.KubeClientVersion }}', 'v4.2.3 v1.36'],
  ['{{ printf "%T" .Values }} {{ len .Capabilities.APIVersions }}', 'common.Values 55'],
  ['{{ mustToYaml (dict "x" 1) | quote }}', '"x: 1"'],
  ['{{ toToml (dict "x" 1e6) | quote }}', '"x = 1e+06\\n"'],
  ['{{ (fromToml "a = ").Error | squote }}', '\'toml: line 1 (last key "a"): unexpected EOF; expected value\''],
] as const) {
  test(`gives ${text}`, () => assert.equal(shown(text), want));
}

for (const [text, want] of [
  [
    '{{ .Values.a.b }}',
    'c/templates/a.yaml:1:13\n  executing "c/templates/a.yaml" at <.Values.a.b>:\n    nil pointer evaluating interface {}.b',
  ],
  [
    '{{ eq 1 true }}',
    'template: c/templates/a.yaml:1:6: executing "c/templates/a.yaml" at <eq 1 true>: error calling eq: incompatible types for comparison: int and bool',
  ],
  [
    '{{ semver "x" }}',
    'template: c/templates/a.yaml:1:6: executing "c/templates/a.yaml" at <semver "x">: error calling semver: invalid semantic version',
  ],
  ['{{ fail "no" }}', 'execution error at (c/templates/a.yaml:1:6): no'],
  [
    '{{ range $i, $j := 3 }}{{ end }}',
    'c/templates/a.yaml:1:22\n  executing "c/templates/a.yaml" at <3>:\n    can\'t use 3 to iterate over more than one variable',
  ],
] as const) {
  test(`refuses ${text}`, () => assert.throws(() => render(text), { message: want }));
}

test('an error without an inner place is reported as in Go', () => {
  const outer = 'template: a:1:2: executing "a" at <include "b" .>: error calling include: ';
  const inner = 'template: b:1:2: executing "b" at <.x>: gone';
  const head = 'a:1:2\n  executing "a" at <include "b" .>:\n    error calling include:\n';
  assert.equal(formatTrace([outer + inner, inner]), `${head}b:1:2\n  executing "b" at <.x>:\n    gone`);
  assert.equal(formatTrace([`${outer}gone`, 'gone']), `${outer}gone`);
  const none = 'template: no template "x" associated with template "gotpl"';
  assert.equal(formatTrace([outer + none, none]), head + none);
});

for (const [text, want] of [
  ['---\na: 1\n---\nb: 2\n', '{"a":1,"b":2}'],
  ['a: 1\n--- # x\nb: {c: 1}\n---\nb: {d: 1}', '{"a":1,"b":{"c":1,"d":1}}'],
  ['a: 1\n...\nb: 1\n', '{"a":1}'],
  ['', '{}'],
  ['# only\n---\n', '{}'],
] as const) {
  test(`values ${JSON.stringify(text)}`, () => assert.equal(emitJson(readValues(text, helmOf('4.2.3'))), want));
}

for (const [text, message] of [
  ['a: 1\n--- {b: 1}\n', 'error reading yaml document: invalid Yaml document separator: {b: 1}'],
  [
    'a: 1\n---\n- 1\n',
    'cannot unmarshal yaml document: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type map[string]interface {}',
  ],
] as const) {
  test(`refuses values ${JSON.stringify(text)}`, () => {
    assert.throws(() => readValues(text, helmOf('4.2.3')), { message });
  });
}

for (const [text, version, normalized] of [
  ['1.25', 'v1.25', 'v1.25'],
  ['v1.25.3-gke.100', 'v1.25.3-gke.100', 'v1.25.3'],
  ['1.25.0.1', 'v1.25.0.1', 'v1.25.0.1'],
  ['1.05', 'v1.05', 'v1.5'],
] as const) {
  test(`Kubernetes ${text}`, () => {
    const { major, minor } = parseGenericVersion(text);
    const parts = normalized.slice(1).split('.');
    assert.deepEqual(parseGenericVersion(text), { version, normalized, major, minor });
    assert.deepEqual([major, minor], parts.slice(0, 2));
  });
}

for (const [text, message] of [
  ['1', 'illegal version string "1"'],
  ['01.2', 'illegal zero-prefixed version component "01" in "01.2"'],
  ['abc', 'could not parse "abc" as version'],
] as const) {
  test(`refuses Kubernetes ${text}`, () => assert.throws(() => parseGenericVersion(text), { message }));
}

test('a log line quotes values if needed', () => {
  assert.equal(slogLine('WARN', 'one two', { a: 'x', b: 'y=', c: '' }), 'level=WARN msg="one two" a=x b="y=" c=""');
});

test("a null in a chart's own values is dropped, and a user's null removes a default", () => {
  const files = {
    'Chart.yaml': 'apiVersion: v2\nname: c\nversion: 0.1.0\n',
    'values.yaml': 'a: null\nb: {c: null, d: 1}\ne: 1\n',
    'templates/a.yaml': 'a: {{ toJson .Values }}\n',
  };
  const text = template(loadChart(files, four), { ...four, values: { e: null, b: { d: null, f: null } } });
  assert.match(text, /^a: \{"b":\{"f":null\}\}$/m);
});

test('a chart of API version v3 loads and cannot be installed', () => {
  const files = { 'Chart.yaml': 'apiVersion: v3\nname: c\nversion: 0.1.0\n' };
  assert.throws(() => template(loadChart(files, four), four), { message: 'invalid chart apiVersion' });
  const other = { 'Chart.yaml': 'apiVersion: v9\nname: c\nversion: 0.1.0\n' };
  assert.throws(() => loadChart(other, four), { message: 'unsupported chart version' });
});
