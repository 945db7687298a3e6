// Proves the switches of install scripts, and failures under Helm, with the real tools against the API server of the proofs:
// --unlock, --upgrade-crds, --parallel, a failure at every change, and a release of Helm 3 that Helm 4 takes over.
// `npm run proofs` runs it; `--helm 3|4|both` says with which Helm, default both; `--every 1` fails every change,
// `--every 5` each fifth, and without it three that differ fail.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadChart } from '../../render/chart/load.ts';
import { memoryRegistry } from '../../render/chart/registry.ts';
import { encodeUtf8 } from '../../render/go/utf8.ts';
import { seededHost } from '../../render/host.ts';
import type { RenderedPackage } from '../../render/packages.ts';
import { type RenderedOrder, renderOrder } from '../../render/rendered-order.ts';
import { type HelmMajor, majorsOf } from '../tools/helm-binary.ts';
import { type ApiServer, startApiServer } from './api-server.ts';
import { crd, Findings, inFolder, object, type RunScript, scriptRunner } from './cluster-runs.ts';

const packages = ['a', 'b', 'c'] as const;

/** Gives an Order of three packages that need nothing of each other; their definitions are marked with a version. */
async function orderOf(home: string, version: number, helm: HelmMajor): Promise<RenderedOrder> {
  const charts = [];
  const selections = [];
  for (const name of packages) {
    const files = {
      'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: ${version}.0.0\n`,
      'crds/own.yaml': crd(`${name}s`, name.toUpperCase(), `made: v${version}`),
      'templates/all.yaml': object('v1', 'ConfigMap', `of-${name}`, `data: {version: "${version}"}\n`),
      'templates/hook.yaml': object(
        'batch/v1',
        'Job',
        `before-${name}, annotations: {helm.sh/hook: "pre-install,pre-upgrade"}`,
      ),
    };
    const folder = join(home, `${name}-${version}`);
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(folder, path, '..'), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    charts.push(loadChart(new Map(Object.entries(files).map(([path, text]) => [path, encodeUtf8(text)]))));
    const sourceRef = { kind: 'Local', name: folder };
    selections.push({ chart: { name, releaseName: name, namespace: `in-${name}`, sourceRef } });
  }
  const registry = memoryRegistry(charts);
  const chartPath = ({ chart }: RenderedPackage): string => join(home, `${chart.metadata.name}-${version}`);
  const order = { metadata: { name: 'three' }, spec: { packages: selections } };
  return renderOrder(order, { registry, host: seededHost(), chartPath, helm });
}

type Cluster = (work: (server: ApiServer) => Promise<void>) => Promise<void>;

const onCluster: Cluster = async (work) => {
  const server = await startApiServer();
  try {
    await work(server);
  } finally {
    server.close();
  }
};

/** Gives the label of a definition; Helm and kubectl both leave theirs. */
function versionOfCrd(server: ApiServer, name: string): unknown {
  const found = server.objects().get(`customresourcedefinitions.apiextensions.k8s.io /${name}s.x.io`);
  return (found?.metadata as { labels?: { made?: string } } | undefined)?.labels?.made;
}

const isWhole = (server: ApiServer): boolean =>
  packages.every((name) => server.list().includes(`configmaps. in-${name}/of-${name}`));

/** Gives how the releases on a server stand, by their records. */
function statesOf(server: ApiServer): string[] {
  return [...server.objects()]
    .filter(([key]) => key.includes('sh.helm.release'))
    .map(([, { metadata }]) => String((metadata as { labels?: { status?: string } }).labels?.status));
}

