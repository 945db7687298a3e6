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

const refused: readonly (readonly [string, DemoOptions, { readonly code: string; readonly message: RegExp }])[] = [
  [
    'more than 100 charts',
    { charts: Array<typeof archive>(101).fill(archive) },
    { code: 'ARGUMENT_INVALID', message: /^101 charts are too many: a demo has at most 100: pass fewer chart folders/ },
  ],
  [
    'a chart that is not from disk',
    { charts: [{ chart, sourceRef: { kind: 'Local', name: 'web' } }] },
    { code: 'CHART_INVALID', message: /^chart web 1\.0\.0 comes from no file/ },
  ],
  [
    'something else than a chart',
    { charts: [{} as never] },
    { code: 'ARGUMENT_INVALID', message: /^writeDemo: options\.charts\[0\]: must be a chart with its sourceRef/ },
  ],
  [
    'invalid settings',
    { emulator: { pageSize: 0 } },
    { code: 'SETTING_INVALID', message: /^pageSize: must be at least 1/ },
  ],
];
for (const [name, options, error] of refused) {
  test(`refuses ${name}`, async () => {
    await assert.rejects(writeDemo(folder, options), error);
    assert.equal(existsSync(folder), false);
  });
}
