// Proves the outputs of Orders over public charts against each other, and what the scripts do to a cluster, with the real Helm and
// kubectl against the API server of the proofs: install, again, upgrade to a changed Order, failures, uninstall. `npm run charts-proof
// -- WHERE…`, each a folder of charts, or charts joined by commas for one Order (`odd` is a chart of what is rare); `--orders N` takes about so many of a folder,
// `--failures N` fails so many of the changes of each installation (default 1; 0 for each of them), `--failures every` each call of
// installation, the same again, upgrade and uninstallation, what only reads too, or of each `--at-most N`. `--shelf DIR` takes the Orders of
// fixtures/public-orders.txt, or of `--list FILE`, out of a folder of repositories. `--record FILE` keeps what each Order came to and goes on where an earlier run ended, `--seconds N` ends one.

import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { helmBinary } from '../tools/helm-binary.ts';
import type { Type } from './api-discovery.ts';
import { type ApiServer, startApiServer } from './api-server.ts';
import { compare, contentOf, hookKeys, keysOf, typesOf } from './cluster-content.ts';
import { failuresOf, type Stage } from './cluster-failures.ts';
import type { Outcome } from './cluster-runs.ts';
import { writeOddChart } from './odd-chart.ts';
import {
  type ChartShelf,
  type ChosenChart,
  changedOrders,
  chartFolders,
  listedOrders,
  orderOf,
  type PublicOrder,
  shelfOf,
} from './public-orders.ts';
import { type ScriptShell, startToolHost } from './tool-host.ts';

const real = await helmBinary();
const home = await mkdtemp(join(tmpdir(), 'drydock-charts-'));
const odd = await writeOddChart(home);
const { values: flags, positionals } = parseArgs({
  options: {
    orders: { type: 'string', default: '3' },
    failures: { type: 'string', default: '1' },
    'at-most': { type: 'string', default: '' },
    'at-once': { type: 'string', default: '1' },
    remember: { type: 'string', default: 'yes' },
    shell: { type: 'string', default: 'sh' },
    shelf: { type: 'string' },
    list: { type: 'string' },
    record: { type: 'string' },
    seconds: { type: 'string', default: '86400' },
  },
  allowPositionals: true,
});

const shell = flags.shell as ScriptShell;
const host = await startToolHost(join(real.helm, '..'), home, { shell, remembers: flags.remember !== 'no' });
const isEvery = flags.failures === 'every' || flags.failures === 'kinds';

/** What an Order came to. */
interface Result {
  readonly place: string;
  readonly title: string;
  readonly features: readonly string[];
  readonly counts: Readonly<Record<'held' | 'objects' | 'changed' | 'failed', number>>;
  /** The titles of what did not hold. */
  readonly faults: readonly string[];
}

const nothing = { held: 0, objects: 0, changed: 0, failed: 0 };
let counts = { ...nothing };
let faults: string[] = [];

function report(title: string, fault: string): void {
  if (fault === '') counts.held++;
  else faults.push(title);
  console.log(`${fault === '' ? 'ok  ' : 'FAIL'} ${title}${fault === '' ? '' : `\n${fault.slice(0, 3000)}`}`);
}

const runScript = (text: string, server: ApiServer, args: readonly string[] = []): Promise<Outcome> =>
  host.runScript(text, server, { args });

async function applyAll(
  texts: readonly (readonly [namespace: string, text: string])[],
  types: readonly Type[],
): Promise<[ApiServer, string]> {
  const server = await startApiServer(types);
  for (const [namespace, text] of texts) {
    await host.run(['kubectl', 'create', 'namespace', namespace], server);
    if (text.trim() === '') continue;
    const { code, text: said } = await host.run(['kubectl', 'create', '-f', '-'], server, { input: text, namespace });
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
    const byHelm = await runScript(scriptFor(item, 'helm'), helm, ['--timeout', '30']);
    if (byHelm.code !== 0) return report(`${title}: Helm installs it`, byHelm.text.slice(-1500));
    const byKubectl = await runScript(scriptFor(item, 'kubectl'), kubectl, ['--timeout', '30']);
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
    // A hook that is an object of the chart once more changes it as it runs; in a list either is the first.
    const both = [...keysOf(rendered, 'manifests', types)].filter((key) => hooks.has(key));
    const without = (content: Map<string, string>): Map<string, string> => {
      for (const key of both) content.delete(key);
      return content;
    };
    report(`${title}: kubectl and resources`, compare(without(of(kubectl)), without(of(resources[0])), hooks));
    counts.objects += count;
    for (const [tool, server] of [
      ['helm', helm],
      ['kubectl', kubectl],
    ] as const) {
      const changed = await proveLife(item, tool, server, types);
      await proveFailures(item, changed, tool, types);
    }
  } finally {
    for (const server of servers) server.close();
  }
}

type Tool = 'helm' | 'kubectl';

function scriptFor({ rendered }: PublicOrder, tool: Tool, action: 'install' | 'uninstall' = 'install'): string {
  const write = tool === 'helm' ? rendered.helmScript : rendered.yamlScript;
  return write(shell === 'sh' ? 'linux' : 'windows', { action });
}

