// A rendered input for comparison: normalized files, and access to causes. For a cached rendering, the rest is computed on demand.

import type { Failure } from '../core/failure.ts';
import { uniqueBy } from '../core/unique-by.ts';
import type { RenderSettings, RunIo } from '../inputs/settings.ts';
import type { SourcedDocument } from '../manifest/source.ts';
import type { SideRelease } from '../provenance/impact/attribution.ts';
import type { Inputs } from '../provenance/impact/inputs.ts';
import { writtenAt } from '../provenance/impact/places.ts';
import { type CacheEntry, type CacheStore, contentDigest, type RunCache } from './cache.node.ts';
import type { ChangedFile, SnapshotFiles } from './compare.ts';
import type { NormalizedFiles } from './normalize.ts';
import type { CaseFinding, CaseOutcome, Finding, RandomSite } from './outcome.ts';

/** How inputs are rendered. */
export interface RenderingRun {
  readonly settings: RenderSettings;
  readonly io: RunIo;
  /** The cache; undefined if everything is rendered. */
  readonly cache?: RunCache | undefined;
  /** Called with each warning. Default: they are printed. */
  readonly onWarning?: ((line: string) => void) | undefined;
}

export interface CaseRendering {
  /** The digest of each normalized file. */
  readonly digests: ReadonlyMap<string, string>;
  readonly files: () => Promise<SnapshotFiles>;
  /** Returns the files as rendered, for recordings in the older format. */
  readonly plain: () => Promise<SnapshotFiles>;
  /** Returns a document of a file as rendered, trimmed and without its source line. */
  readonly original: (file: string, content: string) => Promise<string>;
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
  /** Returns the inputs of each case or release by name. */
  readonly inputs: () => Promise<Readonly<Record<string, Inputs>>>;
  /** Renders again with a trace: returns the release of a document in some files, by the name of its inputs. */
  readonly traced: Traced;
  readonly keep: () => void;
}

/** Returns a changed file as a complete manifest; undefined for one whose changes equal those of another. */
export type WholeFiles = (
  change: ChangedFile,
  sides: { readonly recorded: SnapshotFiles; readonly rendered: SnapshotFiles; readonly mask: readonly string[] },
) => ChangedFile | undefined;

/** Returns the release of a document in some files. */
export type Traced = (
  files: readonly string[],
  document: SourcedDocument | undefined,
) => Promise<TracedRelease | undefined>;

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

/** What is known of a rendering besides its files. */
type Facts = {
  /** Why the case does not render. Default: it does. */
  readonly failure?: CachedFailure;
  readonly milliseconds: number;
  /** Problems of its objects. */
  readonly findings: readonly Finding[];
  readonly warnings: readonly string[];
  /** Warnings of loading its chart, which are printed once for all cases. */
  readonly readWarnings: readonly string[];
  /** Undefined until requested, like the inputs. */
  readonly random?: readonly RandomSite[];
  readonly inputs?: Readonly<Record<string, Inputs>>;
};

export interface Rendered extends Pick<Facts, 'milliseconds' | 'findings' | 'warnings' | 'readWarnings'> {
  readonly plain: SnapshotFiles;
  readonly normalized: NormalizedFiles;
  /** Returns the inputs of each release by name. */
  readonly inputs: () => Readonly<Record<string, Inputs>>;
}

export interface CachePlace {
  readonly cache: CacheStore;
  /** The digest of everything that decides it. */
  readonly key: string;
}

export interface CachedFailure {
  readonly error: Failure;
  /** Whether its chart is invalid, so that none of its cases renders. */
  readonly isOfChart: boolean;
}

/** A rendering. What the cache does not contain is rendered on demand. */
export class CachedRendering {
  facts: Facts;
  readonly #render: () => Promise<Rendered>;
  readonly #place: CachePlace | undefined;
  #entry: CacheEntry | undefined;
  #rendered: Rendered | undefined;
  #digests: ReadonlyMap<string, string> | undefined;
  #isNew = false;

  private constructor(facts: Facts, render: () => Promise<Rendered>, place: CachePlace | undefined) {
    this.facts = facts;
    this.#render = render;
    this.#place = place;
  }

