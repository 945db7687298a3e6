// The `--set` family and values files, apart from what fixtures/vectors/set-flags.json records.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emitJson } from '../../../render/codec/json.ts';
import { type GoMap, typeOf } from '../../../render/go/value.ts';
import { parseSet, parseSetFile } from '../../../render/values/set.ts';
import { mergeUserValues } from '../../../render/values/user.ts';

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

test('without readFile, a file is refused', () => {
  assert.throws(() => mergeUserValues({ setFile: ['a=nope'] }), {
    code: 'VALUES_INVALID',
    message: 'failed parsing --set-file data: open nope: there is nothing here to read files with',
  });
});
