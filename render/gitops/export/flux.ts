// Exports an Order as HelmReleases of Flux, each depending on the previous one, with their repositories.
// Mirrors: fluxcd, helm-controller, api/v2, `HelmRelease`; source-controller, api/v1, `HelmRepository` and `GitRepository`.

import type { RenderedPackages } from '../../engine/packages.ts';
import type { JsonObject } from '../../order/order.ts';
import { type ExportedPackage, type ExportOptions, embedded, gitUrlOf, repositoryPath } from './package.ts';

const home = 'flux-system';
const interval = '1h';

/** Returns the repositories, then one HelmRelease for each package. Throws ORDER_INVALID. */
export function fluxDocuments(
  packages: readonly ExportedPackage[],
  rendered: RenderedPackages,
  options: ExportOptions,
): JsonObject[] {
  const sources = new Map<string, JsonObject>();
  const releases = packages.map((item, index): JsonObject => {
    const { releaseName, namespace, values, valuesFile, version } = item;
    const before = packages[index - 1];
    return {
      apiVersion: 'helm.toolkit.fluxcd.io/v2',
      kind: 'HelmRelease',
      metadata: { name: item.id, namespace: home },
      spec: {
        interval,
        releaseName,
        targetNamespace: namespace,
        storageNamespace: namespace,
        install: { createNamespace: true },
        ...(before === undefined ? {} : { dependsOn: [{ name: before.id }] }),
        chart: {
          spec: {
            ...chartOf(item, { sources, order: rendered.order.metadata.name, options }),
            ...(version === '' ? {} : { version }),
            ...(valuesFile === undefined
              ? {}
              : { valuesFiles: ['values.yaml', valuesFile].map(inChart(item, options)) }),
          },
        },
        ...(values === undefined ? {} : { values }),
      },
    };
  });
  return [...sources.values(), ...releases];
}

// A chart from a path names its files relative to the root of the repository.
function inChart({ place }: ExportedPackage, options: ExportOptions): (file: string) => string {
  return (file) => (place.kind === 'path' ? `./${repositoryPath(place.path, options)}/${file}` : file);
}

interface Shelf {
  readonly sources: Map<string, JsonObject>;
  readonly order: string;
  readonly options: ExportOptions;
}

function chartOf(item: ExportedPackage, { sources, order, options }: Shelf): JsonObject {
  const { place, name } = item;
  if (place.kind === 'embedded') throw embedded(item);
  if (place.kind === 'object') {
    const namespace = place.namespace === '' ? {} : { namespace: place.namespace };
    return { chart: name, sourceRef: { kind: 'HelmRepository', name: place.name, ...namespace } };
  }
  const isPath = place.kind === 'path';
  const url = isPath ? gitUrlOf(item, options) : place.url;
  const known = sources.get(url);
  const source = known ?? sourceOf(url, isPath, { order, options, number: sources.size });
  sources.set(url, source);
  const kind = isPath ? 'GitRepository' : 'HelmRepository';
  const sourceRef = { kind, name: (source.metadata as JsonObject).name as string };
  return { chart: isPath ? `./${repositoryPath(place.path, options)}` : name, sourceRef };
}

function sourceOf(
  url: string,
  isGit: boolean,
  { order, options, number }: { readonly order: string; readonly options: ExportOptions; readonly number: number },
): JsonObject {
  const metadata = { name: `${order}-${number + 1}`, namespace: home };
  const apiVersion = 'source.toolkit.fluxcd.io/v1';
  if (!isGit) {
    const type = url.startsWith('oci://') ? { type: 'oci' } : {};
    return { apiVersion, kind: 'HelmRepository', metadata, spec: { url, interval, ...type } };
  }
  const { revision } = options;
  const ref = revision === undefined ? {} : { ref: { name: revision } };
  return { apiVersion, kind: 'GitRepository', metadata, spec: { url, interval, ...ref } };
}
