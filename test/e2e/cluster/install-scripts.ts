// Runs the install scripts of Orders of public charts against a real cluster: install, install again, upgrade, diff, uninstall,
// install again, with ten injected failures.
// `npm run test:e2e -- cluster-scripts [FOLDER] [--only TEXT] [--places N]`

import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import type { RenderedOrder } from '../../../render/api/order.ts';
import { diffManifests } from '../../../render/index.ts';
import type { SourcedDocument } from '../../../render/manifest/source.ts';
import { isBuiltIn } from '../../../render/output/scope.ts';
import { type HelmMajor, helmBinary } from '../../../scripts/dev/tools/helm-binary.ts';
import { temporaryFolder, until } from '../../../scripts/dev/tools/tools.ts';
import { startCluster } from '../../../scripts/reference/cluster.ts';
import { reference } from '../../../scripts/reference/programs.ts';
import { readCollection } from '../../conformance/charts.ts';
import { type KubeObject, objectsIn } from './charts.ts';
import { writeOddChart } from './odd-chart.ts';
import {
  type ChosenChart,
  changedOrder,
  listedOrders,
  type OrderSettings,
  orderOf,
  type PublicOrder,
} from './orders.ts';
import { type Failure, startProxy } from './proxy.ts';
import { kubectl, type Outcome, Resources } from './server.ts';

const { values: flags, positionals } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    places: { type: 'string', default: '10' },
  },
  allowPositionals: true,
});

const immutable = /field is immutable|Forbidden: updates to/;

type Tool = 'helm' | 'kubectl';

/** An object, its namespace, and whether it is a hook. */
interface Placed {
  readonly object: KubeObject;
  readonly namespace: string;
  readonly isHook: boolean;
}

const home = temporaryFolder('drydock-install-');
const cluster = await startCluster({
  // The webhooks of a chart have no server, because its pods are simulated.
  apiServerFlags: ['--disable-admission-plugins=ValidatingAdmissionWebhook,MutatingAdmissionWebhook'],
});
const proxy = await startProxy(cluster.kubeconfig);
const resources = new Resources(cluster);
const apiVersions = await serverApis();
const counts = { orders: 0, runs: 0, passed: 0, failures: 0, objects: 0 };
const failed: string[] = [];
const skipped: string[] = [];

/** Records the result of a check: a failure if there is a reason. */
function report(title: string, reason: string): boolean {
  if (reason === '') counts.passed++;
  else {
    failed.push(title);
    console.log(`FAIL ${title}\n  ${reason.slice(0, 1500).replaceAll('\n', '\n  ')}`);
  }
  return reason === '';
}

// The API versions that Helm reads from the server for `.Capabilities.APIVersions`.
async function serverApis(): Promise<string[]> {
  const { stdout } = await kubectl(cluster, ['api-resources', '--no-headers']);
  const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/));
  const kinds = rows.flatMap((row) => (row.length < 4 ? [] : [`${row.at(-3)}/${row.at(-1)}`]));
  return [...new Set([...kinds.map((kind) => kind.slice(0, kind.lastIndexOf('/'))), ...kinds])].filter((api) =>
    api.includes('/'),
  );
}

/** The script of an Order for a tool. */
interface Installation {
  readonly order: PublicOrder;
  readonly title: string;
  readonly tool: Tool;
  readonly settings: OrderSettings;
}

async function runScript(
  { order: { rendered }, tool, settings: { helm } }: Installation,
  args: readonly string[] = [],
  failure?: Failure,
): Promise<Outcome> {
  const file = join(home, 'install.sh');
  await writeFile(file, tool === 'helm' ? rendered.helmScript('linux') : rendered.yamlScript('linux'));
  proxy.reset(failure);
  counts.runs++;
  const { exitCode, stdout, stderr } = await execa('sh', [file, ...args], {
    cwd: home,
    env: {
      KUBECONFIG: proxy.kubeconfig,
      PATH: `${await toolsOf(helm)}:${process.env.PATH ?? ''}`,
      TIMEOUT: '240',
      HELM_CACHE_HOME: join(home, 'helm'),
    },
    reject: false,
    timeout: 580_000,
    maxBuffer: 1e9,
  });
  return { code: exitCode ?? 1, stdout, stderr };
}

