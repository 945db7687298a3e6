// Selects the Kubernetes versions of a matrix that a chart's `kubeVersion` accepts.

import { isCompatibleRange } from '../chart/chart.ts';
import type { Helm } from '../helm/helm.ts';
import { knownVersions } from '../validation/kubernetes/lifecycles.ts';
import { createCapabilities } from '../values/capabilities.ts';

/** Kubernetes versions, grouped by whether the charts accept them. */
export interface ChosenVersions {
  /** Not empty if any is accepted; undefined stands for the default version. */
  readonly accepted: readonly (string | undefined)[];
  readonly refused: readonly string[];
}

/** Reports whether charts accept a Kubernetes version, by their `kubeVersion` ranges. Default: the version of the Helm profile. */
export function acceptsVersion(ranges: readonly string[], version: string | undefined, helm: Helm): boolean {
  const { normalized } = createCapabilities({ helm, kubeVersion: version ?? '' }).kubeVersion;
  return ranges.every((range) => range === '' || isCompatibleRange(range, normalized, helm.semver));
}

/**
 * Selects the Kubernetes versions to render charts for. If none is given: the default version if the charts accept it, else the nearest one
 * that they accept.
 */
export function chooseVersions(ranges: readonly string[], versions: readonly string[], helm: Helm): ChosenVersions {
  const accepts = (version: string | undefined): boolean => acceptsVersion(ranges, version, helm);
  if (versions.length === 0)
    return { accepted: [accepts(undefined) ? undefined : nearest(accepts, helm)], refused: [] };
  return { accepted: versions.filter(accepts), refused: versions.filter((version) => !accepts(version)) };
}

// The known minor version nearest to the default, so that a chart keeps its version when newer ones become known.
function nearest(accepts: (version: string) => boolean, helm: Helm): string | undefined {
  const [oldest, newest] = knownVersions;
  const { minor } = helm.kubeVersion;
  const minors = Array.from({ length: newest - oldest + 1 }, (_, at) => oldest + at);
  minors.sort((a, b) => Math.abs(a - Number(minor)) - Math.abs(b - Number(minor)));
  return minors.map((one) => `1.${one}.0`).find(accepts);
}

/** Returns the note about Kubernetes versions that a chart does not accept. */
export function skippedNote(range: string, refused: readonly string[]): string {
  return `Kubernetes ${refused.join(', ')} ${refused.length === 1 ? 'is' : 'are'} skipped: the chart requires kubeVersion ${range}`;
}
