// The content of a snapshot, and what is not part of it.

import assert from 'node:assert/strict';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readSnapshot } from '../../../render/snapshot/stores.node.ts';
import { chartIn, createProject } from '../../support/project.ts';

const project = createProject();
const { folder, write } = project;
const run = (...argv: string[]) => project.run(['snapshot', ...argv]);
const crd = (kind: string, scope = 'Namespaced'): string =>
  `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: ${kind}s.example.com}\nspec: {group: example.com, scope: ${scope}, names: {kind: ${kind}}, versions: []}\n`;

test('an edit of crds/ is a difference to snapshot and diff, unless they are left out', async () => {
  write(
    chartIn('crds', {
      'templates/a.yaml': 'kind: A\nmetadata: {name: {{ .Values.name }}}\n',
      'ci/one-values.yaml': 'name: one\n',
      'ci/two-values.yaml': 'name: two\n',
      'crds/a.yaml': crd('a'),
    }),
  );
  cpSync(join(folder, 'crds'), join(folder, 'old/crds'), { recursive: true });
  const matrix = ['--kube-version', '1.30,1.31'];
  await run('crds', ...matrix, '--update');
  // The same text in all cases and cells is one file.
  const names = readdirSync(join(folder, 'snapshots/crds.snap')).sort();
  assert.deepEqual(names, ['.record.json', '.same.json', 'one-values.crds.yaml', 'one-values.yaml', 'two-values.yaml']);
  assert.equal(readSnapshot(join(folder, 'snapshots/crds.snap')).size, 8);
  assert.match((await run('crds', ...matrix, '--no-cache')).stdout, /same \(8 files\)/);
  write({ 'crds/crds/a.yaml': crd('a', 'Cluster') });
  const { exitCode, stdout } = await run('crds', ...matrix);
  assert.equal(exitCode, 1);
  assert.match(
    stdout,
    /differs from its snapshot: 1 object changed[\s\S]*in one-values, two-values\n {2}~ CustomResourceDefinition as\.example\.com[\s\S]*spec\.scope/,
  );
  const same = await run('crds', '--skip-crds', '--update');
  assert.match(same.stdout, /removed/);
  write({ 'crds/crds/a.yaml': crd('a') });
  assert.equal((await run('crds', '--skip-crds')).exitCode, 0);
  write({ 'crds/crds/b.yaml': crd('b') });
  const diff = (...more: string[]) => project.run(['diff', 'old/crds', 'crds', '--set', 'name=a', ...more]);
  assert.match((await diff()).stdout, /^1 added, 2 the same\n/);
  assert.equal((await diff('--skip-crds')).exitCode, 0);
});
