// The effects of a value, and the causes of a difference between two renderings.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderRelease } from '../../../../render/api/chart.ts';
import { impact } from '../../../../render/api/explain.ts';
import { loadChart } from '../../../../render/chart/load.ts';
import { findMember } from '../../../../render/codec/yaml/places.ts';
import { RenderError } from '../../../../render/core/errors.ts';
import { runInstall as render } from '../../../../render/engine/release.ts';
import type { GoValue } from '../../../../render/go/value.ts';
import { type Cause, causeSide } from '../../../../render/provenance/impact/cause.ts';
import { causesOf } from '../../../../render/provenance/impact/causes.ts';
import { inputsOf, knownInputs } from '../../../../render/provenance/impact/inputs.ts';
import { createTrace } from '../../../../render/provenance/origins/propagation.ts';
import { releaseObjects } from '../../../../render/provenance/trace/objects.ts';
import { mergeUserValues, type UserValues } from '../../../../render/values/user.ts';

const files = {
  'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\nappVersion: "3"\n',
  'values.yaml': `replicas: 1
image: {name: shop, tag: v7}
ingress: {enabled: false, host: shop.example.com}
labels: {team: blue, tier: front}
ports: [80]
`,
  'templates/_names.tpl': '{{ define "labels" }}version: {{ .Chart.Version }}\n{{ toYaml .Values.labels }}{{ end }}',
  'templates/deployment.yaml': `kind: Deployment
metadata:
  name: web
  annotations:
    sum: {{ .Values.image.tag | sha256sum }}
  labels:
    {{- include "labels" . | nindent 4 }}
spec:
  replicas: {{ .Values.replicas }}
  image: {{ .Values.image.name }}:{{ .Values.image.tag }}
  {{- if .Values.debug }}
  debug: true
  {{- end }}
`,
  'templates/ingress.yaml': `{{- if .Values.ingress.enabled }}
kind: Ingress
metadata:
  name: web
spec:
  host: {{ .Values.ingress.host }}
{{- end }}
`,
};

function reached(path: string, set: readonly string[] = []) {
  const { objects, leftOut, setBy } = impact(renderRelease(loadChart(files), { trace: true, set }), path);
  return {
    fields: objects.flatMap(({ object, fields }) =>
      fields.map(({ how, path: field, line }) => `${object} ${how} ${field} ${line}`),
    ),
    leftOut: leftOut.map(({ place, values }) => `${place.file}:${place.line} ${place.text} ${values}`),
    setBy: setBy.map(({ where }) => where),
  };
}

test('lists the fields that contain a value, and those derived from one', () => {
  assert.deepEqual(reached('replicas', ['replicas=4']), {
    fields: ['Deployment/default/web exact spec.replicas 11'],
    leftOut: [],
    setBy: ['--set replicas=4', 'web/values.yaml'],
  });
  assert.deepEqual(reached('image.tag').fields, [
    'Deployment/default/web computed metadata.annotations.sum 5',
    'Deployment/default/web exact spec.image 12',
  ]);
  assert.deepEqual(reached('labels.team').fields, ['Deployment/default/web exact metadata.labels.team 8']);
  assert.deepEqual(reached('labels').fields, [
    'Deployment/default/web exact metadata.labels.team 8',
    'Deployment/default/web exact metadata.labels.tier 9',
  ]);
});

test('lists what a value decides: a whole object, a field, and what it leaves out', () => {
  assert.deepEqual(reached('ingress.enabled', ['ingress.enabled=true']).fields, ['Ingress/default/web decides  1']);
  assert.deepEqual(reached('ingress', ['ingress.enabled=true']).fields, [
    'Ingress/default/web decides  1',
    'Ingress/default/web exact spec.host 5',
  ]);
  assert.deepEqual(reached('ingress.enabled'), {
    fields: [],
    leftOut: ['web/templates/ingress.yaml:1 if .Values.ingress.enabled ingress.enabled'],
    setBy: ['web/values.yaml'],
  });
  assert.deepEqual(reached('debug', ['debug=true']).fields, ['Deployment/default/web decides spec.debug 13']);
  assert.deepEqual(reached('debug').leftOut, ['web/templates/deployment.yaml:11 if .Values.debug debug']);
  assert.deepEqual(reached('ports'), { fields: [], leftOut: [], setBy: ['web/values.yaml'] });
  assert.throws(
    () => reached('image.tga'),
    (error) => error instanceof RenderError && error.code === 'VALUES_INVALID' && /image\.tag/.test(error.hint ?? ''),
  );
});

