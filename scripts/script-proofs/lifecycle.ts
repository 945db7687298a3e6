// Proves what scripts do to a cluster, with the real kubectl and the real Helm against the API server of the proofs:
// install, install again without a change, upgrade to a changed Order, a failure at every change, uninstall.
// `npm run proofs` runs it; `--helm 3|4|both` says with which Helm the Helm scripts run, default both.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import type { Chart } from '../../render/chart/chart.ts';
import { loadChart } from '../../render/chart/load.ts';
import { memoryRegistry } from '../../render/chart/registry.ts';
import { encodeUtf8 } from '../../render/go/utf8.ts';
import { seededHost } from '../../render/host.ts';
import { type RenderedOrder, renderOrder } from '../../render/rendered-order.ts';
import { listOrders, loadOrder, renderSample } from '../../test/support/orders.ts';
import { type HelmMajor, majorsOf } from '../tools/helm-binary.ts';
import { initialNamespaces } from './api-cluster.ts';
import { type ApiServer, startApiServer } from './api-server.ts';
import { crd, Findings, inFolder, object, type RunScript, scriptRunner } from './cluster-runs.ts';

const pod = '{metadata: {labels: {a: b}}, spec: {containers: [{name: main, image: a}]}}';
const deployed = `spec: {selector: {matchLabels: {a: b}}, template: ${pod}}\n`;

/** A chart whose objects stay, go and change from one version to the next. */
async function chartOrder(home: string, version: 1 | 2, helm: HelmMajor): Promise<RenderedOrder> {
  const files = {
    'Chart.yaml': `apiVersion: v2\nname: web\nversion: ${version}.0.0\n`,
    'crds/own.yaml': crd('owns', 'Own'),
    'templates/all.yaml': [
      object('v1', 'ConfigMap', 'stays', `data: {version: "${version}"}\n`),
      object('v1', 'PersistentVolumeClaim', 'data', 'spec: {accessModes: [ReadWriteOnce]}\n'),
      object('v1', 'Namespace', 'made'),
      object('apps/v1', 'Deployment', 'runs', deployed),
      crd('things', 'Thing'),
      ...(version === 1 ? [object('v1', 'ConfigMap', 'goes'), object('v1', 'PersistentVolumeClaim', 'old')] : []),
    ].join(''),
    'templates/hook.yaml': object('batch/v1', 'Job', 'before').replace(
      '{name: before}',
      '{name: before, annotations: {helm.sh/hook: "pre-delete", helm.sh/hook-delete-policy: hook-succeeded}}',
    ),
  };
  const chart = loadChart(new Map(Object.entries(files).map(([path, text]) => [path, encodeUtf8(text)])));
  const folder = join(home, `web-${version}`);
  for (const [path, text] of Object.entries(files)) {
    await execa('mkdir', ['-p', join(folder, path, '..')]);
    await writeFile(join(folder, path), text);
  }
  const selection = { name: 'web', releaseName: 'web', namespace: 'shop', sourceRef: { kind: 'Local', name: folder } };
  return renderOrder(
    { spec: { packages: [{ chart: selection }] } },
    { registry: memoryRegistry([chart]), host: seededHost(), chartPath: () => folder, helm },
  );
}

const ofEveryCluster = new Set(initialNamespaces.map((name) => `namespaces. /${name}`));
const names = (server: ApiServer): string[] =>
  server.list().filter((key) => !key.includes('sh.helm.release') && !ofEveryCluster.has(key));
const differ = (got: readonly string[], want: readonly string[]): string =>
  JSON.stringify(got) === JSON.stringify([...want].sort())
    ? ''
    : `got  ${got.join(', ')}\nwant ${[...want].sort().join(', ')}`;

const always = [
  'customresourcedefinitions.apiextensions.k8s.io /owns.x.io',
  'customresourcedefinitions.apiextensions.k8s.io /things.x.io',
  'namespaces. /made',
  'namespaces. /shop',
  'persistentvolumeclaims. shop/data',
];

/** Says whose life is proven: of a script for kubectl, or of one for a Helm that runs with that Helm or another. */
interface Life {
  readonly tool: 'helm' | 'kubectl';
  readonly major: HelmMajor;
  readonly isForAny?: boolean;
}

