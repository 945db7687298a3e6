// Exports an Order as Applications of Argo CD, ordered by sync waves.
// Mirrors: argo-cd, pkg/apis/application/v1alpha1, types.go, `Application`, v2.14.

import type { RenderedPackages } from '../../engine/packages.ts';
import type { GoMap } from '../../go/value.ts';
import type { JsonObject } from '../../order/order.ts';
import { formatValues } from '../../output/documents.ts';
import { valueOfJson } from '../../values/patch.ts';
import { type ExportedPackage, type ExportOptions, embedded, gitUrlOf, outOfReach, repositoryPath } from './package.ts';

/** Returns one Application for each package. Throws ORDER_INVALID. */
export function argocdDocuments(
  packages: readonly ExportedPackage[],
  _plan: RenderedPackages,
  options: ExportOptions,
): JsonObject[] {
  return packages.map((item, wave) => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      name: item.id,
      namespace: 'argocd',
      annotations: { 'argocd.argoproj.io/sync-wave': String(wave) },
    },
    spec: {
      project: 'default',
      source: { ...sourceOf(item, options), helm: helmOf(item) },
      destination: { server: 'https://kubernetes.default.svc', namespace: item.namespace },
      syncPolicy: { automated: {}, syncOptions: ['CreateNamespace=true', 'ServerSideApply=true'] },
    },
  }));
}

function sourceOf(item: ExportedPackage, options: ExportOptions): JsonObject {
  const { place, name, version } = item;
  if (place.kind === 'embedded') throw embedded(item);
  if (place.kind === 'object') {
    throw outOfReach(
      item,
      `names the repository ${JSON.stringify(place.name)}, and Argo CD takes addresses`,
      'Give the URL of the repository.',
    );
  }
  if (place.kind === 'path') {
    const repoURL = gitUrlOf(item, options);
    return { repoURL, path: repositoryPath(place.path, options), targetRevision: options.revision ?? 'HEAD' };
  }
  // It identifies a registry by its address without a scheme.
  const repoURL = place.isOci ? place.url.slice('oci://'.length) : place.url;
  return { repoURL, chart: name, targetRevision: version === '' ? '*' : version };
}

// Values are passed as text, because fields of an object cannot be null.
function helmOf({ releaseName, values, valuesFile }: ExportedPackage): JsonObject {
  return {
    releaseName,
    ...(valuesFile === undefined ? {} : { valueFiles: [valuesFile] }),
    ...(values === undefined ? {} : { values: formatValues(valueOfJson(values) as GoMap) }),
  };
}
