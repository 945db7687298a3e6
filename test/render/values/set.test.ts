// The `--set` family and values files; every expectation is Helm 3.17.3's.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emitJson } from '../../../render/codec/json.ts';
import { parseYamlMap } from '../../../render/codec/yaml/parse.ts';
import { GoError, type GoMap, typeOf } from '../../../render/go/value.ts';
import { parseSet, parseSetFile, parseSetJson, parseSetLiteral, parseSetString } from '../../../render/values/set.ts';
import { mergeUserValues } from '../../../render/values/user.ts';

const parsers: Readonly<Record<string, (text: string, into: GoMap) => void>> = {
  set: parseSet,
  string: parseSetString,
  json: parseSetJson,
  literal: parseSetLiteral,
};

// Syntax, text, JSON of the result or `! ` and the error; the existing values first, if any.
const rows: readonly (readonly [language: string, text: string, outcome: string, before?: string])[] = [
  ['set', 'a=1,b=2.5,c=x', '{"a":1,"b":"2.5","c":"x"}'],
  ['set', 'a=TRUE,b=fal\u017fe,c=Null,d=~', '{"a":true,"b":false,"c":null,"d":"~"}'],
  ['set', 'a=0,b=00,c=-0,d=+5,e=0x1', '{"a":0,"b":"00","c":0,"d":5,"e":"0x1"}'],
  ['set', 'a=9223372036854775807,b=9223372036854775808', '{"a":9223372036854775807,"b":"9223372036854775808"}'],
  ['set', 'a=', '{"a":""}'],
  ['set', 'a= x , b=1', '{" b":1,"a":" x "}'],
  ['set', 'a=1,', '{"a":1}'],
  ['set', '=1', '{}'],
  ['set', '.a=1', '{}'],
  ['set', 'a.=', '{}'],
  ['set', 'a\\.b=x\\,y\\\\z\\', '{"a.b":"x,y\\\\z"}'],
  ['set', 'a={1,null,x\\,y},b={}', '{"a":[1,null,"x,y"],"b":[""]}'],
  ['set', 'a[1].b=1,a[1].c=2', '{"a":[null,{"b":1,"c":2}]}'],
  ['set', 'a[0][1]=x', '{"a":[[null,"x"]]}'],
  ['set', 'a[0]', '{"a":[]}'],
  ['set', 'l[0]=9,l[3]=8', '{"l":[9,2,null,8]}', 'l: [1, 2]'],
  ['set', 'l[0].a=9', '{"l":[{"a":9,"b":2}]}', 'l: [{a: 1, b: 2}]'],
  ['set', 'a', '! key "a" has no value'],
  ['set', 'a=1,,b=2', '! key "" has no value (cannot end with ,)'],
  ['set', 'a..b=1', '! key map "a" has no value'],
  ['set', 'a={1,2', "! list must terminate with '}'"],
  ['set', 'a[0]bc=1', "! unexpected data at end of array index: ['b' 'c']"],
  ['set', 'a[x]=1', '! error parsing index: strconv.Atoi: parsing "x": invalid syntax'],
  [
    'set',
    'a[99999999999999999999]=1',
    '! error parsing index: strconv.Atoi: parsing "99999999999999999999": value out of range',
  ],
  ['set', 'a[-1]=1', '! negative -1 index not allowed'],
  ['set', 'a[65537]=1', '! index of 65537 is greater than maximum supported index of 65536'],
  ['set', 'a[0', '! error parsing index: EOF'],
  [
    'set',
    'a.b=1',
    '! unable to parse key: interface conversion: interface {} is nil, not map[string]interface {}',
    'a: null',
  ],
  ['set', 'a[0]=1', '! unable to parse key: interface conversion: interface {} is float64, not []interface {}', 'a: 5'],
  [
    'set',
    'a=5,a.b=1',
    '! unable to parse key: interface conversion: interface {} is int64, not map[string]interface {}',
  ],
  ['set', `${'a.'.repeat(31)}a=1`, '! value name nested level is greater than maximum supported nested level of 30'],
  ['string', 'a=1,b=true,c={1,null}', '{"a":"1","b":"true","c":["1","null"]}'],
  ['json', 'a={"x":1}, b=2 , c="3"', '{" b":2," c":"3","a":{"x":1}}'],
  ['json', 'a=1 b=2', '{"a":1,"b":2}'],
  ['json', 'a[1]=[1],b=,c', '! key "c" has no value'],
  ['json', 'a=,b=', '{"a":null,"b":null}'],
  ['json', '{"a":1}', '! key "{\\"a\\":1}" has no value'],
  ['literal', 'a.b=x,y\\=z', '{"a":{"b":"x,y\\\\=z"}}'],
  ['literal', 'a\\.b[0]=null', '{"a\\\\":{"b":["null"]}}'],
  ['literal', 'a', '! key "a" has no value'],
];

