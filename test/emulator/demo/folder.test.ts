// The content of a demo that is refused, before anything is written. `test/e2e/demo.test.ts` writes demos.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { demoFiles } from '../../../emulator/demo/folder.node.ts';
import { type DemoOptions, writeDemo } from '../../../emulator/server.node.ts';
import { loadChart } from '../../../render/index.ts';

const folder = join(tmpdir(), `drydock-no-demo-${process.pid}`);
const archive = { name: 'web.tgz', data: new Uint8Array() };
const chart = loadChart({ 'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n' });

const refused: readonly (readonly [DemoOptions, code: string, message: RegExp])[] = [
  [
    { charts: Array<typeof archive>(101).fill(archive) },
    'ARGUMENT_INVALID',
    /^101 charts are too many: a demo has at most 100: pass fewer chart folders/,
  ],
  [
    { charts: [{ chart, sourceRef: { kind: 'Local', name: 'web' } }] },
    'CHART_INVALID',
    /^chart web 1\.0\.0 has no archive or folder to pack/,
  ],
  [{ emulator: { pageSize: 0 } }, 'SETTING_INVALID', /^pageSize: must be at least 1/],
];
for (const [options, code, message] of refused) {
  test(`refused: ${message.source}`, async () => {
    await assert.rejects(writeDemo(folder, options), { code, message });
    assert.equal(existsSync(folder), false);
  });
}

test('the service worker of a new version stores no outdated files of the HTTP cache', async () => {
  const parts = { script: 'main.js', style: 'main.css', files: new Map(), early: [] };
  const worker = new TextDecoder().decode(demoFiles(parts).get('sw.js'));
  const stored: { readonly name: string; readonly cache: string }[] = [];
  let installed: Promise<unknown> | undefined;
  runInNewContext(worker, {
    registration: { scope: '/' },
    caches: { open: async () => ({ addAll: async (all: typeof stored) => void stored.push(...all) }) },
    skipWaiting: () => undefined,
    Request: class {
      readonly name: string;
      readonly cache: string;
      constructor(name: string, { cache }: { readonly cache: string }) {
        this.name = name;
        this.cache = cache;
      }
    },
    addEventListener: (name: string, listen: (event: object) => void) => {
      if (name === 'install') listen({ waitUntil: (done: Promise<unknown>) => (installed = done) });
    },
  });
  await installed;
  assert.deepEqual(
    stored.map(({ name, cache }) => [name, cache]),
    ['./', './given.js', './index.html'].map((name) => [name, 'no-cache']),
  );
});
