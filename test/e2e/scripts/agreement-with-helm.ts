// Tests generated scripts with the real tools: run with a `helm` that turns `upgrade --install` into `helm template`, they print the
// manifest of sample and generated Orders in every shell; 1,500 generated value trees reach Helm unchanged; real kubectl accepts the objects.
// Downloads the tools once. `npm run test:e2e -- scripts`; SEED=n repeats a run.

import { chmod, cp, mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { execa } from 'execa';
import fc from 'fast-check';
import type { RenderedOrder } from '../../../render/api/order.ts';
import { loadChartPath } from '../../../render/chart/directory.node.ts';
import { memoryRegistry } from '../../../render/chart/registry.ts';
import { emitYaml } from '../../../render/codec/yaml/emit.ts';
import { parseYaml } from '../../../render/codec/yaml/parse.ts';
import { defaultHelm } from '../../../render/core/helm-version.ts';
import type { GoMap, GoValue } from '../../../render/go/value.ts';
import { helmOf } from '../../../render/helm/versions.ts';
import { readHead, readHookRules } from '../../../render/manifest/sort.ts';
import { splitManifests } from '../../../render/manifest/split.ts';
import { formatValues } from '../../../render/output/documents.ts';
import { isBuiltIn } from '../../../render/output/scope.ts';
import { valueOfJson } from '../../../render/values/patch.ts';
import { helmBinary, helmProgram } from '../../../scripts/dev/tools/helm-binary.ts';
import { temporaryFolder } from '../../../scripts/dev/tools/tools.ts';
import { generatedOrder } from '../../support/generated-orders.ts';
import { objectTexts } from '../../support/objects.ts';
import { appliedObjects, chartsDirectory, listOrders, loadOrder, renderSample } from '../../support/orders.ts';
import { runScript, shells } from '../../support/shells.ts';
import { valueTree } from '../../support/value-trees.ts';
import { startStatic } from '../vendor/servers.ts';

const helm = defaultHelm;
const real = { helm: await helmProgram(helm), kubectl: (await helmBinary()).kubectl };
const seed = Number(process.env.SEED ?? 20250101);
const home = temporaryFolder('drydock tests ü ');
let failures = 0;

function report(title: string, failure: string): void {
  if (failure !== '') failures++;
  console.log(failure === '' ? `ok   ${title}` : `FAIL ${title}\n${failure}`);
}

/** Writes a shim for helm and a kubectl that does nothing. Returns their folder. */
async function writeShims(kubeVersion: string): Promise<string> {
  const folder = join(home, `bin ${kubeVersion}`);
  await mkdir(folder, { recursive: true });
  const shim = `#!/bin/sh
[ "$1" != --kube-context ] || shift 2
case "$1 $2" in
  'upgrade --install') shift 2 ;;
  *) exit 9 ;;
esac
for word in "$@"; do
  shift
  [ "$word" = --reset-values ] || set -- "$@" "$word"
done
exec '${real.helm}' template "$@" --include-crds --kube-version '${kubeVersion}'
`;
  for (const [name, text] of [
    ['helm', shim],
    ['kubectl', '#!/bin/sh\nexit 0\n'],
  ] as const) {
    await writeFile(join(folder, name), text);
    await chmod(join(folder, name), 0o755);
  }
  return folder;
}

/** Runs a Helm script with the shim and returns the output of the real Helm. */
async function runShimmed(rendered: RenderedOrder, shell: readonly string[]): Promise<string> {
  const cwd = await mkdtemp(join(home, 'working folder – '));
  await symlink(chartsDirectory, join(cwd, 'charts'));
  // Helm must not install these decoys: folders in the working folder that have the name of a chart.
  for (const { chart } of rendered.packages) {
    await mkdir(join(cwd, chart.metadata.name), { recursive: true });
    await writeFile(join(cwd, chart.metadata.name, 'Chart.yaml'), 'apiVersion: v2\nname: decoy\nversion: 0.0.0\n');
  }
  const script = join(cwd, 'install it.sh');
  await writeFile(script, rendered.helmScript());
  const [command = 'sh', ...words] = shell;
  const helmHome = join(home, 'helm');
  const { stdout } = await execa(command, [...words, script], {
    cwd,
    maxBuffer: 1e9,
    env: {
      PATH: `${await writeShims(rendered.kubeVersion)}:${process.env.PATH}`,
      HELM_CACHE_HOME: helmHome,
      HELM_CONFIG_HOME: helmHome,
      HELM_DATA_HOME: helmHome,
    },
  });
  return stdout;
}

/** Returns the objects of a manifest in order, followed by its install hooks sorted by content, because outputs differ in their order. */
function objectsAndHooks(text: string): string[] {
  const objects: string[] = [];
  const hooks: string[] = [];
  for (const document of splitManifests(text)) {
    const value = parseYaml(document);
    if (!(value instanceof Map)) continue;
    const head = readHead(document, helmOf());
    const rules = head.annotations.has('helm.sh/hook') ? readHookRules(head) : undefined;
    if (rules === undefined) objects.push(emitYaml(value));
    else if ('events' in rules && rules.events.some((event) => event.endsWith('-install'))) hooks.push(emitYaml(value));
  }
  return [...objects, ...hooks.sort()];
}

function firstDifference(got: readonly string[], want: readonly string[]): string {
  if (isDeepStrictEqual(got, want)) return '';
  const at = want.findIndex((document, index) => document !== got[index]);
  return `document ${at} of ${want.length} (got ${got.length})\n--- got\n${got[at]}\n--- manifest\n${want[at]}`;
}

async function checkParity(): Promise<void> {
  for (const name of listOrders()) {
    const rendered = await renderSample(loadOrder(name), { helm });
    for (const shell of shells) {
      const got = objectsAndHooks(await runShimmed(rendered, shell.command));
      report(
        `${name} in ${shell.name}: the script installs the manifest`,
        firstDifference(got, objectsAndHooks(rendered.manifest())),
      );
    }
    const relative = await renderSample(loadOrder(name), {
      helm,
      chartPath: ({ chart }) => `charts/${chart.metadata.name}`,
    });
    const got = objectsAndHooks(await runShimmed(relative, ['sh']));
    report(
      `${name}: chart paths are relative to the script`,
      firstDifference(got, objectsAndHooks(rendered.manifest())),
    );
  }
}

async function checkGenerated(): Promise<void> {
  const embedded = fc.constant({ kind: 'Embed', name: 'sample' });
  const orders = fc.sample(generatedOrder(embedded), { numRuns: 40, seed });
  let failure = '';
  for (const [index, order] of orders.entries()) {
    const rendered = await renderSample(order, { helm });
    const shell = shells[index % shells.length]?.command ?? ['sh'];
    const got = objectsAndHooks(await runShimmed(rendered, shell));
    const applied = appliedObjects(rendered, runScript(rendered.yamlScript(), shell));
    const difference =
      firstDifference(got, objectsAndHooks(rendered.manifest())) ||
      firstDifference(applied, objectTexts(rendered.manifest()));
    if (difference !== '') failure ||= `${JSON.stringify(order)}\n${difference}`;
  }
  report(`${orders.length} generated Orders: both scripts install the manifest (seed ${seed})`, failure);
}

async function checkRepository(): Promise<void> {
  const folder = join(home, 'repository');
  const paths = ['web', 'umbrella'].map((name) => join(chartsDirectory, name));
  for (const path of paths) await execa(real.helm, ['package', path, '--destination', folder]);
  await execa(real.helm, ['repo', 'index', folder]);
  const server = await startStatic(folder);
  try {
    const charts = await Promise.all(paths.map((path) => loadChartPath(path)));
    const packages = charts.map(({ metadata: { name } }) => ({
      chart: {
        name,
        sourceRef: { kind: 'Legacy', name: `http://${server.host}` },
        version: '>=0',
        releaseName: name,
        namespace: 'n',
      },
    }));
    const rendered = await renderSample({ spec: { packages } }, { helm, registry: memoryRegistry(charts) });
    const got = objectsAndHooks(await runShimmed(rendered, ['sh']));
    report(
      'charts of a repository URL are installed rather than the decoys',
      firstDifference(got, objectsAndHooks(rendered.manifest())),
    );
  } finally {
    await server.stop();
  }
}

const batchSize = 50;

/** Passes batches of trees as values over the given defaults. Reports the first that Helm receives differently. */
async function checkValues(title: string, trees: readonly GoJson[], defaults: readonly GoJson[]): Promise<void> {
  const folder = join(home, `chart ${title}`);
  await cp(join(chartsDirectory, 'values-as-json'), folder, { recursive: true });
  let failure = '';
  for (let at = 0; at < trees.length && failure === ''; at += batchSize) {
    const part = (list: readonly GoJson[]): GoJson =>
      Object.fromEntries(list.slice(at, at + batchSize).map((tree, index) => [`t${index}`, tree]));
    await writeFile(
      join(folder, 'values.yaml'),
      formatValues(valueOfJson(defaults.length === 0 ? {} : part(defaults)) as GoMap),
    );
    const wanted = part(trees);
    const chart = {
      name: 'values-as-json',
      sourceRef: { kind: 'Local', name: folder },
      releaseName: 'values',
      namespace: 'default',
      ...(defaults.length === 0 ? { values: wanted } : { valuesPatch: [{ op: 'replace', path: '', value: wanted }] }),
    };
    const registry = { resolve: () => loadChartPath(folder) };
    const rendered = await renderSample(
      { spec: { packages: [{ chart }] } },
      { helm, registry, chartPath: () => folder },
    );
    const shell = shells[(at / batchSize) % shells.length]?.command ?? ['sh'];
    const document = parseYaml(await runShimmed(rendered, shell)) as GoMap;
    const got = JSON.parse(String((document.get('data') as GoMap).get('values'))) as Record<string, GoJson>;
    for (const [key, tree] of Object.entries(wanted as Record<string, GoJson>)) {
      if (!isDeepStrictEqual(withoutNulls(got[key] ?? null), withoutNulls(tree))) {
        failure = `sent ${JSON.stringify(tree)}\ngot  ${JSON.stringify(got[key])}`;
        break;
      }
    }
  }
  report(`${trees.length} value trees ${title} reach Helm unchanged (seed ${seed})`, failure);
}

type GoJson = null | boolean | number | string | GoJson[] | { [key: string]: GoJson };

// To Helm, a null in a map means a missing key; -0 is 0 in JSON; the parser of this test may drop `__proto__`.
function withoutNulls(value: GoJson): unknown {
  if (Array.isArray(value)) return value.map((item) => (item === null ? null : withoutNulls(item)));
  if (typeof value === 'number') return value + 0;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== null);
  return new Map(entries.map(([key, item]): [string, unknown] => [key, withoutNulls(item)]).sort());
}

