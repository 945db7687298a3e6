// Places of errors: file, line and column as in an editor, beside Helm's message.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Place, RenderError } from '../../render/core/errors.ts';
import { loadChart, type TemplateOptions, template } from '../../render/index.ts';

const head = { 'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n' };

function failureOf(files: Readonly<Record<string, string>>, options: TemplateOptions = {}): RenderError {
  try {
    template(loadChart({ ...head, ...files }), options);
  } catch (error) {
    assert.ok(error instanceof RenderError, String(error));
    return error;
  }
  assert.fail('nothing was thrown');
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

const rows: readonly (readonly [
  what: string,
  files: Record<string, string>,
  options: TemplateOptions,
  place: Place | undefined,
])[] = [
  [
    'a template that fails behind letters of more bytes than one',
    { 'templates/a.yaml': 'ä: "é" {{ .Values.a.b }}' },
    {},
    { file: 'web/templates/a.yaml', line: 1, column: 18 },
  ],
  [
    'a template that does not parse',
    { 'templates/a.yaml': '{{/* two\nlines */}}\n  {{ nope }}' },
    {},
    { file: 'web/templates/a.yaml', line: 3, column: 6 },
  ],
  [
    'a manifest that is not valid YAML, in the second document',
    { 'templates/a.yaml': '# x\nkind: A\n---\nkind: B\nmetadata:\n  name: {{ "a: b: c" }}\n' },
    {},
    { file: 'web/templates/a.yaml', line: 6, column: 10, isRendered: true },
  ],
  [
    'a manifest with a bracket left open',
    { 'templates/a.yaml': 'kind: A\nlist: [a, b\nx: y\n' },
    {},
    { file: 'web/templates/a.yaml', line: 3, column: 2, isRendered: true },
  ],
  [
    'a manifest with a key that stands too deep',
    { 'templates/a.yaml': 'kind: A\nmetadata:\n  name: a\n    labels: {}\n' },
    {},
    { file: 'web/templates/a.yaml', line: 4, column: 11, isRendered: true },
  ],
  [
    'a manifest that is a list',
    { 'templates/a.yaml': '\n\n- a\n' },
    {},
    { file: 'web/templates/a.yaml', line: 3, column: 1, isRendered: true },
  ],
  [
    'a values file that is not valid YAML',
    {},
    { valuesFiles: [{ name: 'prod.yaml', text: 'a: 1\nb: c: d\n' }] },
    { file: 'prod.yaml', line: 2, column: 5 },
  ],
  ['a chart without Chart.yaml', { 'Chart.yaml': 'name: "x' }, {}, { file: 'Chart.yaml', line: 1, column: 9 }],
  [
    'values.yaml that is not valid YAML',
    { 'values.yaml': 'a:\n- b\n  c: [' },
    {},
    { file: 'values.yaml', line: 3, column: 4 },
  ],
  [
    'values.yaml of a sub-chart',
    { 'charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 1.0.0\n', 'charts/db/values.yaml': '\n\t' },
    {},
    { file: 'charts/db/values.yaml', line: 2, column: 1 },
  ],
  ['a default that the schema refuses', strict, {}, { file: 'web/values.yaml', line: 4, column: 3 }],
  [
    'a value of the last file that has it',
    strict,
    { valuesFiles: ['image: {tag: "1"}\n', { name: 'a.yaml', text: 'replicas: 1' }, 'x: 1\nreplicas: two\n'] },
    { file: 'valuesFiles[2]', line: 2, column: 1 },
  ],
  [
    'an item of a list',
    strict,
    { valuesFiles: [{ name: 'a.yaml', text: 'image: {tag: "1"}\nports:\n  - 1\n  - x\n' }] },
    { file: 'a.yaml', line: 4, column: 5 },
  ],
  ['a value that was set has no file', strict, { values: { image: { tag: 'x' } }, set: ['replicas=x'] }, undefined],
];

for (const [what, files, options, place] of rows) {
  test(`the place of ${what}`, () => {
    const error = failureOf(files, options);
    assert.deepEqual(error.place, place, error.message);
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
