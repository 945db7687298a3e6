// Explanations of lines: their template, the values read, conditions, setters; and that they are complete.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadChart } from '../../../../render/chart/load.ts';
import { splitPath } from '../../../../render/core/paths.ts';
import {
  type ExplainedValue,
  explain,
  memoryRegistry,
  renderOrder,
  renderRelease,
  type Setter,
  seededHost,
} from '../../../../render/index.ts';
import { documentLine, memberLines } from '../../../../render/provenance/trace/explanation.ts';

const chart = loadChart({
  'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'values.yaml': `image: {repository: shop/web, tag: "2.1"}
labels: {team: shop, tier: front}
ports: [8080, 9090]
env: {LEVEL: info}
ingress: {enabled: true, host: shop.example.com}
name: ""
secret: hidden
note: "{{ .Values.secret | upper }} here"
`,
  'templates/_helpers.tpl': `{{- define "labels" -}}
team: {{ .Values.labels.team }}
{{- with .Values.labels.tier }}
tier: {{ . | quote }}
{{- end }}
{{- end -}}
{{- define "name" -}}
{{- default "web" .Values.name | trunc 5 -}}
{{- end -}}
{{- define "item" -}}
{{ .key }}: {{ .value }}
{{- end -}}
`,
  'templates/web.yaml': `kind: ConfigMap
metadata:
  name: {{ include "name" . }}
  labels:
    {{- include "labels" . | nindent 4 }}
data:
  image: {{ printf "%s:%s" .Values.image.repository .Values.image.tag | quote }}
  {{- if and .Values.ingress.enabled (ne .Values.ingress.host "") }}
  host: {{ .Values.ingress.host }}
  {{- else }}
  host: none
  {{- end }}
  {{- range $i, $port := .Values.ports }}
  port-{{ $i }}: {{ $port | quote }}
  {{- end }}
  {{- $level := .Values.env.LEVEL }}
  level: {{ $level }}
  sum: {{ .Values.secret | sha256sum }}
  item-{{ template "item" (dict "key" "a" "value" .Values.secret) }}
  note: {{ tpl .Values.note . }}
  all: {{ toJson .Values.labels | quote }}
`,
});

const { trace } = renderRelease(chart, { trace: true, host: seededHost() });
const text = trace?.files.find(({ path }) => path === 'web/templates/web.yaml');

function titleOf({ kind, where, line, column, value }: Setter): string {
  return `${kind} ${where}${line === undefined ? '' : `:${line}:${column}`} = ${String(value)}`;
}

function shown(line: string): unknown {
  assert.ok(text !== undefined);
  const found = text.lines.find((one) => one.text.trim().startsWith(line));
  assert.ok(found !== undefined, line);
  const titleOf = ({ path, how }: ExplainedValue): string => `${path} ${how}`;
  return found.parts
    .filter(({ values, through, conditions }) => values.length + through.length + conditions.length > 0)
    .map(({ text: part, place, through, values, conditions }) => [
      part.trim(),
      `${place.file.replace('web/templates/', '')}:${place.line}:${place.column}`,
      ...through.map((step) => `through ${step.line} ${step.text}`),
      ...values.map(titleOf),
      ...conditions.map((one) => `${one.isElse ? 'else ' : ''}${one.text}: ${one.values.map(titleOf).join(', ')}`),
    ]);
}

test('names the action, through every include, and the values that a line contains', () => {
  assert.deepEqual(shown('image:'), [['"shop/web:2.1"', 'web.yaml:7:13', 'image.repository exact', 'image.tag exact']]);
  assert.deepEqual(shown('team:'), [
    ['team:', '_helpers.tpl:2:1', 'through 5 include "labels" . | nindent 4'],
    ['shop', '_helpers.tpl:2:10', 'through 5 include "labels" . | nindent 4', 'labels.team exact'],
  ]);
  assert.deepEqual(shown('tier:'), [
    [
      'tier:',
      '_helpers.tpl:4:1',
      'through 5 include "labels" . | nindent 4',
      'with .Values.labels.tier: labels.tier decides',
    ],
    [
      '"front"',
      '_helpers.tpl:4:10',
      'through 5 include "labels" . | nindent 4',
      'labels.tier exact',
      'with .Values.labels.tier: labels.tier decides',
    ],
  ]);
});

test('follows variables, elements, dicts, templates and tpl', () => {
  assert.deepEqual(shown('level:'), [['info', 'web.yaml:17:13', 'env.LEVEL exact']]);
  assert.deepEqual(shown('port-1:'), [
    ['port-', 'web.yaml:14:3', 'range $i, $port := .Values.ports: ports[1] decides'],
    ['1', 'web.yaml:14:11', 'range $i, $port := .Values.ports: ports[1] decides'],
    [':', 'web.yaml:14:16', 'range $i, $port := .Values.ports: ports[1] decides'],
    ['"9090"', 'web.yaml:14:21', 'ports[1] exact', 'range $i, $port := .Values.ports: ports[1] decides'],
  ]);
  assert.deepEqual(shown('item-'), [
    ['a', '_helpers.tpl:11:4', 'through 19 template'],
    [':', '_helpers.tpl:11:11', 'through 19 template'],
    ['hidden', '_helpers.tpl:11:16', 'through 19 template', 'secret exact'],
  ]);
  assert.deepEqual(shown('note:'), [
    ['HIDDEN', 'gotpl:1:4', 'through 20 tpl .Values.note .', 'secret exact', 'note computed'],
    ['here', 'gotpl:1:30', 'through 20 tpl .Values.note .', 'note exact'],
  ]);
});

test('explains an object, a member, a line; for an Order with the members that set a value', async () => {
  const release = renderRelease(chart, { trace: true, releaseName: 'r' });
  const question = { object: 'configmap/web', path: 'data.image' };
  const found = explain(release, question);
  assert.deepEqual(
    [found.object, found.source, found.value],
    ['ConfigMap/default/web', 'web/templates/web.yaml', 'shop/web:2.1'],
  );
  const [line] = found.lines;
  assert.equal(release.text().split('\n')[(line?.outputLine ?? 0) - 1], line?.text);
  assert.deepEqual(explain(release, { line: line?.outputLine ?? 0 }).lines, found.lines);
  const selection = {
    ...{ name: 'web', sourceRef: { name: 'x' }, releaseName: 'r', namespace: 'n', values: { image: { tag: '3' } } },
    valuesPatch: [
      { op: 'test', path: '/image/tag', value: '3' },
      { op: 'replace', path: '/image', value: { repository: 'a', tag: '4' } },
      { op: 'copy', from: '/secret', path: '/image/tag' },
    ],
  };
  const registry = memoryRegistry([chart]);
  const order = await renderOrder({ spec: { packages: [{ chart: selection }] } }, { registry, trace: true });
  const values = explain(order, question).lines.flatMap(({ parts }) => parts.flatMap((part) => part.values));
  assert.deepEqual(values.find(({ path }) => path === 'image.tag')?.setBy.map(titleOf), [
    'patch spec.packages[0].chart.valuesPatch[2] = hidden',
    'patch spec.packages[0].chart.valuesPatch[1] = 4',
    'order spec.packages[0].chart.values.image.tag = 3',
    'chart web/values.yaml:1:31 = 2.1',
  ]);
  assert.throws(() => explain(renderRelease(chart), question), { code: 'ARGUMENT_INVALID', message: /was not traced/ });
  assert.throws(() => explain(release, {}), { code: 'ARGUMENT_INVALID', message: /neither an object nor a line/ });
  const empty = renderRelease(loadChart({ 'Chart.yaml': 'apiVersion: v2\nname: a\nversion: 1.0.0\n' }), {
    trace: true,
  });
  assert.throws(() => explain(empty, question), { hint: 'No objects are rendered.' });
});

test("finds the lines of a member, and of a document in its template's output", () => {
  const document = 'kind: A\nspec:\n  list:\n  - name: a\n    at: 1\n  - name: b\n  last: {a: 1}\nend: 1';
  assert.deepEqual(memberLines(document, splitPath('spec.list')), [3, 6]);
  assert.deepEqual(memberLines(document, splitPath('spec.list[0]')), [4, 5]);
  assert.deepEqual(memberLines(document, splitPath('spec.list[1].name')), [6, 6]);
  assert.deepEqual(memberLines(document, splitPath('spec')), [2, 7]);
  assert.equal(memberLines(document, splitPath('spec.none')), undefined);
  assert.deepEqual(splitPath('metadata.annotations["a.b/c"].x\\.y[2]'), [
    'metadata',
    'annotations',
    'a.b/c',
    'x.y',
    '2',
  ]);
  assert.ok(text !== undefined);
  assert.equal(documentLine(text, 'data:'), 7);
});
