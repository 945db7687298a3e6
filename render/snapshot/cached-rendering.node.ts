// A case of a chart, or an Order: rendered now, or from the cache.

import type { Failure } from '../core/failure.ts';
import type { Inputs } from '../provenance/impact/inputs.ts';
import { writtenAt } from '../provenance/impact/places.ts';
import { contentDigest } from './cache/digest.node.ts';
import type { CacheEntry, CacheStore } from './cache/entries.node.ts';
import type { SnapshotFiles } from './compare.ts';
import type { NormalizedFiles } from './normalize.ts';
import type { Finding, RandomSite } from './outcome.ts';
import type { CaseRendering, Traced } from './rendering.ts';

/** The result of a rendering. */
export interface Rendered {
  readonly plain: SnapshotFiles;
  readonly normalized: NormalizedFiles;
  /** Returns the inputs of each release by name. */
  readonly inputs: () => Readonly<Record<string, Inputs>>;
  readonly milliseconds: number;
  /** Problems of its objects. */
  readonly findings: readonly Finding[];
  /** Warnings of its rendering. */
  readonly warnings: readonly string[];
  /** Warnings of loading its chart, which are printed once for all cases. */
  readonly readWarnings: readonly string[];
}

/** The cache entry of a rendering. */
export interface CachePlace {
  readonly cache: CacheStore;
  /** The digest of everything that decides it. */
  readonly key: string;
}

/** Why a case does not render. */
export interface CachedFailure {
  readonly error: Failure;
  /** Whether its chart is invalid, so that none of its cases renders. */
  readonly isOfChart: boolean;
}

type Facts = Partial<{
  failure: CachedFailure;
  milliseconds: number;
  findings: readonly Finding[];
  warnings: readonly string[];
  readWarnings: readonly string[];
  /** Undefined until requested, like the inputs. */
  random: readonly RandomSite[];
  inputs: Readonly<Record<string, Inputs>>;
}>;

/** A rendering. What the cache does not contain is rendered on demand. */
export class CachedRendering {
  readonly #render: () => Promise<Rendered>;
  readonly #place: CachePlace | undefined;
  #entry: CacheEntry | undefined;
  #facts: Facts = {};
  #rendered: Rendered | undefined;
  #digests: ReadonlyMap<string, string> | undefined;
  #isNew = false;

  private constructor(render: () => Promise<Rendered>, place: CachePlace | undefined) {
    this.#render = render;
    this.#place = place;
  }

  /** Returns the rendering from the cache, or undefined. `render` is called if more is requested than the cache contains. */
  static find(place: CachePlace, render: () => Promise<Rendered>): CachedRendering | undefined {
    const entry = place.cache.find(place.key);
    if (entry === undefined) return undefined;
    const rendering = new CachedRendering(render, place);
    rendering.#entry = entry;
    rendering.#facts = entry.facts;
    return rendering;
  }

  /** Returns a rendering made in this run. */
  static of(rendered: Rendered, place?: CachePlace): CachedRendering {
    const rendering = new CachedRendering(async () => rendered, place);
    rendering.#take(rendered);
    return rendering;
  }

  /** The warnings of its rendering. */
  get warnings(): readonly string[] {
    return this.#facts.warnings ?? [];
  }

  get readWarnings(): readonly string[] {
    return this.#facts.readWarnings ?? [];
  }

  /** Why it does not render, or undefined. */
  get failure(): CachedFailure | undefined {
    return this.#facts.failure;
  }

  get findings(): readonly Finding[] {
    return this.#facts.findings ?? [];
  }

  get milliseconds(): number {
    return this.#facts.milliseconds ?? 0;
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

  /** Returns what this run renders. */
  async fresh(): Promise<Rendered> {
    return this.#rendered ?? this.#take(await this.#render());
  }

  async inputs(): Promise<Readonly<Record<string, Inputs>>> {
    return this.#facts.inputs ?? this.#learn('inputs', (await this.fresh()).inputs());
  }

  async random(traced: Traced): Promise<readonly RandomSite[]> {
    return this.#facts.random ?? this.#learn('random', await randomSites((await this.fresh()).normalized, traced));
  }

  /** Writes to the cache what it does not contain yet. */
  keep(): void {
    if (!this.#isNew || this.#rendered === undefined) return;
    this.#place?.cache.put(this.#place.key, { files: this.#rendered.normalized.files, facts: this.#facts });
    this.#isNew = false;
  }

  // The first duration is kept: for a cached case it is the time of its rendering.
  #take(rendered: Rendered): Rendered {
    const { milliseconds, findings, warnings, readWarnings, normalized } = rendered;
    this.#rendered = rendered;
    this.#digests = undefined;
    this.#isNew ||= this.#entry === undefined;
    const random = normalized.random.length === 0 ? { random: [] } : {};
    this.#facts = { milliseconds, findings, warnings, readWarnings, ...random, ...this.#facts };
    return rendered;
  }

  #learn<Name extends keyof Facts>(name: Name, fact: NonNullable<Facts[Name]>): NonNullable<Facts[Name]> {
    this.#facts = { ...this.#facts, [name]: fact };
    this.#isNew = true;
    return fact;
  }
}

/** Caches why a case does not render, with the warnings of its rendering. */
export function cacheFailure(
  { cache, key }: CachePlace,
  facts: Required<Pick<Facts, 'failure' | 'warnings' | 'readWarnings'>>,
): void {
  cache.put(key, { files: new Map(), facts });
}

/** Merges renderings for the comparison. */
export function renderingOf(
  renderings: readonly CachedRendering[],
  rest: Pick<CaseRendering, 'cases' | 'findings' | 'missing' | 'namespace' | 'folder' | 'traced'>,
): CaseRendering {
  const joined = async <T>(
    read: (rendering: CachedRendering) => Promise<ReadonlyMap<string, T>>,
  ): Promise<ReadonlyMap<string, T>> => {
    const all = new Map<string, T>();
    for (const rendering of renderings) for (const [name, item] of await read(rendering)) all.set(name, item);
    return all;
  };
  return {
    ...rest,
    digests: new Map(renderings.flatMap((rendering) => [...rendering.digests])),
    files: () => joined((rendering) => rendering.files()),
    plain: () => joined(async (rendering) => (await rendering.fresh()).plain),
    original: async (file, bare) => {
      const rendering = renderings.find(({ digests }) => digests.has(file));
      return (await rendering?.fresh())?.normalized.originals.get(bare) ?? bare;
    },
    inputs: async () => {
      const all: Record<string, Inputs> = {};
      for (const rendering of renderings) Object.assign(all, await rendering.inputs());
      return all;
    },
    random: async () => {
      const sites = new Map<string, RandomSite>();
      for (const rendering of renderings) {
        for (const site of await rendering.random(rest.traced)) sites.set(JSON.stringify(site), site);
      }
      return [...sites.values()];
    },
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
  const sites = new Map<string, RandomSite>();
  for (const { file, source, document, object, path, steps } of random) {
    const release = await traced([file], { path: source, content: document });
    const place =
      release && writtenAt(release.side, { document: { path: source, content: document }, steps, side: 'after' });
    const site = { object, path, file: place?.file ?? source, line: place?.line ?? 0 };
    sites.set(JSON.stringify(site), site);
  }
  return [...sites.values()];
}
