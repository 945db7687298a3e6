// The analysis of a chart for editors: problems, references, reached parts, hover, rename.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyzeChart, analyzeTemplate } from '../../../render/language/analyze.ts';
import type { ChartSnapshot } from '../../../render/language/model.ts';
import { ChartSession, definitionsAt, referencesOf } from '../../../render/language/session.ts';

const files = {
  'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'values.yaml': [
    'replicas: 1',
    'image:',
    '  # -- Where the image is from',
    '  name: nginx',
    '  tag: "1"',
    'ingress:',
    '  enabled: false',
    'old: x',
    '',
  ].join('\n'),
  'templates/_helpers.tpl': '{{ define "web.image" }}{{ .Values.image.name }}:{{ .Values.image.tag }}{{ end }}\n',
  'templates/config.yaml': [
    'apiVersion: v1',
    'kind: ConfigMap',
    'metadata: { name: web }',
    'data:',
    '  image: {{ include "web.image" . }}',
    '{{ if .Values.ingress.enabled }}',
    '  host: {{ .Values.ingress.host | required "a host" }}',
    '{{ end }}',
    '  replicas: {{ .Values.replicas | quote }}',
    '',
  ].join('\n'),
};

interface Case {
  readonly name: string;
  readonly text: string;
  readonly fails?: boolean;
}

function snapshot(changes: Readonly<Record<string, string>> = {}, cases: readonly Case[] = []): ChartSnapshot {
  const all: [string, string][] = Object.entries({ ...files, ...changes });
  const texts = cases.map(({ name, text }) => [`ci/${name}-values.yaml`, text] as const);
  const listed = cases.map(({ name, text, fails }) => ({
    name,
    fails,
    valuesFiles: [{ name: `ci/${name}-values.yaml`, text }],
  }));
  return {
    files: new Map([...all, ...texts]),
    cases: listed.length > 0 ? listed : [{ name: 'default', valuesFiles: [] }],
  };
}

/** The problems as `severity path <marked text> message`. */
async function problems(given: ChartSnapshot): Promise<string[]> {
  const { analysis } = await analyzeChart(given);
  return analysis.problems.map(({ severity, path, start, end, message }) => {
    const marked = String(given.files.get(path)).slice(start, end);
    return `${severity} ${path} <${marked}> ${message.split('\n')[0]}`;
  });
}

test('each problem is at the action or value that causes it', async () => {
  const ingress = { name: 'ingress', text: 'ingress: { enabled: true }\nunknown: 1\n' };
  const plain = { name: 'plain', text: 'replicas: 2\n' };
  assert.deepEqual(await problems(snapshot({}, [plain, ingress])), [
    'error templates/config.yaml <required "a host"> a host (case ingress)',
  ]);
  assert.deepEqual(await problems(snapshot({}, [plain])), ['hint values.yaml <old> No template reads old.']);
  assert.deepEqual(await problems(snapshot({ 'values.yaml': 'image: [' })), [
    'error values.yaml <image: [> cannot load values.yaml: error converting YAML to JSON: yaml: line 1: did not find expected node content',
  ]);
  assert.deepEqual(await problems(snapshot({ 'values.yaml': files['values.yaml'].replace('nginx', '"a: b"') })), [
    'error templates/_helpers.tpl <{{ .Values.image.name }}> YAML parse error on web/templates/config.yaml: error converting YAML to JSON: yaml: line 5: mapping values are not allowed in this context',
  ]);
  // A file in crds/ that is not YAML does not hide the problems of other objects.
  const pod =
    'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { nope: 1, containers: [{ name: a, image: b }] }\n';
  const both = await problems(snapshot({ 'crds/a.yaml': 'a: b: c\n', 'templates/pod.yaml': pod }, [plain]));
  assert.deepEqual(
    ['crds/a.yaml', 'templates/pod.yaml'].map((path) => both.filter((text) => text.includes(path)).length),
    [1, 1],
  );
  const schema = JSON.stringify({ properties: { replicas: { type: 'string' } } });
  const refused = await problems(snapshot({ 'values.schema.json': schema }));
  assert.match(refused[0] ?? '', /^error values\.yaml <replicas> replicas: .*string/);
});

test('an incomplete template has one problem, in the broken action', async () => {
  const text = files['templates/config.yaml'];
  const broken = (old: string, now: string) => problems(snapshot({ 'templates/config.yaml': text.replace(old, now) }));
  const at = 'error templates/config.yaml';
  assert.deepEqual(await broken('.Values.replicas | quote }}', '.Values.'), [`${at} <{{ .Values.> unclosed action`]);
  assert.deepEqual(await broken('{{ end }}', ''), [`${at} <{{ if .Values.ingress.enabled }}> unexpected EOF`]);
  assert.deepEqual(await broken('{{ if .Values.ingress.enabled }}', ''), [`${at} <{{ end }}> unexpected {{end}}`]);
  assert.deepEqual(await broken('| quote', '| quoet'), [
    `${at} <{{ .Values.replicas | quoet }}> function "quoet" not defined`,
  ]);
  assert.deepEqual(await broken('"web.image" .', '"web.image'), [
    `${at} <{{ include "web.image }}> unterminated quoted string`,
  ]);
});

