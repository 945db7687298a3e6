// Request bodies as Orders: what is stored, and how many errors are reported for a body full of them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseOrderText } from '../../../emulator/rendering/read-order.ts';
import type { OrderFindings } from '../../../emulator/rendering/renderer.ts';
import type { Json } from '../../../emulator/store/json.ts';
import type { RenderError } from '../../../render/index.ts';

function read(body: Json): ReturnType<typeof parseOrderText> {
  return parseOrderText(new TextEncoder().encode(JSON.stringify(body)));
}

const sourceRef = { kind: 'Embed', name: 'here' };
const chart = { name: 'web', sourceRef, version: '1.0.0', releaseName: 'r', namespace: 'n' };
const spec = { packages: [{ chart }] };

test('what the store adds to an order goes to the end of its metadata, and everything else keeps its place', () => {
  const body = { extra: [1], metadata: { uid: 'sent', creationTimestamp: 'sent', labels: {} }, spec, last: null };
  const { parts } = read(body) as OrderFindings;
  const order = JSON.parse(`${parts[0]}"uid":"given"${parts[1]}`) as Record<string, Json>;
  assert.deepEqual(Object.keys(order), ['extra', 'metadata', 'spec', 'last', 'apiVersion', 'kind']);
  assert.deepEqual(order.metadata, { labels: {}, name: 'r', uid: 'given' });
});

test('of an order with unusual or invalid lines, the first error is reported', () => {
  const odd = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`k${i}`, i]));
  assert.equal((read({ spec: { packages: [{ chart: { ...chart, ...odd } }] } }) as OrderFindings).warnings.length, 20);
  const wrong = { spec: { packages: Array.from({ length: 1000 }, () => ({ chart: 1 })) } };
  assert.throws(
    () => read(wrong),
    (failure: RenderError) => failure.issues.length === 500 && /\(and \d+ more\)$/.test(failure.message),
  );
});
