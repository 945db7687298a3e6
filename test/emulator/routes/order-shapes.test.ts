// The Order in the API document: it matches what the emulator accepts and returns, and not what it refuses.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { orderAnswer, orderBody } from '../../../emulator/routes/orders.ts';
import { as, strictEmulator } from '../../support/emulator.ts';

const orders = '/user/deploy/orders';
const chart = { name: 'web', sourceRef: { kind: 'Embed', name: 'fixtures' }, releaseName: 'shop', namespace: 'shop' };
const ajv = new Ajv2020({ strict: false, validateFormats: false });
const fitsBody = ajv.compile(orderBody.schema);
const fitsAnswer = ajv.compile(orderAnswer.schema ?? false);

test('the document describes an Order completely', async () => {
  const response = await strictEmulator().fetch('http://a.example/swagger.v1.json');
  const { components, paths } = (await response.json()) as {
    components: { schemas: Record<string, { properties?: object }> };
    paths: Record<string, Record<string, { requestBody: object; responses: Record<number, object> }>>;
  };
  const { requestBody, responses } = paths[orders]?.post ?? {};
  assert.match(JSON.stringify(requestBody), /schemas\/CreateOrderOption"/);
  assert.match(JSON.stringify(responses?.[200]), /schemas\/Order"/);
  const { ChartSelection, OrderMetadata, StoredOrderMetadata } = components.schemas;
  assert.ok('releaseName' in (ChartSelection?.properties ?? {}));
  assert.ok(!('creationTimestamp' in (OrderMetadata?.properties ?? {})));
  assert.ok('creationTimestamp' in (StoredOrderMetadata?.properties ?? {}));
});

for (const sent of [
  { spec: { packages: [{ chart }] } },
  { metadata: { labels: { a: 'b' } }, spec: { items: [{ chart: { ...chart, note: 'kept' } }] }, more: [1] },
  { kind: '', metadata: null, status: 'x', spec: { packages: [{ chart: { ...chart, values: null } }], items: null } },
]) {
  test(`accepted, and returned as declared: ${JSON.stringify(sent)}`, async () => {
    const { status, json } = await as(strictEmulator(), 'hana')('POST', orders, sent);
    assert.equal(status, 200);
    assert.ok(fitsBody(sent), ajv.errorsText(fitsBody.errors));
    assert.ok(fitsAnswer(json()), ajv.errorsText(fitsAnswer.errors));
  });
}

for (const sent of [
  { spec: { packages: [{ chart: { ...chart, releaseName: 'No Name' } }] } },
  { spec: null },
  { metadata: 'shop', spec: { packages: [{ chart }] } },
  { spec: { packages: [{ chart }], kubeVersion: 'a\nb' } },
]) {
  test(`refused with every issue: ${JSON.stringify(sent)}`, async () => {
    const { status, at } = await as(strictEmulator(), 'hana')('POST', orders, sent);
    assert.equal(status, 422);
    assert.ok((at('issues') as readonly unknown[]).length > 0);
    assert.ok(!fitsBody(JSON.parse(JSON.stringify(sent))));
  });
}

test('the preferred sample of a response is an Order', async () => {
  const { json } = await as(strictEmulator(), 'hana')('POST', orders, undefined, { Prefer: 'code=200' });
  assert.ok(fitsAnswer(json()), ajv.errorsText(fitsAnswer.errors));
});
