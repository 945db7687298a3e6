import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import type { RenderedOrder } from '../../../render/api/order.ts';
import { helmBinary } from '../../../scripts/dev/tools/helm-binary.ts';
import { temporaryFolder } from '../../../scripts/dev/tools/tools.ts';
import { readCollection } from '../../conformance/charts.ts';
import { objectTexts } from '../../support/objects.ts';
import { appliedObjects } from '../../support/orders.ts';
import { type Run, runScript, shells } from '../../support/shells.ts';
import { orderOf } from '../cluster/orders.ts';

const { values: flags, positionals } = parseArgs({
  options: {
    every: { type: 'string', default: '1' },
    skip: { type: 'string', default: '0' },
    size: { type: 'string', default: '2' },
  },
  allowPositionals: true,
});

/** The objects of one output, each as JSON. */
type Objects = ReadonlySet<string>;

const { helm } = await helmBinary(3);
const home = temporaryFolder('drydock-outputs-');
const counts = { orders: 0, charts: 0, objects: 0, random: 0, skipped: 0 };
const differing: string[] = [];

const toObjects = (texts: readonly string[]): Objects => new Set(texts.flatMap(objectTexts));

function run(script: string): Run {
  const shell = shells[counts.orders % shells.length]?.command ?? ['sh'];
  const ran = runScript(script, shell);
  if (ran.code !== 0) throw new Error(`exit code ${ran.code}: ${ran.stderr.slice(-400)}`);
  return ran;
}

/** Returns the output of real Helm for the commands of the Helm script. */
async function renderedByHelm(rendered: RenderedOrder): Promise<Objects> {
  const upgrades = run(rendered.helmScript()).calls.filter(({ words }) => words[0] === 'upgrade');
  const texts: string[] = [];
  for (const { words, document } of upgrades) {
    const namespace = words[words.indexOf('--namespace') + 1]!;
    const flags = ['--namespace', namespace, '--kube-version', rendered.kubeVersion];
    const args = ['template', words[2]!, words[3]!, ...flags, '--include-crds', '--values', '-'];
    const { exitCode, stdout, stderr } = await execa(helm, args, { input: document, reject: false, maxBuffer: 1e9 });
    if (exitCode !== 0) throw new Error(`helm ${args.join(' ')}: ${stderr.slice(0, 400)}`);
    texts.push(withoutOtherHooks(stdout));
  }
  return toObjects(texts);
}

// Tests and upgrade hooks are in Helm's output, but not part of an installation. Files of `crds/` are, even with a hook of Helm 2.
const withoutOtherHooks = (text: string): string =>
  text
    .split(/^---.*\n/m)
    .filter((document) => {
      const [, events] = /^ {4}"?helm\.sh\/hook"?: *(.*)$/m.exec(document) ?? [];
      return events === undefined || /(?:pre|post|crd)-install/.test(events);
    })
    .map((document) => `---\n${document}`)
    .join('');

/** Returns the differences between an output and the manifest; empty if there are none. */
function difference(manifest: Objects, other: Objects, random: Objects): string {
  const missing = [...manifest].filter((object) => !other.has(object) && !random.has(object));
  // Random values differ in each rendering.
  const added = [...other].filter((object) => !manifest.has(object)).slice(random.size);
  return [...missing.map((object) => `missing: ${object}`), ...added.map((object) => `unexpected: ${object}`)]
    .map((line) => line.slice(0, 600))
    .slice(0, 2)
    .join('\n  ');
}

async function compareOrder(folders: readonly string[], root: string): Promise<void> {
  const title = folders.map((folder) => relative(root, folder)).join(' + ');
  const charts = await Promise.all(folders.map(async (path) => ({ path: await collection.complete(path) })));
  const settings = { name: 'outputs', helm: 3 as const, apiVersions: [] };
  const order = await orderOf(charts, settings);
  const again = await orderOf(charts, settings);
  if (order === undefined || again === undefined) return void counts.skipped++;
  const { rendered } = order;
  const manifest = toObjects([rendered.manifest()]);
  const repeated = toObjects([again.rendered.manifest()]);
  const random = new Set([...manifest].filter((object) => !repeated.has(object)));
  counts.orders++;
  counts.charts += folders.length;
  counts.objects += manifest.size;
  counts.random += random.size;
  const lists = (format: 'yaml' | 'json'): Objects =>
    toObjects(
      rendered.resources({ format }).flatMap(({ crds, resources }) => [...crds, ...resources].map(({ data }) => data)),
    );
  const outputs = {
    'resources as YAML': () => lists('yaml'),
    'resources as JSON': () => lists('json'),
    'kubectl script': () => new Set(appliedObjects(rendered, run(rendered.yamlScript()))),
    'Helm script': () => renderedByHelm(rendered),
  };
  for (const [name, output] of Object.entries(outputs)) {
    const failure = await Promise.resolve()
      .then(output)
      .then((objects) => difference(manifest, objects, name === 'Helm script' ? random : new Set()))
      .catch((error: unknown) => String(error));
    if (failure === '') continue;
    differing.push(title);
    console.log(`FAIL ${title}: ${name}\n  ${failure}`);
  }
}

const root = positionals[0]!;
const collection = await readCollection([root], join(home, 'charts'));

const folders = collection.charts.map(([, path]) => path).filter((_folder, at) => at % Number(flags.every) === 0);
const size = Number(flags.size);
for (let at = Number(flags.skip); at < folders.length; at += size)
  await compareOrder(folders.slice(at, at + size), root);

const { orders, charts, objects, random, skipped } = counts;
console.log(
  `${orders} Orders of ${charts} charts, ${objects} objects (${random} random), ${skipped} Orders do not render: ${differing.length} outputs differ`,
);
if (differing.length > 0 || orders === 0) process.exitCode = 1;