async function proveParallel(scripts: readonly [string, string], run: RunScript, title: string): Promise<string> {
  let fault = '';
  await onCluster(async (server) => {
    // No package gets on before all three are under way.
    const haveMet = server.hold(packages.length, /\/namespaces\/in-.\/configmaps/);
    const { code, text } = await run(scripts[0], server, ['--parallel', '3']);
    server.close();
    if (code !== 0 || !isWhole(server)) fault = `${title}: ${text}`;
    else if (!(await haveMet)) fault = `${title}: one after the other\n${text}`;
    else if (!/^3 of 3 packages: /m.test(text)) fault = `${title}: no sum\n${text}`;
  });
  if (fault !== '') return fault;
  await onCluster(async (server) => {
    server.failAt(1, /\/in-b\/configmaps/);
    const broken = await run(scripts[0], server, ['--parallel', '3']);
    if (broken.code === 0 || !/not every package of this group/.test(broken.text)) fault = `a failure: ${broken.text}`;
    const mended = await run(scripts[1], server, ['--parallel', '3']);
    if (mended.code !== 0 || !isWhole(server)) fault ||= `after a failure: ${mended.text}`;
  });
  return fault;
}

async function proveCrds(home: string, major: HelmMajor, run: RunScript): Promise<string> {
  const [first, second] = [await orderOf(home, 1, major), await orderOf(home, 2, major)];
  let fault = '';
  await onCluster(async (server) => {
    await run(first.helmScript(), server);
    const plain = await run(second.helmScript(), server);
    if (plain.code !== 0 || versionOfCrd(server, 'a') !== 'v1') fault = `without: ${plain.text}`;
    const upgraded = await run(second.helmScript(), server, ['--upgrade-crds']);
    const versions = packages.map((name) => versionOfCrd(server, name));
    if (upgraded.code !== 0 || versions.some((one) => one !== 'v2')) fault ||= `${versions.join()}: ${upgraded.text}`;
  });
  return fault;
}

/** A change that fails: the nth of those that fit. */
type Failure = readonly [at: number, of: RegExp];