for (const [language, text, outcome, before = ''] of rows) {
  test(`${language} ${text.slice(0, 60)}${before === '' ? '' : ` on ${before}`}`, () => {
    const values = parseYamlMap(before);
    let found: string;
    try {
      parsers[language]?.(text, values);
      found = emitJson(values);
    } catch (error) {
      assert.ok(error instanceof GoError, String(error));
      found = `! ${error.message}`;
    }
    assert.equal(found, outcome);
  });
}

test('integers are int64, everything else is a string', () => {
  const values: GoMap = new Map();
  parseSet('a=5,b=5.5,c=true', values);
  assert.deepEqual([...values.values()].map(typeOf), ['int64', 'string', 'bool']);
});

test('a byte that is not UTF-8 becomes U+FFFD', () => {
  const values: GoMap = new Map();
  parseSet('a\udc80=\udcff', values);
  assert.deepEqual([...values], [['a\ufffd', '\ufffd']]);
});

test('files are read by path, also in lists', () => {
  const values: GoMap = new Map();
  parseSetFile('a=x,b={y,z},c=', values, (path) => `<${path}>`);
  assert.equal(emitJson(values, { escapeHtml: false }), '{"a":"<x>","b":["<y>","<z>"],"c":""}');
});

test('precedence: files, then json, set, string, file, literal', () => {
  const merged = (options: Parameters<typeof mergeUserValues>[0]): string => emitJson(mergeUserValues(options));
  const valuesFiles = [
    { name: '1', text: 'a: 1\nm: {x: 1}\nl: [1]' },
    { name: '2', text: 'a: 2\nm: {z: 2}' },
  ];
  assert.equal(merged({ valuesFiles }), '{"a":2,"l":[1],"m":{"x":1,"z":2}}');
  assert.equal(merged({ valuesFiles: [...valuesFiles, { name: '3', text: 'm: null' }] }), '{"a":2,"l":[1],"m":null}');
  assert.equal(merged({ setJson: ['a=3'], set: ['a=2'] }), '{"a":2}');
  assert.equal(merged({ set: ['a=2'], setString: ['a=1'] }), '{"a":"1"}');
  assert.equal(merged({ setLiteral: ['a=l'], setFile: ['a=f'], readFile: () => 'F' }), '{"a":"l"}');
});

for (const [options, message] of [
  [
    { valuesFiles: [{ name: 'v.yaml', text: '- 1' }] },
    'failed to parse v.yaml: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type map[string]interface {}',
  ],
  [
    { valuesFiles: [{ name: 'v.yaml', text: 'x: 1\na: b: c' }] },
    'failed to parse v.yaml: error converting YAML to JSON: yaml: line 2: mapping values are not allowed in this context',
  ],
  [{ set: ['a'] }, 'failed parsing --set data: key "a" has no value'],
  [{ setString: ['a'] }, 'failed parsing --set-string data: key "a" has no value'],
  [{ setLiteral: ['a'] }, 'failed parsing --set-literal data: key "a" has no value'],
  [{ setJson: ['a=x'] }, 'failed parsing --set-json data a=x'],
  [{ setFile: ['a=nope'] }, 'failed parsing --set-file data: open nope: there is nothing here to read files with'],
] as const) {
  test(`refuses with ${message.slice(0, 60)}`, () => {
    assert.throws(() => mergeUserValues(options), { code: 'VALUES_INVALID', message });
  });
}
