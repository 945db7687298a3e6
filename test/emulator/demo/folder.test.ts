// The content of a demo that is refused, before anything is written. `test/e2e/demo.test.ts` writes demos.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
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
