// Proves the outputs of Orders over the charts of folders against each other, and what the scripts do to a cluster, with
// the real Helm and kubectl against the API server of the proofs. `node --import tsx scripts/script-charts.ts DIR…`;
// CHARTS_PER_DIR=n takes so many of each folder, CHARTS_ONLY=word those Orders alone whose title has the word.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { customScopes } from '../../render/output/objects.ts';
import { randomObjects } from '../../render/output/random.ts';
import type { RenderedOrder } from '../../render/rendered-order.ts';
import { helmBinary } from '../tools/helm-binary.ts';
import type { Json, JsonMap, Type } from './api-discovery.ts';
import { type ApiServer, pluralOf, startApiServer } from './api-server.ts';
import { chartFolders, orderOf, type PublicOrder } from './public-orders.ts';

const real = await helmBinary();
const home = await mkdtemp(join(tmpdir(), 'drydock-charts-'));
const only = process.env.CHARTS_ONLY ?? '';
let failures = 0;

function report(title: string, fault: string): void {
  if (fault !== '') failures++;
  console.log(`${fault === '' ? 'ok  ' : 'FAIL'} ${title}${fault === '' ? '' : `\n${fault.slice(0, 3000)}`}`);
}

interface Outcome {
  readonly code: number;
  readonly text: string;
}

const map = (value: Json | undefined): JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};