const isKept = (key: string, server: ApiServer): boolean =>
  /^(?:namespaces\.|customresourcedefinitions\.|persistentvolumeclaims\.)/.test(key) ||
  JSON.stringify(server.objects().get(key)).includes('resource-policy":"keep');

/** Gives the Order that it was upgraded to; undefined where there is none. */
async function proveLife(
  item: PublicOrder,
  tool: Tool,
  server: ApiServer,
  types: readonly Type[],
): Promise<PublicOrder | undefined> {
  const { rendered, title } = item;
  const before = contentOf(server, item);
  const changes = server.changes();
  const again = await runScript(scriptFor(item, tool), server, ['--timeout', '30']);
  const isQuiet =
    tool === 'helm' ||
    server.changes() === changes ||
    rendered.packages.some(({ release }) => release.hooks.length > 0) ||
    item.features.includes('generateName');
  const fault = again.code !== 0 ? again.text.slice(-1500) : isQuiet ? '' : `${server.changes() - changes} changes`;
  const isNamed = !item.features.includes('generateName');
  report(`${title}: ${tool} again`, fault || (isNamed ? compare(contentOf(server, item), before) : ''));
  let last: PublicOrder | undefined;
  for await (const changed of changedOrders(item, join(home, 'changed'))) {
    const isRefused = await proveUpgrade(item, changed, tool, server);
    if (isRefused) continue;
    last = changed;
    break;
  }
  await proveUninstall(last ?? item, item, tool, server, types);
  return last;
}

/**
 * After an upgrade there is what an installation of the changed Order makes, and of the old one what is kept. Tells whether
 * the chart itself refuses the change, as some do that look at what is installed.
 */
async function proveUpgrade(item: PublicOrder, changed: PublicOrder, tool: Tool, server: ApiServer): Promise<boolean> {
  const types = [...typesOf(item.rendered), ...typesOf(changed.rendered)];
  const fresh = await startApiServer(types);
  try {
    const upgraded = await runScript(scriptFor(changed, tool), server, ['--timeout', '30']);
    if (/UPGRADE FAILED: execution error at/.test(upgraded.text)) return true;
    const installed = await runScript(scriptFor(changed, tool), fresh, ['--timeout', '30']);
    const hooks = new Set([...hookKeys(item.rendered, types), ...hookKeys(changed.rendered, types)]);
    const wanted = contentOf(fresh, changed);
    const found = contentOf(server, changed);
    for (const key of found.keys()) {
      if (!wanted.has(key) && (hooks.has(key) || isKept(key, server) || key.endsWith('*'))) found.delete(key);
    }
    const isDone = upgraded.code === 0 && installed.code === 0;
    if (isDone) counts.changed++;
    const fault = isDone
      ? compare(found, wanted, hooks)
      : `${installed.text.slice(-700)}\n${upgraded.text.slice(-1500)}`;
    report(`${item.title}: ${tool} upgrades to a changed Order`, fault);
    return false;
  } finally {
    fresh.close();
  }
}

async function proveUninstall(
  item: PublicOrder,
  first: PublicOrder,
  tool: Tool,
  server: ApiServer,
  types: readonly Type[],
): Promise<void> {
  const { title } = first;
  const script = scriptFor(item, tool, 'uninstall');
  const gone = await runScript(script, server, ['--timeout', '30']);
  const hooks = new Set([...hookKeys(item.rendered, types), ...hookKeys(first.rendered, types)]);
  // Hooks stay, those that the server named too.
  const isHook = (key: string): boolean =>
    hooks.has(key) || JSON.stringify(server.objects().get(key)).includes('"helm.sh/hook"');
  const rest = server.list().filter((key) => !/sh\.helm\.release/.test(key) && !isKept(key, server) && !isHook(key));
  report(`${title}: ${tool} uninstalls`, gone.code === 0 ? rest.join(', ') : gone.text.slice(-1500));
  const all = await runScript(script, server, [
    '--timeout',
    '30',
    '--delete-pvcs',
    '--delete-crds',
    '--delete-namespaces',
  ]);
  report(`${title}: ${tool} uninstalls with every option`, all.code === 0 ? '' : all.text.slice(-1500));
}