/** Runs a script that must succeed. Returns whether it does. */
async function passes(one: Installation, what: string, args: readonly string[] = []): Promise<boolean> {
  const { code, stderr } = await runScript(one, args);
  return report(`${one.title}: ${what}`, code === 0 ? '' : stderr.slice(-1200));
}

// A folder that contains kubectl and one version of Helm.
async function toolsOf(major: HelmMajor): Promise<string> {
  const folder = join(home, `helm-${major}-tools`);
  const isNew = (await mkdir(folder, { recursive: true })) !== undefined;
  if (isNew) {
    await symlink(await reference('kubectl'), join(folder, 'kubectl'));
    await symlink((await helmBinary(major)).helm, join(folder, 'helm'));
  }
  return folder;
}

/** Returns the objects of an Order, including those of `crds/`. */
function placedObjects({ packages }: RenderedOrder): Placed[] {
  return packages.flatMap(({ release }) => {
    const placed = (documents: readonly SourcedDocument[], isHook: boolean): Placed[] =>
      objectsIn(documents).map(({ json }) => {
        return { object: json, namespace: json.metadata.namespace ?? release.namespace, isHook };
      });
    return [...placed(release.crds, false), ...placed(release.manifests, false), ...placed(release.hooks, true)];
  });
}

const isDefinition = ({ object }: Placed): boolean => object.kind === 'CustomResourceDefinition';
const isKept = ({ object: { kind, metadata } }: Placed): boolean =>
  /^(?:CustomResourceDefinition|PersistentVolumeClaim|Namespace)$/.test(kind) ||
  metadata.annotations?.['helm.sh/resource-policy'] === 'keep';

async function pathOf({ object, namespace }: Placed): Promise<string> {
  return `${await resources.collection(object, namespace)}/${object.metadata.name}`;
}

async function liveOf(placed: Placed): Promise<KubeObject | undefined> {
  const { status, body } = await cluster.call('GET', await pathOf(placed));
  return status === 200 ? (body as KubeObject) : undefined;
}

/** Returns the differences between the cluster and the rendered Order; empty if there are none. */
async function difference({ rendered }: PublicOrder, random: ReadonlySet<string>): Promise<string> {
  resources.forget();
  const found: string[] = [];
  const own = placedObjects(rendered).filter(({ isHook, object }) => !isHook && object.metadata.name !== undefined);
  counts.objects += own.length;
  const live: KubeObject[] = [];
  for (const placed of own) {
    const object = await liveOf(placed);
    if (object === undefined) found.push(`${placed.object.kind}/${placed.object.metadata.name} is missing`);
    else live.push(object);
  }
  const text = (objects: readonly KubeObject[]): string =>
    objects.map((object) => `---\n${JSON.stringify(object)}\n`).join('');
  const wanted = own.map(({ object, namespace }) => ({ ...object, metadata: { ...object.metadata, namespace } }));
  const spaced = live.map((object, at) => ({
    ...object,
    metadata: { ...object.metadata, namespace: own[at]?.namespace ?? '' },
  }));
  const { objects } = diffManifests(text(spaced), text(found.length > 0 ? [] : wanted), { showSecrets: true });
  for (const { apiVersion, kind, name, status, entries } of found.length > 0 ? [] : objects) {
    for (const { path, before, after } of entries) {
      // In a custom resource, a member that the manifest lacks is a default of its definition, and an empty string the server's default.
      const isDefault = after === '' || (after === undefined && !isBuiltIn(apiVersion, kind));
      if (!random.has(`${kind}/${name}`) && !isDefault)
        found.push(`${kind}/${name} ${path}: ${JSON.stringify(before)} instead of ${JSON.stringify(after)}`);
    }
    if (status !== 'changed' && status !== 'replaced') found.push(`${kind}/${name} ${status}`);
  }
  return [...new Set(found)].slice(0, 8).join(', ');
}

