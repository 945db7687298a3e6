// Step 6: an Order as lists of resources, one list per package, each resource with a key and a file name of its own.

import { emitJson } from '../codec/json.ts';
import type { RenderedPackage, RenderedPackages } from '../engine/packages.ts';
import type { GoMap } from '../go/value.ts';
import type { SourceRef } from '../order/order.ts';
import { formatObject } from './documents.ts';
import { installDocuments } from './manifest.ts';
import { customScopes, type KubeObject, manifestObjects, withNamespace } from './objects.ts';
import { nameResources } from './resource-names.ts';
import type { CustomScopes } from './scope.ts';

/** Names the form of `data`. */
export type ResourceFormat = 'yaml' | 'json';

/** Describes what the lists hold. */
export interface ResourceOptions {
  /** Leaves out what the `crds/` folders hold. Default false. */
  readonly skipCRDs?: boolean | undefined;
  /** Default `yaml`. */
  readonly format?: ResourceFormat | undefined;
}

/** One resource of a list. */
export interface Resource {
  /** Unique in its list, with the format for its extension, such as `deployment.yaml`. */
  readonly filename: string;
  /** Unique in its list, such as `appsDeployment`. */
  readonly key: string;
  /** The object as YAML, or as JSON on one line. */
  readonly data: string;
}

/** The list of one package. */
export interface ResourceList {
  readonly name: string;
  readonly version: string;
  /** Where the chart comes from, as the Order says it. */
  readonly sourceRef: Partial<SourceRef>;
  readonly releaseName: string;
  readonly namespace: string;
  readonly crds: readonly Resource[];
  /** Hooks before the installation, resources, hooks after it, as the manifest has them. */
  readonly resources: readonly Resource[];
}

/** Returns the resource lists of an Order, one per package. Throws MANIFEST_INVALID where a CRD file is not YAML. */
export function listResources(rendered: RenderedPackages, options: ResourceOptions = {}): ResourceList[] {
  const scopes = customScopes(rendered);
  return rendered.packages.map((item) => {
    const { releaseName, namespace, sourceRef } = item.selection.chart;
    const crds = manifestObjects(item.release.crds, item, scopes);
    // Named together, so that skipping the CRDs renames nothing.
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
    // Custom kinds without a CRD at hand are namespaced as a rule, save those that say otherwise by their name.
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
