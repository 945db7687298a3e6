// Tests that the static demo works below any path and, once its files are loaded, offline.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'node:test';
import type { Page } from 'playwright-core';
import { createEmulator } from '../../../emulator/index.ts';
import { archiveDigest } from '../../../render/vendor/lock/locked.ts';
import { packBundle } from '../../../render/vendor/lock/pack.ts';
import {
  addRendered,
  callEmulator,
  chartArchive,
  dropFile,
  openTab,
  orderText,
  untilOffline,
  untilOutlined,
  untilRendered,
} from './console-page.ts';
import { demoTest, skipInFirefox } from './fixture.ts';
import { testAccessibility } from './screens.ts';

const path = '/some/where/';

describe('Demo', () => {
  const test = demoTest(path);

  test('renders the same bytes as an emulator in Node', async ({ page }) => {
    await addRendered(page, 'redis 1.8.3');
    const now = '2026-01-02T03:04:05Z';
    await callEmulator(page, 'PUT', 'clock', { now, frozen: true });
    const body = { order: await orderText(page) };
    const response = await createEmulator({ now }).fetch('/__drydock/preview', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const expected = await response.text();
    assert.ok(expected.length > 1000);
    assert.equal(await callEmulator(page, 'POST', 'preview', body), expected);
  });

  test(
    'a chart folder, values, a bundle and an Order are dropped from disk',
    async ({ page }) => {
      await addRendered(page, 'redis 1.8.3');
      const before = await orderText(page);
      const folder = await mkdtemp(join(tmpdir(), 'drydock-dropped-'));
      const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Values.word | default "held" }}}\n';
      try {
        await mkdir(join(folder, 'held/templates'), { recursive: true });
        await writeFile(join(folder, 'held/Chart.yaml'), 'apiVersion: v2\nname: held\nversion: 0.1.0\n');
        await writeFile(join(folder, 'held/templates/map.yaml'), map);
        await writeFile(join(folder, 'values.yaml'), 'word: from-values\n');
        await writeFile(join(folder, 'bundle.tgz'), bundle());
        await writeFile(join(folder, 'order.yaml'), before);
        await dropPath(page, join(folder, 'held'));
        await untilRendered(page, 'held');
        await dropPath(page, join(folder, 'values.yaml'));
        await untilOutlined(page, 'from-values');
        await dropPath(page, join(folder, 'bundle.tgz'));
        await untilRendered(page, 'bundled');
        await dropPath(page, join(folder, 'order.yaml'));
        await untilRendered(page, 'redis');
      } finally {
        await rm(folder, { recursive: true });
      }
      assert.equal(await orderText(page), before);
    },
    skipInFirefox('the driver cannot drop files from disk'),
  );
});

describe('Demo without its host', () => {
  demoTest(path)('works on a phone, with the charts dropped before', async ({ page, stop }) => {
    await addRendered(page, 'redis 1.8.3');
    await dropFile(page, 'small-1.0.0.tgz', chartArchive('small', 'a: b'));
    await untilRendered(page, 'small');
    await untilOffline(page);
    await stop();
    await page.setViewportSize({ width: 360, height: 740 });
    await page.reload();
    await openTab(page, 'Preview');
    await untilRendered(page, 'redis');
    await untilRendered(page, 'small');
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    assert.ok((await callEmulator(page, 'GET', 'charts')).includes('"small"'));
  });
});

describe('Screens of the demo', () => testAccessibility(demoTest()));

/** Drops a file or folder of this machine onto the page, as a user does. */
async function dropPath(page: Page, path: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await devtools.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data });
}

function bundle(): Uint8Array {
  const source = 'https://charts.example.com';
  const archive = chartArchive('bundled', 'a: b');
  const locked = {
    source,
    name: 'bundled',
    asked: '^1',
    version: '1.0.0',
    archive: 'a.tgz',
    digest: archiveDigest(archive),
  };
  const order = `apiVersion: releases.x-helm.dev/v1alpha1\nkind: Order\nmetadata: {name: o}\nspec:\n  packages:\n    - chart: {name: bundled, version: ^1, sourceRef: {name: "${source}"}, releaseName: bundled, namespace: ns}\n`;
  return packBundle(order, { folder: 'charts', charts: [locked] }, new Map([['a.tgz', archive]]));
}
