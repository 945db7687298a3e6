// A rendered input for comparison: normalized files, and access to causes. For a cached rendering, the rest is computed on demand.

import { RenderError } from '../core/errors.ts';
import { packFailure, unpackFailure } from '../core/failure.ts';
import { lazy } from '../core/lazy.ts';
import { uniqueBy } from '../core/unique-by.ts';
import type { RenderSettings, RunIo } from '../inputs/settings.ts';
import type { SourcedDocument } from '../manifest/source.ts';
import type { SideRelease } from '../provenance/impact/attribution.ts';
import type { Inputs } from '../provenance/impact/inputs.ts';
import { writtenAt } from '../provenance/impact/places.ts';
import { type CachedFacts, contentDigest, type RunCache } from './cache.node.ts';
import type { ChangedFile, SnapshotFiles } from './compare.ts';
import type { NormalizedFiles } from './normalize.ts';
import type { CaseFinding, CaseOutcome, Finding, RandomSite } from './outcome.ts';

export interface RenderingRun {
  readonly settings: RenderSettings;
  readonly io: RunIo;
  /** The cache; undefined if everything is rendered. */
  readonly cache?: RunCache | undefined;
  /** Called with each warning. Default: they are printed. */
  readonly onWarning?: ((line: string) => void) | undefined;
}

/** The files of a rendering, and what is known of them on demand. */
interface RenderedFiles {
  /** The digest of each normalized file. */
  readonly digests: ReadonlyMap<string, string>;
  readonly files: () => Promise<SnapshotFiles>;
  /** Returns a document of a file as rendered, trimmed and without its source line. */
  readonly original: (file: string, content: string) => Promise<string>;
  /** Returns the inputs of each case or release by name. */
  readonly inputs: () => Promise<Readonly<Record<string, Inputs>>>;
}

/** The rendering of all cases of an input. */
export interface CaseRendering extends RenderedFiles {
  /** Returns the random members, with what writes them. */
  readonly random: () => Promise<readonly RandomSite[]>;
  /** Problems of objects, if requested. */
  readonly findings: readonly CaseFinding[];
  /** Returns a changed file as a complete manifest, if it contains only differences. Default: all files are complete. */
  readonly whole?: WholeFiles | undefined;
  readonly cases: readonly CaseOutcome[];
  /** The files of cases that do not render: their recordings are kept. */
  readonly missing: readonly string[];
  /** The namespace of objects without one; empty if packages have their own. */
  readonly namespace: string;
  /** The folder of the chart; empty for an Order. */
  readonly folder: string;
  /** Renders again with a trace: returns the release of a document in some files, by the name of its inputs. */
  readonly traced: Traced;
}

/** Returns a changed file as a complete manifest; undefined for one whose changes equal those of another. */
export type WholeFiles = (
  change: ChangedFile,
  sides: { readonly recorded: SnapshotFiles; readonly rendered: SnapshotFiles },
) => ChangedFile | undefined;

type Traced = (files: readonly string[], document: SourcedDocument | undefined) => Promise<TracedRelease | undefined>;

/** A release with its trace. */
export interface TracedRelease extends SideRelease {
  /** The name of its inputs. */
  readonly key: string;
  /** The Kubernetes version of its inputs, if it differs from the recorded one. */
  readonly kubeVersion?: string | undefined;
}

