// The common parts of a package for all tools: its chart's source, its release, its values.

import { plainValue } from '../../codec/plain.ts';
import { type Issue, RenderError } from '../../core/errors.ts';
import { joinPath } from '../../core/paths.ts';
import type { RenderedPackage, RenderedPackages } from '../../engine/packages.ts';
import { isUrl } from '../../order/names.ts';
import type { JsonObject, SourceRef } from '../../order/order.ts';
import { resolvePath } from '../import/tree.ts';

/** What an export needs in addition to the Order. */
export interface ExportOptions {
  /** The URL of the Git repository that contains charts from paths. */
  readonly repoUrl?: string | undefined;
  /** Its branch, tag or commit. Default `HEAD`. */
  readonly revision?: string | undefined;
  /** The folder in that repository that the Order's paths are relative to. Default: the root. */
  readonly folder?: string | undefined;
}

/** The source of a chart, by the kinds that tools support. */
export type ChartPlace =
  | { readonly kind: 'repository'; readonly url: string; readonly isOci: boolean }
  | { readonly kind: 'object'; readonly name: string; readonly namespace: string }
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'embedded' };

/** A package for a tool. */
export interface ExportedPackage {
  /** Unique in the Order and valid as the name of an object: the release, with its namespace if two share a name. */
  readonly id: string;
  readonly path: string;
  readonly name: string;
  /** The version in the Order; empty for the newest release. */
  readonly version: string;
  readonly releaseName: string;
  readonly namespace: string;
  readonly place: ChartPlace;
  /** Undefined for none. */
  readonly values: JsonObject | undefined;
  /** A values file in the chart that the values override; undefined for none. */
  readonly valuesFile: string | undefined;
  /** API versions that its templates check for and that the Order provides. */
  readonly apiVersions: readonly string[];
}

/** Returns the packages of an Order for a tool. `hasValuesFiles`: whether it supports a values file in the chart. */
export function readPackages(
  { packages }: RenderedPackages,
  { hasValuesFiles }: { readonly hasValuesFiles: boolean },
): ExportedPackage[] {
  const releases = packages.map(({ selection }) => selection.chart.releaseName);
  return packages.map((item) => {
    const { path, chart } = item.selection;
    const { releaseName, namespace } = chart;
    const isShared = releases.filter((name) => name === releaseName).length > 1;
    return {
      id: isShared ? `${namespace}-${releaseName}` : releaseName,
      path,
      name: chart.name,
      version: chart.version,
      releaseName,
      namespace,
      place: placeOf(chart.sourceRef),
      ...valuesOf(item, hasValuesFiles),
      apiVersions: [...item.apis.queried].filter((name) => item.apis.brought.has(name)).sort(),
    };
  });
}

function valuesOf(
  { selection, values }: RenderedPackage,
  hasValuesFiles: boolean,
): Pick<ExportedPackage, 'values' | 'valuesFile'> {
  const { valuesFile, valuesPatch, values: own } = selection.chart;
  const isCarried = valuesPatch.length === 0 && (valuesFile === '' || hasValuesFiles);
  const object = isCarried ? own : (plainValue(values.overlay) as JsonObject);
  return {
    values: Object.keys(object).length === 0 ? undefined : object,
    valuesFile: isCarried && valuesFile !== '' ? valuesFile : undefined,
  };
}

function placeOf({ kind, name, namespace }: SourceRef): ChartPlace {
  if (isUrl(name)) {
    const url = name.replace(/(?<!\/)\/+$/, '');
    return { kind: 'repository', url, isOci: url.startsWith('oci://') };
  }
  if (kind === 'Embed') return { kind: 'embedded' };
  if (kind === 'Local' || kind === 'Legacy') return { kind: 'path', path: name };
  return { kind: 'object', name, namespace };
}

/** Returns the error for a package whose chart a tool cannot reach. */
export function outOfReach({ path }: ExportedPackage, message: string, hint: string): RenderError {
  const issue: Issue = { path: `${joinPath(path, 'chart')}.sourceRef`, message, severity: 'error', hint };
  return new RenderError('ORDER_INVALID', message, { issues: [issue], hint });
}

/** Returns the URL of the Git repository with a chart from a path. Throws ORDER_INVALID if there is none. */
export function gitUrlOf(item: ExportedPackage, { repoUrl = '' }: ExportOptions): string {
  if (repoUrl !== '') return repoUrl;
  const message = 'comes from a path, and the engine takes charts of paths from a Git repository';
  throw outOfReach(item, message, 'Name the repository that holds the path (--repo-url URL).');
}

/** Returns the error for a chart that is only bundled with this program. */
export function embedded(item: ExportedPackage): RenderError {
  return outOfReach(item, 'ships with drydock, which no engine knows', 'Take the chart from a repository or a path.');
}

/** Returns a path of the Order relative to the root of the Git repository. */
export function repositoryPath(path: string, { folder = '' }: ExportOptions): string {
  return (resolvePath(folder, path) ?? plainPath(path)) || '.';
}

/** Returns a path without a leading `./`. */
export function plainPath(path: string): string {
  return path.replace(/^(?:\.\/)+/, '').replace(/(?<!\/)\/+$/, '') || '.';
}
