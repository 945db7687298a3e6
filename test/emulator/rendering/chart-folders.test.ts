// The list of charts in folders, their selections for an Order, and errors.

import assert from 'node:assert/strict';
import { cp, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { listCharts } from '../../../emulator/rendering/chart-folders.node.ts';
import { directoryRegistry } from '../../../render/disk.node.ts';
import { createProject } from '../../support/project.ts';

const fixtures = join(import.meta.dirname, '../../../fixtures/charts');

test('charts are listed with sources by which they are found again', async () => {
  const { folder } = createProject({ 'torn-1.0.0.tgz': 'no archive' });
  await cp(join(fixtures, 'web'), join(folder, 'web'), { recursive: true });
  await cp(join(fixtures, 'umbrella'), join(folder, 'charts.example.com/stable/umbrella'), { recursive: true });
  await cp(join(fixtures, 'web'), join(folder, 'node_modules/other/web'), { recursive: true });
  await symlink('loop', join(folder, 'loop'));
  await symlink('torn-1.0.0.tgz', join(folder, 'torn-2.0.0.tgz'));
  const listed = await listCharts([folder]);
  assert.deepEqual(
    listed.map(({ chart, sourceRef, fault }) => [chart?.metadata.name, sourceRef, fault !== undefined]),
    [
      ['umbrella', { kind: 'HelmRepository', name: 'https://charts.example.com/stable' }, false],
      [undefined, { kind: 'Local', name: 'torn-1.0.0.tgz' }, true],
      [undefined, { kind: 'Local', name: 'torn-2.0.0.tgz' }, true],
      ['web', { kind: 'Local', name: 'web' }, false],
    ],
  );
  const registry = directoryRegistry([folder], { isFlat: true });
  for (const { chart, sourceRef } of listed) {
    if (!chart) continue;
    const { name, version } = chart.metadata;
    assert.equal((await registry.resolve({ name, version, sourceRef })).metadata.name, name);
  }
});

test('a folder that is a chart itself or does not exist is listed as such', async () => {
  const [web] = await listCharts([join(fixtures, 'web')]);
  assert.deepEqual(web?.sourceRef, { kind: 'Local', name: '.' });
  assert.deepEqual(await listCharts([join(fixtures, 'not-there')]), []);
});
