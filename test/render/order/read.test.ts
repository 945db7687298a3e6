import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RenderError } from '../../../render/errors.ts';
import { isAbsolutePath } from '../../../render/order/names.ts';
import { formatSelector } from '../../../render/order/order.ts';
import { formatIssue, readOrder } from '../../../render/order/read.ts';

test('YAML and JSON give the same value', () => {
  const yaml = readOrder('spec:\n  packages:\n  - chart: {name: web, m: 1_000, on: yes, day: 2020-01-01}\n', 'o.yaml');
  const json = readOrder(
    '{"spec":{"packages":[{"chart":{"name":"web","m":1000,"true":true,"day":"2020-01-01"}}]}}',
    'o',
  );
  assert.deepEqual(yaml.value, json.value);
});

test('paths have places, unknown ones that of their parent', () => {
  const text = readOrder('spec:\n  packages:\n    - chart:\n        "odd key": {a: [1, 2]}\n', 'o.yaml');
  const rows: readonly (readonly [string, number, number])[] = [
    ['', 1, 1],
    ['spec', 1, 1],
    ['spec.packages[0]', 3, 7],
    ['spec.packages[0].chart', 3, 7],
    ['spec.packages[0].chart["odd key"].a[1]', 4, 28],
    ['spec.packages[0].chart.releaseName', 3, 7],
    ['spec.packages[7].x', 2, 3],
  ];
  for (const [path, line, column] of rows) assert.deepEqual(text.placeOf(path), { file: 'o.yaml', line, column }, path);
});

test('nesting without end is a fault with a place, whatever its form', () => {
  const rows: readonly (readonly [string, number, number])[] = [
    [`{"spec":\n${'{"a":'.repeat(50_000)}`, 2, 49_996],
    [`${'['.repeat(50_000)}`, 1, 10_001],
    [`a:\n  ${'- '.repeat(50_000)}x`, 2, 20_001],
  ];
  for (const [text, line, column] of rows) {
    assert.throws(
      () => readOrder(text, 'o.json'),
      (error) =>
        error instanceof RenderError &&
        /more than 10000 levels/.test(error.message) &&
        error.place?.line === line &&
        error.place.column === column,
      text.slice(0, 20),
    );
  }
  assert.ok(readOrder(`{"a": ${'['.repeat(198)}"[[[["${']'.repeat(198)}}`, 'o.json'));
});

test('brackets that close further left are read as Kubernetes reads them, and what they are in has a place', () => {
  const text = readOrder('spec: {\n"odd": [\n1],\nb: 2\n}\n', 'o.yaml');
  assert.deepEqual(text.value, { spec: { odd: [1], b: 2 } });
  assert.deepEqual(text.placeOf('spec.b'), { file: 'o.yaml', line: 4, column: 1 });
});

test('a syntax fault names its place', () => {
  for (const [text, line] of [
    ['{"a": 1,\n "a": 2}', 2],
    ['a: [1\nb: 2', 2],
    ['a: b: c', 1],
    // JSON knows no such key; without a fault, the parser's library would warn on standard error.
    ['a: 1\nb: {{ .Values.tag }}', 2],
    ['? [a]\n: 1', 1],
    ['a: &k {b: 1}\n*k : 2', 2],
    // Of another version, it is left to the reader that is asked second.
    ['%YAML 1.2\n---\na: &k [{b: 1}, 2]\n<<: *k', 4],
    ['%YAML 1.2\n---\na: {<<: 1}', 3],
  ] as const) {
    assert.throws(
      () => readOrder(text, 'o.json'),
      (error) => error instanceof RenderError && error.code === 'ORDER_INVALID' && error.place?.line === line,
      text,
    );
  }
});

test('an issue is one line', () => {
  const line = formatIssue(
    { path: 'spec.x', message: 'is odd', severity: 'warning', mend: 'Remove it.' },
    { file: 'o.yaml', line: 2, column: 3 },
  );
  assert.equal(line, 'o.yaml:2:3: warning: spec.x: is odd. Remove it.');
});

test('selectors are printed as Kubernetes prints them', () => {
  const selector = {
    matchLabels: new Map([
      ['b', '2'],
      ['a', '1'],
    ]),
    matchExpressions: [
      { key: 'tier', operator: 'In', values: ['y', 'x'] },
      { key: 'old', operator: 'DoesNotExist', values: [] },
      { key: 'new', operator: 'Exists', values: [] },
      { key: 'env', operator: 'NotIn', values: ['test'] },
    ],
  } as const;
  assert.equal(formatSelector(selector), 'a=1,b=2,tier in (x,y),!old,new,env notin (test)');
  assert.equal(formatSelector(undefined), '');
});

test('a path from a root is absolute on every system', async () => {
  for (const path of ['/charts', 'C:\\charts', 'c:/charts', '\\\\server\\charts'])
    assert.ok(isAbsolutePath(path), path);
  for (const path of ['charts', './charts', '../charts', 'C:', 'c', '']) assert.ok(!isAbsolutePath(path), path);
});

test('what the quick way gives up at has the same aliases: the last anchor before each, and merges', () => {
  const text = (key: string): string =>
    `a: &x {one: 1}\nb: *x\nc: &x {one: 2, deep: &z [1]}\nd: *x\ne: {<<: *x, m: *z}\nf: [*x, *z]\n${key}: 1\n`;
  const { value } = readOrder(text('y'), 'order.yaml');
  const { true: _yes, ...rest } = value as Record<string, unknown>;
  const { quick: _quick, ...wanted } = readOrder(text('quick'), 'order.yaml').value as Record<string, unknown>;
  assert.deepEqual(rest, wanted);
  assert.deepEqual(rest.d, { one: 2, deep: [1] });
  assert.throws(
    () => readOrder('y: 1\na: *later\nb: &later 1\n', 'order.yaml'),
    /there is no anchor &later before its alias/,
  );
});

test('a hundred thousand aliases are read the slow way too', () => {
  const members = Array.from({ length: 100_000 }, (_, index) => `k${index}: *a\n`).join('');
  const { value } = readOrder(`a: &a {x: 1}\ny: 1\n${members}`, 'order.yaml');
  assert.equal(Object.keys(value as object).length, 100_002);
});
