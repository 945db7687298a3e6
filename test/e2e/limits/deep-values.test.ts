// Values nested up to the documented depth: code that reads, writes, copies, compares, merges or prints values rejects deeper ones with their
// place.

import { equal, match, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { maxDepth } from '../../../render/core/arguments.ts';
import { RenderError } from '../../../render/core/errors.ts';
import { loadChart, seededHost, template } from '../../../render/index.ts';
import { chartOfRow, textOfOutput } from '../../support/rows.ts';

function render(text: string, values = ''): string {
  const encoder = new TextEncoder();
  const files = Object.entries(chartOfRow(text, values)).map(([name, data]) => [name, encoder.encode(data)] as const);
  return textOfOutput(template(loadChart(new Map(files)), { releaseName: 'r', host: seededHost() }));
}

function failureOf(text: string, values = ''): RenderError {
  try {
    render(text, values);
  } catch (error) {
    if (error instanceof RenderError) return error;
    throw error;
  }
  throw new Error(`expected an error: ${text.slice(0, 100)}`);
}

const map = (name: string, leaf: string, levels: number): string =>
  `{{ ${name} := ${leaf} }}{{ range until ${levels} }}{{ ${name} = dict "a" ${name} }}{{ end }}`;
const list = (levels: number): string => `{{ $l := list 1 }}{{ range until ${levels} }}{{ $l = list $l }}{{ end }}`;

// Functions, each with a value of the given depth and the expected output.
const uses: Readonly<Record<string, readonly [text: (levels: number) => string, want: (levels: number) => string]>> = {
  toJson: [(levels) => `${list(levels - 1)}{{ toJson $l | fromJsonArray | toJson | len }}`, (n) => `${2 * n + 1}`],
  fromJson: [
    (levels) => `${map('$d', 'dict "x" 1', levels - 1)}{{ toJson $d | fromJson | toJson | len }}`,
    (n) => `${6 * n + 1}`,
  ],
  toYaml: [(levels) => `${list(levels - 1)}{{ toYaml $l | fromYamlArray | toJson | len }}`, (n) => `${2 * n + 1}`],
  fromYamlArray: [
    (levels) => `{{ fromYamlArray (print (repeat ${levels} "[") (repeat ${levels} "]")) | toJson | len }}`,
    (n) => `${2 * n}`,
  ],
  fromJsonArray: [
    (levels) => `{{ fromJsonArray (print (repeat ${levels} "[") (repeat ${levels} "]")) | toJson | len }}`,
    (n) => `${2 * n}`,
  ],
  fromToml: [
    (levels) => `{{ (fromToml (print "a = " (repeat ${levels} "[") (repeat ${levels} "]"))).a | toJson | len }}`,
    (n) => `${2 * n}`,
  ],
};

for (const [name, [text, want]] of Object.entries(uses)) {
  test(`${name} accepts ${maxDepth} levels and rejects more with the place`, () => {
    equal(render(text(maxDepth)), want(maxDepth));
    for (const levels of [maxDepth + 1, 20_000]) {
      const { code, message, place } = failureOf(text(levels));
      equal(code, 'LIMIT_REACHED');
      match(message, /^template: c\/templates\/_row\.tpl:1:\d+: executing .* is nested more than 500 levels deep$/);
      equal(place?.file, 'c/templates/_row.tpl');
    }
  });
}

test('deep values are printed, copied, compared and merged, or rejected with the place', () => {
  const both = (levels: number): string => map('$d', 'dict "x" 1', levels) + map('$e', 'dict "y" 1', levels);
  equal(render(`${list(maxDepth)}{{ print $l | len }} {{ printf "%#v" $l | len }}`), '1003 8017');
  equal(
    render(`${both(maxDepth)}{{ deepEqual $d (deepCopy $d) }} {{ deepEqual $d $e }} {{ list $d $e | uniq | len }}`),
    'true false 2',
  );
  equal(render(`${both(maxDepth - 2)}{{ merge $d $e | toJson | len }}`), String(6 * (maxDepth - 2) + 13));
  for (const use of [
    'print $d',
    'printf "%#v" $d',
    'deepCopy $d',
    'merge $d $e',
    'mustMergeOverwrite $d $e',
    'toToml $d',
    'toPrettyJson $d',
    'toYamlPretty $d',
    'list $d | uniq | toYaml',
  ]) {
    const { code, message, place } = failureOf(`${both(50_000)}{{ ${use} }}`);
    equal(code, 'LIMIT_REACHED', use);
    match(
      message,
      /^template: c\/templates\/_row\.tpl:1:\d+: executing .* nested (?:too|more than 500 levels) deep$/,
      use,
    );
    equal(place?.file, 'c/templates/_row.tpl');
  }
});

test('deep values of a chart are merged; deeper ones are rejected with the file', () => {
  const values = (levels: number): string => `top: ${'{a: '.repeat(levels)}{x: 1}${'}'.repeat(levels)}\n`;
  equal(render('{{ toJson .Values | len }}', values(maxDepth - 2)), String(6 * (maxDepth - 2) + 15));
  const { code, message, place } = failureOf('x', values(maxDepth));
  equal(code, 'LIMIT_REACHED');
  equal(message, `values.yaml:1:${place?.column}: YAML is nested more than 500 levels deep`);
});

test("a cyclic value is rejected, with Go's message if it has one", () => {
  const cyclic = '{{ $d := dict }}{{ $_ := set $d "a" $d }}';
  equal(render(`${cyclic}{{ $e := dict }}{{ $_ := set $e "a" $e }}{{ deepEqual $d $e }}`), 'true');
  const cycle = failureOf(`${cyclic}{{ mustToJson $d }}`);
  equal(cycle.code, 'TEMPLATE_EXEC');
  ok(cycle.message.endsWith('json: unsupported value: encountered a cycle via map[string]interface {}'));
  // Go crashes on these with a stack overflow.
  const mixed = '{{ $v := dict "a" 1 "m" (dict "x" (list 1 2)) "z" "end" }}{{ $_ := set $v.m "back" (list $v) }}';
  const both = `${cyclic}{{ $e := dict }}{{ $_ := set $e "a" (dict "a" $e) }}`;
  const texts = [
    ...['print $v', 'printf "%#v" $v', 'deepCopy $v', 'toToml $v', 'toToml (dict "l" $v.m.back)'].map(
      (use) => `${mixed}{{ ${use} }}`,
    ),
    ...['merge $d $e', 'mergeOverwrite $e $d'].map((use) => `${both}{{ ${use} }}`),
  ];
  for (const text of texts) {
    const { code, message } = failureOf(text);
    equal(code, 'LIMIT_REACHED', text);
    ok(message.endsWith('calls or values are nested too deep'), message.slice(-200));
  }
});

test('long strings are quoted and decoded from base64', () => {
  equal(
    render('{{ repeat 2000000 "xy" | b64enc | b64dec | len }} {{ repeat 300000 "\\"é" | quote | len }}'),
    '4000000 1200002',
  );
});

test('the unique items of a long list are found quickly', () => {
  equal(render('{{ uniq (until 30000) | len }} {{ without (until 30000) 1 2 | len }}'), '30000 29998');
  equal(
    render('{{ uniq (list 1 1.0 "1" 1 nil nil true true (list 1) (list 1)) | toJson }}'),
    '[1,1,"1",null,true,[1]]',
  );
});