/** Returns the live objects of an Order, without fields that controllers set. */
async function snapshot(placed: readonly Placed[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const one of placed) {
    if (one.isHook || one.object.metadata.name === undefined) continue;
    const object = await liveOf(one);
    if (object === undefined) continue;
    const { status, metadata, ...rest } = object;
    const { resourceVersion, managedFields, ...own } = metadata;
    found.set(await pathOf(one), JSON.stringify([rest, own, status === undefined ? resourceVersion : '']));
  }
  return found;
}

function changed(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path)).slice(0, 8);
}

/** Creates objects of another owner that have the names or the labels of an Order's own. */
async function createForeign(placed: readonly Placed[]): Promise<readonly Placed[]> {
  // A namespace created by the Order does not exist yet.
  const own = new Set(placed.flatMap(({ object }) => (object.kind === 'Namespace' ? [object.metadata.name] : [])));
  const simple = placed
    .filter(({ namespace }) => !own.has(namespace))
    .filter(({ object }) => /^(?:ConfigMap|Service|ServiceAccount|Secret)$/.test(object.kind))
    .slice(0, 5);
  for (const name of new Set(['foreign', ...placed.map(({ namespace }) => namespace)]))
    if (!own.has(name))
      await cluster.call('POST', '/api/v1/namespaces', { metadata: { name, labels: { owner: 'another-team' } } });
  const foreign: Placed[] = [];
  for (const { object, namespace } of simple) {
    const { name, labels } = object.metadata;
    const copy = { apiVersion: 'v1', kind: 'ConfigMap', data: { owner: 'another-team' } };
    foreign.push({
      object: { ...copy, metadata: { name: String(name), labels } },
      namespace: 'foreign',
      isHook: false,
    });
    foreign.push({ object: { ...copy, metadata: { name: `${name}-foreign`, labels } }, namespace, isHook: false });
  }
  for (const one of foreign)
    await cluster.call('POST', (await resources.collection(one.object, one.namespace)) ?? '', one.object);
  return foreign;
}

async function checkOrder(charts: readonly ChosenChart[], tool: Tool, settings: OrderSettings): Promise<void> {
  const order = await orderOf(charts, settings);
  if (order === undefined)
    return void skipped.push(`${charts.map(({ path }) => basename(path)).join(' + ')}: does not render`);
  const title = `${order.title}, ${tool === 'helm' ? `Helm ${settings.helm}` : tool}`;
  const placed = placedObjects(order.rendered);
  const foreign = await createForeign(placed);
  const untouched = await snapshot(foreign);
  const checkForeign = async (when: string): Promise<boolean> =>
    report(`${title}: foreign objects are unchanged${when}`, changed(untouched, await snapshot(foreign)).join(', '));
  const next = await changedOrder(order, settings, join(home, 'changed'));
  const all = [...placed, ...(next === undefined ? [] : placedObjects(next.rendered))];
  console.log(`${title}: ${placed.length} objects`);
  counts.orders++;
  const one: Installation = { order, title, tool, settings };
  try {
    const isInstalled = await checkInstall(one);
    if (isInstalled && next !== undefined) await checkUpgrade(one, { ...one, order: next });
    if (isInstalled) await checkUninstall({ ...one, order: next ?? order });
    await checkForeign('');
    if (isInstalled) await checkFailures(one);
    await checkForeign(' after failures');
  } finally {
    await clean(all);
  }
}

/** Returns the objects with random values: Helm generates them again in every run, unless the chart looks up the existing ones. */
async function randomOf({ order, settings }: Installation): Promise<ReadonlySet<string>> {
  const other = await orderOf(order.charts, settings);
  // Compared as text, because `diffManifests` ignores checksums of random content.
  const texts = new Set((other === undefined ? [] : placedObjects(other.rendered)).map((one) => JSON.stringify(one)));
  const changed = placedObjects(order.rendered).filter((one) => !texts.has(JSON.stringify(one)));
  return new Set(changed.map(({ object }) => `${object.kind}/${object.metadata.name}`));
}

