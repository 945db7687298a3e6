// JSONPath templates of `show values --jsonpath`, with the output of Helm 3.22.0 and 4.3.1.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseYaml } from '../../../render/codec/yaml/parse.ts';
import { GoError } from '../../../render/go/value.ts';
import { printJsonPath } from '../../../render/inspect/jsonpath.ts';

const values =
  parseYaml(`a: {b: {c: 1, d: [1, 2, 3]}, "x.y": dot, e: "te<x>t", nothing: null, t: true, f: 1.5, big: 10485760}
items:
- {name: one, port: 80, kind: A, enabled: true, tags: [x, z]}
- {name: two, port: 8080, kind: B, enabled: false}
- {name: "é'q", port: 1.5, kind: A}
list: [a, b, c, d, e, f]
empty: []
`);

// Templates that cannot be evaluated print nothing, because Helm ignores their errors.
const rows: readonly (readonly [template: string, printed: string])[] = [
  ['{.a.e}', 'te<x>t'],
  ['{.a.b}', '{"c":1,"d":[1,2,3]}'],
  ['{.a.big} {.a.f} {.a.t} {.a.nothing}', '1.048576e+07 1.5 true null'],
  ['{$.list}', '["a","b","c","d","e","f"]'],
  ['no action', 'no action'],
  ['{.nope}', ''],
  ['x{.nope}', ''],
  ['{.items[*].name}', "one two é'q"],
  ['{.items[0].port}', '80'],
  ['{.items[-1].name}', "é'q"],
  ['{.list[0:2]}', 'a b'],
  ['{.list[::2]}', 'a c e'],
  ['{.list[1:-1:2]}', 'b d'],
  ['{.list[4:9]}', ''],
  ['{.list[3:1]}', ''],
  ['{.list[0:4:0]}', ''],
  ['{.list[0,2]}', 'a c'],
  ["{['a']['x.y']}", ''],
  ['{.a.x\\.y}', 'dot'],
  ["{['list','empty']}", '["a","b","c","d","e","f"] []'],
  ['{..name}', "one two é'q"],
  ['{.items[?(@.kind=="A")].name}', "one é'q"],
  ["{.items[?(@.kind!='A')].name}", 'two'],
  ['{.items[?(@.port==80)].name}', ''],
  ['{.items[?(@.port>80.5)].name}', 'two'],
  ['{.items[?(@.enabled)].name}', 'one two'],
  ['{.items[?(@.enabled==true)].name}', ''],
  ['{.items[?(@.tags[0]=="x")].name}', ''],
  ['{range .items[*]}{.name}={.port}{"\\n"}{end}end', "one=80\ntwo=8080\né'q=1.5\nend"],
  ['{range .items[*]}{.name}:{range .tags[*]}{@},{end};{end}', ''],
  ['{range .empty[*]}{@}{end}done', 'done'],
  ['{"a\\tb"}{\'single\'}', 'a\tbsingle'],
  ['{1} {1.5} {true}', '1 1.5 true'],
  ['{.a.e[*]}', ''],
  [
    '{}',
    '{"a":{"b":{"c":1,"d":[1,2,3]},"big":10485760,"e":"te\\u003cx\\u003et","f":1.5,"nothing":null,"t":true,"x.y":"dot"},"empty":[],"items":[{"enabled":true,"kind":"A","name":"one","port":80,"tags":["x","z"]},{"enabled":false,"kind":"B","name":"two","port":8080},{"kind":"A","name":"é\'q","port":1.5}],"list":["a","b","c","d","e","f"]}',
  ],
  ['{end}', ''],
  ['{foo}', ''],
  ['{.a', 'error: unclosed action'],
  ['{.list[', 'error: unterminated array'],
  ['{.list[x]}', 'error: invalid array index x'],
  ['{.list[?(@.a==1}', 'error: unterminated filter'],
  ['{....a}', 'error: invalid multiple recursive descent'],
  ['{"open}', 'error: unterminated quoted string'],
  ["{'\\q'}", "error: unquote string '\\q' error invalid syntax"],
  ['{&}', "error: unrecognized character in action: U+0026 '&'"],
  ['{1.2.3}', 'error: cannot parse number 1.2.3'],
  ['{.list[?(@=="a"]}', 'error: unterminated filter'],
];

function print(template: string): string {
  try {
    return printJsonPath(template, values);
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    return `error: ${error.message}`;
  }
}

for (const [template, printed] of rows) {
  test(`jsonpath ${JSON.stringify(template)}`, () => assert.equal(print(template), printed));
}
