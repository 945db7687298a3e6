// Resolves a chart's name, version and source without network.
// Mirrors: kubepack, pkg/lib and pkg/chartrepo for source kinds; Helm's repo index for version selection.

import { type Check, callback, checkArguments, having, listOf, optional, optionsOf, text } from '../core/arguments.ts';
import { orUndefined } from '../core/catch.ts';
import { RenderError, type RenderErrorDetails } from '../core/errors.ts';
import { compareVersions, parseConstraint, parseVersion, satisfies, type Version } from '../go/semver.ts';
import type { Chart } from './chart.ts';
import { chartArgument } from './check.ts';

/** The name of a chart and its source. */
export interface ChartRef {
  readonly name: string;
  /** An exact version or a semver constraint; empty for the newest release. */
  readonly version: string;
  /** The source of the chart, as in the Order. */
  readonly sourceRef: {
    readonly apiGroup?: string;
    /** `HelmRepository` (also when empty), `Legacy`, `Local`, `Embed` or `OCIRepository`. */
    readonly kind?: string;
    readonly namespace?: string;
    /** A repository URL (http, https, oci), the name of a repository object, or a path. */
    readonly name: string;
  };
}

/** A source of charts, called by `renderOrder` for each package. */
export interface Registry {
  /** Returns the chart in the best matching version. Rejects with CHART_NOT_FOUND, CHART_INVALID. */
  resolve(ref: ChartRef): Promise<Chart>;
}

/** A version of a chart in a source. */
export interface Candidate {
  readonly version: string;
  /** Returns the chart. Rejects with CHART_INVALID. */
  readonly load: () => Promise<Chart>;
}

/** The searched places, and alternatives. */
export interface Search {
  /** Folders or addresses, for the message. Default none. */
  readonly places?: readonly string[] | undefined;
  /** Available versions that do not match, for the hint. Default none. */
  readonly versions?: readonly string[] | undefined;
  /** Names of charts in the named place, for the hint. Default none. */
  readonly names?: readonly string[] | undefined;
}

const texts = listOf(text);
const chartRef: Check = having<ChartRef>('the reference of a chart', {
  name: text,
  version: text,
  sourceRef: having<ChartRef['sourceRef']>('the source of a chart', {
    apiGroup: optional(text),
    kind: optional(text),
    namespace: optional(text),
    name: text,
  }),
});

/** A source of charts. */
export const registryArgument: Check = having<Registry>(
  'a registry, as returned by directoryRegistry or memoryRegistry',
  {
    resolve: callback,
  },
);

/** Validates the request to a registry. Throws ARGUMENT_INVALID. */
export function checkRef(ref: ChartRef): void {
  checkArguments('registry.resolve', ['ref', ref, chartRef]);
}

const chartList = listOf(chartArgument);

/**
 * Returns a registry over charts in memory. It compares names and versions only and accepts any source. Throws ARGUMENT_INVALID.
 * @example
 * const registry = memoryRegistry([loadChart(files)]);
 */
export function memoryRegistry(charts: Iterable<Chart>): Registry {
  const known = isIterable(charts) ? [...charts] : (charts as never);
  checkArguments('memoryRegistry', ['charts', known, chartList]);
  return {
    resolve: async (ref) => {
      checkRef(ref);
      const named = known.filter((chart) => chart.metadata.name === ref.name);
      const candidates = named.map(
        (chart): Candidate => ({ version: chart.metadata.version, load: async () => chart }),
      );
      const found = pickCandidate(candidates, ref.version);
      if (found !== undefined) return found.load();
      throw notFound(ref, { places: ['the charts in memory'], versions: candidates.map(({ version }) => version) });
    },
  };
}

// A text is iterable too, but not a list of charts.
function isIterable(value: unknown): value is Iterable<Chart> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

/**
 * Returns a registry that queries others in order and returns the first match. Throws ARGUMENT_INVALID.
 * @example
 * const registry = chainRegistries([memoryRegistry([chart]), directoryRegistry(['charts'])]);
 */
export function chainRegistries(registries: readonly Registry[]): Registry {
  checkArguments('chainRegistries', ['registries', registries, listOf(registryArgument)]);
  return {
    resolve: async (ref) => {
      checkRef(ref);
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
      if (first === undefined) {
        throw new RenderError('CHART_NOT_FOUND', notFound(ref).message, {
          hint: 'Give at least one source of charts.',
        });
      }
      // A registry with other names or versions has the best hint.
      const { member, hint } = missing.find((error) => error.member !== undefined) ?? first;
      const message = [...new Set(missing.map((error) => error.message))].join('; ');
      throw new RenderError('CHART_NOT_FOUND', message, { member, hint });
    },
  };
}

const candidateList = listOf(having<Candidate>('a candidate with a version', { version: text }));

/**
 * Selects a version: the one with exactly that text, else the newest that matches the constraint, else undefined. An empty constraint
 * selects the newest release, or the newest prerelease if there is no release. Throws ARGUMENT_INVALID.
 * @example
 * const found = pickCandidate([{ version: '1.2.0' }, { version: '1.3.0' }], '^1.0.0'); // { version: '1.3.0' }
 */
