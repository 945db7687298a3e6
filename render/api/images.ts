// Lists the images of a chart or an Order.

import {
  type ChartImage,
  chartImages,
  type ImageReference,
  type ImageUse,
  imagesIn,
  parseReference,
} from '../cases/images.ts';
import { dependencyValues } from '../cases/proposals.ts';
import type { CaseSettings } from '../cases/search.ts';
import type { Chart } from '../chart/chart.ts';
import { chartArgument } from '../chart/check.ts';
import { checkArguments, either, having, isMembers, jsonObject, listOf } from '../core/arguments.ts';
import { RenderError } from '../core/errors.ts';
import { seededHost } from '../core/host.ts';
import type { RenderedPackages } from '../engine/packages.ts';
import type { JsonObject } from '../order/order.ts';
import { existingSettings, type GenerateCasesOptions, generateOptions, searchCases } from './cases.ts';
import { objectOf, type Release, renderRelease } from './chart.ts';

/** An image that objects refer to. */
export interface ObjectImage extends ImageReference {
  /** For an Order: the release of the package. */
  readonly package?: string;
  readonly uses: readonly ImageUse[];
}

const rendered = either(
  (value) => isMembers(value) && 'packages' in value,
  having<Pick<RenderedPackages, 'packages'>>('what renderOrder gave', {
    packages: listOf(having('a rendered package', {})),
  }),
  listOf(jsonObject),
);

/**
 * Returns the images in objects or in the packages of an Order: in fields named `image` or ending in `Image`, and in arguments and
 * environment variables of containers. Throws RenderError: ARGUMENT_INVALID.
 * @example
 * const { objects, hooks } = renderRelease(chart);
 * const images = listImages([...objects, ...hooks].map(({ object }) => object)).map(({ reference }) => reference);
 */
export function listImages(objects: readonly JsonObject[] | Pick<RenderedPackages, 'packages'>): ObjectImage[] {
  checkArguments('listImages', ['objects', objects, rendered]);
  if (!('packages' in objects)) {
    return [...imagesIn(objects)].map(([reference, uses]) => ({ ...parseReference(reference), uses }));
  }
  return objects.packages.flatMap(({ release }) =>
    listImages([...release.manifests, ...release.hooks].map(objectOf)).map((image) => ({
      package: release.name,
      ...image,
    })),
  );
}

/**
 * Returns every image that a chart can use with its default image values: those of the defaults first, then those of cases from
 * `generateCases`, each with the smallest values that use it. Throws RenderError: ARGUMENT_INVALID.
 * @example
 * for (const { reference, when } of chartImages(chart)) console.log(reference, JSON.stringify(when.values));
 */
export function listChartImages(chart: Chart, options: GenerateCasesOptions = {}): ChartImage[] {
  checkArguments('listChartImages', ['chart', chart, chartArgument], ['options', options, generateOptions]);
  const existing = existingSettings(options.cases ?? [], options.release ?? {});
  const { cases } = searchCases(chart, { subcharts: true, ...options });
  const known = new Map<string, readonly JsonObject[] | undefined>();
  const switched = dependencyValues(chart).map((values): CaseSettings => ({ values }));
  const generated = cases.map(({ reaches, ...settings }): CaseSettings => settings);
  return chartImages([...existing, ...switched, ...generated], (settings) => {
    const key = JSON.stringify(settings);
    const host = seededHost();
    if (!known.has(key))
      known.set(
        key,
        objectsOf(() => renderRelease(chart, { ...options.release, host, ...settings })),
      );
    return known.get(key);
  });
}

function objectsOf(render: () => Release): JsonObject[] | undefined {
  try {
    const { objects, hooks } = render();
    return [...objects, ...hooks].map(({ object }) => object);
  } catch (error) {
    if (error instanceof RenderError) return undefined;
    throw error;
  }
}
