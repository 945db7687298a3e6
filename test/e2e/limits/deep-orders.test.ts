// Orders nested up to the limit and beyond: every route of the emulator accepts them or rejects them with a message.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxDepth } from '../../../render/core/arguments.ts';
import { loadChart, memoryRegistry } from '../../../render/index.ts';
import { as, strictEmulator } from '../../support/emulator.ts';

const chart = loadChart({
  'Chart.yaml': 'apiVersion: v2\nname: deep\nversion: 1.0.0\n',
  'templates/a.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {text: {{ toJson .Values.deep | quote }}}\n',
});

/** Returns JSON of the given depth, with lists and objects alternating. */
function valuesOf(levels: number): string {
  return `${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`;
}

function orderOf(levels: number): string {
  const selection = `"name":"deep","version":"1.0.0","releaseName":"r","namespace":"n","sourceRef":{"kind":"Embed","name":"x"}`;
  return `{"spec":{"packages":[{"chart":{${selection},"values":{"deep":${valuesOf(levels)}}}}]}}`;
}

interface Recorded {
  readonly name: string;
  readonly status: number;
  readonly text: string;
}

async function callsOf(levels: number): Promise<readonly Recorded[]> {
  const call = as(strictEmulator({ registry: memoryRegistry([chart]), limits: { milliseconds: 60_000 } }), 'hana');
  const recorded: Recorded[] = [];
  const record = async (method: string, path: string, body?: unknown): Promise<string> => {
    const { status, text } = await call(method, path, body);
    recorded.push({ name: `${method} ${path.split('/').slice(-2).join('/')}`, status, text });
    return text;
  };
  const orders = '/user/deploy/orders';
  const uid = /"uid":"([0-9a-f-]{36})"/.exec(await record('POST', orders, orderOf(levels)))?.[1];
  if (uid !== undefined) {
    const forms = ['render/manifest', 'render/resources', 'render/resources?format=json', 'pkgmgr3', 'yaml'];
    for (const form of forms) await record('GET', `${orders}/${uid}/${form}`);
  }
  for (const path of ['orders', 'requests', 'state']) await record('GET', `//__drydock/${path}`);
  await record('PUT', '//__drydock/state', recorded.at(-1)?.text);
  const order = orderOf(levels);
  for (const form of ['', '/checks', '/resources']) await record('POST', `//__drydock/preview${form}`, { order });
  await record('POST', '//__drydock/preview/line', { order, line: 8 });
  await record('POST', '//__drydock/preview/diff', { order, base: { order: orderOf(2) } });
  return recorded;
}

test('an Order nested up to the limit works through every entry point', async () => {
  const levels = maxDepth - 10;
  const recorded = await callsOf(levels);
  for (const { name, status, text } of recorded) {
    assert.ok(status === 200 || status === 204, `${name}: ${text.slice(0, 300)}`);
  }
  const [stored, manifest] = recorded;
  assert.ok(stored?.text.includes(valuesOf(levels)));
  assert.ok(manifest?.text.includes(JSON.stringify(valuesOf(levels)).slice(1, -1)));
});

test('a deeper Order is rejected with LIMIT_REACHED', async () => {
  for (const levels of [maxDepth, 200_000]) {
    for (const { name, status, text } of await callsOf(levels)) {
      const isOrderRoute = /orders$|preview/.test(name) && name.startsWith('POST');
      if (!isOrderRoute) assert.ok(status < 300, `${name}: ${text.slice(0, 300)}`);
      else {
        assert.equal(status, 422, name);
        const { code, message } = JSON.parse(text) as { readonly code?: string; readonly message: string };
        assert.equal(code, 'LIMIT_REACHED', `${name}: ${text.slice(0, 300)}`);
        assert.match(message, /is nested more than 500 levels deep/);
      }
    }
  }
});
