// Orders made of whatever charts lie below folders: charts of one repository are put together, each in a namespace of its
// own, so that every Order renders; and what makes each Order hard is counted.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { glob } from 'tinyglobby';
import { parse } from 'yaml';
import { loadChartPath } from '../../render/chart/directory.node.ts';
import { RenderError } from '../../render/errors.ts';
import { seededHost } from '../../render/host.ts';
import { inspectOrder, type RenderedOrder, renderOrder } from '../../render/rendered-order.ts';

/** A chart of an Order. */
export interface ChosenChart {
  readonly path: string;
  /** Where it is installed. Default: a namespace of its own. */
  readonly namespace?: string | undefined;
}

/** An Order over charts of this machine. */
export interface PublicOrder {
  readonly title: string;
  readonly charts: readonly ChosenChart[];
  readonly order: { readonly spec: { readonly packages: readonly object[] } };
  readonly rendered: RenderedOrder;
  /** What makes it hard. */
  readonly features: readonly string[];
}

/** Gives the folders of charts below a folder, sorted; charts inside charts are not among them. */
export async function chartFolders(folder: string): Promise<string[]> {
  const files = await glob('**/Chart.yaml', { cwd: folder, ignore: ['**/node_modules/**'] });
  const folders = files.map((file) => dirname(file)).sort();
  const isInner = (path: string): boolean =>
    path.split('/').some((_part, at, parts) => {
      const outer = parts.slice(0, at).join('/');
      return parts[at] === 'charts' && outer !== '' && existsSync(join(folder, outer, 'Chart.yaml'));
    });
  return folders.filter((path) => !isInner(path)).map((path) => join(folder, path));
}

/** Gives the Orders of a list, each as the folders of its charts joined by commas, with `@NAMESPACE` where one is not of its own. */
export const listedOrders = (
  file: string | URL = new URL('../../fixtures/public-orders.txt', import.meta.url),
): string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

/** A place where charts are, with what each of them needs. */
export interface ChartShelf {
  /** Gives a chart's folder with all that its Chart.yaml names in `charts/`: a copy where some of it stood elsewhere on the shelf. */
  complete(folder: string): Promise<string>;
}

/**
 * Gives the charts below a folder. What Helm would download for a chart is taken from where its repository says in files, from beside
 * it, else from wherever there is a chart of that name; copies go into `home`.
 */
export async function shelfOf(folder: string, home: string): Promise<ChartShelf> {
  const byName = new Map<string, string>();
  for (const path of (await chartFolders(folder)).reverse()) byName.set(basename(path), path);
  let count = 0;
  const complete = async (path: string): Promise<string> => {
    const lacking = dependenciesOf(path).filter(({ name }) => !hasDependency(path, name));
    const found = lacking.flatMap(({ name, repository }) => {
      const beside = repository.startsWith('file://')
        ? resolve(path, repository.slice('file://'.length))
        : join(path, '..', name);
      const from = existsSync(join(beside, 'Chart.yaml')) ? beside : byName.get(name);
      return from === undefined || from === path ? [] : [{ name, from }];
    });
    if (found.length === 0) return path;
    const copy = join(home, `${count++}`, basename(path));
    await mkdir(dirname(copy), { recursive: true });
    await cp(path, copy, { recursive: true });
    for (const { name, from } of found) await cp(await complete(from), join(copy, 'charts', name), { recursive: true });
    return copy;
  };
  return { complete };
}

const hasDependency = (folder: string, name: string): boolean =>
  existsSync(join(folder, 'charts', name)) ||
  (existsSync(join(folder, 'charts')) &&
    readdirSync(join(folder, 'charts')).some((file) => file.startsWith(`${name}-`) && file.endsWith('.tgz')));

function dependenciesOf(folder: string): { readonly name: string; readonly repository: string }[] {
  for (const file of ['Chart.yaml', 'requirements.yaml']) {
    if (!existsSync(join(folder, file))) continue;
    const { dependencies } = (parse(readFileSync(join(folder, file), 'utf8')) ?? {}) as {
      readonly dependencies?: readonly { readonly name: string; readonly repository?: string }[];
    };
    if (dependencies != null) return dependencies.map(({ name, repository = '' }) => ({ name, repository }));
  }
  return [];
}

