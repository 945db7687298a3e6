// Places of errors: file, line and column as in an editor, beside Helm's message.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Place } from '../../render/core/errors.ts';
import { loadChart, type TemplateOptions, template } from '../../render/index.ts';
import { chartYaml } from '../support/project.ts';
import { failureOf as errorOf } from '../support/render-error.ts';

type Files = Readonly<Record<string, string>>;

const failureOf = (files: Files, options?: TemplateOptions) =>
  errorOf(() => template(loadChart({ 'Chart.yaml': chartYaml('web'), ...files }), options));

const formatPlace = ({ file, line, column, isRendered }: Place): string =>
  `${file}:${line}:${column}${isRendered ? ' of the output' : ''}`;

// A template, the place, and what of the message no recorded run of Helm shows.
const templates: readonly (readonly [text: string, place: string, message?: RegExp, partial?: string])[] = [
  ['ä: "é" {{ .Values.a.b }}', 'a.yaml:1:18'],
  ['{{/* two\nlines */}}\n  {{ nope }}', 'a.yaml:3:6'],
  // Helm keeps what follows the last colon.
  ['{{ "a: b }}', 'a.yaml:1:4', /^parse error at \(web\/templates\/a\.yaml:1\): unterminated quoted string$/],
  ['a: 1\n\n  {{ fail "multi\\nline: x" }}', 'a.yaml:3:6', /^execution error at \(.*:3:5\): multi\nline: x$/],
  // Below an include the outermost place of a failure on purpose, below a template action its own.
  ['{{ include "x" . }}', 'a.yaml:1:4', /\/a\.yaml:1:3\): deep$/, '{{ define "x" }}\n{{ fail "deep" }}{{ end }}'],
  ['{{ template "x" . }}', '_h.tpl:2:4', /\/_h\.tpl:2:3\): deep$/, '{{ define "x" }}\n{{ fail "deep" }}{{ end }}'],
  [
    '{{ include "x" . }}',
    '_h.tpl:2:13',
    /\/a\.yaml:1:3: executing .*\/_h\.tpl:1:19: executing "x" .*\/_h\.tpl:2:12: executing "y" at <\.Values\.a\.b\.c>: nil pointer/,
    '{{ define "x" }}{{ include "y" . }}{{ end }}{{ define "y" }}\n  {{ .Values.a.b.c }}{{ end }}',
  ],
  ['{{ tpl "{{ .a.b }}" . }}', 'gotpl:1:6'],
  // Output that is not valid YAML: in the second document, with an open bracket, with a key that is too deep; and a list.
  ['# x\nkind: A\n---\nkind: B\nmetadata:\n  name: {{ "a: b: c" }}\n', 'a.yaml:6:10 of the output'],
  ['kind: A\nlist: [a, b\nx: y\n', 'a.yaml:3:2 of the output'],
  ['kind: A\nmetadata:\n  name: a\n    labels: {}\n', 'a.yaml:4:11 of the output'],
  ['\n\n- a\n', 'a.yaml:3:1 of the output'],
];
for (const [text, place, message = /./, partial = ''] of templates) {
  test(`the place of the error in ${JSON.stringify(text)}`, () => {
    const error = failureOf({ 'templates/a.yaml': text, 'templates/_h.tpl': partial });
    assert.equal(formatPlace(error.place!).replace('web/templates/', ''), place, error.message);
    assert.match(error.message, message);
    assert.ok(error.hint);
  });
}

const schema = JSON.stringify({
  type: 'object',
  required: ['name'],
  properties: {
    replicas: { type: 'integer' },
    image: { type: 'object', properties: { tag: { type: 'string' } } },
    ports: { type: 'array', items: { type: 'integer' } },
  },
});
const strict = { 'values.schema.json': schema, 'values.yaml': '# ours\nname: x\nimage:\n  tag: 1\n' };
const subchart = { 'charts/db/Chart.yaml': chartYaml('db'), 'charts/db/values.yaml': '\n\t' };
const tagged = 'image: {tag: "1"}\n';

const others: readonly (readonly [what: string, place: string | undefined, files: Files, options?: TemplateOptions])[] =
  [
    ['Chart.yaml', 'Chart.yaml:1:9', { 'Chart.yaml': 'name: "x' }],
    ['values.yaml of a subchart', 'charts/db/values.yaml:2:1', subchart],
    ['a values file', 'prod.yaml:2:5', {}, { valuesFiles: [{ name: 'prod.yaml', text: 'a: 1\nb: c: d\n' }] }],
    ['a default that the schema refuses', 'web/values.yaml:4:3', strict],
    [
      'a value of the last file that has it',
      'valuesFiles[2]:2:1',
      strict,
      { valuesFiles: [tagged, { name: 'a.yaml', text: 'replicas: 1' }, 'x: 1\nreplicas: two\n'] },
    ],
    ['a value that was set', undefined, strict, { values: { image: { tag: 'x' } }, set: ['replicas=x'] }],
  ];
for (const [what, place, files, options] of others) {
  test(`the place of ${what}`, () => {
    const error = failureOf(files, options);
    assert.equal(error.place && formatPlace(error.place), place, error.message);
  });
}

test('every issue of a schema has its place', () => {
  const { issues } = failureOf({ ...strict, 'values.yaml': 'replicas: x\nimage: {tag: 1}\n' });
  assert.deepEqual(
    issues.map(({ path, place }) => [path, place?.line, place?.column]),
    [
      ['', 1, 1],
      ['image.tag', 2, 9],
      ['replicas', 1, 1],
    ],
  );
});
