// RFC 6902, including its examples.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emitJson, parseJsonMap } from '../../../render/codec/json.ts';
import { RenderError } from '../../../render/core/errors.ts';
import { int64 } from '../../../render/go/value.ts';
import type { PatchOperation } from '../../../render/order/order.ts';
import { applyPatch } from '../../../render/values/patch.ts';

const rows: readonly (readonly [title: string, before: string, operations: string, outcome: string])[] = [
  ['A.1 add a member', '{"foo":"bar"}', '[{"op":"add","path":"/baz","value":"qux"}]', '{"baz":"qux","foo":"bar"}'],
  [
    'A.2 add an item',
    '{"foo":["bar","baz"]}',
    '[{"op":"add","path":"/foo/1","value":"qux"}]',
    '{"foo":["bar","qux","baz"]}',
  ],
  ['A.3 remove a member', '{"baz":"qux","foo":"bar"}', '[{"op":"remove","path":"/baz"}]', '{"foo":"bar"}'],
  ['A.4 remove an item', '{"foo":["bar","qux","baz"]}', '[{"op":"remove","path":"/foo/1"}]', '{"foo":["bar","baz"]}'],
  [
    'A.5 replace',
    '{"baz":"qux","foo":"bar"}',
    '[{"op":"replace","path":"/baz","value":"boo"}]',
    '{"baz":"boo","foo":"bar"}',
  ],
  [
    'A.6 move a value',
    '{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}',
    '[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]',
    '{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}',
  ],
  [
    'A.7 move an item',
    '{"foo":["all","grass","cows","eat"]}',
    '[{"op":"move","from":"/foo/1","path":"/foo/3"}]',
    '{"foo":["all","cows","eat","grass"]}',
  ],
  [
    'A.8 test',
    '{"baz":"qux","foo":["a",2,"c"]}',
    '[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}]',
    '{"baz":"qux","foo":["a",2,"c"]}',
  ],
  [
    'A.10 add a nested object',
    '{"foo":"bar"}',
    '[{"op":"add","path":"/child","value":{"grandchild":{}}}]',
    '{"child":{"grandchild":{}},"foo":"bar"}',
  ],
  ['A.14 escaped keys', '{"/":9,"~1":10}', '[{"op":"test","path":"/~01","value":10}]', '{"/":9,"~1":10}'],
  [
    'A.16 add at the end',
    '{"foo":["bar"]}',
    '[{"op":"add","path":"/foo/-","value":["abc","def"]}]',
    '{"foo":["bar",["abc","def"]]}',
  ],
  [
    'copy is a copy',
    '{"a":{"b":1}}',
    '[{"op":"copy","from":"/a","path":"/c"},{"op":"add","path":"/c/d","value":2}]',
    '{"a":{"b":1},"c":{"b":1,"d":2}}',
  ],
  ['replace everything', '{"a":1}', '[{"op":"replace","path":"","value":{"b":2}}]', '{"b":2}'],
  ['a null is a value', '{"a":1}', '[{"op":"replace","path":"/a","value":null}]', '{"a":null}'],
  ['the empty key', '{"":1}', '[{"op":"replace","path":"/","value":2}]', '{"":2}'],
  ['move onto itself', '{"a":1}', '[{"op":"move","from":"/a","path":"/a"}]', '{"a":1}'],
  [
    'A.9 a test that fails',
    '{"baz":"qux"}',
    '[{"op":"test","path":"/baz","value":"bar"}]',
    '! valuesPatch[0]: cannot test "/baz": the value is another',
  ],
  [
    'A.12 no parent',
    '{"foo":"bar"}',
    '[{"op":"add","path":"/baz/bat","value":"qux"}]',
    '! valuesPatch[0]: cannot add "/baz/bat": there is no "baz"',
  ],
  [
    'A.15 text is not a number',
    '{"a":10}',
    '[{"op":"test","path":"/a","value":"10"}]',
    '! valuesPatch[0]: cannot test "/a": the value is another',
  ],
  [
    'replace needs a target',
    '{}',
    '[{"op":"replace","path":"/a","value":1}]',
    '! valuesPatch[0]: cannot replace "/a": there is no "a"',
  ],
  [
    'beyond the end',
    '{"l":[1]}',
    '[{"op":"add","path":"/l/2","value":1}]',
    '! valuesPatch[0]: cannot add "/l/2": "2" is not an index of a list of 2',
  ],
  [
    'no leading zeros',
    '{"l":[1,2]}',
    '[{"op":"remove","path":"/l/01"}]',
    '! valuesPatch[0]: cannot remove "/l/01": "01" is not an index of a list of 2',
  ],
  [
    'below a scalar',
    '{"a":1}',
    '[{"op":"add","path":"/a/b","value":1}]',
    '! valuesPatch[0]: cannot add "/a/b": there is no "b"',
  ],
  [
    'into itself',
    '{"a":{"b":1}}',
    '[{"op":"move","from":"/a","path":"/a/b"}]',
    '! valuesPatch[0]: cannot move "/a/b": it is inside "/a"',
  ],
  [
    'no pointer',
    '{}',
    '[{"op":"add","path":"a","value":1}]',
    '! valuesPatch[0]: cannot add "a": "a" is not a JSON pointer',
  ],
  [
    'the whole cannot go',
    '{}',
    '[{"op":"remove","path":""}]',
    '! valuesPatch[0]: cannot remove "": the values cannot be removed as a whole',
  ],
  [
    'an object it must stay',
    '{}',
    '[{"op":"add","path":"","value":5}]',
    '! valuesPatch: the values must stay an object',
  ],
  [
    'the second fails',
    '{"a":1}',
    '[{"op":"remove","path":"/a"},{"op":"remove","path":"/a"}]',
    '! valuesPatch[1]: cannot remove "/a": there is no "a"',
  ],
];

for (const [title, before, operations, outcome] of rows) {
  test(title, () => {
    const values = parseJsonMap(before);
    let found: string;
    try {
      found = emitJson(applyPatch(values, JSON.parse(operations) as PatchOperation[]));
    } catch (error) {
      assert.ok(error instanceof RenderError, String(error));
      assert.equal(error.code, 'VALUES_INVALID');
      assert.ok(error.hint);
      found = `! ${error.message}`;
    }
    assert.equal(found, outcome);
    assert.equal(emitJson(values), emitJson(parseJsonMap(before)));
  });
}

test('an integer and a float of equal value pass the test', () => {
  const values = new Map([['a', int64(5)]]);
  assert.doesNotThrow(() => applyPatch(values, [{ op: 'test', path: '/a', value: 5 }]));
});

test('recursive copies and endless pointers hit a limit before memory runs out', () => {
  const copies = Array.from(
    { length: 60 },
    (_, index): PatchOperation => ({ op: 'copy', from: '', path: `/a${index}` }),
  );
  assert.throws(
    () => applyPatch(parseJsonMap('{"a":[1,2]}'), copies),
    (error) =>
      error instanceof RenderError && /^valuesPatch\[\d+\]: .*copies more than 100000 values$/.test(error.message),
  );
  assert.throws(
    () => applyPatch(new Map(), [{ op: 'add', path: '/a'.repeat(5000), value: 1 }]),
    (error) => error instanceof RenderError && error.message.endsWith('the pointer has more than 200 steps'),
  );
});