async function run(
  command: readonly string[],
  server: ApiServer,
  { input = '', namespace = 'default' }: { readonly input?: string; readonly namespace?: string } = {},
): Promise<Outcome> {
  const kubeconfig = join(home, 'kubeconfig');
  const cluster = {
    clusters: [{ name: 'c', cluster: { server: server.url } }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u', namespace } }],
    users: [{ name: 'u', user: {} }],
  };
  await writeFile(kubeconfig, JSON.stringify({ apiVersion: 'v1', kind: 'Config', 'current-context': 'c', ...cluster }));
  const [program = '', ...words] = command;
  const { exitCode, all } = await execa(program, words, {
    all: true,
    reject: false,
    timeout: 300_000,
    cwd: home,
    input,
    maxBuffer: 1e9,
    env: {
      PATH: `${join(real.helm, '..')}:${process.env.PATH}`,
      KUBECONFIG: kubeconfig,
      HOME: home,
      KUBECACHEDIR: join(home, `cache-${new URL(server.url).port}`),
      HELM_CACHE_HOME: join(home, 'helm'),
      HELM_CONFIG_HOME: join(home, 'helm'),
      HELM_DATA_HOME: join(home, 'helm'),
    },
  });
  return { code: exitCode ?? -1, text: String(all) };
}

async function runScript(text: string, server: ApiServer, args: readonly string[] = []): Promise<Outcome> {
  const file = join(home, 'script.sh');
  await writeFile(file, text);
  return run(['sh', file, ...args], server);
}

/** Gives the types of an Order's objects that the server does not know by itself. */
function typesOf(rendered: RenderedOrder): Type[] {
  const types = new Map<string, Type>();
  for (const list of rendered.resources({ format: 'json' })) {
    for (const { data } of [...list.crds, ...list.resources]) {
      const object = JSON.parse(data) as JsonMap;
      const [version = '', group = ''] = String(object.apiVersion).split('/').reverse();
      const kind = String(object.kind);
      const namespaced = map(object.metadata).namespace !== undefined;
      const type = { group, version, kind, plural: pluralOf(kind), namespaced };
      if (!types.has(`${group}/${version}/${kind}`) || namespaced) types.set(`${group}/${version}/${kind}`, type);
    }
  }
  return [...types.values()];
}

const own = /^(?:meta\.helm\.sh\/|app\.kubernetes\.io\/managed-by$|applyset\.kubernetes\.io\/)/;

// What servers and tools add goes, and nulls, which mean that nothing is there.
function bare(value: Json, depth = 0): Json {
  if (Array.isArray(value)) return value.map((item) => bare(item, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([key, item]) => item !== null && !(depth === 0 && key === 'status') && !own.test(key))
    .map(([key, item]): [string, Json] => [key, bare(item, depth + 1)])
    .filter(([key, item]) => !(/^(?:annotations|labels)$/.test(key) && JSON.stringify(item) === '{}'));
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Gives the members that chance made, by the kind and name of their objects. */
function chanceOf({ rendered }: PublicOrder): Map<string, readonly string[]> {
  const scopes = customScopes({ ...rendered });
  const found = rendered.packages.flatMap((item) => randomObjects(item, scopes));
  return new Map(found.map(({ object, paths }) => [`${object.kind} ${object.name}`, paths]));
}

function withoutMember(value: Json, path: string): void {
  const steps = [...path.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([^.[\]]+)/g)].map(
    (match) => match.slice(1).find(Boolean) ?? '',
  );
  const last = steps.pop() ?? '';
  const holder = steps.reduce<Json>(
    (inner, step) => (typeof inner === 'object' && inner !== null ? ((inner as JsonMap)[step] ?? null) : null),
    value,
  );
  if (typeof holder === 'object' && holder !== null) delete (holder as JsonMap)[last];
}

/** Gives the objects of a cluster as texts that can be compared, without what chance made. */
function contentOf(server: ApiServer, item: PublicOrder): Map<string, string> {
  const namespaces = new Set(item.rendered.packages.map(({ release }) => release.namespace));
  const chance = chanceOf(item);
  const content = new Map<string, string>();
  for (const [key, object] of server.objects()) {
    const [type = '', place = ''] = key.split(' ');
    const name = place.slice(place.indexOf('/') + 1);
    if (/^(?:sh\.helm\.release\.v1\.|drydock-)/.test(name)) continue;
    if (type === 'namespaces.' && (namespaces.has(name) || /^(?:default|kube-system)$/.test(name))) continue;
    const metadata = { ...map(object.metadata) };
    for (const field of ['uid', 'resourceVersion', 'generation', 'creationTimestamp', 'managedFields'])
      delete metadata[field];
    if (metadata.generateName !== undefined) delete metadata.name;
    const title =
      metadata.generateName === undefined ? key : `${key.slice(0, key.indexOf('/'))}/${String(metadata.generateName)}*`;
    const copy = structuredClone({ ...object, metadata });
    for (const path of chance.get(`${String(object.kind)} ${name}`) ?? []) withoutMember(copy, path);
    content.set(title, JSON.stringify(bare(copy)));
  }
  return content;
}

function firstDifference(a: string, b: string): string {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return `  …${a.slice(Math.max(0, at - 80), at + 120)}\n  …${b.slice(Math.max(0, at - 80), at + 120)}`;
}

/** Tells the first object that differs; what `mayLack` says may be missing in the first. */
function compare(
  a: ReadonlyMap<string, string>,
  b: ReadonlyMap<string, string>,
  mayLack: ReadonlySet<string> = new Set(),
): string {
  for (const [key, text] of b) {
    const other = a.get(key);
    if (other === undefined && mayLack.has(key)) continue;
    if (other === undefined) return `lacks ${key}`;
    if (other !== text) return `${key} differs:\n${firstDifference(other, text)}`;
  }
  const more = [...a.keys()].filter((key) => !b.has(key));
  return more.length === 0 ? '' : `has ${more.join(', ')}`;
}

async function applyAll(
  texts: readonly (readonly [namespace: string, text: string])[],
  types: readonly Type[],
): Promise<[ApiServer, string]> {
  const server = await startApiServer(types);
  for (const [namespace, text] of texts) {
    await run(['kubectl', 'create', 'namespace', namespace], server);
    if (text.trim() === '') continue;
    const { code, text: said } = await run(['kubectl', 'create', '-f', '-'], server, { input: text, namespace });
    const faults = said.split('\n').filter((line) => line !== '' && !/AlreadyExists| created$/.test(line));
    if (code !== 0 && faults.length > 0) return [server, faults.join('\n')];
  }
  return [server, ''];
}

async function proveAgreement(item: PublicOrder): Promise<void> {
  const { rendered, title } = item;
  const types = typesOf(rendered);
  const servers: ApiServer[] = [];
  try {
    const [helm, kubectl] = [await startApiServer(types), await startApiServer(types)];
    servers.push(helm, kubectl);
    const byHelm = await runScript(rendered.helmScript(), helm, ['--timeout', '30']);
    if (byHelm.code !== 0) return report(`${title}: Helm installs it`, byHelm.text.slice(-1500));
    const byKubectl = await runScript(rendered.yamlScript(), kubectl, ['--timeout', '30']);
    if (byKubectl.code !== 0) return report(`${title}: kubectl installs it`, byKubectl.text.slice(-1500));
    const lists = rendered.resources({ format: 'json' });
    const resources = await applyAll(
      lists.map((list) => [
        list.namespace,
        [...list.crds, ...list.resources].map(({ data }) => `---\n${data}\n`).join(''),
      ]),
      types,
    );
    servers.push(resources[0]);
    if (resources[1] !== '') return report(`${title}: resources`, resources[1].slice(-1500));
    const texts: [string, string][] = [];
    let rest = rendered.manifest();
    for (const { selection, chart, release } of [...rendered.packages].reverse()) {
      const head = `---\n# Source: ${selection.chart.sourceRef.name} - ${chart.metadata.name}@${chart.metadata.version}\n`;
      const at = rest.lastIndexOf(head);
      texts.unshift([release.namespace, rest.slice(at + head.length)]);
      rest = rest.slice(0, at);
    }
    const manifest = await applyAll(texts, types);
    servers.push(manifest[0]);
    if (manifest[1] !== '') return report(`${title}: manifest`, manifest[1].slice(-1500));
    const of = (server: ApiServer): Map<string, string> => contentOf(server, item);
    const hooks = hookKeys(rendered, types);
    const count = of(kubectl).size;
    report(`${title}: ${count} objects, Helm and kubectl`, compare(of(helm), of(kubectl)));
    report(`${title}: manifest and resources`, compare(of(manifest[0]), of(resources[0])));
    report(`${title}: kubectl and resources`, compare(of(kubectl), of(resources[0]), hooks));
    if (process.env.CHARTS_LIFE !== 'no') await proveLife(item, helm, kubectl, types);
  } finally {
    for (const server of servers) server.close();
  }
}

function hookKeys(rendered: RenderedOrder, types: readonly Type[]): Set<string> {
  const keys = new Set<string>();
  for (const { release } of rendered.packages) {
    for (const { name, kind, content } of release.hooks) {
      const [, own = release.namespace] = /^ {2}namespace: *["']?([-a-z0-9]+)/m.exec(content) ?? [];
      for (const namespace of [own, ''])
        for (const type of types.filter((other) => other.kind === kind))
          keys.add(`${type.plural}.${type.group} ${namespace}/${name}`);
    }
  }
  return keys;
}

const plain = (server: ApiServer): string[] => server.list().filter((key) => !/sh\.helm\.release/.test(key));

async function proveLife(
  item: PublicOrder,
  helm: ApiServer,
  kubectl: ApiServer,
  types: readonly Type[],
): Promise<void> {
  const { rendered, title } = item;
  for (const [tool, server] of [
    ['helm', helm],
    ['kubectl', kubectl],
  ] as const) {
    const scriptOf = (action: 'install' | 'uninstall'): string =>
      tool === 'helm' ? rendered.helmScript('linux', { action }) : rendered.yamlScript('linux', { action });
    const before = contentOf(server, item);
    const changes = server.changes();
    const again = await runScript(scriptOf('install'), server, ['--timeout', '30']);
    const isQuiet =
      tool === 'helm' ||
      server.changes() === changes ||
      rendered.packages.some(({ release }) => release.hooks.length > 0) ||
      item.features.includes('generateName');
    const fault = again.code !== 0 ? again.text.slice(-1500) : isQuiet ? '' : `${server.changes() - changes} changes`;
    report(
      `${title}: ${tool} again`,
      fault || (item.features.includes('generateName') ? '' : compare(contentOf(server, item), before)),
    );
    const gone = await runScript(scriptOf('uninstall'), server, ['--timeout', '30']);
    const rest = plain(server).filter(
      (key) => !/^(?:namespaces\.|customresourcedefinitions\.|persistentvolumeclaims\.) ?/.test(key),
    );
    const kept = rest.filter(
      (key) =>
        !/resource-policy":"keep/.test(JSON.stringify(server.objects().get(key))) &&
        !hookKeys(rendered, types).has(key),
    );
    report(`${title}: ${tool} uninstalls`, gone.code === 0 ? kept.join(', ') : gone.text.slice(-1500));
    const all = await runScript(scriptOf('uninstall'), server, [
      '--timeout',
      '30',
      '--delete-pvcs',
      '--delete-crds',
      '--delete-namespaces',
    ]);
    report(`${title}: ${tool} uninstalls with every option`, all.code === 0 ? '' : all.text.slice(-1500));
  }
}

async function pick(): Promise<PublicOrder[]> {
  const count = Number(process.env.CHARTS_PER_DIR ?? 3);
  const orders: PublicOrder[] = [];
  for (const folder of process.argv.slice(2).map((path) => resolve(path))) {
    const folders = await chartFolders(folder);
    const step = Math.max(1, Math.floor(folders.length / (count * 3)));
    const found: string[] = [];
    for (let at = 0; at < folders.length && found.length < count * 2; at += step) {
      const path = folders[at] as string;
      if (only !== '' && !path.includes(only)) continue;
      if ((await orderOf([path])) !== undefined) found.push(path);
    }
    for (let at = 0; at < found.length && orders.length < 1000; at++) {
      const folders = at % 2 === 0 ? [found[at] as string] : found.slice(at, at + 2);
      const order = await orderOf(folders);
      if (order !== undefined) orders.push(order);
    }
  }
  return orders;
}

try {
  const orders = await pick();
  const features = new Map<string, number>();
  for (const order of orders) {
    for (const feature of new Set(order.features)) features.set(feature, (features.get(feature) ?? 0) + 1);
    await proveAgreement(order);
  }
  console.log(`${orders.length} Orders: ${[...features].map(([name, count]) => `${count} ${name}`).join(', ')}`);
} finally {
  await rm(home, { recursive: true, force: true });
}
console.log(failures === 0 ? 'charts: all hold' : `charts: ${failures} do not hold`);
process.exitCode = failures === 0 ? 0 : 1;
