// Exports an Order as a kustomization whose charts kustomize renders with Helm, in its own order.
// Mirrors: kustomize, api/types, helmchartargs.go, `HelmChart` and `HelmGlobals`, v5.6.

import type { RenderedPackages } from '../../engine/packages.ts';
import type { JsonObject } from '../../order/order.ts';
import { type ExportedPackage, embedded, outOfReach, plainPath } from './package.ts';

/** Returns one document. Throws ORDER_INVALID. */
export function kustomizeDocuments(packages: readonly ExportedPackage[], rendered: RenderedPackages): JsonObject[] {
  const homes = new Set<string>();
  const helmCharts = packages.map((item): JsonObject => {
    const { name, version, releaseName, namespace, values, apiVersions } = item;
    const { place } = item;
    if (place.kind === 'embedded') throw embedded(item);
    if (place.kind === 'object') {
      const message = `names the repository ${JSON.stringify(place.name)}, and kustomize takes addresses`;
      throw outOfReach(item, message, 'Give the URL of the repository.');
    }
    if (place.kind === 'path') homes.add(homeOf(item, place.path));
    if (homes.size > 1) {
      const message = 'is in another folder than the chart before it, and kustomize has one folder of charts';
      throw outOfReach(item, message, 'Put the charts of paths into one folder.');
    }
    return {
      name,
      ...(place.kind === 'repository' ? { repo: place.url } : {}),
      ...(version === '' ? {} : { version }),
      releaseName,
      namespace,
      includeCRDs: true,
      kubeVersion: rendered.kubeVersion,
      ...(apiVersions.length === 0 ? {} : { apiVersions: [...apiVersions] }),
      ...(values === undefined ? {} : { valuesInline: values }),
    };
  });
  const [chartHome] = homes;
  return [
    {
      apiVersion: 'kustomize.config.k8s.io/v1beta1',
      kind: 'Kustomization',
      ...(chartHome === undefined ? {} : { helmGlobals: { chartHome } }),
      helmCharts,
    },
  ];
}

/** Returns what a kustomization cannot represent of an Order, one sentence each. */
export function leftByKustomize({ packages }: RenderedPackages): string[] {
  const [namespace = '', ...others] = new Set(packages.map(({ release }) => release.namespace));
  const hooked = packages.filter(({ release }) => release.hooks.length > 0).map(({ selection }) => selection.path);
  const where = 'objects without a namespace go to the current namespace of kubectl';
  return [
    others.length === 0
      ? `${where}: apply it with --namespace ${namespace}`
      : `${where}, and this Order has several namespaces: split it, or have the charts name theirs`,
    ...hooked.map((path) => `${path}: its hooks are ordinary objects to kustomize`),
  ];
}

function homeOf(item: ExportedPackage, path: string): string {
  const steps = plainPath(path).split('/');
  if (steps.pop() !== item.name) {
    const message = `is in a folder that is not named ${item.name}, and kustomize looks for a folder with the name of the chart`;
    throw outOfReach(item, message, 'Call the folder as the chart.');
  }
  return steps.join('/') || '.';
}
