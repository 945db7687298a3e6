// Lists the values of a rendering with their origins.

import { plainValue } from '../codec/plain.ts';
import { callback, checkArguments, having, jsonObject, kind, listOf, text } from '../core/arguments.ts';
import type { RenderedPackage } from '../engine/packages.ts';
import type { RenderedRelease } from '../engine/release.ts';
import type { JsonObject } from '../order/order.ts';
import { type MergedValue, mergedValues } from '../provenance/trace/values.ts';
import type { Release } from './chart.ts';
import { tracedArgument } from './explain.ts';
import type { RenderedOrder } from './order.ts';

const valuesArgument = having<Release>('what renderRelease gave', {
  values: jsonObject,
  trace: having('a trace', { setBy: callback }),
});

/**
 * Returns every value that the templates of a release received, each with the places that set it, the winning one first. It must have been
 * traced with `trace: true`. Throws RenderError: ARGUMENT_INVALID.
 * @example
 * const release = renderRelease(chart, { trace: true, set: ['image.tag=1.2'] });
 * for (const { path, value, setBy } of listValues(release)) console.log(path, value, setBy[0]?.where);
 */
export function listValues(release: Release): MergedValue[] {
  checkArguments('listValues', ['release', release, tracedArgument]);
  checkArguments('listValues', ['release', release, valuesArgument]);
  return mergedValues(release.values, (steps) => release.trace?.setBy(steps) ?? []);
}

const orderArgument = having<RenderedOrder>('what renderOrder gave', {
  packages: listOf(
    having<RenderedPackage>('a rendered package', {
      release: having<RenderedRelease>('a release', { name: text, values: kind('a map', (one) => one instanceof Map) }),
    }),
  ),
});

/** The values of a package of an Order. */
export interface PackageValues {
  /** The name of its release. */
  readonly package: string;
  readonly values: readonly MergedValue[];
}

/**
 * Returns the values of each package of an Order, as `listValues` does for a release. The Order must have been rendered with `trace: true`.
 * Values set by the Order have a place such as `spec.packages[0].chart.values`. Throws RenderError: ARGUMENT_INVALID.
 */
export function listOrderValues(rendered: RenderedOrder): PackageValues[] {
  checkArguments('listOrderValues', ['rendered', rendered, tracedArgument]);
  checkArguments('listOrderValues', ['rendered', rendered, orderArgument]);
  return rendered.packages.map(({ release }, at) => ({
    package: release.name,
    values: mergedValues(
      plainValue(release.values) as JsonObject,
      (steps) => rendered.traces?.[at]?.trace.setBy(steps) ?? [],
    ),
  }));
}