async function checkObjects(): Promise<void> {
  for (const name of listOrders()) {
    const rendered = await renderSample(loadOrder(name), { helm });
    let count = 0;
    let failure = '';
    for (const list of rendered.resources({ format: 'json' })) {
      for (const { data, key } of list.resources) {
        const value = parseYaml(data) as GoMap;
        if (!isBuiltIn(text(value, 'apiVersion'), text(value, 'kind'))) continue;
        const { exitCode, stderr } = await execa(
          real.kubectl,
          ['label', '--local', '-f', '-', '-o', 'yaml', 'test=1'],
          {
            input: data,
            reject: false,
          },
        );
        count++;
        if (exitCode !== 0) failure ||= `${key}: ${stderr}`;
      }
    }
    report(`${name}: real kubectl decodes the ${count} built-in objects`, failure);
  }
}

function text(value: GoMap, key: string): string {
  return String(value.get(key) as GoValue);
}

await checkParity();
await checkGenerated();
await checkRepository();
const trees = fc.sample(valueTree, { numRuns: 1500, seed }) as GoJson[];
await checkValues('as values', trees.slice(0, 1000), []);
await checkValues('patched over other values', trees.slice(0, 500), trees.slice(1000));
await checkObjects();

console.log(`scripts: ${failures} failures`);
process.exitCode = failures === 0 ? 0 : 1;
