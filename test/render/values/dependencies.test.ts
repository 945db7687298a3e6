// Conditions, tags, aliases and import-values; every expectation is Helm 3.17.3's.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { composeValues } from '../../../render/values/compose.ts';
import { chartOf, compose, helm } from './support.ts';

// One child `s` declared with these words: is it enabled?
const rows: readonly (readonly [title: string, entry: string, user: string, isThere: boolean])[] = [
  ['no condition', '', '', true],
  ['condition false', 'condition: s.up', 's: {up: false}', false],
  ['condition that names nothing', 'condition: s.nope', '', true],
  ['condition true beats tag false', 'condition: s.up, tags: [t]', 's: {up: true}\ntags: {t: false}', true],
  ['tag false', 'tags: [t]', 'tags: {t: false}', false],
  ['one tag true', 'tags: [t, u]', 'tags: {t: false, u: true}', true],
  ['unknown tag', 'tags: [t]', 'tags: {x: false}', true],
  ['the first condition that is there counts', 'condition: "s.nope,s.up,s.down"', 's: {up: true, down: false}', true],
  ['paths are not trimmed one by one', 'condition: "s.nope, s.up"', 's: {up: false}', true],
  ['a table is no answer', 'condition: "s.m,s.up"', 's: {m: {}, up: false}', false],
  ['enabled counts for nothing', 'enabled: false', '', true],
  ['a range that does not match leaves the chart in, undeclared', 'condition: s.up', 's: {up: true}', true],
];

for (const [title, entry, user, isThere] of rows) {
  test(title, () => {
    const chart = chartOf({
      'Chart.yaml': `dependencies: [{name: s, version: "*", ${entry}}]\n`,
      'charts/s/values.yaml': '',
    });
    assert.equal('c/charts/s' in compose(chart, user).values, isThere);
  });
}

for (const [text, warning] of [
  ['s: {up: "no"}', "dependencies.go:63: Warning: Condition path 's.up' for chart s returned non-bool value"],
  ['s: {up: null}', "dependencies.go:63: Warning: Condition path 's.up' for chart s returned non-bool value"],
  ['tags: {t: 5}', "dependencies.go:94: Warning: Tag 't' for chart s returned non-bool value"],
] as const) {
  test(`not a boolean: ${text}`, () => {
    const files = {
      'Chart.yaml': 'dependencies: [{name: s, version: "*", condition: s.up, tags: [t]}]\n',
      'charts/s/values.yaml': '',
    };
    const { values, warnings } = compose(chartOf(files), text);
    assert.ok('c/charts/s' in values);
    assert.deepEqual(warnings, [warning]);
  });
}

test('an alias renames; a version outside the range keeps the name', () => {
  const paths = (range: string): string[] => {
    const entry = `dependencies: [{name: s, version: "${range}", alias: t}]\n`;
    return Object.keys(compose(chartOf({ 'Chart.yaml': entry, 'charts/s/values.yaml': '' })).values);
  };
  assert.deepEqual(paths('1.x'), ['c', 'c/charts/t']);
  assert.deepEqual(paths('2.x'), ['c', 'c/charts/s']);
  assert.deepEqual(paths(''), ['c', 'c/charts/s']);
});

const twoAliases = 'dependencies: [{name: s, version: "*", alias: t}, {name: s, version: "*", alias: u}]\n';

test('undeclared grandchildren of an alias keep the path of the original', () => {
  const chart = chartOf({ 'Chart.yaml': twoAliases, 'charts/s/charts/g/values.yaml': '' });
  assert.deepEqual(Object.keys(compose(chart).values), ['c', 'c/charts/t', 'c/charts/s/charts/g', 'c/charts/u']);
});

test('the second alias finds the entries already renamed by the first', () => {
  const chart = chartOf({
    'Chart.yaml': twoAliases,
    'charts/s/Chart.yaml': 'dependencies: [{name: g, version: "*", alias: h}]\n',
    'charts/s/charts/g/values.yaml': '',
  });
  const paths = Object.keys(compose(chart).values);
  assert.deepEqual(paths, ['c', 'c/charts/t', 'c/charts/t/charts/h', 'c/charts/u', 'c/charts/u/charts/g']);
});

