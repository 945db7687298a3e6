// The field that decides a line of a manifest.

import './page.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deciderOf } from '../../../emulator/console/order/why.ts';
import { createEmulator } from '../../../emulator/index.ts';

type Why = Parameters<typeof deciderOf>[0];

const order = `spec:
  packages:
    - chart: {name: web, version: 1.4.2, releaseName: shop, namespace: town, sourceRef: {name: samples}}
`;

test('the part under the pointer has its field, else the line has, else the purpose of the line', async () => {
  const emulator = createEmulator({ now: '2026-01-02T03:04:05Z' });
  const ask = async <Answer>(path: string, body: object): Promise<Answer> => {
    const headers = { 'Content-Type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await emulator.fetch(`/__drydock/preview${path}`, init)).json() as Promise<Answer>;
  };
  const { manifest } = await ask<{ manifest: string }>('', { order });
  const lines = manifest.split('\n');
  const decided = async (pattern: RegExp, word: string): Promise<unknown> => {
    const line = lines.findIndex((text) => pattern.test(text)) + 1;
    const why = await ask<Why>('/line', { order, line });
    const decider = deciderOf(why, (lines[line - 1] ?? '').indexOf(word) + 1);
    return decider && [decider.index, decider.path, decider.steps ?? decider.member];
  };
  assert.deepEqual(await decided(/^ {2}replicas:/, '2'), [0, 'replicaCount', ['replicaCount']]);
  assert.deepEqual(await decided(/^ {2}replicas:/, 'replicas'), [0, 'replicaCount', ['replicaCount']]);
  assert.deepEqual(await decided(/image: /, 'shop/web'), [0, 'image.repository', ['image', 'repository']]);
  assert.deepEqual(await decided(/image: /, 'registry'), [0, 'image.registry', ['image', 'registry']]);
  assert.deepEqual(await decided(/app.kubernetes.io\/instance/, 'shop'), [0, '.Release.Name', 'releaseName']);
  assert.deepEqual(await decided(/upstream cart/, 'cart:8080'), [
    0,
    'config.upstreams[1].url',
    ['config', 'upstreams', '1', 'url'],
  ]);
  assert.equal(await decided(/^kind: Service$/, 'Service'), undefined);
  assert.equal(await decided(/^---$/, '-'), undefined);
});