export function pickCandidate<T extends { readonly version: string }>(
  candidates: readonly T[],
  wanted: string,
): T | undefined {
  checkArguments('pickCandidate', ['candidates', candidates, candidateList], ['wanted', wanted, text]);
  const exact = candidates.find(({ version }) => version === wanted);
  if (exact !== undefined) return exact;
  const sorted = withVersions(candidates).sort((a, b) => compareVersions(b.version, a.version));
  const allows = wanted === '' ? (version: Version) => version.pre === '' : constraintOf(wanted);
  const found = sorted.find(({ version }) => allows(version)) ?? (wanted === '' ? sorted[0] : undefined);
  return found?.item;
}

/** Returns the items whose version can be parsed, with the parsed version. */
export function withVersions<T extends { readonly version: string }>(
  items: readonly T[],
): { readonly item: T; readonly version: Version }[] {
  return items.flatMap((item) => {
    const version = orUndefined(() => parseVersion(item.version));
    return version === undefined ? [] : [{ item, version }];
  });
}

function constraintOf(text: string): (version: Version) => boolean {
  const constraint = orUndefined(() => parseConstraint(text));
  return (version) => constraint !== undefined && satisfies(version, constraint);
}

const search = optionsOf<Search>({ places: texts, versions: texts, names: texts });

/**
 * Returns the CHART_NOT_FOUND error for a registry to throw: the request, the searched places, and a hint. Throws ARGUMENT_INVALID.
 * @example
 * const registry: Registry = {
 *   resolve: async (ref) => {
 *     const found = pickCandidate(await listMine(ref.name), ref.version);
 *     if (found === undefined) throw notFound(ref, { places: ['my shelf'] });
 *     return loadArchive(await found.download());
 *   },
 * };
 */
export function notFound(ref: ChartRef, searched: Search = {}): RenderError {
  checkArguments('notFound', ['ref', ref, chartRef], ['searched', searched, search]);
  const { places = [], versions = [], names = [] } = searched;
  const { kind = '', name } = ref.sourceRef;
  const source = `${kind || 'HelmRepository'} ${JSON.stringify(name)}`;
  const wanted = ref.version === '' ? '' : ` in version ${JSON.stringify(ref.version)}`;
  const where = places.length === 0 ? '' : ` (looked in ${[...new Set(places)].join(', ')})`;
  const message = `chart ${JSON.stringify(ref.name)}${wanted} not found in ${source}${where}`;
  const fail = (details: Pick<RenderErrorDetails, 'member' | 'hint'>): RenderError =>
    new RenderError('CHART_NOT_FOUND', message, details);
  if (ref.version !== '' && !isVersion(ref.version)) {
    const sentence = `chart ${JSON.stringify(ref.name)}: ${JSON.stringify(ref.version)} is neither a version nor a constraint`;
    const hint = 'Give a version such as "1.2.3" or a constraint such as ">=1.2.0 <2.0.0".';
    return new RenderError('CHART_NOT_FOUND', sentence, { member: 'version', hint });
  }
  if (names.length > 0) {
    const quoted = [...new Set(names)].map((other) => JSON.stringify(other)).join(', ');
    const hint = `The chart there is called ${quoted}: write that name.`;
    return fail({ member: 'name', hint });
  }
  if (versions.length > 0) {
    const hint = `There are these versions: ${[...new Set(versions)].slice(0, 10).join(', ')}.`;
    return fail({ member: 'version', hint });
  }
  return fail({ hint: hintOf(ref) });
}

function isVersion(text: string): boolean {
  return (orUndefined(() => parseVersion(text)) ?? orUndefined(() => parseConstraint(text))) !== undefined;
}

function hintOf({ name, sourceRef: { kind = '', name: source } }: ChartRef): string {
  const path = mirrorPath(source);
  if (path !== undefined) {
    return `Run \`drydock vendor ORDER\`, which downloads and pins it, or put the archive into a mirror of that address, DIR/${path}, and name that folder (--charts DIR).`;
  }
  if (kind === 'Local' || kind === 'Embed') {
    return 'Put the chart, as a folder or .tgz archive, into a folder of charts and name that folder (--charts DIR).';
  }
  return `Run \`drydock vendor ORDER\`, which downloads it from the repository that Helm knows as ${source}, or put the chart into DIR/${source}/${name} and name DIR (--charts DIR).`;
}

/** Returns the path of a repository's mirror below a folder: `host/path`; undefined if the text is not a URL. */
export function mirrorPath(source: string): string | undefined {
  const url = /^[a-z]+:\/\/(?:[^/@]*@)?([^/?#]*)([^?#]*)/i.exec(source);
  return url === null ? undefined : `${url[1]?.replaceAll(':', '_')}${url[2]}`.replace(/(?<!\/)\/+$/, '');
}
