// Generated cases: the branches they reach, the number of files, and the report of the rest.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatCase, generateCases } from '../../../render/api/cases.ts';
import { type CoverageCase, coverChart } from '../../../render/api/coverage.ts';
import type { GeneratedCases } from '../../../render/cases/generate.ts';
import { type ChartFiles, loadChart } from '../../../render/chart/load.ts';

function chartOf(template: string, values = '', more: ChartFiles = {}): ReturnType<typeof loadChart> {
  return loadChart({
    'Chart.yaml': 'apiVersion: v2\nname: a\nversion: 1.0.0\n',
    'values.yaml': values,
    'templates/page.yaml': template,
    ...more,
  });
}

function unreached({ unreached: list }: GeneratedCases): string[] {
  return list.map(({ line, text, outcome, reason }) => `${line} ${text} (${outcome}): ${reason}`);
}

// [what, template, values.yaml]: every branch is reached.
const reachable: readonly (readonly [what: string, template: string, values: string])[] = [
  ['a switch', 'a: {{ if .Values.flag }}1{{ else }}2{{ end }}', 'flag: false'],
  ['a text that a branch compares', 'a: {{ if eq .Values.type "LoadBalancer" }}1{{ end }}', 'type: ClusterIP'],
  ['a value that has no default', '{{ with .Values.extra }}a: {{ .name }}{{ end }}', ''],
  ['a list of maps', 'a:\n{{ range .Values.hosts }}\n- {{ .host }}{{ if .tls }}s{{ end }}\n{{ end }}', 'hosts: []'],
  ['two conditions', 'a: {{ if and .Values.a (not .Values.b) }}1{{ end }}', 'a: false\nb: true'],
  ['a variable', '{{ $on := .Values.flag }}a: {{ if $on }}1{{ end }}', 'flag: false'],
  [
    'a variable that a loop sets',
    '{{ $on := false }}{{ range .Values.l }}{{ if .x }}{{ $on = true }}{{ end }}{{ end }}a: {{ if $on }}1{{ end }}',
    'l: []',
  ],
  ['ternary and coalesce', 'a: {{ ternary 1 2 .Values.flag }}\nb: {{ coalesce .Values.a .Values.b }}', 'flag: true'],
  [
    'the kind of a value',
    '{{ range .Values.more }}{{ if kindIs "map" . }}\n# m{{ else }}\n# s{{ end }}{{ end }}',
    'more: []',
  ],
  ['a version of Kubernetes', 'a: {{ if semverCompare "<1.19-0" .Capabilities.KubeVersion.Version }}1{{ end }}', ''],
  ['an upgrade', 'a: {{ if .Release.IsUpgrade }}1{{ end }}', ''],
];

for (const [what, template, values] of reachable) {
  test(`generated cases reach every branch: ${what}`, () => {
    const found = generateCases(chartOf(template, values));
    assert.deepEqual(unreached(found), []);
    assert.equal(found.after.covered, found.after.total);
  });
}

// [what, template, values.yaml, what is not reached]
const unreachable: readonly (readonly [what: string, template: string, values: string, want: readonly string[]])[] = [
  [
    'a branch around it',
    '{{ if .Values.l }}{{ range .Values.l }}\n# {{ . }}{{ end }}{{ end }}',
    'l: []',
    ['1 range .Values.l (empty): contradiction'],
  ],
  [
    'lookup',
    'a: {{ if (lookup "v1" "Secret" "a" "b") }}1{{ end }}',
    '',
    ['1 if (lookup "v1" "Secret" "a" "b") (then): lookup'],
  ],
  [
    'a failure',
    '{{ if .Values.flag }}{{ fail "on is no longer supported" }}{{ end }}',
    'flag: false',
    ['1 if .Values.flag (then): fails'],
  ],
  [
    'a template that nothing includes',
    'a: 1{{ define "x" }}{{ if .Values.z }}1{{ end }}{{ end }}',
    '',
    ['1 x (called): unused', '1 if .Values.z (then): unused', '1 if .Values.z (else): unused'],
  ],
];

