import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Issue, RenderError } from '../../../render/core/errors.ts';
import type { JsonObject } from '../../../render/order/order.ts';
import { validateOrder } from '../../../render/order/validate.ts';

const chart = (more: JsonObject = {}): JsonObject => ({
  name: 'web',
  sourceRef: { kind: 'Local', name: 'charts/web' },
  version: '1.2.3',
  releaseName: 'web',
  namespace: 'shop',
  ...more,
});
const orderOf = (more: JsonObject = {}): JsonObject => ({ spec: { packages: [{ chart: chart(more) }] } });

function issuesOf(input: unknown): readonly Issue[] {
  try {
    return validateOrder(input).warnings;
  } catch (error) {
    assert.ok(error instanceof RenderError);
    assert.equal(error.code, 'ORDER_INVALID');
    return error.issues;
  }
}

const at = 'spec.packages[0].chart';
const wait = (more: JsonObject): JsonObject => ({
  waitFors: [{ resource: { group: 'pods' }, all: true, for: 'condition=Ready', ...more }],
});

// The error, the input, and the path and severity of its one issue.
const rows: readonly (readonly [string, unknown, string, Issue['severity']])[] = [
  ['no spec', {}, 'spec', 'error'],
  ['both lists', { spec: { packages: [{ chart: chart() }], items: [{ chart: chart() }] } }, 'spec.items', 'error'],
  ['an empty list', { spec: { packages: [] } }, 'spec.packages', 'error'],
  ['the old group', { ...orderOf(), apiVersion: 'kubepack.com/v1alpha1' }, 'apiVersion', 'warning'],
  ['an unknown field', { ...orderOf(), extra: 1 }, 'extra', 'warning'],
  ['a bad order name', { ...orderOf(), metadata: { name: 'A b' } }, 'metadata.name', 'error'],
  ['no name', orderOf({ name: '' }), `${at}.name`, 'error'],
  ['a name that is an option', orderOf({ name: '--debug' }), `${at}.name`, 'error'],
  ['a release name in capitals', orderOf({ releaseName: 'Web' }), `${at}.releaseName`, 'error'],
  ['a release name of 54', orderOf({ releaseName: 'a'.repeat(54) }), `${at}.releaseName`, 'error'],
  ['a namespace with a dot', orderOf({ namespace: 'a.b' }), `${at}.namespace`, 'error'],
  ['no namespace', orderOf({ namespace: '' }), `${at}.namespace`, 'warning'],
  ['a version with a command', orderOf({ version: '1;id' }), `${at}.version`, 'error'],
  ['a source of unknown kind', orderOf({ sourceRef: { kind: 'Git', name: 'x' } }), `${at}.sourceRef.kind`, 'error'],
  ['a URL with a password', orderOf({ sourceRef: { name: 'https://a:b@c.d' } }), `${at}.sourceRef.name`, 'error'],
  ['a URL with a command', orderOf({ sourceRef: { name: 'https://c.d/$(id)' } }), `${at}.sourceRef.name`, 'error'],
  ['a path that is an option', orderOf({ sourceRef: { kind: 'Local', name: '-x' } }), `${at}.sourceRef.name`, 'error'],
  ['a path with a newline', orderOf({ sourceRef: { kind: 'Local', name: 'a\nb' } }), `${at}.sourceRef.name`, 'error'],
  ['the old source beside the new', orderOf({ url: 'https://c.d' }), `${at}.url`, 'error'],
  ['a values file outside', orderOf({ valuesFile: '../x.yaml' }), `${at}.valuesFile`, 'error'],
  ['values with half a surrogate', orderOf({ values: { a: ['\ud800'] } }), `${at}.values.a[0]`, 'error'],
  ['values beyond all numbers', orderOf({ values: { 'a.b': 1e999 } }), `${at}.values["a.b"]`, 'error'],
  ['values with a giant key', orderOf({ values: { a: { ['k'.repeat(1001)]: 1 } } }), `${at}.values.a`, 'error'],
  ['a bad pointer', orderOf({ valuesPatch: [{ op: 'remove', path: 'a' }] }), `${at}.valuesPatch[0].path`, 'error'],
  ['no value', orderOf({ valuesPatch: [{ op: 'add', path: '/a' }] }), `${at}.valuesPatch[0].value`, 'error'],
  ['a wait for nothing', orderOf(wait({ all: false })), `${at}.waitFors[0]`, 'error'],
  ['a wait for two', orderOf(wait({ resource: { group: 'pods', resource: 'x' } })), `${at}.waitFors[0]`, 'error'],
  ['a wait with a bad condition', orderOf(wait({ for: 'ready; id' })), `${at}.waitFors[0].for`, 'error'],
  [
    'a label key with a command',
    orderOf(wait({ labels: { matchLabels: { '$(id)': 'a' } } })),
    `${at}.waitFors[0].labels.matchLabels["$(id)"]`,
    'error',
  ],
];

for (const [name, input, path, severity] of rows) {
  test(`an Order with ${name}`, () => {
    assert.deepEqual(
      issuesOf(input).map((issue) => [issue.path, issue.severity]),
      [[path, severity]],
    );
  });
}

test('a release used twice is an error, the same name in two namespaces is not', () => {
  const pair = (namespace: string): JsonObject => ({
    spec: { packages: [{ chart: chart() }, { chart: chart({ namespace }) }] },
  });
  assert.deepEqual(
    issuesOf(pair('shop')).map((issue) => issue.path),
    ['spec.packages[1].chart.releaseName'],
  );
  assert.deepEqual(issuesOf(pair('other')), []);
});

test('both versions of stored Orders mean the same', () => {
  const now = { spec: { packages: [{ chart: chart({ sourceRef: { kind: 'Legacy', name: 'https://c.d' } }) }] } };
  const then = { spec: { items: [{ chart: chart({ url: 'https://c.d', sourceRef: null }) }] } };
  assert.deepEqual(validateOrder(then).order.spec.packages[0]?.chart, validateOrder(now).order.spec.packages[0]?.chart);
  assert.equal(validateOrder(then).order.listName, 'items');
});

test('the name defaults to the first release, and the document is unchanged', () => {
  const input = { ...orderOf(), odd: { kept: [1] } };
  const { order } = validateOrder(input);
  assert.equal(order.metadata.name, 'web');
  assert.equal(order.document, input);
});

test('unlimited nesting is an issue, and no stack overflow', () => {
  const deep = (levels: number): unknown => JSON.parse(`${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`);
  const order = (values: unknown): unknown => ({ spec: { packages: [{ chart: { values: { deep: values } } }] } });
  assert.throws(
    () => validateOrder(order(deep(50_000))),
    (error) =>
      error instanceof RenderError &&
      error.code === 'LIMIT_REACHED' &&
      error.message === 'spec.packages[0].chart.values.deep[0].a is nested more than 500 levels deep',
  );
});

test('a list with a modified prototype is refused at any depth', () => {
  const odd = (list: unknown[]): unknown => Object.setPrototypeOf(list, null);
  const inValues = { spec: { packages: [{ chart: { values: { list: odd([1]) } } }] } };
  for (const order of [inValues, { spec: { packages: odd([{ chart: {} }]) } }]) {
    assert.throws(() => validateOrder(order), {
      code: 'ORDER_INVALID',
      message: /is a list with a changed prototype/,
    });
  }
});
