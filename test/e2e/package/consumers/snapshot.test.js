// A snapshot test as in the documentation.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderOrder, seededHost } from 'drydock';
import { directoryRegistry } from 'drydock/node';
import { matchSnapshot } from 'drydock/snapshot';

const fixtures = 'node_modules/drydock/fixtures';
const chart = { name: 'web', sourceRef: { kind: 'Embed', name: 'web' }, releaseName: 'r', namespace: 'n' };
const render = (values) =>
  renderOrder(
    { spec: { packages: [{ chart: { ...chart, values } }] } },
    { registry: directoryRegistry([`${fixtures}/charts`]), host: seededHost() },
  );

test('matches the recorded snapshot', async () => {
  await matchSnapshot(await render({}), 'snapshots/web', { update: true });
  await matchSnapshot(await render({}), 'snapshots/web');
  await assert.rejects(matchSnapshot(await render({ replicaCount: 9 }), 'snapshots/web'), {
    name: 'AssertionError',
    message: /^snapshots\/web is different: [\s\S]*^~ Deployment n\/r-web .*\n {2}~ spec\.replicas: 2 -> 9$/m,
  });
});