for (const [what, template, values, want] of unreachable) {
  test(`an outcome is unreachable because of ${what}`, () => {
    assert.deepEqual(unreached(generateCases(chartOf(template, values))), want);
  });
}

const several = `
{{- if .Values.ingress.enabled }}
host: {{ .Values.ingress.host }}
tls: {{ if .Values.ingress.tls }}1{{ end }}
{{- end }}
{{- if eq .Values.type "A" }}
a: 1
{{- else if eq .Values.type "B" }}
b: 1
{{- end }}
`;
const severalValues = 'ingress: {enabled: false, host: a, tls: false}\ntype: A\nunused: 1\n';

test('few files reach everything, each sets only what it needs, and results are reproducible', () => {
  const chart = chartOf(several, severalValues);
  const found = generateCases(chart);
  assert.deepEqual(
    found.cases.map(({ values }) => values),
    [
      { ingress: { enabled: true, tls: true }, type: '' },
      { ingress: { enabled: true }, type: 'B' },
    ],
  );
  assert.deepEqual(generateCases(chart), found);
});

test('the generated values files are cases: their coverage is as reported', () => {
  const chart = chartOf(several, severalValues);
  const { cases, after } = generateCases(chart);
  const files = cases.map((one, at) => ({ name: `case ${at}`, valuesFiles: [formatCase(one)] }));
  assert.deepEqual(coverChart(chart, { cases: [{ name: 'defaults' }, ...files] }).totals.branches, after);
  assert.equal(formatCase(cases[0]!).includes('#   templates/page.yaml:2 if .Values.ingress.enabled (then)'), true);
});

test('an existing case that does not render is reported and reaches nothing', () => {
  const chart = chartOf('a: {{ if .Values.flag }}{{ .Values.flag.x.y }}{{ end }}', 'flag: false');
  const { before, failedCases } = generateCases(chart, { cases: [{ name: 'a' }, { name: 'b', set: ['flag=true'] }] });
  assert.deepEqual(before, { covered: 1, total: 2 });
  assert.deepEqual(
    failedCases.map(({ at, error }) => [at, error.code]),
    [[1, 'TEMPLATE_EXEC']],
  );
});

test('a chart that requires values gets them', () => {
  const template =
    'a: {{ required "set a.name" .Values.a.name }}\nb: {{ .Values.b.c.d }}\nc: {{ if .Values.flag }}1{{ end }}';
  const { after, cases } = generateCases(chartOf(template, 'a: {}\nflag: false'));
  assert.equal(after.covered, 2);
  const needed = { a: { name: 'example' }, b: { c: { d: 'example' } } };
  assert.deepEqual(
    cases.map(({ values }) => values),
    [needed, { ...needed, flag: true }],
  );
});

test('examples in comments and descriptions of the schema are used as values', () => {
  const values = `
tolerations: []
# - key: a
#   effect: NoSchedule
## @param labels Labels
## e.g.
## labels:
##   team: web
labels: {}
mode: ""
`;
  const template = `
{{ with .Values.tolerations }}t: {{ toJson . }}{{ end }}
{{ with .Values.labels }}l: {{ toJson . }}{{ end }}
{{ if .Values.mode }}m: {{ .Values.mode }}{{ end }}`;
  const schema = JSON.stringify({ properties: { mode: { enum: ['', 'fast'] } } });
  const { cases } = generateCases(chartOf(template, values, { 'values.schema.json': schema }));
  assert.deepEqual(
    cases.map((one) => one.values),
    [{ labels: { team: 'web' }, mode: 'fast', tolerations: [{ effect: 'NoSchedule', key: 'a' }] }],
  );
});

test('likely values for which the chart fails are reported and reduced; values that it rejects on purpose are not', () => {
  const template =
    '{{ if .Values.tls.enabled }}a: {{ .Values.tls.cert.key }}{{ end }}\n{{ if .Values.x }}b: 1{{ end }}';
  const { failures } = generateCases(chartOf(template, 'tls: {enabled: false}\nx: false'));
  assert.deepEqual(
    failures.map(({ values, error }) => [values, error.code]),
    [[{ tls: { enabled: true } }, 'TEMPLATE_EXEC']],
  );
  const refused = chartOf('{{ if .Values.old }}{{ fail "gone" }}{{ end }}', 'old: false');
  assert.deepEqual(generateCases(refused).failures, []);
});

