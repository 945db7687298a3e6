// Bundles and sealed packages: reproducible, and never replaced by another chart.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digestBytes } from '../../../render/chart/digest.ts';
import { loadArchive, memoryRegistry, openBundle, readOrder, renderOrder } from '../../../render/index.ts';
import { packBundle, packChart } from '../../../render/vendor/lock/bundle.ts';
import { sealOf } from '../../../render/vendor/lock/seal.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const files = new Map([
  ['Chart.yaml', encode('apiVersion: v2\nname: web\nversion: 1.2.0\n')],
  ['values.yaml', encode('port: 80\n')],
  [
    `templates/${'long-'.repeat(30)}name.yaml`,
    encode('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {p: "{{ .Values.port }}"}\n'),
  ],
]);
const archive = packChart('web', files);
const locked = {
  source: 'https://charts.example.com',
  name: 'web',
  asked: '^1',
  version: '1.2.0',
  archive: 'web.tgz',
  digest: digestBytes(archive),
};
const lock = { folder: 'charts', charts: [locked] };

function orderWith(more: Readonly<Record<string, unknown>> = {}): string {
  const sourceRef = { name: 'https://charts.example.com/' };
  const chart = { name: 'web', version: '^1', sourceRef, releaseName: 'r', namespace: 'n', ...more };
  return JSON.stringify({ spec: { packages: [{ chart }] } });
}

test('a bundle is reproducible, and renders without other files', async () => {
  const bundle = packBundle(orderWith(), lock, new Map([['web.tgz', archive]]));
  assert.deepEqual(
    packBundle(orderWith(), lock, new Map([['web.tgz', packChart('web', new Map([...files].reverse()))]])),
    bundle,
  );
  const { order, registry } = openBundle(bundle);
  const rendered = await renderOrder(readOrder(order, 'bundle').value, { registry });
  assert.match(rendered.manifest(), /# Source: web\/templates\/(?:long-){30}name\.yaml/);
  assert.match(rendered.manifest(), /p: "80"/);
});

test('an invalid bundle, or one with a modified archive, is refused', async () => {
  assert.throws(() => openBundle(archive), { code: 'CHART_INVALID', message: /has no order\.yaml/ });
  assert.throws(() => openBundle(encode('spec:')), { code: 'CHART_INVALID', message: /the bundle cannot be opened/ });
  assert.throws(() => openBundle('x' as never), { code: 'ARGUMENT_INVALID' });
  const other = packChart('web', new Map([...files, ['values.yaml', encode('port: 81\n')]]));
  const { order, registry } = openBundle(packBundle(orderWith(), lock, new Map([['web.tgz', other]])));
  await assert.rejects(renderOrder(JSON.parse(order), { registry }), {
    code: 'CHART_INVALID',
    message: /not the archive that drydock\.lock pins/,
  });
  const empty = openBundle(packBundle(orderWith(), lock, new Map()));
  await assert.rejects(renderOrder(JSON.parse(order), { registry: empty.registry }), {
    code: 'CHART_INVALID',
    message: /is not there/,
  });
});

test('a sealed package is rendered only with its own chart and values', async () => {
  const chart = loadArchive(archive);
  const registry = memoryRegistry([chart]);
  const rendered = await renderOrder(JSON.parse(orderWith()), { registry });
  const [item] = rendered.packages;
  assert(item !== undefined);
  const seal = sealOf(item.chart, item.values.values);
  const render = (more: Readonly<Record<string, unknown>>) =>
    renderOrder(JSON.parse(orderWith({ seal, ...more })), { registry });
  assert.equal((await render({})).manifest(), rendered.manifest());
  await assert.rejects(render({ values: { port: 81 } }), {
    code: 'VALUES_INVALID',
    memberPath: 'spec.packages[0].chart.seal.values',
  });
  const other = { ...seal, content: `sha256:${'0'.repeat(64)}` };
  await assert.rejects(render({ seal: other }), {
    code: 'CHART_INVALID',
    memberPath: 'spec.packages[0].chart.seal.content',
  });
  await assert.rejects(render({ seal: { content: 'x' } }), { code: 'ORDER_INVALID' });
});
