// The list of charts in folders, their selections for an Order, and errors.

import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { listCharts } from '../../../emulator/rendering/chart-folders.node.ts';
import { directoryRegistry } from '../../../render/disk.node.ts';

const fixtures = join(import.meta.dirname, '../../../fixtures/charts');

test('charts are listed with sources by which they are found again', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'drydock-charts-'));
  t.after(() => rm(folder, { recursive: true }));
  await cp(join(fixtures, 'web'), join(folder, 'web'), { recursive: true });
  await cp(join(fixtures, 'umbrella'), join(folder, 'charts.example.com/stable/umbrella'), { recursive: true });
  await mkdir(join(folder, 'node_modules/other'), { recursive: true });
  await cp(join(fixtures, 'web'), join(folder, 'node_modules/other/web'), { recursive: true });
  await writeFile(join(folder, 'torn-1.0.0.tgz'), 'no archive');
  const listed = await listCharts([folder]);
  assert.deepEqual(
    listed.map(({ chart, sourceRef, fault }) => [chart?.metadata.name, sourceRef, fault !== undefined]),
    [
      ['umbrella', { kind: 'HelmRepository', name: 'https://charts.example.com/stable' }, false],
      [undefined, { kind: 'Local', name: 'torn-1.0.0.tgz' }, true],
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