interface Place extends Pick<Findings, 'report'> {
  readonly run: RunScript;
  readonly server: ApiServer;
}

/** What is there differs in nothing, and of a changed Order the differences are told; neither changes anything. */
async function proveDiff([first, second]: readonly [string, string], { run, server, report }: Place): Promise<void> {
  const changes = server.changes();
  const same = await run(first, server, ['--diff']);
  const isSame = same.code === 0 && same.text.endsWith('no difference') && server.changes() === changes;
  report('kubectl: --diff of what is there tells no difference', isSame ? '' : same.text);
  const diff = await run(second, server, ['--diff']);
  const tells = /would delete configmap\/goes/.test(diff.text) && server.changes() === changes;
  report('kubectl: --diff tells and changes nothing', diff.code === 1 && tells ? '' : diff.text);
}

async function proveLife(home: string, { tool, major, isForAny = false }: Life, { report }: Findings): Promise<void> {
  const run = await scriptRunner(home, major);
  const [first, second] = [await chartOrder(home, 1, major), await chartOrder(home, 2, major)];
  const forHelm = isForAny ? 'any' : undefined;
  const scriptOf = (order: RenderedOrder, action: 'install' | 'uninstall' = 'install'): string =>
    tool === 'helm' ? order.helmScript('linux', { action, forHelm }) : order.yamlScript('linux', { action });
  const who = tool === 'kubectl' ? tool : `helm ${major}${isForAny ? ', script for any' : ''}`;
  const inventory = tool === 'kubectl' ? ['configmaps. shop/drydock-web'] : [];
  const server = await startApiServer();
  try {
    const installed = await run(scriptOf(first), server);
    const all = [
      ...always,
      ...inventory,
      'configmaps. shop/stays',
      'configmaps. shop/goes',
      'deployments.apps shop/runs',
      'persistentvolumeclaims. shop/old',
    ];
    report(`${who}: install`, installed.code === 0 ? differ(names(server), all) : installed.text);
    if (tool === 'kubectl') {
      const changes = server.changes();
      const again = await run(scriptOf(first), server);
      report(
        'kubectl: install again changes nothing',
        again.code === 0 && server.changes() === changes ? '' : `${server.changes() - changes} changes\n${again.text}`,
      );
      await proveDiff([scriptOf(first), scriptOf(second)], { run, server, report });
    }
    const upgraded = await run(scriptOf(second), server);
    // Helm deletes claims that a chart no longer has; the script for kubectl asks first.
    const kept = tool === 'kubectl' ? ['persistentvolumeclaims. shop/old'] : [];
    const after = [...always, ...inventory, 'configmaps. shop/stays', 'deployments.apps shop/runs', ...kept];
    report(`${who}: upgrade to a changed Order`, upgraded.code === 0 ? differ(names(server), after) : upgraded.text);
    const removed = await run(scriptOf(second, 'uninstall'), server);
    const told =
      /stays: persistentvolumeclaim\/data/.test(removed.text) &&
      /stays: customresourcedefinition\S*\/things\.x\.io/.test(removed.text);
    report(
      `${who}: uninstall keeps claims, CRDs and namespaces`,
      removed.code === 0 && told ? differ(names(server), [...always, ...kept]) : removed.text,
    );
    const twice = await run(scriptOf(second, 'uninstall'), server);
    report(`${who}: uninstall again is fine`, twice.code === 0 ? '' : twice.text);
    await run(scriptOf(second), server);
    const gone = await run(scriptOf(second, 'uninstall'), server, [
      '--delete-pvcs',
      '--delete-crds',
      '--delete-namespaces',
    ]);
    const rest = names(server).filter((key) => !kept.includes(key) && key !== 'namespaces. /shop');
    report(`${who}: uninstall with every option`, gone.code === 0 ? differ(rest, []) : gone.text);
    const gone2 = await run(scriptOf(second, 'uninstall'), server, [
      '--delete-pvcs',
      '--delete-crds',
      '--delete-namespaces',
    ]);
    report(`${who}: and again`, gone2.code === 0 ? '' : gone2.text);
  } finally {
    server.close();
  }
}