// A namespace, the record of a release when it is closed, an object.
const kinds: readonly Failure[] = [
  [2, /namespaces(?:\/in-.)?$/],
  [2, /(?:PUT|PATCH) .*\/secrets\//],
  [3, /configmaps/],
];

const everyChange = function* (every: number): Iterable<Failure> {
  for (let at = 1; ; at += every) yield [at, /^/];
};

/** Failures: told, and the next run finishes, with --unlock where an operation was left pending. */
async function proveFailures(
  order: RenderedOrder,
  run: RunScript,
  failures: Iterable<Failure>,
): Promise<[string, string]> {
  const script = order.helmScript();
  let [locked, count, isOver] = [0, 0, false];
  let fault = '';
  for (const [at, of] of failures) {
    await onCluster(async (server) => {
      server.failAt(at, of);
      const broken = await run(script, server);
      isOver = server.hasFailed() === '';
      if (isOver) {
        if (broken.code !== 0 || failures === kinds) fault = `no change ${at} of ${of}: ${broken.text}`;
        return;
      }
      count++;
      // Helm does not mind where it cannot close its record: that shows in the next run.
      const isTold = broken.code === 0 || /error: package in-[abc]\/[abc] failed/.test(broken.text);
      if (!isTold) fault = `failure ${at} of ${of}: ${broken.text}`;
      const isPending = statesOf(server).some((state) => state.startsWith('pending'));
      if (isPending) {
        locked++;
        const refused = await run(script, server);
        if (refused.code !== 1 || !refused.text.includes('with --unlock'))
          fault ||= `failure ${at}, pending: ${refused.text}`;
      }
      const mended = await run(script, server, isPending ? ['--unlock'] : []);
      const isDeployed = statesOf(server).filter((state) => state === 'deployed').length === packages.length;
      if (mended.code !== 0 || !isWhole(server) || !isDeployed)
        fault ||= `after failure ${at} of ${of}: ${mended.text}`;
    });
    if (isOver || fault !== '') break;
  }
  const title = `${count} failures are told, and the next run finishes; ${locked} of them took --unlock`;
  return [title, fault || (locked === 0 ? 'none left an operation pending' : '')];
}

/** An uninstallation that was refused halfway: Helm would not upgrade what is left; the script says so, and --unlock installs it. */
async function proveHalfUninstalled(order: RenderedOrder, run: RunScript): Promise<string> {
  let fault = '';
  await onCluster(async (server) => {
    await run(order.helmScript(), server);
    server.failAt(1, /^DELETE .*configmaps/, 'calls', { code: 403, isLasting: true });
    const broken = await run(order.helmScript('linux', { action: 'uninstall' }), server);
    server.failAt(0);
    if (broken.code !== 1 || !statesOf(server).includes('uninstalling')) fault = broken.text;
    const refused = await run(order.helmScript(), server);
    if (refused.code !== 1 || !refused.text.includes('with --unlock')) fault ||= refused.text;
    const mended = await run(order.helmScript(), server, ['--unlock']);
    if (mended.code !== 0 || !isWhole(server)) fault ||= mended.text;
  });
  return fault;
}

/** A field that somebody else applied: a conflict is told with its owner, and once it is taken by force it is the package's. */
async function proveConflict(order: RenderedOrder, run: RunScript): Promise<string> {
  let fault = '';
  await onCluster(async (server) => {
    const script = order.yamlScript();
    await run(script, server);
    const config = object('v1', 'ConfigMap', 'of-b, namespace: in-b', 'data: {version: "theirs"}\n');
    const apply = 'kubectl apply --server-side --force-conflicts --field-manager=somebody -f -';
    const theirs = await run(`set -- complete\n${apply} <<'END'\n${config}END\n`, server);
    if (theirs.code !== 0) fault = theirs.text;
    const refused = await run(script, server);
    if (refused.code !== 1 || !/conflict with "somebody": \.data\.version/.test(refused.text)) fault ||= refused.text;
    const taken = await run(script, server, ['--force-conflicts']);
    const again = await run(script, server);
    if (taken.code !== 0 || again.code !== 0) fault ||= `${taken.text}\n${again.text}`;
  });
  return fault;
}

/** A release that Helm 3 installed, upgraded by the script for Helm 4. */
async function proveTakeover(home: string): Promise<string> {
  let fault = '';
  await onCluster(async (server) => {
    const before = await (await scriptRunner(home, 3))((await orderOf(home, 1, 3)).helmScript(), server);
    const after = await (await scriptRunner(home, 4))((await orderOf(home, 2, 4)).helmScript(), server);
    const data = server.objects().get('configmaps. in-b/of-b')?.data as { version?: string } | undefined;
    if (before.code !== 0 || after.code !== 0 || data?.version !== '2') fault = `${before.text}\n${after.text}`;
    const refused = await (await scriptRunner(home, 3))((await orderOf(home, 2, 4)).helmScript(), server);
    if (refused.code !== 1 || !/this script is for Helm 4/.test(refused.text)) fault ||= refused.text;
  });
  return fault;
}

const options = { helm: { type: 'string', default: 'both' }, every: { type: 'string', default: '' } } as const;
const { values } = parseArgs({ options });
const findings = new Findings();
await inFolder(async (home) => {
  const order = await orderOf(home, 1, 3);
  const kubectl = await proveParallel([order.yamlScript(), order.yamlScript()], await scriptRunner(home, 3), 'kubectl');
  findings.report('kubectl: --parallel installs three packages at once, and after a failure', kubectl);
  const conflict = await proveConflict(order, await scriptRunner(home, 3));
  findings.report('kubectl: a conflict is told with its owner, and what --force-conflicts takes stays taken', conflict);
  for (const major of majorsOf(values.helm)) {
    const run = await scriptRunner(home, major);
    const own = await orderOf(home, 1, major);
    const parallel = await proveParallel([own.helmScript(), own.helmScript()], run, `helm ${major}`);
    findings.report(`helm ${major}: --parallel installs three packages at once, and after a failure`, parallel);
    findings.report(`helm ${major}: --upgrade-crds applies crds/ anew`, await proveCrds(home, major, run));
    const failures = values.every === '' ? kinds : everyChange(Number(values.every));
    const [title, fault] = await proveFailures(own, run, failures);
    findings.report(`helm ${major}: ${title}`, fault);
    const half = await proveHalfUninstalled(own, run);
    findings.report(`helm ${major}: what is uninstalled by half is told, and --unlock installs it`, half);
  }
  findings.report('helm 4: takes over what Helm 3 installed; Helm 3 is refused', await proveTakeover(home));
});
findings.end('switches');
