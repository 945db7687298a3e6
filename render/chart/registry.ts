// Step 2 of the walk: a chart's name, version and source to the chart. No network.
// Mirrors: kubepack, pkg/lib and pkg/chartrepo in what a source kind means; Helm's repo index in how a version is picked.

import { RenderError } from '../errors.ts';
import { compareVersions, parseConstraint, parseVersion, type Version } from '../go/semver.ts';
import type { Chart } from './chart.ts';

/** Names a chart and where it comes from. */
export interface ChartRef {
  readonly name: string;
  /** An exact version, else a semver constraint; empty for the newest release. */
  readonly version: string;
  readonly sourceRef: {
    readonly apiGroup?: string;
    /** `HelmRepository` (also when empty), `Legacy`, `Local`, `Embed` or `OCIRepository`. */
    readonly kind?: string;
    readonly namespace?: string;
    /** A repository URL (http, https, oci), the name of a repository object, or a path. */
    readonly name: string;
  };
}

/** Finds charts. */
export interface Registry {
  /** Gives the chart, whose version is the best that the reference allows. Throws CHART_NOT_FOUND, CHART_INVALID. */
  resolve(ref: ChartRef): Promise<Chart>;
}

/** Is a chart that a source has in some version. */
export interface Candidate {
  readonly version: string;
  /** Gives the chart. Throws CHART_INVALID. */
  readonly load: () => Promise<Chart>;
}

/** Gives a registry over charts in memory. It looks at names and versions only: the source may be any. */
export function memoryRegistry(charts: Iterable<Chart>): Registry {
  const known = [...charts];
  return {
    resolve: async (ref) => {
      const named = known.filter((chart) => chart.metadata.name === ref.name);
      const candidates = named.map((chart) => ({ version: chart.metadata.version, load: async () => chart }));
      const found = pickCandidate(candidates, ref.version);
      if (found !== undefined) return found.load();
      throw notFound(ref, { places: ['the charts in memory'], versions: candidates.map(({ version }) => version) });
    },
  };
}

/** Gives a registry that asks others in order; the first that has the chart gives it. */
export function chainRegistries(registries: readonly Registry[]): Registry {
  return {
    resolve: async (ref) => {
      const missing: RenderError[] = [];
      for (const registry of registries) {
        try {
          return await registry.resolve(ref);
        } catch (error) {
          if (!(error instanceof RenderError) || error.code !== 'CHART_NOT_FOUND') throw error;
          missing.push(error);
        }
      }
      const [first] = missing;
      if (missing.length === 1 && first !== undefined) throw first;
      const message = missing.length === 0 ? notFound(ref, { places: [], versions: [] }).message : undefined;
      throw new RenderError('CHART_NOT_FOUND', message ?? missing.map((error) => error.message).join('; '), {
        mend: first?.mend ?? 'Give at least one source of charts.',
      });
    },
  };
}

/**
 * Picks among versions: the one of that very text, else the newest that the constraint allows, else nothing.
 * Empty picks the newest release, or the newest of all when there are only prereleases.
 */
export function pickCandidate<T extends { readonly version: string }>(
  candidates: readonly T[],
  wanted: string,
): T | undefined {
  const exact = candidates.find(({ version }) => version === wanted);
  if (exact !== undefined) return exact;
  const sorted = candidates
    .flatMap((candidate) => {
      const version = orNothing(() => parseVersion(candidate.version));
      return version === undefined ? [] : [{ candidate, version }];
    })
    .sort((a, b) => compareVersions(b.version, a.version));
  const allows = wanted === '' ? (version: Version) => version.pre === '' : constraintOf(wanted);
  const found = sorted.find(({ version }) => allows(version)) ?? (wanted === '' ? sorted[0] : undefined);
  return found?.candidate;
}

function constraintOf(text: string): (version: Version) => boolean {
  const constraint = orNothing(() => parseConstraint(text));
  return (version) => constraint?.check(version) ?? false;
}

function orNothing<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

/** Says where a chart was looked for, and which versions of it are there. */
export interface Search {
  readonly places: readonly string[];
  readonly versions: readonly string[];
}

/** Gives the CHART_NOT_FOUND error that tells what was looked for, where, and the mend. */
export function notFound(ref: ChartRef, { places, versions }: Search): RenderError {
  const { kind = '', name } = ref.sourceRef;
  const source = `${kind || 'HelmRepository'} ${JSON.stringify(name)}`;
  const wanted = ref.version === '' ? '' : ` in version ${JSON.stringify(ref.version)}`;
  const where = places.length === 0 ? '' : ` (looked in ${places.join(', ')})`;
  const mend =
    versions.length === 0
      ? 'Put the chart, as a folder or .tgz archive, into a folder of charts and name that folder (--charts DIR).'
      : `There are these versions: ${[...new Set(versions)].slice(0, 10).join(', ')}.`;
  return new RenderError(
    'CHART_NOT_FOUND',
    `chart ${JSON.stringify(ref.name)}${wanted} not found in ${source}${where}`,
    {
      mend,
    },
  );
}
