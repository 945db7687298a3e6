// Tests that the outputs of an Order agree with its manifest: the resource lists, the objects that the kubectl script applies, and what real
// Helm renders for the calls of the Helm script. `npm run test:e2e -- scripts` checks sample and generated Orders in every shell; SEED=n
// repeats a run. `npm run test:e2e -- public-charts DIR [--every N]`: for Orders of two charts each of a folder.

import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import fc from 'fast-check';
import type { RenderedOrder } from '../../../render/api/order.ts';
import { loadChartPath } from '../../../render/chart/directory.node.ts';
import { memoryRegistry } from '../../../render/chart/registry.ts';
import { helmBinary } from '../../../scripts/dev/tools/helm-binary.ts';
import { temporaryFolder } from '../../../scripts/dev/tools/tools.ts';
import { readCollection } from '../../conformance/charts.ts';
import { generatedOrder } from '../../support/generated-orders.ts';
import { objectTexts } from '../../support/objects.ts';
import { appliedObjects, chartsDirectory, listOrders, loadOrder, renderSample } from '../../support/orders.ts';
import { recordedHelms } from '../../support/rows.ts';
import { type Run, runScript, shells } from '../../support/shells.ts';
import { orderOf } from '../cluster/orders.ts';
import { startStatic } from '../vendor/servers.ts';

