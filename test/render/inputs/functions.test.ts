// The functions of drydock/node that read charts and Orders from files, called by a script instead of a command.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkUpgradePaths, explainOrderFailures, traceInput } from '../../../render/disk.node.ts';
import {
  checkOrderUpgrade,
  loadChart,
  memoryRegistry,
  patchOrder,
  readOrder,
  renderOrder,
} from '../../../render/index.ts';
import { chartYaml, createProject } from '../../support/project.ts';

const deployment = `kind: Deployment
metadata: {name: web}
spec:
  replicas: {{ .Values.replicas }}
  image: {{ .Values.image }}
`;
const order = `spec:
  packages:
    - chart:
        name: web
        sourceRef: {kind: Local, name: web}
        releaseName: shop
        namespace: shop
        # Two are enough.
        values: {replicas: 2, unused: true}
`;

function project() {
  const { folder, ...rest } = createProject({
    'web/Chart.yaml': chartYaml('web'),
    'web/values.yaml': 'replicas: 1\nimage: nginx:1.27\n',
    'web/templates/a.yaml': deployment,
    'order.yaml': order,
  });
  return { ...rest, run: { cwd: folder, env: {}, stderr: () => {} } };
}

test('why the packages of an Order fail', async () => {
  const { write, run } = project();
  write({ 'web/templates/a.yaml': '{{ fail .Values.image }}' });
  const registry = memoryRegistry([
    loadChart({
      'Chart.yaml': chartYaml('web'),
      'values.yaml': 'image: a\n',
      'templates/a.yaml': '{{ fail .Values.image }}',
    }),
  ]);
  const input = {
    text: readOrder(order, 'order.yaml'),
    options: { registry },
    source: order,
    folders: [],
    pathOf: () => undefined,
  };
  const [[path, why] = []] = [...(await explainOrderFailures(input))];
  assert.equal(path, 'spec.packages[0]');
  assert.match(why ?? '', /web\/templates\/a\.yaml/);
  await assert.rejects(traceInput('order.yaml', run), { code: 'TEMPLATE_EXEC', message: /nginx:1\.27/ });
});

test('two versions of a chart, and of an Order with the values adapted', async () => {
  const { run, write } = project();
  const template = deployment.replace('.Values.replicas', '.Values.scale.replicas');
  const files = {
    'Chart.yaml': chartYaml('web', '', '2.0.0'),
    'values.yaml': 'scale: {replicas: 1}\nimage: nginx:1.27\n',
  };
  write({
    'next/Chart.yaml': files['Chart.yaml'],
    'next/values.yaml': files['values.yaml'],
    'next/templates/a.yaml': template,
  });
  const { before, after, values } = await checkUpgradePaths('web', 'next', {
    ...run,
    settings: { set: ['replicas=2'] },
  });
  assert.deepEqual([before.metadata.version, after.metadata.version], ['1.0.0', '2.0.0']);
  assert.deepEqual(values, [{ path: 'replicas', value: 2, kind: 'moved', to: 'scale.replicas' }]);
  const old = memoryRegistry([
    loadChart({
      'Chart.yaml': chartYaml('web'),
      'values.yaml': 'replicas: 1\nimage: a\n',
      'templates/a.yaml': deployment,
    }),
  ]);
  const registry = memoryRegistry([loadChart({ ...files, 'templates/a.yaml': template })]);
  const upgrade = await checkOrderUpgrade(readOrder(order, 'a').value, readOrder(order, 'b').value, {
    registry,
    oldRegistry: old,
  });
  const patched = patchOrder(order, upgrade);
  assert.ok(patched.includes('# Two are enough.'), patched);
  const rendered = await renderOrder(readOrder(patched, 'order.yaml').value, { registry });
  assert.match(rendered.manifest(), /replicas: 2$/m);
  const aliased = order.replace('values: {', 'values: &all {').concat('  values: *all\n');
  for (const source of ['spec: {}', '*a', '{', aliased]) {
    assert.throws(() => patchOrder(source, upgrade), {
      code: 'ARGUMENT_INVALID',
      message: /^patchOrder: source cannot/,
    });
  }
});
