// The functions of drydock/node that read charts and Orders from files, called by a script instead of a command.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  checkUpgradePaths,
  compileScriptTemplate,
  coverChartPath,
  explainOrderFailures,
  inspectOrderFile,
  listInputImages,
  listInputValues,
  traceInput,
} from '../../../render/disk.node.ts';
import {
  checkOrderUpgrade,
  explain,
  explanationPage,
  formatExplanation,
  formatImpact,
  impact,
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
  let messages = '';
  const stderr = (text: string): void => {
    messages += text;
  };
  return { ...rest, run: { cwd: folder, env: {}, stderr }, messages: () => messages };
}

test('a traced chart is explained from its path', async () => {
  const { run } = project();
  const traced = await traceInput('web', { ...run, settings: { set: ['replicas=5'] } });
  const { value, lines } = explain(traced, { object: 'Deployment/web', path: 'spec.replicas' });
  assert.equal(value, 5);
  assert.match(
    formatExplanation({ object: '', source: '', value, lines }),
    /set by --set replicas=5\n {4}over web\/values\.yaml:1:1/,
  );
  assert.match(
    formatExplanation(explain(traced, { object: 'Deployment/web' })),
    /^web\/templates\/a\.yaml:4 \| {3}replicas: 5$/m,
  );
  assert.match(formatImpact(impact(traced, 'image')), /appears in spec\.image/);
  assert.ok(explanationPage(traced, { title: 'web' }).includes('image: {{ .Values.image }}'));
});

test('a traced Order has the places of the Order', async () => {
  const { run } = project();
  const traced = await traceInput('order.yaml', run);
  const { lines } = explain(traced, { object: 'Deployment/web', path: 'spec.replicas' });
  const [setter] = lines.flatMap(({ parts }) => parts.flatMap(({ values }) => values.flatMap(({ setBy }) => setBy)));
  assert.deepEqual([setter?.where, setter?.line], ['order.yaml', 9]);
  assert.equal(traced.files.get('order.yaml'), order);
});

test('values are listed with what nothing reads, on request', async () => {
  const { run } = project();
  const [web] = await listInputValues('order.yaml', { ...run, unread: true });
  assert.equal(web?.package, 'shop');
  assert.deepEqual(
    web?.values.map(({ path, value, isUnread, isGiven }) => [path, value, isUnread, isGiven]),
    [
      ['image', 'nginx:1.27', false, false],
      ['replicas', 2, false, true],
      ['unused', true, true, true],
    ],
  );
  const [chart] = await listInputValues('web', run);
  assert.deepEqual(
    [chart?.package, chart?.values.map(({ isUnread }) => isUnread)],
    [undefined, [undefined, undefined]],
  );
});

test('the images of a chart and of an Order', async () => {
  const { run } = project();
  const listed = await Promise.all(
    ['web', 'order.yaml'].map((input) => listInputImages(input, { ...run, maxSeconds: 5 })),
  );
  assert.deepEqual(
    listed.map((images) => images.map(({ reference, package: name }) => [reference, name])),
    [[['nginx:1.27', undefined]], [['nginx:1.27', 'shop']]],
  );
});

test('issues of some Kubernetes versions name them, and refused versions are skipped', async () => {
  const { run, write } = project();
  write({
    'web/Chart.yaml': `${chartYaml('web')}kubeVersion: '>=1.24'\n`,
    'web/templates/a.yaml': 'apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: a}\n',
  });
  const settings = { kubeVersions: ['1.20', '1.24', '1.30'], validate: 'strict' } as const;
  const issues = await inspectOrderFile('order.yaml', { ...run, settings });
  const messages = issues.map(({ severity, message }) => `${severity}: ${message}`);
  assert.ok(
    messages.some((text) => /^error: .*policy\/v1beta1.*\(Kubernetes 1\.30\)$/.test(text)),
    messages.join('\n'),
  );
  assert.ok(
    messages.includes('note: Kubernetes 1.20 is skipped: the chart requires kubeVersion >=1.24'),
    messages.join('\n'),
  );
});

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

test('the coverage of a chart by its cases', async () => {
  const { run, write, messages } = project();
  write({
    'web/Chart.yaml': `${chartYaml('web')}kubeVersion: '>=1.24'\n`,
    'web/ci/a-values.yaml': 'replicas: 2\n',
    'web/ci/b-values.yaml': '# drydock: upgrade\n{}\n',
  });
  const settings = { kubeVersions: ['1.20', '1.30'] };
  const { coverage, folder } = await coverChartPath('web', { ...run, settings, upgrade: true });
  assert.equal(folder, 'web/');
  assert.deepEqual(
    coverage.cases.map(({ name }) => name),
    ['a-values 1.30', 'a-values 1.30 upgrade', 'b-values 1.30', 'b-values 1.30 upgrade'],
  );
  assert.equal(messages(), 'Note: web: Kubernetes 1.20 is skipped: the chart requires kubeVersion >=1.24\n');
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

test('a compiled template replaces a script', async () => {
  const scriptTemplates = {
    'helm.ps1': await compileScriptTemplate('{{#each packages}}{{release}}\n{{/each}}', 'a.hbs', 'windows'),
  };
  const registry = memoryRegistry([loadChart({ 'Chart.yaml': chartYaml('web') })]);
  const rendered = await renderOrder(readOrder(order, 'a').value, { registry, scriptTemplates });
  assert.equal(rendered.helmScript('windows'), "'shop'\n");
});
