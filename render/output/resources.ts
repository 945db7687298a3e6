// An Order as lists of resources, one per package, each resource with a key and a file name.

import { emitJson } from '../codec/json.ts';
import type { RenderedPackage, RenderedPackages } from '../engine/packages.ts';
import type { GoMap } from '../go/value.ts';
import type { SourceRef } from '../order/order.ts';
import { formatObject } from './documents.ts';
import { installDocuments } from './manifest.ts';
import { customScopes, type KubeObject, manifestObjects, withNamespace } from './objects.ts';
import { nameResources } from './resource-names.ts';
import type { CustomScopes } from './scope.ts';

/** The format of `data`. */
export type ResourceFormat = 'yaml' | 'json';

/** Options of the lists. */
export interface ResourceOptions {
  /** Leaves out the files in `crds/`. Default false. */
  readonly skipCRDs?: boolean | undefined;
  /** Default `yaml`. */
  readonly format?: ResourceFormat | undefined;
}

export interface Resource {
  /** Unique in its list, with the format as its extension, such as `deployment.yaml`. */
  readonly filename: string;
  /** Unique in its list, such as `appsDeployment`. */
  readonly key: string;
  /** The object as YAML, or as JSON on one line. */
  readonly data: string;
}

/** The list of a package. */
export interface ResourceList {
  readonly name: string;
  readonly version: string;
  /** The source of the chart, as in the Order. */
  readonly sourceRef: Partial<SourceRef>;
  readonly releaseName: string;
  readonly namespace: string;
  readonly crds: readonly Resource[];
  /** Hooks before the installation, resources, hooks after it, in the order of the manifest. */
  readonly resources: readonly Resource[];
}

/** Returns the resource lists of an Order, one per package. Throws MANIFEST_INVALID if a CRD file is not YAML. */
export function listResources(rendered: RenderedPackages, options: ResourceOptions = {}): ResourceList[] {
  const scopes = customScopes(rendered);
  return rendered.packages.map((item) => {
    const { releaseName, namespace, sourceRef } = item.selection.chart;
    const crds = manifestObjects(item.release.crds, item, scopes);
    // Named together, so that skipping CRDs does not rename anything.
    const named = nameAndPrint([...crds, ...listObjects(item, scopes)], releaseName, options.format ?? 'yaml');
    return {
      name: item.chart.metadata.name,
      version: item.chart.metadata.version,
      sourceRef: Object.fromEntries(Object.entries(sourceRef).filter(([, word]) => word !== '')),
      releaseName,
      namespace,
      crds: options.skipCRDs === true ? [] : named.slice(0, crds.length),
      resources: named.slice(crds.length),
    };
  });
}

function listObjects(item: RenderedPackage, scopes: CustomScopes): KubeObject[] {
  return manifestObjects(installDocuments(item), item, scopes).map((object) => {
    // Custom kinds without a CRD are assumed to be namespaced unless their name says otherwise.
    const assumed = object.scope === 'unknown' && object.kind !== '' && !object.kind.startsWith('Cluster');
    return assumed ? { ...object, value: withNamespace(object.value, object.namespace) } : object;
  });
}

function nameAndPrint(objects: readonly KubeObject[], releaseName: string, format: ResourceFormat): Resource[] {
  const names = nameResources(objects, releaseName);
  return objects.map(({ value }, index) => {
    const { key, filename } = names[index]!;
    return { filename: `${filename}.${format}`, key, data: print(value, format) };
  });
}

function print(value: GoMap, format: ResourceFormat): string {
  return format === 'yaml' ? formatObject(value) : emitJson(value, { escapeHtml: false });
}