const service = `apiVersion: v1
kind: Service
metadata:
  name: a
spec:
  ports:
    - port: {{ .Values.port }}
  {{- if .Values.internal }}
  internalTrafficPolicies: Local
  {{- end }}
  {{- with .Values.loadBalancerClass }}
  allocateLoadBalancerNodePorts: {{ . }}
  {{- end }}
  {{- with .Values.ports }}
  externalIPs: {{ toJson . }}
  {{- end }}
  {{- with .Values.loadBalancerSourceRanges }}
  loadBalancerSourceRanges: {{ toJson . }}
  {{- end }}
`;

test('objects that a cluster rejects are reported with the values that cause them, at the line of the field', () => {
  const values = `port: 80
internal: false
loadBalancerClass: ""
loadBalancerSourceRanges: []
# - 192.0.2.0/24
# - 7
ports: []
# - name: <name>
#   port: true|false
`;
  const { rejections } = generateCases(chartOf(service, values));
  // Neither a value generated for loadBalancerClass nor an example with placeholders is an error of the chart.
  assert.deepEqual(
    rejections.map(({ values: own, issue: { object, source, line, path } }) => [own, object, source, line, path]),
    [
      [{ internal: true }, 'Service/a', 'a/templates/page.yaml', 9, 'spec.internalTrafficPolicies'],
      [
        { loadBalancerSourceRanges: ['192.0.2.0/24', 7] },
        'Service/a',
        'a/templates/page.yaml',
        18,
        'spec.loadBalancerSourceRanges[1]',
      ],
    ],
  );
});

test('values generated by an earlier search are not held against the chart', () => {
  const template = "apiVersion: v1\nkind: Service\nmetadata: {name: {{ .Values.name | default 'a' }}}\n".replaceAll(
    "'",
    '"',
  );
  const list = '{{ with .Values.ports }}spec: {ports: {{ toJson . }}}{{ end }}\n';
  const chart = chartOf(template + list, 'ports:\n- port: 80\nname: ""');
  const [first] = generateCases(chart).cases;
  assert.ok(first !== undefined);
  const own = { name: 'own', valuesFiles: ['ports: [{name: web}]\n'] };
  const missing = [[{ ports: [{ name: 'web' }] }, 'spec.ports[0].port']];
  const found = (cases: readonly CoverageCase[]): unknown =>
    generateCases(chart, { cases }).rejections.map(({ values, issue }) => [values, issue.path]);
  assert.deepEqual(found([own]), missing);
  const generated = { ...first, values: { ports: [{ name: 'web' }] } };
  assert.deepEqual(found([{ name: 'generated', valuesFiles: [formatCase(generated)] }]), []);
});

test('a disabled subchart is enabled by its condition or its tag, also within another', () => {
  const sub = (name: string, more = ''): ChartFiles => ({
    'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n${more}`,
    'templates/s.yaml': 's: {{ if .Values.flag }}1{{ end }}',
  });
  const within = (folder: string, files: ChartFiles): ChartFiles =>
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));
  const chart = loadChart({
    ...sub('root', 'dependencies: [{name: one, alias: first, version: 1.0.0, condition: first.enabled}]\n'),
    'values.yaml': 'first: {enabled: false}\n',
    ...within('charts/one', sub('one', 'dependencies: [{name: two, version: 1.0.0, tags: [extra]}]\n')),
    ...within('charts/one/charts/two', sub('two')),
  });
  const { after, cases } = generateCases(chart, { subcharts: true });
  assert.deepEqual(after, { covered: 6, total: 6 });
  assert.deepEqual(
    cases.map(({ values }) => values),
    [
      { first: { enabled: true }, flag: 'example' },
      { first: { enabled: true, flag: 'example', two: { flag: 'example' } } },
    ],
  );
});

test('a limit ends the search and is part of the result', () => {
  const { renderings, isCut } = generateCases(chartOf(several, severalValues), { maxRenderings: 4 });
  assert.deepEqual([renderings <= 4, isCut], [true, true]);
});
