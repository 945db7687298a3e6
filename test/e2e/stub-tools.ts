// Runs both install scripts of the sample Order with stubs of `helm` and `kubectl`, and compares every call: on Windows the PowerShell scripts,
// in Windows PowerShell 5.1 and PowerShell 7, elsewhere the shell scripts. CI runs it on Windows.
// `node --import tsx test/e2e/stub-tools.ts`

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { renderOrder } from '../../render/api/order.ts';
import { folderRegistry } from '../../render/chart/registry.node.ts';
import { parseYamlMap } from '../../render/codec/yaml/parse.ts';
import { seededHost } from '../../render/core/host.ts';
import { temporaryFolder } from '../../scripts/dev/tools/tools.ts';
import { chartsDirectory, loadOrder } from '../support/orders.ts';

const isWindows = process.platform === 'win32';
const hosts = isWindows
  ? ['powershell', 'pwsh'].map((name) => [name, '-NoProfile', '-ExecutionPolicy', 'Bypass', '-File'])
  : [['sh']];

// A stub records its arguments and its input, prints the response of the test, and fails if its arguments contain FAIL.
const stub = `
import { appendFileSync, readFileSync } from 'node:fs';
const words = process.argv.slice(2);
const reads = words.includes('-') || words.includes('--filename=-');
appendFileSync(process.env.STUB_LOG, JSON.stringify({ words, input: reads ? readFileSync(0, 'utf8') : '' }) + '\\n');
const text = words.join(' ');
if (process.env.STUB_FAIL && text.includes(process.env.STUB_FAIL)) process.exit(7);
if (text.includes(' get namespace')) process.exit(process.platform === 'win32' ? 0 : 1);
if (text.includes('config current-context')) console.log('current');
if (text.includes('api-resources')) console.log('configmaps');
if (text.includes('--all-namespaces')) console.log(process.env.STUB_STALE ?? '');
else if (text.includes('custom-columns')) console.log(process.env.STUB_OBJECTS ?? '');
`;

interface Call {
  readonly words: readonly string[];
  readonly input: string;
}

const home = temporaryFolder('drydock stub tools ü ');
const tools = join(home, 'tools');
mkdirSync(tools);
writeFileSync(join(tools, 'stub.mjs'), stub);
for (const tool of ['helm', 'kubectl']) {
  writeFileSync(join(tools, `${tool}.cmd`), `@node "%~dp0stub.mjs" ${tool} %*\r\n`);
  writeFileSync(join(tools, tool), `#!/bin/sh\nexec node "$(dirname "$0")/stub.mjs" ${tool} "$@"\n`);
  chmodSync(join(tools, tool), 0o755);
}

const rendered = await renderOrder(loadOrder('shop.yaml'), {
  registry: folderRegistry([chartsDirectory]),
  host: seededHost(),
});
const os = isWindows ? 'windows' : 'linux';
const file = join(home, isWindows ? 'install.ps1' : 'install.sh');

/** Runs a script in a shell and returns its exit code, its output, and every call of a tool. */
function run(
  host: readonly string[],
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const log = join(home, 'calls.jsonl');
  writeFileSync(file, script);
  writeFileSync(log, '');
  const [command = '', ...words] = host;
  const path = `${tools}${delimiter}${process.env.PATH}`;
  const all = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^path$/i.test(name)));
  const { status, stdout, stderr } = spawnSync(command, [...words, file, ...args], {
    cwd: home,
    env: { ...all, PATH: path, STUB_LOG: log, KUBE_CONTEXT: 'my cluster', ...env },
    encoding: 'utf8',
  });
  const lines = readFileSync(log, 'utf8').split('\n').filter(Boolean);
  return { code: status, output: `${stdout}${stderr}`, calls: lines.map((line) => JSON.parse(line) as Call) };
}

