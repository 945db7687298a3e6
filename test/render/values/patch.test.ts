// JSON Patch: the public test suite (the npm package json-patch-test-suite), applied through an Order; errors, copies and limits.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { emitJson, parseJson, parseJsonMap } from '../../../render/codec/json.ts';
import { RenderError } from '../../../render/core/errors.ts';
import { type GoMap, int64 } from '../../../render/go/value.ts';
import type { PatchOperation } from '../../../render/order/order.ts';
import { validateOrder } from '../../../render/order/validate.ts';
import { applyPatch } from '../../../render/values/patch.ts';

interface Case {
  readonly comment?: string;
  readonly doc: unknown;
  readonly patch: readonly Record<string, unknown>[];
  readonly expected?: unknown;
  readonly error?: string;
  readonly disabled?: boolean;
}

const require = createRequire(import.meta.url);
const cases = ['tests.json', 'spec_tests.json'].flatMap((file) => {
  const path = require.resolve(`json-patch-test-suite/${file}`);
  return JSON.parse(readFileSync(path, 'utf8')) as Case[];
});

// Values are always an object, documents of the suite are not, so each is stored under one key.
const below = (pointer: unknown): unknown =>
  typeof pointer === 'string' && /^(\/|$)/.test(pointer) ? `/root${pointer}` : pointer;

function patched(doc: unknown, patch: Case['patch']): string {
  const valuesPatch = patch.map((operation) => ({
    ...operation,
    ...('path' in operation ? { path: below(operation.path) } : {}),
    ...('from' in operation ? { from: below(operation.from) } : {}),
  }));
  const chart = { name: 'a', releaseName: 'a', namespace: 'a', sourceRef: { kind: 'Local', name: 'a' }, valuesPatch };
  const { order } = validateOrder({ spec: { packages: [{ chart }] } });
  const values = parseJson(JSON.stringify({ root: doc })) as GoMap;
  return emitJson(applyPatch(values, order.spec.packages[0]?.chart.valuesPatch ?? []));
}

test('the suite is complete', () => assert.ok(cases.length > 90));

cases.forEach((item, index) => {
  const title = item.comment ?? item.error ?? JSON.stringify(item.patch);
  test(`${index} ${title}`, { skip: item.disabled === true ? 'disabled by the suite' : false }, () => {
    if (item.error !== undefined) {
      assert.throws(() => patched(item.doc, item.patch), RenderError);
    } else {
      const want = 'expected' in item ? item.expected : item.doc;
      assert.equal(patched(item.doc, item.patch), emitJson(parseJson(JSON.stringify({ root: want }))));
    }
  });
});

test('the result shares nothing with its values, which stay unchanged', () => {
  const values = parseJsonMap('{"a":{"b":1}}');
  const copied = applyPatch(values, [
    { op: 'copy', from: '/a', path: '/c' },
    { op: 'add', path: '/c/d', value: 2 },
  ]);
  assert.equal(emitJson(copied), '{"a":{"b":1},"c":{"b":1,"d":2}}');
  assert.equal(emitJson(applyPatch(values, [{ op: 'replace', path: '', value: { b: 2 } }])), '{"b":2}');
  assert.equal(emitJson(values), '{"a":{"b":1}}');
});

const refusals: readonly (readonly [values: string, operation: PatchOperation, reason: string])[] = [
  ['{"a":10}', { op: 'test', path: '/a', value: '10' }, 'the value is another'],
  ['{"a":1}', { op: 'add', path: '/b/c', value: 1 }, 'there is no "b"'],
  ['{"l":[1]}', { op: 'add', path: '/l/2', value: 1 }, '"2" is not an index of a list of 2'],
  ['{"a":{"b":1}}', { op: 'move', from: '/a', path: '/a/b' }, 'it is inside "/a"'],
  ['{}', { op: 'add', path: 'a', value: 1 }, '"a" is not a JSON pointer'],
  ['{}', { op: 'remove', path: '' }, 'the values cannot be removed as a whole'],
  ['{}', { op: 'add', path: '/a'.repeat(200 + 1), value: 1 }, 'the pointer has more than 200 steps'],
];
for (const [text, operation, reason] of refusals) {
  test(`refused: ${JSON.stringify(operation)} of ${text}`, () => {
    const { op, path } = operation;
    const values = parseJsonMap(text);
    assert.throws(() => applyPatch(values, [{ op: 'test', path: '', value: JSON.parse(text) }, operation]), {
      code: 'VALUES_INVALID',
      message: `valuesPatch[1]: cannot ${op} "${path}": ${reason}`,
      hint: /./,
    });
    assert.equal(emitJson(values), text);
  });
}

test('values that are no object any more are refused', () => {
  const message = 'valuesPatch: the values must stay an object';
  assert.throws(() => applyPatch(new Map(), [{ op: 'add', path: '', value: 5 }]), { code: 'VALUES_INVALID', message });
});

test('an integer and a float of equal value pass the test', () => {
  const values = new Map([['a', int64(5)]]);
  assert.doesNotThrow(() => applyPatch(values, [{ op: 'test', path: '/a', value: 5 }]));
});

test('recursive copies hit a limit before memory runs out', () => {
  const copies = Array.from({ length: 60 }, (_, at): PatchOperation => ({ op: 'copy', from: '', path: `/a${at}` }));
  assert.throws(() => applyPatch(parseJsonMap('{"a":[1,2]}'), copies), {
    code: 'VALUES_INVALID',
    message: /^valuesPatch\[\d+\]: .*copies more than 100000 values$/,
  });
});