/** Returns the text of a document without its source line. */
export function bareContent(content: string): string {
  return content.replace(/^\s*(?:# Source: [^\n]*\n)?/, '').trim();
}

export interface Rendered extends Pick<CachedFacts, 'milliseconds' | 'findings'> {
  readonly normalized: NormalizedFiles;
  /** Returns the inputs of each release by name. */
  readonly inputs: () => Readonly<Record<string, Inputs>>;
}

/** One rendering, cached or new. */
export interface SingleRendering extends RenderedFiles {
  readonly milliseconds: number;
  readonly findings: readonly Finding[];
  readonly random: (traced: Traced) => Promise<readonly RandomSite[]>;
}

interface RenderingSource {
  /** The digest of everything that decides it; undefined if it is not cached. */
  readonly key: string | undefined;
  readonly cache: RunCache | undefined;
  readonly render: (onWarning: (line: string) => void) => Promise<Rendered>;
  readonly onWarning: (line: string) => void;
  /** Reports whether a failure depends only on the key, so that it is cached, too. */
  readonly isCached: (failure: RenderError) => boolean;
}

/**
 * Returns a rendering from the cache, or renders it. What the cache does not contain is rendered on demand. Throws the RenderError of a
 * failed rendering, cached or not.
 */
export async function renderCached(source: RenderingSource): Promise<SingleRendering> {
  const { key, cache, render, onWarning, isCached } = source;
  const entry = key === undefined ? undefined : cache?.store.find(key);
  const keep = (files: SnapshotFiles, facts: CachedFacts): void => {
    if (key !== undefined) cache?.store.put(key, { files, facts });
  };
  for (const line of entry?.facts.warnings ?? []) onWarning(line);
  if (entry?.facts.failure !== undefined) throw unpackFailure(entry.facts.failure);
  const warnings: string[] = [];
  const onLine = (line: string): void => {
    warnings.push(line);
    onWarning(line);
  };
  const fresh = lazy(() => render(entry === undefined ? onLine : () => {}));
  const files = async (): Promise<SnapshotFiles> => {
    const kept = entry?.files();
    if (kept !== undefined) return kept;
    const { normalized } = await fresh();
    // A corrupt entry is written again.
    if (entry !== undefined) keep(normalized.files, entry.facts);
    return normalized.files;
  };
  let facts = entry?.facts;
  if (facts === undefined) {
    try {
      facts = factsOf(await fresh(), warnings);
    } catch (error) {
      if (!(error instanceof RenderError) || !isCached(error)) throw error;
      keep(new Map(), { milliseconds: 0, findings: [], warnings, failure: packFailure(error) });
      throw error;
    }
    keep(await files(), facts);
  }
  let known = facts;
  const learn = async (more: Partial<CachedFacts>): Promise<void> => {
    known = { ...known, ...more };
    keep(await files(), known);
  };
  return {
    milliseconds: facts.milliseconds,
    findings: facts.findings,
    digests: entry?.digests ?? new Map([...(await files())].map(([name, text]) => [name, contentDigest(text)])),
    files,
    original: async (_file, bare) => (await fresh()).normalized.originals.get(bare) ?? bare,
    inputs: async () => {
      if (known.inputs === undefined) await learn({ inputs: (await fresh()).inputs() });
      return known.inputs ?? {};
    },
    random: async (traced) => {
      if (known.random === undefined) await learn({ random: await randomSites((await fresh()).normalized, traced) });
      return known.random ?? [];
    },
  };
}

function factsOf({ milliseconds, findings, normalized }: Rendered, warnings: readonly string[]): CachedFacts {
  const known = { milliseconds, findings, warnings };
  return normalized.random.length === 0 ? { ...known, random: [] } : known;
}

export function renderingOf(
  renderings: readonly SingleRendering[],
  rest: Pick<CaseRendering, 'cases' | 'findings' | 'missing' | 'namespace' | 'folder' | 'traced'>,
): CaseRendering {
  const ofAll = <T>(read: (rendering: SingleRendering) => Promise<T>): Promise<T[]> =>
    Promise.all(renderings.map(read));
  return {
    ...rest,
    digests: new Map(renderings.flatMap((rendering) => [...rendering.digests])),
    files: async () => new Map((await ofAll((one) => one.files())).flatMap((files) => [...files])),
    original: async (file, bare) =>
      renderings.find(({ digests }) => digests.has(file))?.original(file, bare) ?? Promise.resolve(bare),
    inputs: async () => Object.assign({}, ...(await ofAll((one) => one.inputs()))),
    random: async () => uniqueBy((await ofAll((one) => one.random(rest.traced))).flat()),
  };
}

/** Returns a rendering with additional files, which are not manifests. */
export function withMore(rendering: CaseRendering, more: SnapshotFiles): CaseRendering {
  const digests = [...more].map(([name, text]) => [name, contentDigest(text)] as const);
  return {
    ...rendering,
    digests: new Map([...rendering.digests, ...digests]),
    files: async () => new Map([...(await rendering.files()), ...more]),
  };
}

async function randomSites({ random }: NormalizedFiles, traced: Traced): Promise<readonly RandomSite[]> {
  const sites: RandomSite[] = [];
  for (const { file, source, document, object, path, steps } of random) {
    const own = { path: source, content: document };
    const release = await traced([file], own);
    const place = release && writtenAt(release.side, { document: own, steps, side: 'after' });
    sites.push({ object, path, file: place?.file ?? source, line: place?.line ?? 0 });
  }
  return uniqueBy(sites);
}
