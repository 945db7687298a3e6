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
  setValueAt,
} from '../../../emulator/console/order/document.ts';

const web = { chart: 'web', version: '1.4.2', sourceRef: { kind: 'Embed', name: 'web' } };
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

test('a package is added with a free release name, in the namespace of the last one', () => {
  const one = addPackage(emptyOrder, web);
  const two = addPackage(setMember(one, 0, { name: 'namespace', value: 'shop' }), web);
  assert.deepEqual(
    readOrderView(two).packages.map(({ chart, release, namespace, version }) => [chart, release, namespace, version]),
    [
      ['web', 'web', 'shop', '1.4.2'],
      ['web', 'web-2', 'shop', '1.4.2'],
    ],
  );
});

test('moving and removing keep comments and everything else', () => {
  const moved = movePackage(written, 0, 1);
  assert.deepEqual(
    readOrderView(moved).packages.map(({ release }) => release),
    ['web', 'db'],
  );
  assert.match(moved, /^# ours\n/);
  assert.match(moved, /# the database first/);
  assert.match(moved, /# how many\n/);
  const removed = removePackage(written, 0);
  assert.deepEqual(
    readOrderView(removed).packages.map(({ release }) => release),
    ['web'],
  );
  assert.equal(movePackage(written, 0, 7), orderOf(written), 'there is no such place');
});

test('values are written into the Order with their comments, and read back', () => {
  const { packages } = readOrderView(written);
  assert.equal(packages[0]?.values, '');
  assert.equal(packages[1]?.values, '# how many\nreplicaCount: 2\n');
  const changed = setPart(written, 0, { name: 'values', text: '# small\nsize: 1Gi\n' });
  assert.ok('text' in changed);
  assert.match(changed.text, /# small/);
  assert.equal(readOrderView(changed.text).packages[0]?.values, '# small\nsize: 1Gi\n');
  const emptied = setPart(changed.text, 0, { name: 'values', text: '' });
  assert.ok('text' in emptied);
  assert.doesNotMatch(emptied.text, /size/);
});

test('invalid values are reported, and the Order is unchanged', () => {
  for (const bad of ['a: [', '- one', 'words', 'a: b: c'])
    assert.ok('fault' in setPart(written, 0, { name: 'values', text: bad }), bad);
});

test('text that cannot be parsed is not modified', () => {
  const broken = 'spec: [\n';
  assert.ok(readOrderView(broken).fault);
  for (const text of [addPackage(broken, web), removePackage(broken, 0), movePackage(broken, 0, 1)])
    assert.equal(text, broken);
});

test('unusual documents are read as far as possible', () => {
  for (const text of [
    '',
    'null',
    '[]',
    '7',
    'spec: 1',
    'spec: {packages: 1}',
    'spec: {packages: [1, {chart: 2}]}',
    '&a [*a]',
  ]) {
    assert.doesNotThrow(() => readOrderView(text), text);
  }
  assert.equal(readOrderView('spec: {items: [{chart: {name: web}}]}').packages[0]?.chart, 'web');
});

test('values are compared by meaning, not by notation', () => {
  assert.ok(sameValues('a: {b: 1}\n', 'a:\n  b: 1 # one\n'));
  assert.ok(sameValues('', '{}'));
  assert.ok(!sameValues('a: 1', 'a: "1"'));
  assert.ok(!sameValues('a: [', 'a: 1'));
});

test('a stored Order becomes text, and the text the same Order', () => {
  const order = {
    metadata: { name: 'x' },
    spec: { packages: [{ chart: { name: 'web', values: { on: 'yes', at: '1e3' } } }] },
  };
  assert.deepEqual(orderJson(orderText(order)), order);
  assert.throws(() => orderJson('a: ['), /./);
});

function orderOf(text: string): string {
  return setMember(text, 99, { name: 'none', value: '' });
}

test('a field of the form sets one value and removes it again, with the maps around it', () => {
  const one = setValueAt(written, 1, { path: ['image', 'tag'], value: '2.0' });
  assert.equal(
    (orderJson(readOrderView(one).packages[1]?.values ?? '') as { image: unknown }).image !== undefined,
    true,
  );
  assert.match(one, /# ours/);
  const base = addPackage(emptyOrder, web);
  const set = setValueAt(setValueAt(base, 0, { path: ['a', 'b.c'], value: [1] }), 0, { path: ['a', 'd'], value: true });
  assert.deepEqual(orderJson(readOrderView(set).packages[0]?.values ?? ''), { a: { 'b.c': [1], d: true } });
  const less = setValueAt(set, 0, { path: ['a', 'd'], value: undefined });
  assert.deepEqual(orderJson(readOrderView(less).packages[0]?.values ?? ''), { a: { 'b.c': [1] } });
  assert.equal(setValueAt(less, 0, { path: ['a', 'b.c'], value: undefined }), base);
  assert.equal(setValueAt(base, 0, { path: ['never', 'was'], value: undefined }), base);
  assert.match(
    setValueAt(textOf(setPart(base, 0, { name: 'values', text: 'a: 1' })), 0, { path: ['a', 'b'], value: 2 }),
    /a:\n +b: 2/,
  );
});

function textOf(changed: ReturnType<typeof setPart>): string {
  return 'text' in changed ? changed.text : '';
}

test('a patch is a list', () => {
  const base = addPackage(emptyOrder, web);
  assert.ok('fault' in setPart(base, 0, { name: 'valuesPatch', text: 'a: 1' }));
  const patched = setPart(base, 0, { name: 'valuesPatch', text: '- {op: remove, path: /a}' });
  assert.ok('text' in patched);
  assert.equal(readOrderView(patched.text).packages[0]?.patch, '- { op: remove, path: /a }\n');
  const emptied = setPart(patched.text, 0, { name: 'valuesPatch', text: '' });
  assert.equal('text' in emptied && emptied.text, base);
});

test('the Order has a Kubernetes version or none', () => {
  const set = setKubeVersion(emptyOrder, 'v1.29.0');
  assert.equal(readOrderView(set).kubeVersion, 'v1.29.0');
  assert.equal(setKubeVersion(set, ''), emptyOrder);
});

test('an Order that is nested too deep for the form is reported, and nothing breaks', () => {
  for (const values of [`${'['.repeat(9000)}${']'.repeat(9000)}`, `${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}`]) {
    const { fault } = readOrderView(`spec: {packages: [{chart: {name: x, values: {a: ${values}}}}]}`);
    assert.equal(fault, 'It nests too deep for this form: write it as text.');
  }
});

test('a package is commented out, and the lines of the others keep their numbers', () => {
  const text = `spec:
  packages:
    - chart: {name: a, releaseName: a}
    # about b
    - chart:
        name: b
        values:
          text: |
            one

            two

    - chart: {name: c, releaseName: c}
`;
  const without = (index: number): readonly string[] =>
    readOrderView(commentOut(text, index) ?? '').packages.map(({ chart }) => chart);
  assert.deepEqual(
    [without(0), without(1), without(2)],
    [
      ['b', 'c'],
      ['a', 'c'],
      ['a', 'b'],
    ],
  );
  assert.equal(commentOut(text, 1)?.split('\n').indexOf('    - chart: {name: c, releaseName: c}'), 12);
  assert.equal(commentOut(text, 3), undefined);
  assert.equal(commentOut('spec: {packages: [{chart: {name: a}}, {chart: {name: b}}]}\n', 0), undefined);
});