async function checkInstall(one: Installation): Promise<boolean> {
  const { order, title, tool } = one;
  const random = await randomOf(one);
  if (!(await passes(one, 'installs'))) return false;
  report(`${title}: live objects equal the manifest`, await difference(order, random));
  const placed = placedObjects(order.rendered);
  const before = await snapshot(placed);
  const again = await runScript(one);
  report(`${title}: installs again`, again.code === 0 ? '' : again.stderr.slice(-1200));
  const modified = changed(before, await snapshot(placed)).filter(
    (path) => ![...random].some((name) => path.endsWith(`/${name.split('/')[1]}`)),
  );
  report(`${title}: installing again changes nothing`, modified.join(', '));
  if (tool === 'kubectl') {
    const { code, stdout, stderr } = await runScript(one, ['diff']);
    const reason = `exit code ${code}\n${stdout.slice(0, 800)}\n${stderr.slice(-400)}`;
    report(`${title}: diff reports no changes`, code === 0 ? '' : reason);
  }
  return true;
}

async function checkUpgrade({ order }: Installation, next: Installation): Promise<void> {
  const { title, tool } = next;
  const random = await randomOf(next);
  if (tool === 'kubectl') {
    const before = await snapshot(placedObjects(order.rendered));
    const { code, stderr } = await runScript(next, ['diff']);
    // The server rejects changes of immutable fields even in a dry run.
    const isReported = code === 1 || (code > 1 && immutable.test(stderr));
    report(
      `${title}: diff reports the changes of the Order`,
      isReported ? '' : `exit code ${code}\n${stderr.slice(-600)}`,
    );
    const modified = changed(before, await snapshot(placedObjects(order.rendered)));
    report(`${title}: diff changes nothing`, modified.join(', '));
  }
  const upgraded = await runScript(next, tool === 'kubectl' ? ['install'] : []);
  // No tool can change a selector.
  if (upgraded.code !== 0 && immutable.test(upgraded.stderr)) {
    skipped.push(`${title}: the upgrade changes an immutable field`);
    return;
  }
  if (!report(`${title}: upgrades`, upgraded.code === 0 ? '' : upgraded.stderr.slice(-1200))) return;
  report(`${title}: live objects equal the changed manifest`, await difference(next.order, random));
  const now = new Set(await Promise.all(placedObjects(next.order.rendered).map(pathOf)));
  for (const old of placedObjects(order.rendered).filter((one) => !one.isHook && !isDefinition(one))) {
    const { name } = old.object.metadata;
    if (name === undefined || now.has(await pathOf(old)) || (await liveOf(old)) === undefined) continue;
    const left = `${old.object.kind}/${name}`;
    if (tool === 'helm') {
      if (!isKept(old)) report(`${title}: Helm deletes objects that the Order no longer contains`, left);
    } else if (!upgraded.stderr.includes(name))
      report(
        `${title}: objects that the Order no longer contains are listed`,
        `${left}\n${upgraded.stderr.slice(-600)}`,
      );
  }
}

async function checkUninstall(one: Installation): Promise<void> {
  await passes(one, 'uninstalls', ['uninstall']);
  const left: string[] = [];
  for (const placed of placedObjects(one.order.rendered)) {
    const { kind, metadata } = placed.object;
    if (placed.isHook || metadata.name === undefined || isDefinition(placed)) continue;
    const object = await liveOf(placed);
    const isGone = object === undefined || object.metadata.deletionTimestamp !== undefined;
    if (isKept(placed) && kind !== 'Namespace' && isGone && one.tool === 'kubectl')
      left.push(`${kind}/${metadata.name} was deleted`);
    if (!isKept(placed) && !isGone) left.push(`${kind}/${metadata.name} still exists`);
  }
  report(`${one.title}: uninstalling deletes everything except kept objects`, left.join(', '));
  await passes(one, 'uninstalls again', ['uninstall']);
}