/** Calls that fail: told with the package, and the next run comes to the same end as if nothing had been. */
async function proveFailures(
  item: PublicOrder,
  changed: PublicOrder | undefined,
  tool: Tool,
  types: readonly Type[],
): Promise<void> {
  const install = { title: 'installs', item, script: scriptFor(item, tool), after: [], words: [] };
  const stages: Stage[] = [install];
  if (isEvery) {
    const after = [scriptFor(item, tool)];
    if (tool === 'kubectl') stages.push({ ...install, title: 'installs again', after, isSame: true });
    if (changed !== undefined)
      stages.push({ ...install, title: 'upgrades', item: changed, script: scriptFor(changed, tool), after });
    const words = ['--delete-namespaces'];
    stages.push({ ...install, title: 'uninstalls', script: scriptFor(item, tool, 'uninstall'), after, words });
  }
  const kinds = changed === undefined ? types : [...types, ...typesOf(changed.rendered)];
  for (const stage of stages) {
    const most = Number(isEvery ? flags['at-most'] : flags.failures) || Number.POSITIVE_INFINITY;
    const of = flags.failures === 'kinds' ? 'kinds' : isEvery ? 'calls' : 'changes';
    const found = await failuresOf(
      { ...stage, tool, of },
      { types: kinds, host, most, atOnce: Number(flags['at-once']) },
    );
    counts.failed += found.count;
    const what = `${found.count} failures of ${found.total} ${isEvery ? 'calls' : 'changes'}`;
    report(`${item.title}: ${tool} ${stage.title}: ${what} are told, and the next run finishes`, found.fault);
  }
}

/** Gives the Orders of a place: charts joined by commas are one, a folder of charts gives some, every second of two charts. */
async function ordersOf(place: string, shelf: ChartShelf | undefined): Promise<PublicOrder[]> {
  const charts = place.split(',').map((part) => {
    const [path = '', namespace] = part.split('@');
    return { path: path === 'odd' ? odd : resolve(flags.shelf ?? '.', path), namespace };
  });
  if (charts.every(({ path }) => existsSync(join(path, 'Chart.yaml')))) {
    const chosen: ChosenChart[] = [];
    for (const { path, namespace } of charts) chosen.push({ path: (await shelf?.complete(path)) ?? path, namespace });
    const order = await orderOf(chosen);
    if (order === undefined) report(`${place}: renders`, 'it does not render, or a server would refuse an object');
    return order === undefined ? [] : [order];
  }
  const count = Number(flags.orders);
  const folders = await chartFolders(resolve(place));
  const step = Math.max(1, Math.floor(folders.length / (count * 3)));
  const found: ChosenChart[] = [];
  for (let at = 0; at < folders.length && found.length < count * 2; at += step) {
    const chart = { path: folders[at] as string };
    if ((await orderOf([chart])) !== undefined) found.push(chart);
  }
  const orders: PublicOrder[] = [];
  for (const [at, chart] of found.entries()) {
    const order = await orderOf(at % 2 === 0 ? [chart] : found.slice(at, at + 2));
    if (order !== undefined) orders.push(order);
  }
  return orders;
}

/** Proves the Orders of a place; gives what each came to. */
async function provePlace(place: string, shelf: ChartShelf | undefined): Promise<Result[]> {
  const results: Result[] = [];
  for (const order of await ordersOf(place, shelf)) {
    await proveAgreement(order);
    host.forget();
    results.push({ place, title: order.title, features: order.features, counts, faults });
    [counts, faults] = [{ ...nothing }, []];
  }
  // What is not there, or does not render, is a fault too.
  if (faults.length > 0) results.push({ place, title: place, features: [], counts, faults });
  [counts, faults] = [{ ...nothing }, []];
  return results;
}

function tell(results: readonly Result[]): void {
  const features = new Map<string, number>();
  for (const result of results)
    for (const feature of new Set(result.features)) features.set(feature, (features.get(feature) ?? 0) + 1);
  const sum = (name: keyof typeof nothing): number => results.reduce((all, result) => all + result.counts[name], 0);
  const failures = results.flatMap((result) => result.faults);
  console.log(`${results.length} Orders: ${[...features].map(([name, count]) => `${count} ${name}`).join(', ')}`);
  console.log(
    `${sum('objects')} objects, ${sum('changed')} upgrades, ${sum('failed')} failures, ${sum('held')} things that hold`,
  );
  for (const title of failures) console.log(`FAIL ${title}`);
  console.log(failures.length === 0 ? 'charts: all hold' : `charts: ${failures.length} do not hold`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}

try {
  const { record, shelf: folder } = flags;
  const kept = record !== undefined && existsSync(record) ? readFileSync(record, 'utf8').split('\n').slice(0, -1) : [];
  const results = kept.map((line) => JSON.parse(line) as Result);
  const done = new Set(results.map(({ place }) => place));
  const shelf = folder === undefined ? undefined : await shelfOf(folder, join(home, 'charts'));
  const places = [...positionals, ...(folder === undefined ? [] : listedOrders(flags.list))].filter(
    (place) => !done.has(place),
  );
  const end = Date.now() + Number(flags.seconds) * 1000;
  for (const [at, place] of places.entries()) {
    if (Date.now() >= end) {
      console.log(`${places.length - at} Orders are left for another run`);
      break;
    }
    for (const result of await provePlace(place, shelf)) {
      results.push(result);
      if (record !== undefined) appendFileSync(record, `${JSON.stringify(result)}\n`);
    }
  }
  tell(results);
  const { runs, recalled } = host.counts();
  console.log(`${runs} runs of tools, ${recalled} of them answered from memory`);
} finally {
  host.close();
  await rm(home, { recursive: true, force: true });
}