const hardWords: readonly (readonly [feature: string, word: RegExp])[] = [
  ['hook weights', /helm\.sh\/hook-weight["']?: *["']?-?[1-9]/],
  ['crd-install hooks', /helm\.sh\/hook["']?: *["']?crd-install/],
  ['lists', /^kind: \w*List$/m],
  ['generateName', /^ {2}generateName:/m],
];

/** Gives what makes an Order hard. */
function featuresOf(rendered: RenderedOrder): string[] {
  const text = rendered.packages.flatMap(({ release }) => [...release.hooks, ...release.manifests]);
  const all = text.map(({ content }) => content).join('\n---\n');
  const crds = rendered.packages.map(({ release }) =>
    [...release.crds, ...release.manifests]
      .filter(({ content }) => /^kind: *CustomResourceDefinition/m.test(content))
      .reduce((sum, { content }) => sum + content.length, 0),
  );
  const templates = rendered.packages.flatMap(({ chart }) => chart.templates.map(({ data }) => Buffer.from(data)));
  const hasCrdHook = templates.some((data) => /helm\.sh\/hook["']?: *["']?crd-install/.test(data.toString('latin1')));
  const spaces = new Set([...all.matchAll(/^ {2}namespace: *["']?([-a-z0-9]+)/gm)].map(([, name]) => name));
  return [
    ...hardWords.filter(([, word]) => word.test(all)).map(([feature]) => feature),
    ...(hasCrdHook ? ['crd-install hooks'] : []),
    ...(rendered.packages.some(({ release }) => release.chart.children.length > 0) ? ['umbrella charts'] : []),
    ...(crds.some((size) => size > 1_000_000) ? ['CRDs over 1 MB'] : []),
    ...(spaces.size > 1 ? ['several namespaces'] : []),
    ...(rendered.packages.length > 1 ? ['several packages'] : []),
  ];
}

/** Gives the Order of some charts, rendered; undefined where one does not render or a server would refuse an object. */
export async function orderOf(charts: readonly ChosenChart[], values: object = {}): Promise<PublicOrder | undefined> {
  const packages = charts.map(({ path: folder, namespace }, index) => {
    const [, name = ''] = /^name: *["']?([^"'\s]+)/m.exec(readFileSync(join(folder, 'Chart.yaml'), 'utf8')) ?? [];
    const releaseName = name
      .toLowerCase()
      .replace(/[^a-z0-9-]/g, '-')
      .slice(0, 40);
    const place = { releaseName, namespace: namespace ?? `ns${index}-${releaseName}`.slice(0, 50) };
    return { chart: { name, sourceRef: { kind: 'Local', name: folder }, ...place, values } };
  });
  const order = { spec: { packages } };
  const registry = {
    resolve: (ref: { readonly sourceRef: { readonly name: string } }) => loadChartPath(ref.sourceRef.name),
  };
  // What the server of the proofs has, as every cluster, beyond what Helm knows by itself.
  const apiVersions = ['apiregistration.k8s.io/v1', 'apiregistration.k8s.io/v1/APIService'];
  const options = { registry, host: seededHost(), chartPath: undefined, apiVersions };
  try {
    const rendered = await renderOrder(order, options);
    const size = rendered.packages.reduce((sum, { release }) => sum + release.manifests.length, 0);
    const issues = await inspectOrder(order, options);
    if (size === 0 || issues.some(({ severity }) => severity === 'error')) return undefined;
    const title = packages.map(({ chart }) => chart.name).join(' + ');
    return { title, charts, order, rendered, features: featuresOf(rendered) };
  } catch (error) {
    if (error instanceof RenderError) return undefined;
    throw error;
  }
}

/**
 * Gives changes of an Order, the likeliest first: with other names for its objects and another number of copies, as far as its
 * charts can; then with a next version of its first chart that has one object more and, where one can be done without, one less.
 */
export async function* changedOrders({ charts, rendered }: PublicOrder, home: string): AsyncGenerator<PublicOrder> {
  for (const values of [{ fullnameOverride: 'other', replicaCount: 2 }, { nameOverride: 'other' }, { replicas: 2 }]) {
    const changed = await orderOf(charts, values);
    if (changed !== undefined && changed.rendered.manifest() !== rendered.manifest()) yield changed;
  }
  const [first, ...others] = charts as [ChosenChart, ...ChosenChart[]];
  const copy = join(home, `${Math.random()}`.slice(2), basename(first.path));
  await cp(first.path, copy, { recursive: true });
  await mkdir(join(copy, 'templates'), { recursive: true });
  const config = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: proof-of-drydock}\ndata: {a: "1"}\n';
  await writeFile(join(copy, 'templates/proof-of-drydock.yaml'), config);
  const longer = await orderOf([{ ...first, path: copy }, ...others]);
  const { manifests = [] } = rendered.packages[0]?.release ?? {};
  const alone = manifests.filter(
    ({ path, kind }) =>
      /^[^/]+\/templates\//.test(path) &&
      /^(?:ConfigMap|Service|NetworkPolicy|PodDisruptionBudget|RoleBinding)$/.test(kind) &&
      manifests.filter((other) => other.path === path).length === 1,
  );
  for (const { path } of alone) {
    const file = join(copy, path.slice(path.indexOf('/') + 1));
    const text = await readFile(file, 'utf8');
    await rm(file);
    const shorter = await orderOf([{ ...first, path: copy }, ...others]);
    if (shorter !== undefined) {
      yield shorter;
      return;
    }
    await writeFile(file, text);
  }
  if (longer !== undefined) yield longer;
}
