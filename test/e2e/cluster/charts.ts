// The charts for the tests with a cluster: every chart in some folders, with its defaults and each of its `ci/` values files.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Release, renderRelease } from '../../../render/api/chart.ts';
import { loadChartPath } from '../../../render/chart/directory.node.ts';
import { plainValue } from '../../../render/codec/plain.ts';
import { RenderError } from '../../../render/core/errors.ts';
import { seededHost } from '../../../render/core/host.ts';
import type { GoMap } from '../../../render/go/value.ts';
import { readObjects } from '../../../render/manifest/objects.ts';
import type { SourcedDocument } from '../../../render/manifest/source.ts';
import { kubernetesVersion } from '../../../scripts/reference/programs.ts';
import { type ConformanceCase, listCases } from '../../conformance/charts.ts';

/** An object as in the Kubernetes API. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name?: string;
    readonly generateName?: string;
    readonly namespace?: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly [name: string]: unknown;
  };
  readonly [name: string]: unknown;
}

/** An object of a chart: as parsed by drydock, and as JSON. */
export interface ChartObject {
  readonly read: GoMap;
  readonly json: KubeObject;
}

/** A chart that renders, with its objects in install order. */
export interface RenderedCase {
  readonly id: string;
  readonly release: Release;
  readonly objects: readonly ChartObject[];
}

/** A selection of charts. */
export interface Selection {
  readonly folders: readonly string[];
  /** A folder for charts assembled with their dependencies. */
  readonly workspace: string;
  /** Returns the namespace of the case with the given number. Default: all are rendered for `default`. */
  readonly namespace?: (index: number) => string;
}

/** Renders charts for the version of the cluster. Skips those that fail. */
export async function* renderedCases({
  folders,
  workspace,
  namespace = () => 'default',
}: Selection): AsyncGenerator<RenderedCase> {
  let count = 0;
  for (const one of await listCases(folders, workspace)) {
    const found = await renderCase(one, namespace(count));
    if (found === undefined) continue;
    count++;
    yield found;
  }
}

/** Renders a chart for the version of the cluster. Returns undefined if it does not render or has no objects. */
async function renderCase(
  { id, chart: path, valuesFile }: ConformanceCase,
  namespace: string,
): Promise<RenderedCase | undefined> {
  try {
    const chart = await loadChartPath(path);
    const valuesFiles = valuesFile === undefined ? [] : [await readFile(join(path, valuesFile), 'utf8')];
    const release = renderRelease(chart, {
      releaseName: 'release',
      namespace,
      kubeVersion: `v${kubernetesVersion}`,
      host: seededHost(),
      limits: { milliseconds: 20_000 },
      valuesFiles,
    });
    const objects = objectsIn([...release.crds, ...release.objects, ...release.hooks]);
    return objects.length === 0 ? undefined : { id, release, objects };
  } catch (error) {
    if (error instanceof RenderError) return undefined;
    throw error;
  }
}

/** Returns the given folders, or by default the fixture charts. */
export function chartFolders(given: readonly string[]): readonly string[] {
  return given.length > 0 ? given : [fileURLToPath(new URL('../../../fixtures/charts', import.meta.url))];
}

/** Returns the objects of documents that have metadata, an API version and a kind. */
export function objectsIn(documents: readonly SourcedDocument[]): ChartObject[] {
  return documents
    .flatMap((document) => readObjects(document))
    .map((read) => ({ read, json: plainValue(read) as KubeObject }))
    .filter(({ json }) => typeof json?.metadata === 'object' && json.metadata !== null)
    .filter(({ json: { apiVersion, kind } }) => typeof apiVersion === 'string' && typeof kind === 'string');
}