const { values: flags, positionals } = parseArgs({
  options: { every: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const major = 3;
const { helm } = await helmBinary(major);
const sampleOptions = { helm: recordedHelms[major] };
const seed = Number(process.env.SEED ?? 20250101);
const home = temporaryFolder('drydock tests ü ');
const counts = { orders: 0, objects: 0, random: 0, skipped: 0, failures: 0 };

type Shell = readonly string[];

function report(title: string, failure: string): void {
  if (failure !== '') counts.failures++;
  console.log(failure === '' ? `ok   ${title}` : `FAIL ${title}\n  ${failure}`);
}

const shellAt = (at: number): Shell => shells[at % shells.length]?.command ?? ['sh'];

// Decoys: folders beside the script that have the name of a chart, which Helm would install instead of a chart of a repository.
const refusesDecoys = `
if [ "$1 $2" = 'upgrade --install' ] && [ -e "./$4/Chart.yaml" ]; then echo "$4 is a decoy" >&2; exit 8; fi`;

function run(script: string, shell: Shell, { packages }: RenderedOrder): Run {
  const decoys = packages.map(({ chart }) => [`${chart.metadata.name}/Chart.yaml`, 'name: decoy\n'] as const);
  const ran = runScript(script, shell, { files: new Map(decoys), behavior: refusesDecoys });
  if (ran.code !== 0) throw new Error(`exit code ${ran.code}: ${ran.stderr.slice(-400)}`);
  return ran;
}

/** Returns the output of real Helm for each `helm upgrade --install` of the Helm script. */
async function renderedByHelm(rendered: RenderedOrder, shell: Shell): Promise<string[]> {
  const folders = Object.fromEntries(['CACHE', 'CONFIG', 'DATA'].map((name) => [`HELM_${name}_HOME`, home]));
  const outputs: string[] = [];
  for (const { words, document } of run(rendered.helmScript(), shell, rendered).calls) {
    if (words[0] !== 'upgrade') continue;
    const release = words.slice(2).filter((word) => word !== '--reset-values');
    const args = ['template', ...release, '--include-crds', '--kube-version', rendered.kubeVersion];
    const options = { cwd: home, input: document, env: folders, reject: false, maxBuffer: 1e9 } as const;
    const { exitCode, stdout, stderr } = await execa(helm, args, options);
    if (exitCode !== 0) throw new Error(`helm ${args.join(' ')}: ${stderr.slice(0, 400)}`);
    outputs.push(stdout);
  }
  return outputs;
}

// Tests and upgrade hooks are in Helm's output, but not part of an installation. Files of `crds/` are, even with a hook of Helm 2.
function installedObjects(text: string): string[] {
  const documents = text.split(/^---.*\n/m).filter((document) => {
    const [, events] = /^ {4}"?helm\.sh\/hook"?: *(.*)$/m.exec(document) ?? [];
    return events === undefined || /(?:pre|post|crd)-install/.test(events);
  });
  return documents.flatMap((document) => objectTexts(`---\n${document}`));
}

/** Compares the outputs of an Order with its manifest. `again` renders it another time, which shows what is random. */
async function compareOutputs(
  title: string,
  rendered: RenderedOrder,
  again: RenderedOrder,
  shell: Shell,
): Promise<void> {
  const manifest = objectTexts(rendered.manifest());
  const repeated = new Set(objectTexts(again.manifest()));
  const random = new Set(manifest.filter((object) => !repeated.has(object)));
  counts.orders++;
  counts.objects += manifest.length;
  counts.random += random.size;
  const lists = (format: 'yaml' | 'json'): string[] =>
    rendered
      .resources({ format })
      .flatMap(({ crds, resources }) => [...crds, ...resources].flatMap(({ data }) => objectTexts(data)));
  const outputs = {
    'resources as YAML': async () => lists('yaml'),
    'resources as JSON': async () => lists('json'),
    'kubectl script': async () => appliedObjects(rendered, run(rendered.yamlScript(), shell, rendered)),
    'Helm script': async () => (await renderedByHelm(rendered, shell)).flatMap(installedObjects),
  };
  for (const [name, output] of Object.entries(outputs)) {
    // Helm generates other random values.
    const varying = name === 'Helm script' ? random : new Set<string>();
    const failure = await output()
      .then((objects) => difference(manifest, objects, varying))
      .catch((error: unknown) => String(error));
    report(`${title}: ${name}`, failure);
  }
}

/** Returns the first differences between an output and the manifest; empty if there are none. */
function difference(manifest: readonly string[], output: readonly string[], random: ReadonlySet<string>): string {
  const [wanted, found] = [new Set(manifest), new Set(output)];
  const missing = manifest.filter((object) => !found.has(object) && !random.has(object));
  const added = [...found].filter((object) => !wanted.has(object)).slice(random.size);
  return [...missing.map((object) => `missing: ${object}`), ...added.map((object) => `unexpected: ${object}`)]
    .map((line) => line.slice(0, 600))
    .slice(0, 2)
    .join('\n  ');
}

async function checkSamples(): Promise<void> {
  for (const name of listOrders()) {
    const render = (): Promise<RenderedOrder> => renderSample(loadOrder(name), sampleOptions);
    for (const shell of shells)
      await compareOutputs(`${name} in ${shell.name}`, await render(), await render(), shell.command);
  }
}

async function checkGenerated(): Promise<void> {
  const embedded = fc.constant({ kind: 'Embed', name: 'sample' });
  const orders = fc.sample(generatedOrder(embedded), { numRuns: 80, seed });
  for (const [index, order] of orders.entries()) {
    const rendered = await renderSample(order, sampleOptions);
    const before = counts.failures;
    await compareOutputs(`generated Order ${index} of seed ${seed}`, rendered, rendered, shellAt(index));
    if (counts.failures > before) console.log(JSON.stringify(order));
  }
}

/** Compares the outputs of an Order with charts of a classic repository. */
async function checkRepository(): Promise<void> {
  const folder = join(home, 'repository');
  const paths = ['web', 'umbrella'].map((name) => join(chartsDirectory, name));
  for (const path of paths) await execa(helm, ['package', path, '--destination', folder]);
  await execa(helm, ['repo', 'index', folder]);
  const server = await startStatic(folder);
  try {
    const charts = await Promise.all(paths.map((path) => loadChartPath(path)));
    const sourceRef = { kind: 'Legacy', name: `http://${server.host}` };
    const packages = charts.map(({ metadata: { name } }) => ({
      chart: { name, sourceRef, version: '>=0', releaseName: name, namespace: 'n' },
    }));
    const options = { ...sampleOptions, registry: memoryRegistry(charts) };
    const rendered = await renderSample({ spec: { packages } }, options);
    await compareOutputs('charts of a repository URL', rendered, rendered, ['sh']);
  } finally {
    await server.stop();
  }
}

async function checkCharts(root: string): Promise<void> {
  const collection = await readCollection([root], join(home, 'charts'));
  const folders = collection.charts.map(([, path]) => path).filter((_folder, at) => at % Number(flags.every) === 0);
  const size = 2;
  for (let at = 0; at < folders.length; at += size) {
    const own = folders.slice(at, at + size);
    const charts = await Promise.all(own.map(async (path) => ({ path: await collection.complete(path) })));
    const settings = { name: 'outputs', helm: major, apiVersions: [] } as const;
    const [order, again] = [await orderOf(charts, settings), await orderOf(charts, settings)];
    const title = own.map((folder) => relative(root, folder)).join(' + ');
    if (order === undefined || again === undefined) counts.skipped++;
    else await compareOutputs(title, order.rendered, again.rendered, shellAt(at / size));
  }
}

const [root] = positionals;
if (root !== undefined) await checkCharts(resolve(root));
else {
  await checkSamples();
  await checkGenerated();
  await checkRepository();
}
const { orders, objects, random, skipped, failures } = counts;
console.log(
  `${orders} Orders with ${objects} objects (${random} random), ${skipped} Orders do not render: ${failures} failures`,
);
process.exitCode = failures === 0 && orders > 0 ? 0 : 1;
