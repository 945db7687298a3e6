// Orders of public charts: each chart in its own namespace, with its dependencies from the same collection.

import { readFileSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { inspectOrder, type RenderedOrder, renderOrder } from '../../../render/api/order.ts';
import { loadChartPath } from '../../../render/chart/directory.node.ts';
import { RenderError } from '../../../render/core/errors.ts';
import type { HelmMajor } from '../../../render/helm/helm.ts';
import type { JsonObject } from '../../../render/order/order.ts';
import { kubernetesVersion } from '../../../scripts/reference/programs.ts';
import { recordedHelms } from '../../support/rows.ts';

/** A chart of an Order. */
export interface ChosenChart {
  readonly path: string;
  /** The namespace of the release. Default: its own. */
  readonly namespace?: string | undefined;
}

/** An Order of local charts. */
export interface PublicOrder {
  readonly title: string;
  readonly charts: readonly ChosenChart[];
  readonly rendered: RenderedOrder;
}

/** Options for `orderOf`. */
export interface OrderSettings {
  /** The name of the Order and the prefix of its namespaces. */
  readonly name: string;
  readonly helm: HelmMajor;
  /** Values of every package. Default none. */
  readonly values?: JsonObject;
  /** The API versions of the cluster. */
  readonly apiVersions: readonly string[];
}

/** Reads a list of Orders: the folders of their charts, separated by commas, with `@NAMESPACE` for a fixed namespace. */
export const listedOrders = (): string[] =>
  readFileSync(new URL('../../../fixtures/public-orders.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

/** Renders an Order of charts; returns undefined if one of them fails or the Order has errors. */
export async function orderOf(
  charts: readonly ChosenChart[],
  settings: OrderSettings,
): Promise<PublicOrder | undefined> {
  const { name: orderName, helm, values = {}, apiVersions } = settings;
  const packages = charts.map(({ path: folder, namespace }, index) => {
    const [, name = ''] = /^name: *["']?([^"'\s]+)/m.exec(readFileSync(join(folder, 'Chart.yaml'), 'utf8')) ?? [];
    const releaseName = name
      .toLowerCase()
      .replace(/[^a-z0-9-]/g, '-')
      .slice(0, 40);
    const place = { releaseName, namespace: namespace ?? `${orderName}-${index}` };
    return { chart: { name, sourceRef: { kind: 'Local', name: folder }, ...place, values } };
  });
  const order = { metadata: { name: orderName }, spec: { kubeVersion: `v${kubernetesVersion}`, packages } };
  const registry = {
    resolve: (ref: { readonly sourceRef: { readonly name: string } }) => loadChartPath(ref.sourceRef.name),
  };
  const options = { registry, chartPath: undefined, apiVersions, helm: recordedHelms[helm] };
  try {
    const rendered = await renderOrder(order, options);
    const size = rendered.packages.reduce((sum, { release }) => sum + release.manifests.length, 0);
    const issues = await inspectOrder(order, options);
    if (size === 0 || issues.some(({ severity }) => severity === 'error')) return undefined;
    return { title: packages.map(({ chart }) => chart.name).join(' + '), charts, rendered };
  } catch (error) {
    if (error instanceof RenderError) return undefined;
    throw error;
  }
}

/** Returns a modified Order: with other values if they change its output, otherwise with another ConfigMap in its first chart. */
export async function changedOrder(
  { charts, rendered }: PublicOrder,
  settings: OrderSettings,
  home: string,
): Promise<PublicOrder | undefined> {
  for (const values of [
    { replicaCount: 2, commonAnnotations: { changed: 'yes' } },
    { replicas: 2 },
    { nameOverride: 'other' },
  ]) {
    const changed = await orderOf(charts, { ...settings, values });
    if (changed !== undefined && changed.rendered.manifest() !== rendered.manifest()) return changed;
  }
  const [first, ...others] = charts as [ChosenChart, ...ChosenChart[]];
  const copy = join(home, `${Math.random()}`.slice(2), basename(first.path));
  await cp(first.path, copy, { recursive: true });
  await mkdir(join(copy, 'templates'), { recursive: true });
  const config = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: additional}\ndata: {a: "1"}\n';
  await writeFile(join(copy, 'templates/additional.yaml'), config);
  return orderOf([{ ...first, path: copy }, ...others], settings);
}
