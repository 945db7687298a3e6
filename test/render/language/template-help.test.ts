// Completion in templates.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeTemplate } from '../../../render/language/template-help.ts';
import { knownValuesOfChart } from '../../../render/language/yaml/known-values.ts';

const values = [
  'image: { name: nginx, tag: "1" }',
  'hosts:',
  '  - host: a',
  '    paths: []',
  'some-key: 1',
  'sub: { port: 80 }',
  '',
].join('\n');
const names = {
  values: knownValuesOfChart(values, undefined),
  prefix: [],
  templates: ['web.labels', 'web.name'],
  functions: ['default', 'include', 'quote'],
};

/** The labels offered at the bar, and the text they replace. */
function offered(text: string, prefix: readonly string[] = []): string {
  const at = text.indexOf('|>');
  const whole = text.slice(0, at) + text.slice(at + 2);
  const found = completeTemplate(whole, at, { ...names, prefix });
  if (found === undefined) return 'nothing';
  return `<${whole.slice(found.from, at)}> ${found.options.map(({ label }) => label).join(' ')}`;
}

test('values are completed by what the dot stands for', () => {
  assert.equal(offered('{{ .Values.|> }}'), '<> image hosts sub');
  assert.equal(offered('{{ .Values.image.n|> }}'), '<n> name tag');
  assert.equal(offered('a: {{ $.Values.image.|>'), '<> name tag');
  assert.equal(offered('{{ with .Values.image }}{{ .|> }}{{ end }}'), '<> name tag');
  assert.equal(offered('{{ with .Values.image }}{{ else }}{{ .Values.|> }}{{ end }}'), '<> image hosts sub');
  assert.equal(offered('{{ with .Values.image }}{{ end }}{{ .Values.|> }}'), '<> image hosts sub');
  assert.equal(offered('{{ range .Values.hosts }}{{ .|> }}{{ end }}'), '<> host paths');
  assert.equal(offered('{{ range $i, $h := .Values.hosts }}{{ $h.|> }}{{ end }}'), '<> host paths');
  assert.equal(offered('{{ $i := .Values.image }}{{ if $i.|> }}'), '<> name tag');
  assert.equal(offered('{{ define "x" }}{{ $top := . }}{{ $top.Values.image.|> }}{{ end }}'), '<> name tag');
  assert.equal(offered('{{ .Values.|> }}', ['sub']), '<> port');
  // The result of a function is unknown.
  assert.equal(offered('{{ with (dict "a" 1) }}{{ .|> }}{{ end }}'), '<> ');
});

test("Helm's objects have their members", () => {
  assert.match(offered('{{ .|> }}'), /^<> Values Release Chart Capabilities Files Template/);
  assert.match(offered('{{ .Release.|> }}'), /^<> Name Namespace IsInstall IsUpgrade/);
  assert.equal(offered('{{ .Capabilities.KubeVersion.|> }}'), '<> Version Major Minor GitVersion');
});

test('functions, keywords, variables and named templates are completed in their places', () => {
  assert.equal(offered('{{ .Values.image | qu|> }}'), '<qu> default include quote');
  assert.match(offered('{{ i|> }}'), /^<i> if else end range/);
  assert.equal(offered('{{ $a := 1 }}{{ $|> }}'), '<$> $ $a');
  assert.equal(offered('{{ include "web.|>" . }}'), '<web.> web.labels web.name');
  assert.equal(offered('{{ template "|>'), '<> web.labels web.name');
});