test('the second alias imports nothing, because the first removed the entries', () => {
  const chart = chartOf({
    'Chart.yaml': twoAliases,
    'charts/s/Chart.yaml': 'dependencies: [{name: g, version: "*", import-values: [d]}]\n',
    'charts/s/charts/g/values.yaml': 'exports: {d: {k: 1}}',
  });
  const { values } = compose(chart);
  assert.match(values['c/charts/t'] as string, /"k":1}$/);
  assert.doesNotMatch(values['c/charts/u'] as string, /"k":1}$/);
});

test('without a list of dependencies sub-charts are not processed; an empty list is enough', () => {
  const files = {
    'charts/s/Chart.yaml': 'dependencies: [{name: g, version: "*", condition: g.up}]\n',
    'charts/s/charts/g/values.yaml': '',
  };
  const user = 's: {g: {up: false}}';
  assert.ok('c/charts/s/charts/g' in compose(chartOf(files), user).values);
  const listed = chartOf({ ...files, 'Chart.yaml': 'dependencies: []\n' });
  assert.ok(!('c/charts/s/charts/g' in compose(listed, user).values));
});

const imports: readonly (readonly [title: string, items: string, root: string, values: string])[] = [
  ['exports to the root', '[d]', '', '{"imp":1,"m":{"p":1,"q":2}}'],
  ['child to parent', '[{child: exports.d.m, parent: x.z}]', '', '{"x":{"z":{"p":1,"q":2}}}'],
  ['child to the root', '[{child: exports.d.m, parent: .}]', '', '{"p":1,"q":2}'],
  ['the parent wins, nulls are kept', '[d]', 'imp: 99\nm: {p: null, z: 3}', '{"imp":99,"m":{"p":null,"q":2,"z":3}}'],
];

for (const [title, items, root, values] of imports) {
  test(`import-values: ${title}`, () => {
    const chart = chartOf({
      'Chart.yaml': `dependencies: [{name: s, version: "*", import-values: ${items}}]\n`,
      'values.yaml': root,
      'charts/s/values.yaml': 'exports: {d: {imp: 1, m: {p: 1, q: 2}}}',
    });
    const { c = '' } = compose(chart).values;
    assert.equal(c.replace(/,?"s":\{"exports".*?"global":\{\}\}/, '').replace('{,', '{'), values);
  });
}

test('a later import writes into the table of an earlier one, in the child as well', () => {
  const chart = chartOf({
    'Chart.yaml':
      'dependencies: [{name: s, version: "*", import-values: [d]}, {name: t, version: "*", import-values: [d]}]\n',
    'charts/s/values.yaml': 'exports: {d: {k: {a: 1}}}',
    'charts/t/values.yaml': 'exports: {d: {k: {b: 2}}}',
  });
  const { values } = compose(chart);
  assert.equal(values['c/charts/s'], '{"exports":{"d":{"k":{"a":1,"b":2}}},"global":{}}');
  assert.equal(values['c/charts/t'], '{"exports":{"d":{"k":{"b":2}}},"global":{}}');
});

for (const [items, warning] of [
  ['[nope]', 'dependencies.go:286: Warning: ImportValues missing table: "exports" is not a table'],
  [
    '[{child: nope, parent: x}]',
    'dependencies.go:269: Warning: ImportValues missing table from chart s: "nope" is not a table',
  ],
] as const) {
  test(`import-values of missing values: ${items}, reported in every run`, () => {
    const chart = chartOf({
      'Chart.yaml': `dependencies: [{name: s, version: "*", import-values: ${items}}]\n`,
      'charts/s/values.yaml': '',
    });
    assert.deepEqual(compose(chart).warnings, [warning]);
    assert.deepEqual(compose(chart).warnings, [warning]);
  });
}

test('a path that is not a string causes a panic in Helm', () => {
  const chart = chartOf({
    'Chart.yaml': 'dependencies: [{name: s, version: "*", import-values: [{child: 5, parent: x}]}]\n',
    'charts/s/values.yaml': '',
  });
  assert.throws(() => compose(chart), { message: 'interface conversion: interface {} is float64, not string' });
});

test('charts with the same enabled dependencies are shared', () => {
  const chart = chartOf({
    'Chart.yaml': 'dependencies: [{name: s, version: "*", condition: s.up}]\n',
    'charts/s/values.yaml': '',
  });
  const off = new Map([['s', new Map([['up', false]])]]);
  const first = composeValues(chart, new Map(), { helm }).chart;
  assert.equal(composeValues(chart, new Map([['x', 1]]), { helm }).chart, first);
  assert.notEqual(composeValues(chart, off, { helm }).chart, first);
  assert.equal(composeValues(chart, new Map(), { helm }).chart, first);
});
