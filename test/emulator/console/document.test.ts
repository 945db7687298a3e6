// The Order as text: what the page changes, and what it leaves unchanged.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addPackage,
  commentOut,
  emptyOrder,
  movePackage,
  orderJson,
  orderText,
  readOrderView,
  removePackage,
  sameValues,
  setKubeVersion,
  setMember,
  setPart,
  setText,
  setValueAt,
  type UpgradeResult,
  upgradedOrder,
} from '../../../emulator/console/order/document.ts';

const web = { chart: 'web', version: '1.4.2', sourceRef: { kind: 'Embed', name: 'web' } };
const base = addPackage(emptyOrder, web);
const written = `# ours
apiVersion: releases.x-helm.dev/v1alpha1
kind: Order
spec:
  packages:
    # the database first
    - chart: {name: db, version: 1.0.0, releaseName: db, namespace: data, sourceRef: {kind: Local, name: db}}
    - chart:
        name: web
        releaseName: web
        namespace: shop
        sourceRef: {name: web}
        values:
          # how many
          replicaCount: 2
`;

function releasesOf(order: string): readonly string[] {
  return readOrderView(order).packages.map(({ release }) => release);
}

/** Returns the Order with a part of its first package set to YAML; throws the reason if that is impossible. */
function withPart(order: string, name: 'values' | 'valuesPatch', text: string): string {
  const changed = setPart(order, 0, { name, text });
  if ('fault' in changed) throw new Error(changed.fault);
  return changed.text;
}

test('a package is added with a free release name, in the namespace of the last one', () => {
  const two = addPackage(setMember(base, 0, { name: 'namespace', value: 'shop' }), web);
  const packages = readOrderView(two).packages.map(({ chart, release, namespace, version }) =>
    [chart, release, namespace, version].join(' '),
  );
  assert.deepEqual(packages, ['web web shop 1.4.2', 'web web-2 shop 1.4.2']);
});

test('moving and removing keep comments and everything else', () => {
  const moved = movePackage(written, 0, 1);
  assert.deepEqual(releasesOf(moved), ['web', 'db']);
  for (const comment of ['# ours\n', '# the database first', '# how many\n']) assert.ok(moved.includes(comment));
  assert.deepEqual(releasesOf(removePackage(written, 0)), ['web']);
  assert.deepEqual(releasesOf(movePackage(written, 0, 7)), ['db', 'web'], 'there is no such place');
});

test('values are written into the Order with their comments, and read back', () => {
  const { packages } = readOrderView(written);
  assert.deepEqual([packages[0]?.values, packages[1]?.values], ['', '# how many\nreplicaCount: 2\n']);
  const changed = withPart(written, 'values', '# small\nsize: 1Gi\n');
  assert.equal(readOrderView(changed).packages[0]?.values, '# small\nsize: 1Gi\n');
  assert.doesNotMatch(withPart(changed, 'values', ''), /size/);
});

test('a patch is written and removed', () => {
  const patched = withPart(base, 'valuesPatch', '- {op: remove, path: /a}');
  assert.equal(readOrderView(patched).packages[0]?.patch, '- { op: remove, path: /a }\n');
  assert.equal(withPart(patched, 'valuesPatch', ''), base);
});

test('invalid values and patches are reported', () => {
  for (const text of ['a: [', '- one', 'words'])
    assert.ok('fault' in setPart(written, 0, { name: 'values', text }), text);
  assert.ok('fault' in setPart(written, 0, { name: 'valuesPatch', text: 'a: 1' }));
});

test('text that cannot be parsed is not modified', () => {
  const broken = 'spec: [\n';
  assert.ok(readOrderView(broken).fault);
  for (const text of [addPackage(broken, web), removePackage(broken, 0), movePackage(broken, 0, 1)])
    assert.equal(text, broken);
});

test('a field that is set in shared values changes those of its package only', () => {
  const shared = `spec:
  packages:
    - chart: { name: a, values: &common { x: 1, in: &inner { z: 2, v: 3 } } }
    - chart: { name: b, values: *common }
    - chart: { name: c, values: { in: *inner, w: 4 } }
`;
  const valuesOf = (order: string) =>
    (orderJson(order) as { spec: { packages: { chart: { values: unknown } }[] } }).spec.packages.map(
      ({ chart }) => chart.values,
    );
  const first = { x: 1, in: { z: 2, v: 3 } };
  const second = setValueAt(shared, 1, { path: ['x'], value: 5 });
  assert.deepEqual(valuesOf(second), [first, { ...first, x: 5 }, { in: first.in, w: 4 }]);
  const third = setValueAt(shared, 2, { path: ['in', 'z'], value: undefined });
  assert.deepEqual(valuesOf(third), [first, first, { in: { v: 3 }, w: 4 }]);
});

test('members without a value yet are filled, and a text that is not a map is not modified', () => {
  assert.deepEqual(releasesOf(addPackage('metadata:\nspec:\n', web)), ['web']);
  assert.equal(setText('metadata:\n', ['metadata', 'name'], 'shop'), 'metadata:\n  name: shop\n');
  assert.equal(setKubeVersion('spec:\n', '1.31'), 'spec:\n  kubeVersion: "1.31"\n');
  assert.equal(setKubeVersion('spec:\n', ''), 'spec:\n');
  for (const text of ['words\n', '- a\n']) assert.equal(addPackage(text, web), text);
});

