// Which Kubernetes versions of a matrix charts are rendered for: those that their `kubeVersion` accepts.

import { isCompatibleRange } from '../chart/compatible.ts';
import type { Helm } from '../helm/helm.ts';
import { knownVersions } from '../validation/kubernetes/lifecycles.ts';
import { createCapabilities } from '../values/capabilities.ts';

/** Kubernetes versions, split by whether charts accept them. */
export interface ChosenVersions {
  /** At least one if any is accepted; undefined is the default version. */
  readonly accepted: readonly (string | undefined)[];
  readonly refused: readonly string[];
}

/** Reports whether charts accept a Kubernetes version (default that of the Helm), by their `kubeVersion` ranges. */
export function acceptsVersion(ranges: readonly string[], version: string | undefined, helm: Helm): boolean {
  const { normalized } = createCapabilities({ helm, kubeVersion: version ?? '' }).kubeVersion;
  return ranges.every((range) => range === '' || isCompatibleRange(range, normalized, helm.semver));
}

/**
 * Chooses the Kubernetes versions that charts are rendered for. Without any, that is the default version if the charts accept
 * it, or else the nearest one that they accept.
 */
export function chooseVersions(ranges: readonly string[], versions: readonly string[], helm: Helm): ChosenVersions {
  const accepts = (version: string | undefined): boolean => acceptsVersion(ranges, version, helm);
  if (versions.length === 0)
    return { accepted: [accepts(undefined) ? undefined : nearest(accepts, helm)], refused: [] };
  return { accepted: versions.filter(accepts), refused: versions.filter((version) => !accepts(version)) };
}

// The known minor version nearest to the default: a chart keeps it when a newer Kubernetes becomes known.
function nearest(accepts: (version: string) => boolean, helm: Helm): string | undefined {
  const [oldest, newest] = knownVersions;
  const { minor } = helm.kubeVersion;
  const minors = Array.from({ length: newest - oldest + 1 }, (_, at) => oldest + at);
  minors.sort((a, b) => Math.abs(a - Number(minor)) - Math.abs(b - Number(minor)));
  return minors.map((one) => `1.${one}.0`).find(accepts);
}

/** Returns the note for Kubernetes versions that a chart does not accept. */
export function skippedNote(range: string, refused: readonly string[]): string {
  return `Kubernetes ${refused.join(', ')} ${refused.length === 1 ? 'is' : 'are'} skipped: the chart requires kubeVersion ${range}`;
}
