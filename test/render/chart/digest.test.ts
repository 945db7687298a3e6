import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digestChart } from '../../../render/chart/digest.ts';
import { loadArchive, loadChart } from '../../../render/chart/load.ts';
import { tgz } from './tar.ts';

const files = {
  'Chart.yaml':
    'apiVersion: v2\nname: c\nversion: 0.1.0\nannotations: {a: b}\ndependencies: [{name: s, import-values: [{child: a, parent: b}]}]\n',
  'values.yaml': 'a: {b: [1, x]}\n',
  'values.schema.json': '{}',
  'templates/a.yaml': 'a',
  'templates/b.yaml': 'b',
  'crds/c.yaml': 'c',
  'charts/s/Chart.yaml': 'apiVersion: v2\nname: s\nversion: 0.1.0\n',
  'charts/s/templates/a.yaml': 'a',
};

const digest = (changed: Readonly<Record<string, string>> = {}): string =>
  digestChart(loadChart({ ...files, ...changed }));

test('equal charts have equal digests, as folders and archives', () => {
  assert.match(digest(), /^sha256:[0-9a-f]{64}$/);
  assert.equal(digest(), digest());
  assert.equal(digest({ 'values.yaml': '# the same\na:\n  b:\n  - 1\n  - "x"\n' }), digest());
  const entries = Object.entries(files).map(([path, data]) => ({ name: `c/${path}`, data }));
  assert.equal(digestChart(loadArchive(tgz(entries))), digest());
});

test('any change of any part changes the digest', () => {
  const changes = Object.entries(files).map(([path, text]) => {
    const other = text.replace(/b\b|0\.1\.0|\{\}|a$|c$/, (found) =>
      found === '0.1.0' ? '0.1.1' : found === '{}' ? '{"a":1}' : 'z',
    );
    assert.notEqual(other, text);
    return digest({ [path]: other });
  });
  const moved = digest({ 'templates/a.yaml': 'ab', 'templates/b.yaml': '' });
  const imported = digest({ 'Chart.yaml': files['Chart.yaml'].replace('parent: b', 'parent: c') });
  assert.equal(new Set([digest(), ...changes, moved, imported]).size, changes.length + 3);
});