test('unusual documents are read as far as possible', () => {
  for (const text of ['', 'null', '7', 'spec: 1', 'spec: {packages: [1, {chart: 2}]}', '&a [*a]'])
    assert.doesNotThrow(() => readOrderView(text), text);
  assert.equal(readOrderView('spec: {items: [{chart: {name: web}}]}').packages[0]?.chart, 'web');
});

test('aliases of values in another package are kept, also without their anchor', () => {
  const shared = `spec:
  packages:
    - chart: { name: a, values: &common { x: 1 } }
    - chart: { name: b, values: *common }
`;
  assert.deepEqual(
    readOrderView(shared).packages.map(({ values }) => values),
    ['&common\nx: 1\n', '*common\n'],
  );
  const alone = 'spec:\n  packages:\n    - chart: { name: b, values: *common }\n';
  assert.equal(removePackage(shared, 0), alone);
  assert.equal(readOrderView(alone).packages[0]?.values, '*common\n');
  assert.match(movePackage(shared, 0, 1), /\*common[\s\S]*&common/);
});

test('values are compared by meaning, not by notation', () => {
  assert.ok(sameValues('a: {b: 1}\n', 'a:\n  b: 1 # one\n') && sameValues('', '{}'));
  assert.ok(!sameValues('a: 1', 'a: "1"') && !sameValues('a: [', 'a: 1'));
});

test('a stored Order becomes text, and the text the same Order', () => {
  const values = { on: 'yes', at: '1e3' };
  const order = { metadata: { name: 'x' }, spec: { packages: [{ chart: { name: 'web', values } }] } };
  assert.deepEqual(orderJson(orderText(order)), order);
  assert.throws(() => orderJson('a: ['), /./);
});

test('a field of the form sets one value and removes it again, with the maps around it', () => {
  const valuesOf = (order: string): unknown => orderJson(readOrderView(order).packages[0]?.values ?? '');
  const set = setValueAt(setValueAt(base, 0, { path: ['a', 'b.c'], value: [1] }), 0, { path: ['a', 'd'], value: true });
  assert.deepEqual(valuesOf(set), { a: { 'b.c': [1], d: true } });
  const less = setValueAt(set, 0, { path: ['a', 'd'], value: undefined });
  assert.deepEqual(valuesOf(less), { a: { 'b.c': [1] } });
  assert.equal(setValueAt(less, 0, { path: ['a', 'b.c'], value: undefined }), base);
  const replaced = setValueAt(withPart(base, 'values', 'a: 1'), 0, { path: ['a', 'b'], value: 2 });
  assert.deepEqual(valuesOf(replaced), { a: { b: 2 } });
  assert.match(setValueAt(written, 1, { path: ['image', 'tag'], value: '2.0' }), /# ours[\s\S]*# how many/);
});

test('an Order that is nested too deep for the form is reported, and nothing breaks', () => {
  const values = `${'['.repeat(9000)}${']'.repeat(9000)}`;
  const { fault } = readOrderView(`spec: {packages: [{chart: {name: x, values: {a: ${values}}}}]}`);
  assert.equal(fault, 'It nests too deep for this form: write it as text.');
});

test('a package is commented out, and the lines of the others keep their numbers', () => {
  const text = `spec:
  packages:
    - chart: {name: a, releaseName: a}
    # about b
    - chart:
        name: b
        releaseName: b
        values:
          text: |
            one

            two

    - chart: {name: c, releaseName: c}
`;
  const without = (index: number): string => releasesOf(commentOut(text, index) ?? '').join('');
  assert.deepEqual([without(0), without(1), without(2)], ['bc', 'ac', 'ab']);
  assert.equal(commentOut(text, 1)?.split('\n').indexOf('    - chart: {name: c, releaseName: c}'), 13);
  assert.equal(commentOut('spec: {packages: [{chart: {name: a}}, {chart: {name: b}}]}\n', 0), undefined);
});

test('an upgrade moves moved values, removes those that are not read any more, and keeps the others', () => {
  const order = `spec:
  packages:
    - chart:
        name: web
        version: 1.0.0
        sourceRef: { kind: Local, name: web }
        values:
          # Three at least.
          replicaCount: 3
          old: x
          never: y
`;
  const report: UpgradeResult = {
    values: [
      { path: 'replicaCount', value: 3, kind: 'moved', to: 'replicas' },
      { path: 'old', value: 'x', kind: 'unread' },
      { path: 'never', value: 'y', kind: 'unused' },
    ],
    defaults: [],
  };
  const chart = { chart: 'web', version: '2.0.0', sourceRef: { kind: 'HelmRepository', name: 'web' } };
  const upgraded = order
    .replace('1.0.0', '2.0.0')
    .replace('replicaCount', 'replicas')
    .replace('          old: x\n', '');
  assert.equal(upgradedOrder(order, { index: 0, chart, report }), upgraded);
});