/** Returns the calls that change a cluster or wait for it, without the arguments that all of them have. */
const actionsOf = (calls: readonly Call[]): string[] =>
  calls
    .map(({ words }) =>
      words.filter((word) => !/^(?:--(?:kube-)?context.*|my cluster|--timeout|--timeout=.*|600s)$/.test(word)),
    )
    .filter(([, verb = '']) => /^(?:upgrade|uninstall|apply|create|delete|diff|wait|rollout)$/.test(verb))
    .map((words) =>
      words
        .join(' ')
        .replaceAll(`${home}${isWindows ? '\\' : '/'}`, '')
        .replaceAll('\\', '/'),
    );

for (const host of hosts) {
  const helm = rendered.helmScript(os);
  const kubectl = rendered.yamlScript(os);
  const label = /package=(web\.\w+)/.exec(kubectl)?.[1] ?? '';

  const installed = run(host, helm, ['--force-conflicts']);
  assert.equal(installed.code, 0, installed.output);
  const upgrade = (release: string, chart: string, namespace: string): RegExp =>
    new RegExp(
      `^helm upgrade --install ${release} charts/${chart} --namespace ${namespace} --create-namespace --reset-values --wait .*--force-conflicts`,
    );
  const [first = '', second = '', ...waits] = actionsOf(installed.calls);
  assert.match(first, upgrade('backend', 'postgres', 'data'));
  assert.match(second, upgrade('web', 'web', 'shop'));
  assert.deepEqual(waits, [
    'kubectl wait deployments.apps/web --for=condition=Available --namespace=shop',
    'kubectl wait pods --selector=app.kubernetes.io/instance=web --for=condition=Ready --namespace=shop',
  ]);
  assert.deepEqual(
    installed.calls.filter(({ input }) => input !== '').map(({ input }) => parseYamlMap(input)),
    rendered.packages.map(({ values }) => values.overlay),
  );
  assert.deepEqual(
    actionsOf(run(host, helm, ['uninstall']).calls).map((words) => words.split(' ').slice(0, 3).join(' ')),
    ['helm uninstall web', 'helm uninstall backend'],
  );
  const failed = run(host, helm, [], { STUB_FAIL: 'upgrade' });
  assert.deepEqual([failed.code, actionsOf(failed.calls).length], [7, 1], failed.output);

  const applied = run(host, kubectl, [], { STUB_STALE: 'v1 ConfigMap shop old drydock-shop-web' });
  assert.equal(applied.code, 0, applied.output);
  assert.deepEqual(
    actionsOf(applied.calls).map((words) => words.split(' ').slice(0, 4).join(' ')),
    [
      'kubectl create namespace data',
      'kubectl apply --server-side --field-manager=drydock-data-backend',
      'kubectl rollout status statefulset.v1.apps/backend-postgres',
      'kubectl create namespace shop',
      'kubectl apply --server-side --field-manager=drydock-shop-web',
      'kubectl rollout status deployment.v1.apps/web',
      'kubectl wait deployments.apps/web --for=condition=Available',
      'kubectl wait pods --selector=app.kubernetes.io/instance=web',
    ],
  );
  assert.match(applied.output, /not in the Order: kubectl delete configmap old --namespace=shop/);

  const foreign = run(host, kubectl, [], { STUB_OBJECTS: 'v1 ConfigMap data backend-postgres <none> <none>' });
  assert.deepEqual([foreign.code, actionsOf(foreign.calls)], [1, ['kubectl create namespace data']], foreign.output);
  const removed = run(host, kubectl, ['uninstall'], { STUB_OBJECTS: `v1 ConfigMap shop one ${label} <none>` });
  assert.equal(removed.code, 0, removed.output);
  assert.deepEqual(actionsOf(removed.calls), [
    `kubectl delete configmap --namespace=shop --selector=releases.x-helm.dev/package=${label} --field-selector=metadata.name=one`,
  ]);
  const stopped = run(host, kubectl, [], { STUB_FAIL: 'rollout' });
  assert.deepEqual([stopped.code, actionsOf(stopped.calls).length], [7, 3], stopped.output);
  console.log(`${host[0]}: both scripts call the expected tools`);
}
rmSync(home, { recursive: true, force: true });