/** Runs the script repeatedly with a failure at a later request each time, then without one. */
async function checkFailures(one: Installation): Promise<void> {
  const { order, title } = one;
  if (!(await passes(one, 'installs after it was uninstalled'))) return;
  const written = proxy.written().filter((path) => !/\/(?:leases|pods)\//.test(path));
  await runScript(one, ['uninstall']);
  const places = Math.min(Number(flags.places), written.length);
  let missed = 0;
  for (let place = 0; place < places; place++) {
    const path = written[Math.floor(((place + 0.5) * written.length) / places)]!;
    // Helm may only read an existing object, and its own records have new names.
    const matches = (_method: string, requested: string): boolean =>
      requested === path || requested.startsWith(`${path}/`);
    const kind = place % 3 === 2 ? 'lost' : 'refused';
    const { code, stderr } = await runScript(one, [], { kind, matches });
    if (!proxy.hasFailed()) missed++;
    else counts.failures++;
    // A client may retry a lost request, and Helm ignores a failure to update its own record.
    if (proxy.hasFailed() && kind === 'refused' && !path.includes('/sh.helm.release.'))
      report(`${title}: failure ${place + 1} is reported (${path})`, code === 0 ? stderr.slice(-400) : '');
  }
  await passes(one, `finishes after ${places - missed} failures`);
  report(`${title}: live objects equal the manifest after failures`, await difference(order, await randomOf(one)));
  await passes(one, 'uninstalls after failures', ['uninstall']);
}

// Deletes everything, including the objects that uninstalling keeps.
async function clean(all: readonly Placed[]): Promise<void> {
  for (const placed of all)
    if (placed.object.metadata.name !== undefined && !isDefinition(placed))
      await cluster.call('DELETE', await pathOf(placed));
  for (const placed of all.filter(isDefinition)) await cluster.call('DELETE', await pathOf(placed));
  for (const name of new Set(['foreign', ...all.map(({ namespace }) => namespace)]))
    if (!/^(?:default|kube-.*)$/.test(name)) await cluster.call('DELETE', `/api/v1/namespaces/${name}`);
  const isGone = async (): Promise<boolean> => (await cluster.call('GET', '/api/v1/namespaces/foreign')).status === 404;
  await until('the namespace of foreign objects is gone', isGone, 60);
  const { body } = await cluster.call('GET', '/api/v1/persistentvolumes');
  for (const { metadata } of (body as { readonly items: readonly KubeObject[] }).items)
    await cluster.call('DELETE', `/api/v1/persistentvolumes/${metadata.name}`);
  resources.forget();
}

try {
  const root = positionals[0] ?? new URL('../../../fixtures/charts', import.meta.url).pathname;
  const collection = await readCollection([root], join(home, 'charts'));
  const lines = positionals.length > 0 ? listedOrders() : ['odd', 'web'];
  for (const [at, line] of lines.entries()) {
    if (!line.includes(flags.only)) continue;
    const charts: ChosenChart[] = [];
    for (const word of line.split(',')) {
      const [path = '', namespace] = word.split('@');
      const folder = path === 'odd' ? await writeOddChart(home) : await collection.complete(join(root, path));
      charts.push({ path: folder, ...(namespace === undefined ? {} : { namespace }) });
    }
    const helm: HelmMajor = at % 2 === 0 ? 3 : 4;
    for (const tool of ['helm', 'kubectl'] as const)
      await checkOrder(charts, tool, { name: `${tool}-${at}`, helm, apiVersions });
  }
} finally {
  await proxy.close();
  await cluster.stop();
}
for (const line of skipped) console.log(`skipped: ${line}`);
const { orders, runs, passed, failures, objects } = counts;
console.log(
  `${orders} installations, ${runs} script runs, ${objects} objects compared, ${failures} injected failures, ${passed} checks passed`,
);
console.log(`install scripts: ${failed.length} checks failed`);
if (failed.length > 0 || orders === 0) process.exitCode = 1;
