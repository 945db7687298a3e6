// Exports an Order as a helmfile, each release needing the previous one.
// Mirrors: helmfile, docs/index.md, "Configuration", v1: a file that does not end in .gotmpl is not a template.

import { isAbsolutePath } from '../../order/names.ts';
import type { JsonObject } from '../../order/order.ts';
import { type ExportedPackage, embedded, plainPath } from './package.ts';

/** Returns one document. Throws ORDER_INVALID. */
export function helmfileDocuments(packages: readonly ExportedPackage[]): JsonObject[] {
  const repositories = new Map<string, JsonObject>();
  const releases = packages.map((item, index): JsonObject => {
    const { releaseName, namespace, values, version } = item;
    const before = packages[index - 1];
    return {
      name: releaseName,
      namespace,
      chart: chartOf(item, repositories),
      ...(version === '' ? {} : { version }),
      ...(before === undefined ? {} : { needs: [`${before.namespace}/${before.releaseName}`] }),
      ...(values === undefined ? {} : { values: [values] }),
    };
  });
  const list = [...repositories.values()];
  return [{ ...(list.length === 0 ? {} : { repositories: list }), releases }];
}

function chartOf(item: ExportedPackage, repositories: Map<string, JsonObject>): string {
  const { place, name } = item;
  if (place.kind === 'embedded') throw embedded(item);
  if (place.kind === 'path') return isAbsolutePath(place.path) ? place.path : `./${plainPath(place.path)}`;
  // helmfile uses the repositories configured in the local Helm.
  if (place.kind === 'object') return `${place.name}/${name}`;
  const known = repositories.get(place.url) ?? {
    name: `repository-${repositories.size + 1}`,
    url: place.isOci ? place.url.slice('oci://'.length) : place.url,
    ...(place.isOci ? { oci: true } : {}),
  };
  repositories.set(place.url, known);
  return `${String(known.name)}/${name}`;
}