/** A package that an Order no longer has: told, and deleted where that is asked for; another Order's packages stay. */
async function proveGonePackage(home: string, { report }: Findings): Promise<void> {
  const run = await scriptRunner(home, 3);
  const config = (name: string): string => object('v1', 'ConfigMap', name);
  const chart = (name: string): Chart =>
    loadChart(
      new Map([
        ['Chart.yaml', encodeUtf8(`apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`)],
        ['templates/a.yaml', encodeUtf8(config(`of-${name}`))],
      ]),
    );
  const registry = memoryRegistry(['a', 'b', 'c'].map(chart));
  const script = async (name: string, charts: readonly string[]): Promise<string> => {
    const packages = charts.map((chosen) => ({
      chart: { name: chosen, releaseName: chosen, namespace: 'shop', sourceRef: { kind: 'Embed', name: chosen } },
    }));
    return (await renderOrder({ metadata: { name }, spec: { packages } }, { registry })).yamlScript();
  };
  const server = await startApiServer();
  try {
    await run(await script('other', ['c']), server);
    await run(await script('mine', ['a', 'b']), server);
    const has = (name: string): boolean => server.list().includes(`configmaps. shop/of-${name}`);
    const told = await run(await script('mine', ['a']), server);
    const isTold = told.code === 0 && /package shop\/b is no longer in the order and stays/.test(told.text) && has('b');
    report('kubectl: a package that the Order no longer has is told', isTold ? '' : told.text);
    const gone = await run(await script('mine', ['a']), server, ['--prune-packages']);
    const isGone = gone.code === 0 && has('a') && !has('b') && has('c');
    report(
      'kubectl: and deleted with --prune-packages, alone',
      isGone ? '' : `${server.list().join('\n')}\n${gone.text}`,
    );
  } finally {
    server.close();
  }
}

/** A failure at every change of an installation: told with its step, and the next run finishes. */
async function proveFailures(home: string, { report }: Findings): Promise<void> {
  const run = await scriptRunner(home, 3);
  const order = await chartOrder(home, 1, 3);
  let fault = '';
  let count = 0;
  for (let at = 1; fault === ''; at++) {
    const server = await startApiServer();
    try {
      server.failAt(at);
      const broken = await run(order.yamlScript(), server);
      if (broken.code === 0) break;
      count++;
      if (!/error: package shop\/web failed/.test(broken.text)) fault = `failure ${at}: ${broken.text}`;
      const mended = await run(order.yamlScript(), server);
      if (mended.code !== 0) fault = `after failure ${at}: ${mended.text}`;
    } finally {
      server.close();
    }
  }
  report(`kubectl: a failure at each of ${count} changes is told, and the next run finishes`, fault);
}

async function proveSamples(home: string, { report }: Findings): Promise<void> {
  const run = await scriptRunner(home, 3);
  for (const name of listOrders()) {
    const order = await renderSample(loadOrder(name));
    // The server runs nothing, so that what an Order waits for beyond its own objects never comes.
    if (order.packages.some(({ selection }) => selection.chart.waitFors.length > 0)) continue;
    const server = await startApiServer();
    try {
      const first = await run(order.yamlScript(), server);
      const changes = server.changes();
      const again = await run(order.yamlScript(), server);
      const isFine = first.code === 0 && again.code === 0;
      report(`${name}: kubectl installs it, ${changes} changes`, isFine ? '' : `${first.text}\n${again.text}`);
      const removed = await run(order.yamlScript('linux', { action: 'uninstall' }), server);
      report(`${name}: kubectl uninstalls it`, removed.code === 0 ? '' : removed.text);
    } finally {
      server.close();
    }
  }
}

const findings = new Findings();
const { values } = parseArgs({ options: { helm: { type: 'string', default: 'both' } } });
await inFolder(async (home) => {
  await proveLife(home, { tool: 'kubectl', major: 3 }, findings);
  for (const major of majorsOf(values.helm)) {
    await proveLife(home, { tool: 'helm', major }, findings);
    await proveLife(home, { tool: 'helm', major, isForAny: true }, findings);
  }
  await proveGonePackage(home, findings);
  await proveFailures(home, findings);
  await proveSamples(home, findings);
});
findings.end('lifecycle');
