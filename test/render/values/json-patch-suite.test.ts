// The public test suite of JSON Patch (the npm package json-patch-test-suite), applied through an Order.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { emitJson, parseJson } from '../../../render/codec/json.ts';
import { RenderError } from '../../../render/core/errors.ts';
import type { GoMap } from '../../../render/go/value.ts';
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
