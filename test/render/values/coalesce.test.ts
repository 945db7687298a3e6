// Layering values over defaults; every expectation is Helm 3.17.3's.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emitJson } from '../../../render/codec/json.ts';
import type { GoMap } from '../../../render/go/value.ts';
import { composeValues } from '../../../render/values/compose.ts';
import { chartOf, compose, helm } from './support.ts';

interface Row {
  readonly title: string;
  readonly root: string;
  readonly sub?: string;
  readonly declared?: boolean;
  readonly user?: string;
  readonly values: string;
  readonly warnings?: readonly string[];
}

const rows: readonly Row[] = [
  { title: 'null in values.yaml stays', root: 'a: null\nb: {c: null}', values: '{"a":null,"b":{"c":null}}' },
  {
    title: 'a user null deletes',
    root: 'a: 1\nb: {c: 1, d: 2}',
    user: 'a: null\nb: {c: null}',
    values: '{"b":{"d":2}}',
  },
  { title: 'a user null for a key without default stays', root: 'a: 1', user: 'z: null', values: '{"a":1,"z":null}' },
  { title: 'lists are replaced', root: 'l: [1, 2, 3]', user: 'l: [9]', values: '{"l":[9]}' },
  {
    title: 'a table over a scalar',
    root: 'b: 5',
    user: 'b: {c: 1}',
    values: '{"b":{"c":1}}',
    warnings: ['coalesce.go:237: warning: skipped value for c.b: Not a table.'],
  },
  { title: 'a scalar over a table', root: 'b: {c: 1}', user: 'b: 5', values: '{"b":5}' },
  {
    title: 'deep scalar over table',
    root: 'b: {c: {d: 1}}',
    user: 'b: {c: 5}',
    values: '{"b":{"c":5}}',
    warnings: ['coalesce.go:298: warning: cannot overwrite table with non table for c.b.c (map[d:1])'],
  },
  {
    title: 'deep table over scalar',
    root: 'b: {c: 5}',
    user: 'b: {c: {d: 1}}',
    values: '{"b":{"c":{"d":1}}}',
    warnings: ['coalesce.go:301: warning: destination for c.b.c is a table. Ignoring non-table value (5)'],
  },
  {
    title: "a parent's null deletes the child's default",
    root: 's: {x: null}',
    sub: 'x: 1\nz: 2',
    values: '{"s":{"global":{},"z":2}}',
  },
  {
    title: 'own null of an undeclared child stays',
    root: 'q: 1',
    sub: 'x: null\nm: {k: null}',
    values: '{"q":1,"s":{"global":{},"m":{"k":null},"x":null}}',
  },
  {
    title: 'own null of a declared child goes',
    root: 'q: 1',
    sub: 'x: null\nm: {k: null}',
    declared: true,
    values: '{"q":1,"s":{"global":{},"m":{}}}',
  },
  {
    title: 'globals flow down, the parent wins',
    root: 'global: {a: 1}',
    sub: 'global: {a: 5, b: 6}',
    values: '{"global":{"a":1},"s":{"global":{"a":1,"b":6}}}',
  },
  {
    title: "inner tables of global are one: the child's defaults show in the parent",
    root: 'global: {m: {i: {a: 1}}}',
    sub: 'global: {m: {i: {b: 2}, o: 3}, p: 4}',
    values: '{"global":{"m":{"i":{"a":1,"b":2}}},"s":{"global":{"m":{"i":{"a":1,"b":2},"o":3},"p":4}}}',
  },
  {
    title: 'a null within an inner table of global deletes there, too',
    root: 'global: {m: {i: {a: null}}}',
    sub: 'global: {m: {i: {a: 1, b: 2}}}',
    values: '{"global":{"m":{"i":{"b":2}}},"s":{"global":{"m":{"i":{"b":2}}}}}',
  },
  {
    title: 'global that is not a table',
    root: 'global: 5',
    sub: 'x: 1',
    values: '{"global":5,"s":{"x":1}}',
    warnings: ['coalesce.go:145: warning: skipping globals because source global is not a table.'],
  },
  {
    title: 'the same warning in each of three passes',
    root: 'global: {a: {k: 1}}',
    sub: 'global: {a: 5}',
    declared: true,
    values: '{"global":{"a":{"k":1}},"s":{"global":{"a":{"k":1}}}}',
    warnings: Array(3).fill(
      'coalesce.go:301: warning: destination for c.s.global.a is a table. Ignoring non-table value (5)',
    ),
  },
];

for (const row of rows) {
  test(row.title, () => {
    const files: Record<string, string> = { 'values.yaml': row.root };
    if (row.sub !== undefined) files['charts/s/values.yaml'] = row.sub;
    if (row.declared) files['Chart.yaml'] = 'dependencies: [{name: s, version: "*"}]\n';
    const { values, warnings } = compose(chartOf(files), row.user);
    assert.equal(values.c, row.values);
    assert.deepEqual(warnings, row.warnings ?? []);
  });
}

for (const [section, message] of [
  ['null', 'type mismatch on s: %!t(<nil>)'],
  ['5', 'type mismatch on s: %!t(float64=5)'],
  ['[1]', 'type mismatch on s: [%!t(float64=1)]'],
  ['true', 'type mismatch on s: true'],
  ['x', 'type mismatch on s: %!t(string=x)'],
] as const) {
  test(`the section of a child must be a table, not ${section}`, () => {
    const chart = chartOf({ 'charts/s/values.yaml': 'x: 1' });
    assert.throws(() => compose(chart, `s: ${section}`), { code: 'VALUES_INVALID', message });
  });
}

test('neither the chart nor the user values are changed, and the result belongs to the caller', () => {
  const chart = chartOf({
    'values.yaml': 'm: {l: [{k: 1}]}\nglobal: {g: {h: 1}}',
    'charts/s/values.yaml': 'x: {k: [1]}',
  });
  const before = emitJson(chart.values);
  const user: GoMap = new Map([['u', new Map([['v', []]])]]);
  const first = composeValues(chart, user, { helm }).values;
  (first.get('m') as GoMap).set('new', 1);
  ((first.get('m') as GoMap).get('l') as GoMap[])[0]?.set('k', 2);
  ((first.get('s') as GoMap).get('x') as GoMap).clear();
  (first.get('u') as GoMap).clear();
  assert.equal(emitJson(chart.values), before);
  assert.equal(emitJson(user), '{"u":{"v":[]}}');
  assert.equal(
    emitJson(composeValues(chart, user, { helm }).values),
    '{"global":{"g":{"h":1}},"m":{"l":[{"k":1}]},"s":{"global":{"g":{"h":1}},"x":{"k":[1]}},"u":{"v":[]}}',
  );
});

test('an inner table of global is the same map in parent and child', () => {
  const { values } = composeValues(
    chartOf({ 'values.yaml': 'global: {g: {h: {}}}', 'charts/s/values.yaml': '' }),
    new Map(),
    { helm },
  );
  const inner = (top: GoMap): unknown => ((top.get('global') as GoMap).get('g') as GoMap).get('h');
  assert.equal(inner(values), inner(values.get('s') as GoMap));
  assert.notEqual(values.get('global'), (values.get('s') as GoMap).get('global'));
});