test('names the requested path as users write it', () => {
  const listed = loadChart({
    'Chart.yaml': 'apiVersion: v2\nname: a\nversion: 1.0.0\n',
    'values.yaml': 'hosts: [{name: x}]\n',
    'templates/a.yaml': 'kind: A\nmetadata: {name: a}\nhost: {{ (first .Values.hosts).name }}\n',
  });
  assert.equal(impact(renderRelease(listed, { trace: true }), 'hosts[0].name').path, 'hosts[0].name');
});

/** The flags `--set` of a side. */
type Side = readonly string[];

function sideOf(set: Side, isTraced = true) {
  const chart = loadChart(files);
  const trace = createTrace();
  const given: UserValues = { set, readFile: () => '' };
  const release = render(chart, { values: mergeUserValues(given), trace });
  // Stored as JSON, as beside a snapshot.
  const inputs = JSON.parse(JSON.stringify(inputsOf(release, { kubeVersion: '1.31', helm: '3.17.3' })));
  const objects = releaseObjects({ ...release, trace }, { chart, given });
  return { ...causeSide(knownInputs(inputs), isTraced ? objects : undefined), documents: objects.documents };
}

/** Returns the causes of a field's change, which are the same from a recorded side and a traced one. */
function causes(before: Side, after: Side, kind: string, path: string): readonly string[] {
  const is = sideOf(after);
  const reported = [true, false].map((isTraced) => {
    const was = sideOf(before, isTraced);
    const document = is.documents.find((one) => one.kind === kind);
    const gone = was.documents.find((one) => one.kind === kind);
    const steps = path === '' ? [] : path.split('.');
    const isThere = document !== undefined && findMember(document.content, steps).isWhole;
    const place = { document: isThere ? document : gone, steps, side: isThere ? 'after' : 'before' } as const;
    return causesOf(was, is, place as Parameters<typeof causesOf>[2]).map(
      ({ kind: word, text }: Cause) => `${word}: ${text}`,
    );
  });
  const [traced = [], recorded = []] = reported;
  if (path !== 'spec.debug') assert.deepEqual(recorded, traced);
  return traced;
}

test('names the value and where it is set', () => {
  assert.deepEqual(causes([], ['replicas=3'], 'Deployment', 'spec.replicas'), [
    'value: replicas, set by --set replicas=3',
  ]);
  assert.deepEqual(causes(['image.tag=v8'], [], 'Deployment', 'metadata.annotations.sum'), [
    'value: image.tag, set by web/values.yaml:2:21',
  ]);
  assert.deepEqual(causes([], ['ingress.enabled=true', 'ingress.host=x'], 'Ingress', ''), [
    'value: ingress.enabled, set by --set ingress.enabled=true',
  ]);
  assert.deepEqual(causes(['ingress.enabled=true'], [], 'Ingress', ''), [
    'value: ingress.enabled, set by web/values.yaml:3:11',
  ]);
  assert.deepEqual(causes(['debug=true'], [], 'Deployment', 'spec.debug'), ['value: debug, no longer set']);
  // Unchanged inputs are no cause.
  assert.deepEqual(causes([], ['replicas=3'], 'Deployment', 'spec.image'), []);
});

test('stores no value in plain text', () => {
  const { known } = sideOf(['password=correct-horse']);
  const text = JSON.stringify(known.inputs);
  assert.equal(text.includes('horse'), false);
  assert.deepEqual(Object.keys(known.inputs), ['charts', 'release', 'kubeVersion', 'helm', 'marks', 'lines']);
  assert.ok(text.length < 1500, String(text.length));
});

test('marks the table around values that are nested too deep to be listed', () => {
  const nested = (depth: number, end: number): Map<string, GoValue> => {
    let value: GoValue = end;
    for (let i = 0; i < depth; i++) value = new Map([['a', value]]);
    return new Map([['deep', value]]);
  };
  const inputsWith = (depth: number, end: number) => {
    const release = { chart: loadChart(files), values: nested(depth, end), name: 'demo', namespace: 'default' };
    return inputsOf(release, { kubeVersion: 'v1.32.0', helm: '3.17.3' });
  };
  // A marker for each of 400 levels would take seconds.
  const known = knownInputs(inputsWith(400, 1));
  const around = (end: number): GoValue => [...nested(400 - 10, end).values()][0]!;
  const steps = ['deep', ...Array.from({ length: 10 }, () => 'a')];
  assert.ok(known.hasValue(steps, around(1)));
  assert.ok(!known.hasValue(steps, around(2)));
  const deepest = ['deep', ...Array.from({ length: 400 }, () => 'a')];
  assert.ok(known.hasPath(deepest) && known.hasValue(deepest, 2));
});
