import { createEncodingFuncs } from '../../../render/functions/encoding.ts';
import { helmOf } from '../../../render/helm/versions.ts';
import { testRows } from '../../support/evaluate.ts';

const encodingFuncs = createEncodingFuncs(helmOf('3.17.3'));

const values = { m: { b: 1, a: ['x'] }, s: 'a: [1', nul: null };

testRows('base64 and base32 count bytes, and give an error as their result', encodingFuncs, [
  ['{{ b64enc "héllo" }} {{ b64dec "aMOpbGxv" }}', 'aMOpbGxv héllo'],
  ['{{ b64dec "aGk" }}|{{ b64dec "a b" }}', 'illegal base64 data at input byte 0|illegal base64 data at input byte 1'],
  ['{{ b64dec "/w==" | printf "%q" }}', '"\\xff"'],
  ['{{ b32enc "hello" }} {{ b32dec "NBSWY3DP" }} {{ b32dec "NBSWY===" }}', 'NBSWY3DP hello hel'],
  [
    '{{ b32dec "nb" }}|{{ b32dec "NBSWY3" }}|{{ b32dec "NBS=====" }}|{{ b32dec "é" }}',
    [0, 0, 3, 0].map((at) => `illegal base32 data at input byte ${at}`).join('|'),
  ],
]);

testRows(
  'YAML goes both ways; errors are swallowed or given as values',
  encodingFuncs,
  [
    ['{{ toYaml .Values.m }}|{{ toYamlPretty .Values.m }}', 'a:\n- x\nb: 1|a:\n  - x\nb: 1'],
    ['{{ toYaml nil }} {{ toYaml "a\\u007f" }}|', 'null |'],
    ['{{ toYaml "a\\n\\n" | printf "%q" }}', '"|+\\n  a\\n"'],
    [
      '{{ fromYaml .Values.s }}',
      "map[Error:error converting YAML to JSON: yaml: line 1: did not find expected ',' or ']']",
    ],
    [
      '{{ fromYamlArray "a: 1" }}',
      '[error unmarshaling JSON: while decoding JSON: json: cannot unmarshal object into Go value of type []interface {}]',
    ],
    ['{{ fromYaml "" }} {{ toJson (fromYaml "") }} {{ toJson (fromYamlArray "") }}', 'map[] {} []'],
  ],
  values,
);

testRows(
  'JSON goes both ways',
  encodingFuncs,
  [
    ['{{ toJson .Values.m }} {{ toRawJson "<" }} {{ toJson "<" }}', '{"a":["x"],"b":1} "<" "\\u003c"'],
    ['{{ toPrettyJson .Values.m }}', '{\n  "a": [\n    "x"\n  ],\n  "b": 1\n}'],
    ['{{ fromJson "null" }} {{ toJson (fromJson "null") }}', 'map[] null'],
    ['{{ fromJson "[1]" }}', 'map[Error:json: cannot unmarshal array into Go value of type map[string]interface {}]'],
    [
      '{{ fromJson `{"a":1,"b":1e400}` }}',
      'map[Error:json: cannot unmarshal number 1e400 into Go value of type float64 a:1 b:<nil>]',
    ],
    ['{{ fromJsonArray "[1" }}', '[unexpected end of JSON input]'],
    ['{{ mustFromJson "[1" }}', 'ERR error calling mustFromJson: unexpected end of JSON input'],
    ['{{ mustFromJson "5" }} {{ mustToJson .Values.nul }}', '5 null'],
  ],
  values,
);

testRows('TOML goes both ways', encodingFuncs, [
  ['{{ fromToml "a = 1\\n[t]\\nb = true" | toToml }}', 'a = 1\n\n[t]\n  b = true\n'],
  ['{{ fromToml "a = " }}', 'map[Error:toml: line 0 (last key "a"): unexpected EOF; expected value]'],
  ['{{ toToml nil }}', 'ERR error calling toToml: reflect: call of reflect.Value.Type on zero Value'],
]);
