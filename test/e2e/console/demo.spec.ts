// Tests that the static demo works below any path and, once its files are loaded, offline.

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'node:test';
import type { Page } from 'playwright-core';
import { digestBytes } from '../../../render/chart/digest.ts';
import { packBundle } from '../../../render/vendor/lock/bundle.ts';
import { temporaryFolder } from '../../../scripts/dev/tools/tools.ts';
import { chartArchive } from './console-page.ts';
import { demoTest, skipInFirefox } from './fixture.ts';
import { testAccessibility } from './screens.ts';

const path = '/some/where/';

describe('Demo', () => {
  const test = demoTest(path);

  test(
    'a chart folder, values, a bundle and an Order are dropped from disk',
    async ({ app, page }) => {
      await app.addRendered('redis 1.8.3');
      const before = await app.orderText();
      const folder = temporaryFolder('drydock-dropped-');
      const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Values.word | default "held" }}}\n';
      await mkdir(join(folder, 'held/templates'), { recursive: true });
      await writeFile(join(folder, 'held/Chart.yaml'), 'apiVersion: v2\nname: held\nversion: 0.1.0\n');
      await writeFile(join(folder, 'held/templates/map.yaml'), map);
      await writeFile(join(folder, 'values.yaml'), 'word: from-values\n');
      await writeFile(join(folder, 'bundle.tgz'), bundle());
      await writeFile(join(folder, 'order.yaml'), before);
      await dropPath(page, join(folder, 'held'));
      await app.untilRendered('held');
      await dropPath(page, join(folder, 'values.yaml'));
      await app.untilOutlined('from-values');
      await dropPath(page, join(folder, 'bundle.tgz'));
      await app.untilRendered('bundled');
      await dropPath(page, join(folder, 'order.yaml'));
      await app.untilRendered('redis');
      assert.equal(await app.orderText(), before);
    },
    skipInFirefox('the driver cannot drop files from disk'),
  );
});

describe('Demo without its host', () => {
  demoTest(path)('works on a phone, with the charts dropped before', async ({ app, page, stop }) => {
    await app.addRendered('redis 1.8.3');
    await app.dropFile('small-1.0.0.tgz', chartArchive('small', 'a: b'));
    await app.untilRendered('small');
    await app.untilOffline();
    await stop();
    await page.setViewportSize({ width: 360, height: 740 });
    await page.reload();
    await app.openTab('Preview');
    await app.untilRendered('redis');
    await app.untilRendered('small');
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    assert.ok((await app.callEmulator('GET', 'charts')).includes('"small"'));
  });
});

describe('Screens of the demo', () => testAccessibility(demoTest(), [360]));

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
    digest: digestBytes(archive),
  };
  const order = `apiVersion: releases.x-helm.dev/v1alpha1\nkind: Order\nmetadata: {name: o}\nspec:\n  packages:\n    - chart: {name: bundled, version: ^1, sourceRef: {name: "${source}"}, releaseName: bundled, namespace: ns}\n`;
  return packBundle(order, { folder: 'charts', charts: [locked] }, new Map([['a.tgz', archive]]));
}
