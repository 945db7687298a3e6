// Settings of some charts in the configuration, and the Kubernetes versions that charts are rendered for.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chartIn, chartYaml, createProject } from '../../support/project.ts';

function chart(name: string, kubeVersion = ''): Record<string, string> {
  return chartIn(`charts/${name}`, {
    'Chart.yaml': chartYaml(name, kubeVersion === '' ? '' : `kubeVersion: "${kubeVersion}"\n`),
    'values.yaml': 'size: 1\n',
    'values.schema.json': '{"properties": {"size": {"type": "integer"}}}',
    'templates/a.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}, namespace: {{ .Release.Namespace }}}
data: {size: {{ .Values.size | quote }}, kube: {{ .Capabilities.KubeVersion.Version }}, crd: {{ .Capabilities.APIVersions.Has "x.io/v1" | quote }}}
`,
  });
}

function createConfigured(config: unknown, files: Readonly<Record<string, string>> = {}) {
  const { read, run } = createProject({
    'package.json': '{}',
    'drydock.config.json': JSON.stringify(config, null, 2),
    ...chart('web'),
    ...chart('api'),
    'values/big.yaml': 'size: 7\n',
    'values/bad.yaml': 'size: large\n',
    ...files,
  });
  return { read, run: (...argv: readonly string[]) => run(argv) };
}

test('settings by path and pattern apply to the charts they name, and the command line overrides them', async () => {
  const config = {
    snapshot: { inputs: ['charts'], namespace: 'all' },
    chartSettings: {
      'charts/*': { set: ['size=3'], namespace: 'each' },
      'charts/web': { values: ['values/big.yaml', 'values/bad.yaml'], set: [], skipSchemaValidation: true },
      'charts/a{pi,rc}/': { apiVersions: ['x.io/v1'], kubeVersion: ['1.31', '1.32'] },
    },
  };
  const { read, run } = createConfigured(config);
  assert.equal((await run('snapshot', '--update', '--no-cache')).exitCode, 0);
  assert.equal((await run('snapshot', '--jobs', '2')).exitCode, 0);
  assert.match(read('snapshots/web.snap/big.yaml'), /namespace: each[\s\S]*size: "7"/);
  assert.match(read('snapshots/web.snap/bad.yaml'), /size: "large"/);
  assert.match(read('snapshots/api.snap/default.yaml'), /size: "3", kube: v1\.31, crd: "true"/);
  const { stdout } = await run('diff', 'charts/web', '--new-set', 'size=9', '--json');
  const { charts } = JSON.parse(stdout) as {
    readonly charts: readonly {
      readonly cells: string[];
      readonly objects: readonly { readonly entries: unknown }[];
    }[];
  };
  assert.deepEqual(
    charts.map(({ cells }) => cells),
    [['big'], ['bad']],
  );
  const api = await run('explain', 'charts/api', 'ConfigMap/api', 'data');
  assert.match(api.stdout, /size: "?3"?/);
  assert.match((await run('coverage', 'charts/api', '--json')).stdout, /default 1\.31/);
});

test('settings of the wrong type are refused with their paths', async () => {
  const { run } = createConfigured({
    chartSettings: {
      'charts/wbe': { kubeVersion: ['1.31'] },
      'charts/web': { kubeVersions: ['1.31'], skipSchemaValidation: 'yes', values: [1], validate: 'loose' },
      'charts/*': 3,
    },
  });
  const { exitCode, stderr } = await run('snapshot', 'charts/web');
  assert.notEqual(exitCode, 0);
  assert.match(
    stderr,
    /drydock\.config\.json:\d+:\d+: chartSettings\["charts\/web"\]\.kubeVersions: there is no such member; did you mean "kubeVersion"\?/,
  );
  assert.match(stderr, /chartSettings\["charts\/web"\]\.skipSchemaValidation: expected true or false, not "yes"/);
  assert.match(stderr, /chartSettings\["charts\/web"\]\.values\[0\]: expected a text in quotes, not 1/);
  assert.match(stderr, /chartSettings\["charts\/web"\]\.validate: takes strict, warn, ignore, not "loose"/);
  assert.match(stderr, /chartSettings\["charts\/\*"\]: expected an object, not 3/);
  const missing = createConfigured({ chartSettings: { 'charts/wbe': { set: ['a=b'] } } });
  const reported = await missing.run('diff', 'charts/web', 'charts/api');
  assert.match(reported.stderr, /chartSettings\["charts\/wbe"\]: there is no chart charts\/wbe/);
});

const order = `kind: Order
spec:
  packages:
    - chart: {name: web, sourceRef: {kind: Local, name: charts/web}, releaseName: web, namespace: web, values: {size: large}}
    - chart: {name: new, sourceRef: {kind: Local, name: charts/new}, releaseName: new, namespace: web}
`;

test('an Order uses the schema validation setting of its charts, and skips versions that a chart rejects', async () => {
  const files = { ...chart('new', '>=1.30'), 'order.yaml': order };
  const strict = createConfigured({}, files);
  assert.match((await strict.run('check', 'order.yaml', '--kube-version', '1.31')).stderr, /size/);
  const { run } = createConfigured({ chartSettings: { 'charts/web': { skipSchemaValidation: true } } }, files);
  assert.equal((await run('render', 'order.yaml', '--kube-version', '1.31')).exitCode, 0);
  const found = await run('check', 'order.yaml', '--kube-version', '1.29,1.31');
  assert.deepEqual([found.exitCode, found.stdout], [0, '0 errors, 0 warnings, 1 note\n'], found.stderr);
  assert.match(
    found.stderr,
    /order\.yaml:5:.*note: .*Kubernetes 1\.29 is skipped: the chart requires kubeVersion >=1\.30/,
  );
  assert.equal((await run('check', 'order.yaml', '--kube-version', '1.28,1.29')).exitCode, 1);
  assert.equal((await run('snapshot', 'order.yaml', '--kube-version', '1.29,1.31', '--update')).exitCode, 0);
});

test('coverage skips versions that a chart rejects, and diff uses one that both sides accept', async () => {
  const files = { ...chart('new', '>=1.30'), ...chart('newer', '>=1.32') };
  const { run } = createConfigured({}, files);
  const same = await run('diff', 'charts/new', 'charts/newer', '--ignore', 'kind=ConfigMap because x');
  assert.equal(same.exitCode, 0);
  const none = await run('diff', 'charts/newer', 'charts/newer', '--kube-version', '1.29');
  assert.deepEqual([none.exitCode, /incompatible with Kubernetes v1\.29/.test(none.stderr)], [2, true]);
  const covered = await run('coverage', 'charts/new', '--kube-version', '1.29,1.31');
  assert.deepEqual(
    [covered.exitCode, covered.stderr],
    [0, 'Note: charts/new: Kubernetes 1.29 is skipped: the chart requires kubeVersion >=1.30\n'],
  );
});
