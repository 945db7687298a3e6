// Explanations of failures: the lines with the error, missing values and where they could be set, schema violations.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ChartFiles, loadChart } from '../../../../render/chart/load.ts';
import { RenderError } from '../../../../render/core/errors.ts';
import { seededHost } from '../../../../render/core/host.ts';
import { runInstall } from '../../../../render/engine/release.ts';
import { createTrace } from '../../../../render/provenance/origins/propagation.ts';
import { explainFailure, failureText } from '../../../../render/provenance/trace/failure.ts';
import { chartSources } from '../../../../render/provenance/trace/objects.ts';
import { mergeUserValues, type UserValues } from '../../../../render/values/user.ts';

const values = `image:
  registy: {host: x}
web:
  limits: {cpu: 1}
note: "a: b"
script: |
  one
  two
"on": true
`;

function why(files: ChartFiles, given: UserValues = {}): string {
  const chart = loadChart({
    'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'values.yaml': values,
    ...files,
  });
  const trace = createTrace();
  try {
    runInstall(chart, { values: mergeUserValues(given), trace, host: seededHost() });
  } catch (error) {
    assert.ok(error instanceof RenderError);
    return failureText(explainFailure({ error, chart, trace, sources: chartSources({ chart, given }) }));
  }
  throw new Error('it rendered');
}

const template = (text: string): ChartFiles => ({ 'templates/a.yaml': `kind: A\n${text}` });

test('names the path of a nil pointer, where it could be set, and similar names', () => {
  assert.equal(
    why(template('host: {{ .Values.image.registry.host }}\n')),
    `
web/templates/a.yaml:2:10
  1 | kind: A
> 2 | host: {{ .Values.image.registry.host }}
    |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^
  3 |

  image.registry is not set, so there is no image.registry.host
    could be set where the values around it are: web/values.yaml:1:1

Did you mean \`image.registy.host\`?
Set image.registry.host.
`,
  );
  const elsewhere = why(template('{{ with .Values.web }}cpu: {{ $.Values.limits.cpu }}{{ end }}\n'));
  assert.match(
    elsewhere,
    /limits is not set, so there is no limits\.cpu\n {4}could be set at the top of a values file/,
  );
  const reset = why(template('host: {{ .Values.image.registy.host }}\n'), {
    valuesFiles: [{ name: 'own.yaml', text: 'image:\n  registy: null\n' }],
  });
  assert.match(reset, /image\.registy is set to null by own\.yaml:2:3, so there is no image\.registy\.host/);
  const nested = why(template('{{ define "a" }}{{ .web.none.x }}{{ end }}{{ include "a" .Values }}\n'));
  assert.match(nested, /web\.none is not set, so there is no web\.none\.x/);
});

test('leads from a YAML error to the template line, its values, and a fix', () => {
  const text = why(template('note: {{ .Values.note }}\n'), { set: ['note=c: d'] });
  assert.match(text, /^web\/templates\/a\.yaml, as rendered:2:\d+$/m);
  assert.match(text, /^ {2}written by web\/templates\/a\.yaml:2:10$/m);
  assert.match(text, /note = "c: d": used here\n {4}set by --set note=c: d\n {4}over web\/values\.yaml:5:1 \("a: b"\)/);
  assert.match(text, /write `\| quote` behind it/);
  const lines = why(template('{{ if .Values.on }}script: |\n  {{ .Values.script }}\n- x{{ end }}\n'));
  assert.match(lines, /script has several lines: put it through `\| nindent N`/);
  assert.match(lines, /there for if \.Values\.on/);
});

test('lists what a failing template read, and why it ran', () => {
  const text = why(template('{{ if .Values.on }}{{ required "name it" .Values.name }}{{ end }}\n'), {
    set: ['name='],
  });
  assert.match(text, /name = "": was read\n {4}set by --set name=/);
  assert.match(text, /there for if \.Values\.on/);
});

test('shows the line of a template that does not parse, and the values that a schema rejects', () => {
  assert.match(why(template('{{ if }}\n')), /^> 2 \| \{\{ if \}\}$/m);
  const schema = '{"properties": {"web": {"properties": {"limits": {"type": "string"}}}}}';
  const text = why({ 'values.schema.json': schema }, { set: ['web.limits=2'] });
  assert.match(text, /web\.limits: .*string.*\n {4}set by --set web\.limits=2 \(2\)\n {4}over web\/values\.yaml:4:3/s);
});
