// The images of objects, and those that a chart can use.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listChartImages, listImages } from '../../../render/api/cases.ts';
import { parseReference } from '../../../render/cases/images.ts';
import { loadChart } from '../../../render/chart/load.ts';

// [reference, repository, tag, digest]
const references: readonly (readonly [string, string, string | undefined, string | undefined])[] = [
  ['busybox:1.37', 'busybox', '1.37', undefined],
  ['localhost:5000/a/b:2', 'localhost:5000/a/b', '2', undefined],
  ['quay.io/a/b:v1@sha256:0a', 'quay.io/a/b', 'v1', 'sha256:0a'],
];

for (const [reference, repository, tag, digest] of references) {
  test(`parses ${reference}`, () => {
    assert.deepEqual(parseReference(reference), { reference, repository, tag, digest });
  });
}

test('images are found in fields, arguments and variables', () => {
  const container = {
    image: 'a.io/main:1',
    args: ['--reloader=a.io/reloader:2', '--level=info', '--url=http://a.io/x'],
    env: [
      { name: 'SIDECAR_IMAGE', value: 'a.io/sidecar:3' },
      { name: 'OTHER', value: 'a.io/none:3' },
    ],
  };
  const pod = {
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { containers: [container], initContainers: [{ image: 'a.io/main:1' }] },
  };
  const custom = {
    kind: 'Custom',
    metadata: { name: 'c' },
    spec: { image: { registry: 'b.io', repository: 'x', tag: '4' }, baseImage: 'b.io/y:5', image2: 'no' },
  };
  assert.deepEqual(
    listImages([pod, custom]).map(({ reference, uses }) => [
      reference,
      ...uses.map(({ kind, field }) => `${kind} ${field}`),
    ]),
    [
      ['a.io/main:1', 'Pod spec.containers[0].image', 'Pod spec.initContainers[0].image'],
      ['a.io/reloader:2', 'Pod spec.containers[0].args[0]'],
      ['a.io/sidecar:3', 'Pod spec.containers[0].env[0].value'],
      ['b.io/x:4', 'Custom spec.image'],
      ['b.io/y:5', 'Custom spec.baseImage'],
    ],
  );
});

const template = `kind: Pod
metadata: {name: p}
spec:
  containers:
  - image: {{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
  {{- if and .Values.metrics.enabled .Values.metrics.exporter }}
  - image: exporter:1
  {{- end }}
  {{- with .Values.extraContainers }}{{ toYaml . | nindent 2 }}{{ end }}
  {{- if .Capabilities.APIVersions.Has "example.com/v1" }}
  - image: operator:2
  {{- end }}
`;

test("a chart's images by default and with which values; not those only mentioned in values", () => {
  const chart = loadChart({
    'Chart.yaml':
      'apiVersion: v2\nname: a\nversion: 1.0.0\nappVersion: "7"\ndependencies: [{name: sub, condition: sub.enabled, version: 1.0.0}]\n',
    'values.yaml': `image: {repository: main, tag: ""}
metrics: {enabled: false, exporter: true}
extraContainers: []
# - name: side
#   image: example/side:1
sub: {enabled: false}
`,
    'templates/page.yaml': template,
    'charts/sub/Chart.yaml': 'apiVersion: v2\nname: sub\nversion: 1.0.0\n',
    'charts/sub/templates/s.yaml': 'kind: Pod\nmetadata: {name: s}\nspec: {containers: [{image: sub:3}]}\n',
  });
  assert.deepEqual(
    listChartImages(chart).map(({ reference, when }) => [reference, when]),
    [
      ['main:7', { values: {} }],
      ['sub:3', { values: { sub: { enabled: true } } }],
      ['exporter:1', { values: { metrics: { enabled: true } } }],
      ['operator:2', { values: {}, apiVersions: ['example.com/v1'] }],
    ],
  );
});

test('a chart that renders with no values has no list, but the failure of its defaults', () => {
  const chart = loadChart({
    'Chart.yaml': 'apiVersion: v2\nname: a\nversion: 1.0.0\n',
    'templates/a.yaml': 'image: a:1\n{{ fail "not for this cluster" }}\n',
  });
  assert.throws(() => listChartImages(chart), /not for this cluster/);
});
