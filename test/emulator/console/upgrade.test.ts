// The Order after an upgrade of a package.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type UpgradeResult, upgradedOrder } from '../../../emulator/console/order/document.ts';

const order = `spec:
  packages:
    - chart:
        name: web
        version: 1.0.0
        sourceRef: { kind: Local, name: web }
        values:
          # Three at least.
          replicaCount: 3
          image: { tag: "9" }
          old: x
          never: y
`;
const report: UpgradeResult = {
  values: [
    { path: 'replicaCount', value: 3, kind: 'moved', to: 'replicas' },
    { path: 'image.tag', value: '9', kind: 'moved', to: 'version' },
    { path: 'old', value: 'x', kind: 'unread' },
    { path: 'never', value: 'y', kind: 'unused' },
  ],
  defaults: [],
};

test('moved values are moved, values no longer read are removed, and values never read stay', () => {
  const chart = { chart: 'web', version: '2.0.0', sourceRef: { kind: 'HelmRepository', name: 'web' } };
  assert.equal(
    upgradedOrder(order, { index: 0, chart, report }),
    order
      .replace('1.0.0', '2.0.0')
      .replace('replicaCount', 'replicas')
      .replace('          image: { tag: "9" }\n', '')
      .replace('          old: x\n', '')
      .replace(/$/, '          version: "9"\n'),
  );
});

test('a chart in a folder is found in the folder of the other version', () => {
  const chart = { chart: 'web', version: '2.0.0', sourceRef: { kind: 'Local', name: 'next/web' } };
  assert.match(
    upgradedOrder(order, { index: 0, chart, report }),
    /sourceRef: *\n? *\{?\s*kind: Local,?\s*name: next\/web/,
  );
});