  /** Returns the rendering from the cache, or undefined. `render` is called if more is requested than the cache contains. */
  static find(place: CachePlace, render: () => Promise<Rendered>): CachedRendering | undefined {
    const entry = place.cache.find(place.key);
    if (entry === undefined) return undefined;
    const rendering = new CachedRendering(entry.facts as Facts, render, place);
    rendering.#entry = entry;
    return rendering;
  }

  static of(rendered: Rendered, place?: CachePlace): CachedRendering {
    const { milliseconds, findings, warnings, readWarnings } = rendered;
    const rendering = new CachedRendering(
      { milliseconds, findings, warnings, readWarnings },
      async () => rendered,
      place,
    );
    rendering.#take(rendered);
    return rendering;
  }

  /** The digest of each normalized file. */
  get digests(): ReadonlyMap<string, string> {
    if (this.#entry !== undefined) return this.#entry.digests;
    const { normalized } = this.#rendered!;
    this.#digests ??= new Map([...normalized.files].map(([name, text]) => [name, contentDigest(text)]));
    return this.#digests;
  }

  async files(): Promise<SnapshotFiles> {
    const files = this.#rendered === undefined ? this.#entry?.files() : undefined;
    if (files !== undefined) return files;
    // A corrupt entry is written again.
    if (this.#rendered === undefined) this.#entry = undefined;
    return (await this.fresh()).normalized.files;
  }

  async fresh(): Promise<Rendered> {
    return this.#rendered ?? this.#take(await this.#render());
  }

  async inputs(): Promise<Readonly<Record<string, Inputs>>> {
    const inputs = this.facts.inputs ?? (await this.fresh()).inputs();
    if (this.facts.inputs === undefined) this.#learn({ inputs });
    return inputs;
  }

  async random(traced: Traced): Promise<readonly RandomSite[]> {
    const random = this.facts.random ?? (await randomSites((await this.fresh()).normalized, traced));
    if (this.facts.random === undefined) this.#learn({ random });
    return random;
  }

  /** Writes to the cache what it does not contain yet. */
  keep(): void {
    if (!this.#isNew || this.#rendered === undefined) return;
    this.#place?.cache.put(this.#place.key, { files: this.#rendered.normalized.files, facts: this.facts });
    this.#isNew = false;
  }

  #take(rendered: Rendered): Rendered {
    this.#rendered = rendered;
    this.#digests = undefined;
    this.#isNew ||= this.#entry === undefined;
    if (rendered.normalized.random.length === 0) this.facts = { random: [], ...this.facts };
    return rendered;
  }

  #learn(facts: Partial<Facts>): void {
    this.facts = { ...this.facts, ...facts };
    this.#isNew = true;
  }
}

/** Caches why a case does not render, with the warnings of its rendering. */
export function cacheFailure(
  { cache, key }: CachePlace,
  facts: Required<Pick<Facts, 'failure' | 'warnings' | 'readWarnings'>>,
): void {
  cache.put(key, { files: new Map(), facts: { ...facts, milliseconds: 0, findings: [] } });
}

/** Merges renderings for the comparison. */
export function renderingOf(
  renderings: readonly CachedRendering[],
  rest: Pick<CaseRendering, 'cases' | 'findings' | 'missing' | 'namespace' | 'folder' | 'traced'>,
): CaseRendering {
  const ofAll = <T>(read: (rendering: CachedRendering) => Promise<T>): Promise<T[]> =>
    Promise.all(renderings.map(read));
  return {
    ...rest,
    digests: new Map(renderings.flatMap((rendering) => [...rendering.digests])),
    files: async () => new Map((await ofAll((one) => one.files())).flatMap((files) => [...files])),
    plain: async () => new Map((await ofAll((one) => one.fresh())).flatMap(({ plain }) => [...plain])),
    original: async (file, bare) => {
      const rendering = renderings.find(({ digests }) => digests.has(file));
      return (await rendering?.fresh())?.normalized.originals.get(bare) ?? bare;
    },
    inputs: async () => Object.assign({}, ...(await ofAll((one) => one.inputs()))),
    random: async () => uniqueBy((await ofAll((one) => one.random(rest.traced))).flat()),
    keep: () => {
      for (const rendering of renderings) rendering.keep();
    },
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
