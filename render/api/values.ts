// The values that a rendering used, with their origins: the front door.

import { callback, checkArguments, having, jsonObject } from '../core/arguments.ts';
import { type MergedValue, mergedValues } from '../provenance/trace/merged.ts';
import type { Release } from './chart.ts';
import { tracedArgument } from './explain.ts';

const valuesArgument = having<Release>('what renderRelease gave', {
  values: jsonObject,
  trace: having('a trace', { setBy: callback }),
});

/**
 * Returns every value that the templates of a release saw, each with the places that set it, the winning one first. It must have been
 * traced, with `trace: true`. Throws RenderError: ARGUMENT_INVALID.
 * @example
 * const release = renderRelease(chart, { trace: true, set: ['image.tag=1.2'] });
 * for (const { path, value, setBy } of listValues(release)) console.log(path, value, setBy[0]?.where);
 */
export function listValues(release: Release): MergedValue[] {
  checkArguments('listValues', ['release', release, tracedArgument]);
  checkArguments('listValues', ['release', release, valuesArgument]);
  return mergedValues(release.values, (steps) => release.trace?.setBy(steps) ?? []);
}
