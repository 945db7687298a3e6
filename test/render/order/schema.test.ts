// The JSON Schema of an Order agrees with `validateOrder`: checked with ajv, for valid Orders and for Orders with one or two errors.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { RenderError } from '../../../render/core/errors.ts';
import { orderShape } from '../../../render/order/definition.ts';
import type { Order } from '../../../render/order/document.ts';
import type { JsonObject, JsonValue } from '../../../render/order/order.ts';
import type { Shape } from '../../../render/order/shape.ts';
import { orderSchema, validateOrder } from '../../../render/order/validate.ts';
import { fc } from '../../support/fast-check.ts';
import { generatedOrder } from '../../support/generated-orders.ts';
import { listOrders, loadOrder } from '../../support/orders.ts';

const ajv = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
  strictRequired: false,
  strictTypes: false,
  allErrors: true,
});
const fits = ajv.compile(orderSchema());

// Rules that a schema cannot express.
const beyond =
  /is already installed by|(?:chart\.values|valuesPatch\[\d+\]\.value)\b\S* (?:is not valid Unicode|has a key|is not a finite number)|is nested more than/;

function refusals(order: unknown): readonly string[] {
  try {
    validateOrder(order);
    return [];
  } catch (error) {
    assert.ok(error instanceof RenderError);
    return error.issues.filter(({ severity }) => severity === 'error').map(({ path, message }) => `${path} ${message}`);
  }
}

function agree(order: unknown): void {
  const faults = refusals(order).filter((fault) => !beyond.test(fault));
  const isFit = fits(order);
  assert.equal(
    isFit,
    faults.length === 0,
    `${JSON.stringify(order)}\nvalidateOrder: ${faults.join('; ') || 'fine'}\najv: ${ajv.errorsText(fits.errors)}`,
  );
}

test('the schema accepts the sample Orders', () => {
  for (const name of listOrders()) agree(loadOrder(name));
});

test('the schema accepts every valid Order', () => {
  fc.assert(
    fc.property(generatedOrder(), (order) => {
      assert.deepEqual(refusals(order), []);
      agree(order);
    }),
    { numRuns: 200 },
  );
});

// Every place of an Order with all members, as a way to change it.
const full: Order = {
  apiVersion: 'releases.x-helm.dev/v1alpha1',
  kind: 'Order',
  metadata: { name: 'full', uid: 'a-b' },
  spec: {
    kubeVersion: 'v1.31.0',
    packages: [
      {
        chart: {
          name: 'web',
          sourceRef: { apiGroup: 'a.b', kind: 'Local', namespace: 'c', name: 'charts/web' },
          version: '>=1.0.0 <2',
          releaseName: 'web',
          namespace: 'shop',
          valuesFile: 'values-a.yaml',
          values: { a: 1 },
          valuesPatch: [
            { op: 'add', path: '/a', value: null },
            { op: 'move', path: '', from: '/b' },
            { op: 'remove', path: '/a~1b' },
          ],
          resources: { owned: [{ group: 'a.b', version: 'v1', resource: 'cs' }], required: [] },
          waitFors: [
            { resource: { group: 'pods', resource: 'x' }, for: 'condition=Ready', timeout: '5m' },
            { resource: { group: 'pods' }, all: true, for: 'delete' },
            {
              resource: { group: 'pods' },
              labels: {
                matchLabels: { a: 'b' },
                matchExpressions: [
                  { key: 'a', operator: 'In', values: ['b', ''] },
                  { key: 'a', operator: 'Exists', values: [] },
                ],
              },
              for: 'jsonpath={.a}=b',
            },
          ],
          bundle: { name: 'b', version: 'v', sourceRef: 1 },
        },
      },
    ],
  },
  status: { phase: 'x' },
};

type Step = string | number;

function placesIn(value: unknown, path: readonly Step[] = []): (readonly Step[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Array.isArray(value) ? value.map((item, i) => [i, item] as const) : Object.entries(value);
  return [path, ...inner.flatMap(([key, item]) => placesIn(item, [...path, key]))];
}

function put(value: JsonValue, [step, ...rest]: readonly Step[], change: JsonValue | undefined): JsonValue {
  if (step === undefined) return change ?? null;
  if (Array.isArray(value)) {
    const changed = value.map((item, i) => (i === step ? put(item, rest, change) : item));
    return change === undefined && rest.length === 0 ? changed.filter((_, i) => i !== step) : changed;
  }
  if (typeof value !== 'object' || value === null) return value;
  const { [step]: old, ...others } = value;
  if (rest.length === 0) return change === undefined ? others : { ...others, [step]: change };
  return old === undefined ? value : { ...others, [step]: put(old, rest, change) };
}

const words = fc.constantFrom(
  '',
  'a',
  'A',
  'a b',
  '-a',
  'a.b',
  'a/b',
  '/~2',
  'oci://a.b/c',
  'https://u:p@a.b',
  'file:///a',
  'a\nb',
  'a\u2028b',
  '\ud800',
  '😀',
  '😀'.repeat(130),
  'a'.repeat(64),
  'a'.repeat(254),
  'Local',
  'HelmRepository',
  'move',
  'Order',
  'kubepack.com/v1alpha1',
  'releases.x-helm.dev/v1alpha1',
  'delete',
  'condition=A=b',
  'jsonpath={.a}',
  '5m',
  '1.2.3',
  "it's",
);
const odd: fc.Arbitrary<JsonValue | undefined> = fc.oneof(
  words,
  fc.constantFrom<JsonValue | undefined>(undefined, null, true, false, 0, 1.5, [], {}, [null], ['a'], [{}], { a: 'b' }),
  fc.string({ maxLength: 4, unit: 'grapheme' }),
) as fc.Arbitrary<JsonValue | undefined>;
const more: readonly (readonly Step[])[] = [
  ['spec', 'items'],
  ['spec', 'packages', 0, 'chart', 'url'],
  ['spec', 'packages', 0, 'extra'],
  ['spec', 'packages', 0, 'chart', 'valuesPatch', 0, 'from'],
  ['spec', 'packages', 0, 'chart', 'valuesPatch', 1, 'value'],
  ['spec', 'packages', 0, 'chart', 'waitFors', 0, 'labels'],
  ['spec', 'packages', 0, 'chart', 'waitFors', 0, 'all'],
];

test('the schema and the validation agree on every change of one or two places', () => {
  const place = fc.constantFrom(...placesIn(full), ...more);
  const changes = fc.array(fc.tuple(place, odd), { minLength: 1, maxLength: 2 });
  fc.assert(
    fc.property(changes, (list) => {
      agree(list.reduce<JsonValue>((order, [path, value]) => put(order, path, value), full as unknown as JsonObject));
    }),
    { numRuns: 4000 },
  );
});

test('every member of an Order has a description for editors', () => {
  const missing: string[] = [];
  const visit = (shape: Shape, path: string): void => {
    if (shape.type === 'object') {
      for (const [name, member] of Object.entries(shape.members)) {
        if (member.description === undefined && !path.includes('bundle')) missing.push(`${path}.${name}`);
        visit(member, `${path}.${name}`);
      }
    } else if (shape.type === 'list') visit(shape.item, `${path}[]`);
  };
  visit(orderShape, '');
  assert.deepEqual(missing, []);
});
