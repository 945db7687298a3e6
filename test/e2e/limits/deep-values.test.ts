// Values nest as deep as in Helm: nothing that reads, writes, copies, compares, merges or prints them needs JavaScript's stack.

import { equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { RenderError } from '../../../render/errors.ts';
import { loadChart, seededHost, template } from '../../../render/index.ts';
import { chartOfRow, textOfOutput } from '../../support/rows.ts';

function render(text: string, values = ''): string {
  const encoder = new TextEncoder();
  const files = Object.entries(chartOfRow(text, values)).map(([name, data]) => [name, encoder.encode(data)] as const);
  return textOfOutput(template(loadChart(new Map(files)), { releaseName: 'r', host: seededHost() }));
}

const levels = 9000;
const map = (name: string, leaf: string): string =>
  `{{ ${name} := ${leaf} }}{{ range until ${levels} }}{{ ${name} = dict "a" ${name} }}{{ end }}`;
const list = `{{ $l := list 1 }}{{ range until ${levels} }}{{ $l = list $l }}{{ end }}`;

test('JSON is written and read as deep as in Helm, and no deeper', () => {
  equal(render(`${list}{{ toJson $l | fromJsonArray | toJson | len }}`), String(2 * levels + 3));
  equal(render(`${map('$d', 'dict "x" 1')}{{ toJson $d | fromJson | toJson | len }}`), String(6 * levels + 7));
  equal(
    render('{{ fromJsonArray (print (repeat 10001 "[") (repeat 10001 "]")) }}'),
    "[invalid character '[' exceeded max depth]",
  );
});

test('YAML is written and read as deep as in Helm, and no deeper', () => {
  equal(render(`${list}{{ toYaml $l | fromYamlArray | toJson | len }}`), String(2 * levels + 3));
  equal(render(`{{ fromYamlArray (print (repeat ${levels} "[") (repeat ${levels} "]")) | toJson | len }}`), '18000');
  ok(render('{{ fromYaml (repeat 10002 "[") }}').includes('exceeded max depth of 10000'));
});

test('deep values are printed, copied, compared and merged', () => {
  const both = map('$d', 'dict "x" 1') + map('$e', 'dict "y" 1');
  equal(render(`${list}{{ print $l | len }} {{ printf "%#v" $l | len }}`), '18003 144017');
  equal(
    render(`${both}{{ deepEqual $d (deepCopy $d) }} {{ deepEqual $d $e }} {{ list $d $e | uniq | len }}`),
    'true false 2',
  );
  equal(render(`${both}{{ merge $d $e | toJson | len }}`), String(6 * levels + 13));
});

test('deep values of a chart are layered', () => {
  const values = `top: ${'{a: '.repeat(5000)}{x: 1}${'}'.repeat(5000)}\n`;
  equal(render('{{ toJson .Values | len }}', values), String(6 * 5000 + 15));
});

test('a value that holds itself is refused, in the words of Go where it has any', () => {
  const itself = '{{ $d := dict }}{{ $_ := set $d "a" $d }}';
  equal(render(`${itself}{{ $e := dict }}{{ $_ := set $e "a" $e }}{{ deepEqual $d $e }}`), 'true');
  const failure = (text: string): string => {
    try {
      return render(text);
    } catch (error) {
      if (error instanceof RenderError) return error.message;
      throw error;
    }
  };
  ok(
    failure(`${itself}{{ mustToJson $d }}`).endsWith(
      'json: unsupported value: encountered a cycle via map[string]interface {}',
    ),
  );
  // Go dies of these: its stack grows until there is no more. Each ends here before it takes memory.
  const wide = '{{ $v := dict "a" 1 "m" (dict "x" (list 1 2)) "z" "end" }}{{ $_ := set $v.m "back" (list $v) }}';
  for (const use of ['print $v', 'printf "%#v" $v', 'deepCopy $v', 'toToml $v', 'toToml (dict "l" $v.m.back)'])
    ok(failure(`${wide}{{ ${use} }}`).endsWith('a value holds itself'), use);
  const two = `${itself}{{ $e := dict }}{{ $_ := set $e "a" (dict "a" $e) }}`;
  for (const use of ['merge $d $e', 'mergeOverwrite $e $d']) ok(failure(`${two}{{ ${use} }}`).endsWith('itself'), use);
});

test('long texts are read in base64 and quoted', () => {
  equal(
    render('{{ repeat 2000000 "xy" | b64enc | b64dec | len }} {{ repeat 300000 "\\"é" | quote | len }}'),
    '4000000 1200002',
  );
});

test('lists of scalars are made unique at once', () => {
  equal(render('{{ uniq (until 30000) | len }} {{ without (until 30000) 1 2 | len }}'), '30000 29998');
  equal(
    render('{{ uniq (list 1 1.0 "1" 1 nil nil true true (list 1) (list 1)) | toJson }}'),
    '[1,1,"1",null,true,[1]]',
  );
});