test('values are found from their uses and back', async () => {
  const { analysis } = await analyzeChart(snapshot());
  const offset = files['templates/_helpers.tpl'].indexOf('image.tag') + 7;
  const place = { path: 'templates/_helpers.tpl', offset };
  const shown = (spans: readonly { path: string; start: number; end: number }[]) =>
    spans.map(({ path, start, end }) => `${path} ${files[path as keyof typeof files].slice(start, end)}`);
  assert.deepEqual(shown(definitionsAt(analysis, place)), ['values.yaml tag']);
  assert.deepEqual(shown(referencesOf(analysis, place)), ['values.yaml tag', 'templates/_helpers.tpl tag']);
  const call = { path: 'templates/config.yaml', offset: files['templates/config.yaml'].indexOf('web.image') };
  assert.deepEqual(shown(definitionsAt(analysis, call)), ['templates/_helpers.tpl web.image']);
  // A value that no file sets leads to its enclosing table.
  const unset = { path: 'templates/config.yaml', offset: files['templates/config.yaml'].indexOf('host |') };
  assert.deepEqual(shown(definitionsAt(analysis, unset)), ['values.yaml ingress']);
});

test('a value shows its content in each case, and where it was set', async () => {
  const session = new ChartSession();
  const cases = [
    { name: 'plain', text: '{}\n' },
    { name: 'other', text: 'image: { name: httpd }\n' },
  ];
  await session.analyze(snapshot({}, cases));
  const offset = files['templates/_helpers.tpl'].indexOf('name }}');
  const { text = '' } = session.hover({ path: 'templates/_helpers.tpl', offset }) ?? {};
  assert.equal(
    text,
    '**image.name**\n\nWhere the image is from\n\n- plain: `"nginx"` – values.yaml:4\n- other: `"httpd"` – ci/other-values.yaml:1',
  );
  const include = session.hover({
    path: 'templates/config.yaml',
    offset: files['templates/config.yaml'].indexOf('web.image'),
  });
  assert.equal(include?.text, 'plain\n\n```yaml\nnginx:1\n```\n\nother\n\n```yaml\nhttpd:1\n```');
});

test('a rename changes every place, or none', async () => {
  const session = new ChartSession();
  const more = {
    'values.schema.json': '{ "properties": { "image": { "required": ["tag"], "properties": { "tag": {} } } } }',
    'tests/image_test.yaml': 'suite: a\ntests:\n  - it: b\n    set:\n      image.tag: "2"\n      image: { tag: "3" }\n',
  };
  const given = snapshot(more, [{ name: 'a', text: 'image: { tag: "2" }\n' }]);
  await session.analyze(given);
  const place = { path: 'templates/_helpers.tpl', offset: files['templates/_helpers.tpl'].indexOf('tag }}') };
  const renamed = session.rename({ ...place, name: 'version' });
  assert.ok('edits' in renamed);
  assert.deepEqual(
    renamed.edits.map(
      ({ path, start, end, text }) => `${path} ${String(given.files.get(path)).slice(start - 7, end)} ${text}`,
    ),
    [
      'ci/a-values.yaml age: { tag version',
      'templates/_helpers.tpl .image.tag version',
      'tests/image_test.yaml  image.tag version',
      'tests/image_test.yaml age: { tag version',
      'values.schema.json ed": ["tag version',
      'values.schema.json s": { "tag version',
      'values.yaml ginx\n  tag version',
    ],
  );
  const refused = (name: string) => session.rename({ ...place, name });
  assert.deepEqual(refused('name'), { refusal: 'image.name exists already.' });
  assert.deepEqual(refused('a-b'), {
    refusal: '"a-b" cannot stand in a template: use letters, digits and _, and start with a letter.',
  });
});

test('a template rendered alone has the same problems as in the analysis of the chart', async () => {
  const path = 'templates/config.yaml';
  const cases = [
    { name: 'plain', text: '' },
    { name: 'ingress', text: 'ingress: { enabled: true, host: h }' },
    { name: 'refused', text: 'ingress: { enabled: true }', fails: true },
  ];
  const analyzed = await analyzeChart(snapshot({}, cases));
  assert.ok('chart' in analyzed);
  const config = files[path];
  for (const text of [
    config,
    config.replace('| quote', '| fail'),
    config.replace('replicas:', 'replicas: : x'),
    config.replace('kind: ConfigMap', 'kind: Deployment'),
    config.replace('{{ end }}', ''),
    config.replace('"web.image"', '"web.picture"'),
  ]) {
    const { analysis } = await analyzeChart(snapshot({ [path]: text }, cases));
    const own = analysis.problems.filter((problem) => problem.path === path);
    assert.equal(own.length > 0, text !== config, text);
    assert.deepEqual(await analyzeTemplate(analyzed, path, text), own, text);
  }
  assert.equal(await analyzeTemplate(analyzed, 'templates/_helpers.tpl', ''), undefined);
  assert.equal(await analyzeTemplate(analyzed, 'values.yaml', ''), undefined);
});

test('a rename that would change the output is refused', async () => {
  const session = new ChartSession();
  await session.analyze(snapshot({ 'templates/all.yaml': 'a: {{ keys .Values | sortAlpha | join "," }}\n' }));
  const place = { path: 'templates/config.yaml', offset: files['templates/config.yaml'].indexOf('replicas |') };
  const renamed = session.rename({ ...place, name: 'count' });
  assert.deepEqual(renamed, {
    refusal:
      'Case default would render differently: "a: count,image,ingress,old" instead of "a: image,ingress,old,replicas". Rename it by hand.',
  });
});
